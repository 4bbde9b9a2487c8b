/** Writes a sync as an SQL script for review, and for `psql` or `sqlite3`. */
import type { Engine } from '../../contract/adapter.ts'
import type { TableChange } from '../../contract/change.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import { DbError } from '../../errors.ts'
import { quoteName, quoteTableName, quoteText } from '../../sql/dialect.ts'
import { formatTableName } from '../../values/table-name.ts'
import { recordToJson } from '../1-read/metadata-table.ts'
import { readState } from '../1-read/read-state.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import { isSameJson } from '../1-read/table-facts.ts'
import { diffDatabase } from '../2-diff/diff-database.ts'
import type { DatabaseDifference, TableDifference } from '../2-diff/difference.ts'
import { createPlan } from '../3-plan/create-plan.ts'
import { unconvertibleQuery } from '../3-plan/measure-conversion.ts'
import { orderChanges } from '../3-plan/order-changes.ts'
import { refusePlan } from '../3-plan/refuse-plan.ts'
import { isManaged, programOf, recordOf } from './table-record.ts'

export async function writeScript(engine: Engine, context: SyncContext): Promise<string> {
  if (!context.supports.sql) throw new DbError('SQL_UNSUPPORTED', 'this engine has no SQL')
  if (!engine.session.script) {
    throw new DbError(
      'SQL_UNSUPPORTED',
      'this engine cannot write a sync as a script, since each step depends on the result of the one before; a plan lists the steps',
    )
  }
  const transaction = await engine.begin({ isolation: 'default', purpose: 'sync' })
  try {
    const state = await readState(transaction, context)
    const difference = diffDatabase(state, context)
    const plan = await createPlan(transaction, context, state, difference)
    refusePlan(plan)
    if (plan.steps.length === 0) return ''
    const registry: TableChange[] = state.hasRegistry
      ? []
      : [{ kind: 'createTable', plan: context.registry.plan, foreignKeys: [] }]
    const changes = [...orderChanges(difference, context.supports), ...registry]
    const checks = difference.tables.flatMap(unconvertibleQueries)
    const statements = await transaction.script!(changes, recordStatements(context, difference), checks)
    // A name may contain a line break, which would end the comment.
    const comments = plan.steps.map((it) => `-- ${it.class}: ${it.description.replaceAll(/\s+/g, ' ')}`)
    return [...comments, '', ...statements.map((it) => (isShellCommand(it) ? it : `${it};`)), ''].join('\n')
  } finally {
    await transaction.rollback()
  }
}

/**
 * Checks for values that the engine would silently round or truncate. NULLs, duplicates and missing references make
 * the script fail without a check.
 */
function unconvertibleQueries(table: TableDifference): RowQuery[] {
  return table.differences.flatMap((it) => (it.kind === 'changeType' ? (unconvertibleQuery(it, table) ?? []) : []))
}

/** Commands of `sqlite3` and `psql` take no semicolon. */
function isShellCommand(statement: string): boolean {
  return /^[.\\]/.test(statement)
}

/** Statements that update sync's own records. */
function recordStatements({ registry }: SyncContext, difference: DatabaseDifference): string[] {
  const { plan } = registry
  const table = quoteTableName(plan.tableName)
  const [name, content] = plan.columns.map((it) => quoteName(it.name))
  const remove = (key: string): string => `DELETE FROM ${table} WHERE ${name} = ${quoteText(key)}`
  const changed = difference.tables.filter(isManaged).flatMap((it) => {
    const { key: formerKey, ...known } = it.record ?? {}
    const key = formatTableName(it.plan.tableName)
    const record = recordOf(it, programOf(difference))
    return formerKey === key && isSameJson(known, record) ? [] : [{ formerKey, key, record }]
  })
  return [
    ...changed.flatMap(({ formerKey }) => (formerKey === undefined ? [] : [remove(formerKey)])),
    ...difference.dropped.map((it) => remove(it.key!)),
    ...changed.map(({ key, record }) => {
      const values = registry.encode(key, recordToJson(record)) as string[]
      return `INSERT INTO ${table} (${name}, ${content}) VALUES (${values.map(quoteText).join(', ')})`
    }),
  ]
}
