/** What went wrong in the middle of a sync, and what of it stays. */
import type { TableChange } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'

/** What the engine refuses is refused by sync: rows that do not fit, or something of others that is in the way. */
export function explainFailure(error: unknown, change: TableChange, table: string): unknown {
  if (!(error instanceof DbError)) return error
  const refusal = (told: string): DbError =>
    new DbError('SYNC_REFUSED', `${change.kind === 'createSchema' ? 'schema' : 'table'} \`${table}\`: ${told}`, {
      cause: error,
    })
  if (error.code === 'UNIQUE_VIOLATION') {
    const what = change.kind === 'createIndex' ? `the unique index \`${change.index.name}\`` : 'the key'
    return refusal(`${what} cannot be made: some rows have the same values in it`)
  }
  if (error.code === 'FOREIGN_KEY_VIOLATION') {
    return refusal('a foreign key cannot be added: some rows refer to rows that are not there')
  }
  if (error.code !== 'QUERY_FAILED' && error.code !== 'CONSTRAINT_VIOLATION') return error
  // `alterColumn` is to alter a column.
  const what = change.kind.replace(/[A-Z]/g, (it) => ` ${it.toLowerCase()}`)
  return refusal(`the database refused to ${what}: ${reasonOf(error)}`)
}

/** What the engine says, with what is in the way where it tells; of a value that it refuses, that would be the row. */
function reasonOf({ code, message, cause }: DbError): string {
  const { message: reason = message, detail } = (cause ?? {}) as { message?: string; detail?: unknown }
  if (code !== 'QUERY_FAILED' || typeof detail !== 'string') return reason
  return `${reason} (${detail.replaceAll('\n', '; ')})`
}

/** A refusal after some changes: without a transaction around them, they stay. */
export function tellDone(error: unknown, done: number): unknown {
  if (!(error instanceof DbError) || error.code !== 'SYNC_REFUSED' || done === 0) return error
  return tellKept(error, done === 1 ? 'the change before it was' : `the ${done} changes before it were`)
}

/** A failure of what comes after the commit: whatever it is, all of the rest is done. */
export function tellCommitted(error: unknown, missing: readonly string[]): unknown {
  if (!(error instanceof DbError)) return error
  const names = missing.map((it) => `\`${it}\``).join(', ')
  return tellKept(error, `everything was but ${missing.length === 1 ? 'the index' : 'the indexes'} ${names}`)
}

function tellKept({ code, message, cause }: DbError, done: string): DbError {
  const told = `${message}. What was done stays: ${done}, and the next sync goes on from there`
  return new DbError(code, told, { cause })
}
