import type { TableChange } from '../../contract/change.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import { compileChange } from '../../sql/compile-change.ts'
import { compileRowQuery } from '../../sql/compile-row-query.ts'
import { quoteTableName, quoteText } from '../../sql/dialect.ts'
import { postgresDialect } from './dialect.ts'
import { SYNC_LOCK } from './transaction.ts'

/** Returns the statements of a change. */
export function compilePostgres(change: TableChange): readonly string[] {
  // PostgreSQL alters tables in place and never rebuilds one.
  return change.kind === 'rebuildTable' ? [] : compileChange(change, postgresDialect, true)
}

/** Returns a sync as a script for psql. */
export function compileScript(
  changes: readonly TableChange[],
  last: readonly string[],
  checks: readonly RowQuery[],
): readonly string[] {
  return [
    // Without this, psql continues after a failure and exits with 0.
    '\\set ON_ERROR_STOP on',
    'BEGIN',
    `SELECT pg_advisory_xact_lock(${SYNC_LOCK})`,
    ...checks.map(compileCheck),
    ...changes.flatMap(compilePostgres),
    ...last,
    'COMMIT',
  ]
}

/** A statement that fails if the query counts any row. */
function compileCheck(query: RowQuery): string {
  const message = quoteText(`portico: rows of ${quoteTableName(query.tableName)} no longer fit: plan again`)
  const body = `BEGIN IF (${compileRowQuery(query, postgresDialect)}) > 0 THEN RAISE EXCEPTION USING MESSAGE = ${message}; END IF; END`
  return `DO ${quoteText(body)}`
}
