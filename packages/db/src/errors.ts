import { type Issue, MAX_ISSUES } from '@portico/schema/runtime'

/** Why an operation failed. Branch on this, never on the message. */
export type DbErrorCode =
  | 'VALIDATION_FAILED'
  | 'KEY_INCOMPLETE'
  | 'KEY_UNKNOWN'
  | 'UNIQUE_VIOLATION'
  | 'FOREIGN_KEY_VIOLATION'
  | 'CONSTRAINT_VIOLATION'
  | 'VERSION_CONFLICT'
  | 'DECIMAL_INEXACT'
  | 'NUMBER_UNSAFE'
  | 'TIMEOUT'
  | 'UNAVAILABLE'
  | 'CLOSED'
  | 'TRANSACTION_MISUSE'
  | 'TRANSACTION_ABORTED'
  | 'TRANSACTIONS_UNSUPPORTED'
  | 'SERIALIZATION_FAILED'
  | 'SQL_UNSUPPORTED'
  | 'SYNC_REFUSED'
  | 'SYNC_LOCKED'
  | 'SYNC_FAILED'
  | 'DATABASE_INVALID'
  | 'DRIVER_MISSING'
  | 'QUERY_FAILED'
  | 'OPTIONS_INVALID'

/** Every code of {@link DbError} and its meaning, which is the same on every engine. */
export const errorCodes: Readonly<Record<DbErrorCode, string>> = {
  VALIDATION_FAILED:
    'The input does not match the declaration. `issues` says what is wrong and where. Nothing was sent to the database.',
  KEY_INCOMPLETE: 'A key lacks some of its fields.',
  KEY_UNKNOWN: 'A key has fields that do not belong to it, or the table has no key.',
  UNIQUE_VIOLATION: 'Another record has the same key, or the same values in a unique index. `fields` names them.',
  FOREIGN_KEY_VIOLATION: 'A record refers to a record that does not exist, or other records still refer to it.',
  CONSTRAINT_VIOLATION:
    'A constraint of the database refused the record: a NOT NULL column, a value that does not fit its column, or the maximum size of a record.',
  VERSION_CONFLICT: 'The record was changed after it was read: its version is different now.',
  DECIMAL_INEXACT: 'The engine cannot store this decimal exactly, so the write was refused.',
  NUMBER_UNSAFE:
    'A whole number is beyond ±(2^53 − 1), where JavaScript would round it: a stored one (`key` identifies the record), or the next number of an auto-increment field or version. Nothing was written.',
  TIMEOUT:
    'The database did not respond in time, no connection became free in time, or a transaction exceeded its timeout.',
  UNAVAILABLE:
    'The database cannot be reached, does not accept the connection or writes, or the connection was lost during the call.',
  CLOSED: 'The database was closed by this program.',
  TRANSACTION_MISUSE:
    'A transaction was used outside its function, or the outer database or transaction was used inside it.',
  TRANSACTION_ABORTED:
    'An earlier operation of this transaction failed, or a raw statement ended it. Everything that can be undone is rolled back.',
  TRANSACTIONS_UNSUPPORTED:
    'The database has no transactions, such as a standalone MongoDB, or not with this isolation. Nothing was written.',
  SERIALIZATION_FAILED: 'Concurrent transactions conflicted, even after all retries.',
  SQL_UNSUPPORTED: 'This engine has no SQL, or cannot write the steps of a sync as a script.',
  SYNC_REFUSED:
    'Sync needs consent, or the rows do not fit the declarations. Nothing was changed, unless the message lists completed steps: that is possible on engines without transactional DDL, and for indexes of big tables, which are built last.',
  SYNC_LOCKED: 'Another sync holds the lock and did not finish in time.',
  SYNC_FAILED:
    'After the sync, the database does not match the declarations. If the sync was one transaction, it was rolled back.',
  DATABASE_INVALID:
    'The file is damaged or not a database, or a stored value does not have the type of its column. Nothing was changed.',
  DRIVER_MISSING: 'The engine’s driver is not installed.',
  QUERY_FAILED: 'The engine refused a statement for another reason. `cause` has the error of the driver.',
  OPTIONS_INVALID:
    'A function was called with a wrong option or argument. The message names it and says what it must be.',
}

export interface DbErrorOptions extends ErrorOptions {
  /** For `VALIDATION_FAILED`: each thing that is wrong. */
  readonly issues?: readonly Issue[] | undefined
  /** For violations: the fields of the constraint, if the engine reports them. */
  readonly fields?: readonly string[] | undefined
  /** For violations: the name of the foreign key, if the engine reports it. */
  readonly constraint?: string | undefined
  /** For a stored record that cannot be read: its key. */
  readonly key?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The one error that tables and databases throw.
 *
 * ```ts
 * if (error instanceof DbError && error.code === 'UNIQUE_VIOLATION') return 'this address is taken'
 * ```
 */
export class DbError extends Error {
  override readonly name = 'DbError'
  readonly code: DbErrorCode
  readonly issues: readonly Issue[]
  readonly fields: readonly string[]
  /** The name of the violated foreign key, if the engine reports it. */
  readonly constraint: string | undefined
  /** The key of a stored record that cannot be read, for `NUMBER_UNSAFE` and `DATABASE_INVALID`. */
  readonly key: Readonly<Record<string, unknown>> | undefined

  constructor(code: DbErrorCode, message: string, options: DbErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.issues = options.issues ?? []
    this.fields = options.fields ?? []
    this.constraint = options.constraint
    this.key = options.key
  }
}

/** Invalid input. The message has the first problem and the number of the others. */
export function validationError(subject: string, issues: readonly Issue[]): DbError {
  const [first] = issues
  const path = first?.path.join('.')
  const more = issues.length - 1
  const rest = more > 0 ? ` (and ${more}${issues.length >= MAX_ISSUES ? ' or more' : ' more'})` : ''
  const detail = first ? `: ${path ? `\`${path}\` ` : ''}${first.message}${rest}` : ''
  return new DbError('VALIDATION_FAILED', `${subject}${detail}`, { issues })
}

/** One problem with one value. */
export function invalid(subject: string, path: string, message: string, code = 'type'): DbError {
  return validationError(subject, [{ path: path === '' ? [] : path.split('.'), code, message }])
}

/** True if an insert failed because the auto-increment column has reached its end. */
export function isExhausted(error: unknown): boolean {
  return error instanceof DbError && error.code === 'NUMBER_UNSAFE'
}

/** The auto-increment column has reached its end. Nothing was stored. */
export function exhausted(path: string, cause?: unknown, max = '2^53 − 1'): DbError {
  return new DbError('NUMBER_UNSAFE', `\`${path}\` cannot be incremented beyond ${max}`, { cause, fields: [path] })
}

/** A raw statement began a transaction. It was rolled back. */
export function rawTransactionError(): DbError {
  return new DbError('TRANSACTION_MISUSE', 'use db.transaction to begin a transaction')
}

/** Adds a hint to an engine's message about a missing table or column. */
export function notSynced(message: string): string {
  return `${message}. The database does not match the declarations: sync it first, with db.sync or \`portico sync\``
}
