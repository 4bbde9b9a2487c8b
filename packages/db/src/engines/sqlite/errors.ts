import type { TablePlan } from '../../contract/table-plan.ts'
import { DbError, type DbErrorCode, notSynced } from '../../errors.ts'

interface SqliteError extends Error {
  readonly code: string
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_')
}

/** True if another connection holds a lock. Nothing was done, and a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
}

/** True if the owner closed a handle that was passed in. */
export function isClosed(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'The database connection is not open'
}

const codes: readonly (readonly [pattern: RegExp, code: DbErrorCode, message: string])[] = [
  [/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)/, 'UNIQUE_VIOLATION', 'such a record already exists'],
  [/^SQLITE_CONSTRAINT_FOREIGNKEY/, 'FOREIGN_KEY_VIOLATION', 'a foreign key is violated'],
  [/^SQLITE_CONSTRAINT/, 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [/^SQLITE_(BUSY|LOCKED)/, 'TIMEOUT', 'the database stayed locked by another writer'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'DATABASE_INVALID', 'the file is damaged or is not a SQLite database'],
  [/^SQLITE_(CANTOPEN|IOERR|FULL|READONLY|PERM|AUTH)/, 'UNAVAILABLE', 'the file cannot be read or written'],
]

/** Translates a driver error into a `DbError`, the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  if (isClosed(error)) {
    return new DbError('CLOSED', 'the database is closed', { cause: error })
  }
  if (!isSqliteError(error)) return error
  const [, code, message] = codes.find(([pattern]) => pattern.test(codeOf(error))) ?? [
    undefined,
    'QUERY_FAILED' as const,
    plan && /no such table|no such column|has no column/.test(error.message) ? notSynced(error.message) : error.message,
  ]
  const fields = /^(?:UNIQUE|NOT NULL) constraint failed/.test(error.message) ? readFields(error.message, plan) : []
  const place = plan ? `table \`${plan.name}\`: ` : ''
  return new DbError(code, `${place}${message}`, { cause: error, fields })
}

/** SQLite reports a `RESTRICT` violation as a trigger's error. */
function codeOf({ code, message }: SqliteError): string {
  return code === 'SQLITE_CONSTRAINT_TRIGGER' && message.startsWith('FOREIGN KEY')
    ? 'SQLITE_CONSTRAINT_FOREIGNKEY'
    : code
}

/** SQLite names columns: `UNIQUE constraint failed: users.email, users.team`. Returns the fields. */
function readFields(message: string, plan: TablePlan | undefined): string[] {
  const columns = message.split(': ')[1]?.split(', ') ?? []
  return columns.flatMap((it) => {
    const name = it.slice((plan?.tableName.table.length ?? -1) + 1)
    return plan?.columns.find((column) => column.name === name)?.path ?? []
  })
}
