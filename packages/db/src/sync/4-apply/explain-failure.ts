/** Turns failures in the middle of a sync into refusals that say which changes remain. */
import type { TableChange } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'

/** Wraps an error of the engine: rows that do not fit, or an object in the way that sync did not create. */
export function explainFailure(error: unknown, change: TableChange, table: string): unknown {
  if (!(error instanceof DbError)) return error
  const refusal = (reason: string): DbError =>
    new DbError('SYNC_REFUSED', `${change.kind === 'createSchema' ? 'schema' : 'table'} \`${table}\`: ${reason}`, {
      cause: error,
    })
  if (error.code === 'UNIQUE_VIOLATION') {
    const object = change.kind === 'createIndex' ? `the unique index \`${change.index.name}\`` : 'the primary key'
    return refusal(`cannot create ${object}: some rows duplicate the values of another row`)
  }
  if (error.code === 'FOREIGN_KEY_VIOLATION') {
    return refusal('cannot add a foreign key: some rows refer to missing rows')
  }
  if (error.code !== 'QUERY_FAILED' && error.code !== 'CONSTRAINT_VIOLATION') return error
  // `alterColumn` reads as "alter column".
  const action = change.kind.replace(/[A-Z]/g, (it) => ` ${it.toLowerCase()}`)
  return refusal(`the database refused to ${action}: ${reasonOf(error)}`)
}

/** The engine's message, with its detail unless that could contain values of a row. */
function reasonOf({ code, message, cause }: DbError): string {
  const { message: reason = message, detail } = (cause ?? {}) as { message?: string; detail?: unknown }
  if (code !== 'QUERY_FAILED' || typeof detail !== 'string') return reason
  return `${reason} (${detail.replaceAll('\n', '; ')})`
}

/** Adds to a refusal that earlier changes remain, because there was no transaction around them. */
export function reportApplied(error: unknown, count: number): unknown {
  if (!(error instanceof DbError) || error.code !== 'SYNC_REFUSED' || count === 0) return error
  return reportRemaining(error, count === 1 ? 'The change before it was' : `The ${count} changes before it were`)
}

/** Adds to a failure after the commit that only these indexes are missing. */
export function reportCommitted(error: unknown, missing: readonly string[]): unknown {
  if (!(error instanceof DbError)) return error
  const names = missing.map((it) => `\`${it}\``).join(', ')
  return reportRemaining(error, `Everything except ${missing.length === 1 ? 'the index' : 'the indexes'} ${names} was`)
}

function reportRemaining({ code, message, cause }: DbError, applied: string): DbError {
  return new DbError(code, `${message}. ${applied} applied, and the next sync continues from there`, { cause })
}
