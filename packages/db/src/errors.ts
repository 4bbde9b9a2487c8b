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

/** Every code of {@link DbError}, with what it means; the same on every engine. */
export const errorCodes: Readonly<Record<DbErrorCode, string>> = {
  VALIDATION_FAILED: 'The input does not fit the declaration. `issues` says what and where. Nothing was sent.',
  KEY_INCOMPLETE: 'A key lacks some of its fields.',
  KEY_UNKNOWN: 'A key has fields that are no key fields, or the table has no key.',
  UNIQUE_VIOLATION: 'Another record has the same key, or the same values in a unique index. `fields` names them.',
  FOREIGN_KEY_VIOLATION: 'A record refers to one that is not there, or is still referred to.',
  CONSTRAINT_VIOLATION:
    'The database refused a value by a rule of its own: NOT NULL, a text or number that its column cannot hold, a record that is too large.',
  VERSION_CONFLICT: 'The record was changed since it was read: its version is another one now.',
  DECIMAL_INEXACT: 'The engine cannot give this decimal back exactly, so it was not stored.',
  NUMBER_UNSAFE:
    'A whole number is beyond ±(2^53 − 1), where JavaScript would round it: one that is stored, whose record `key` names, or the next number of an auto-increment or version. What was to be written was not.',
  TIMEOUT: 'The database did not answer, or did not become free, in time, or a transaction took longer than it may.',
  UNAVAILABLE:
    'The database cannot be reached, does not accept the connection or writes, or the connection was lost during the call.',
  CLOSED: 'The database was closed by this program.',
  TRANSACTION_MISUSE: 'A transaction was used outside of its function, or what is around it was used inside.',
  TRANSACTION_ABORTED:
    'An operation of this transaction failed before, or a statement by hand ended it: nothing that can still be undone is kept.',
  TRANSACTIONS_UNSUPPORTED:
    'There are no transactions here, as on a MongoDB that stands alone, or none of this isolation. Nothing was written.',
  SERIALIZATION_FAILED: 'Concurrent transactions got in each other’s way, also after all retries.',
  SQL_UNSUPPORTED: 'This engine has no SQL, or writes no script of a sync.',
  SYNC_REFUSED:
    'Sync would have to do what nobody allowed, or what the rows do not fit. Nothing was changed, unless the message says what stays: where a sync is done step by step, and where an index of a big table is built after everything else.',
  SYNC_LOCKED: 'Another sync holds the lock and did not finish in time.',
  SYNC_FAILED:
    'What sync did does not show in the database as declared. Where a sync is one transaction, nothing of it was kept.',
  DATABASE_INVALID: 'The file is damaged or no database, or a stored value is none of its type. It was not changed.',
  DRIVER_MISSING: 'The engine’s driver is not installed.',
  QUERY_FAILED: 'The engine refused a statement for another reason; `cause` has it.',
  OPTIONS_INVALID:
    'A function was called with a wrong option or argument. The message names it and says what it must be.',
}

export interface DbErrorOptions extends ErrorOptions {
  /** For `VALIDATION_FAILED`: each thing that is wrong. */
  readonly issues?: readonly Issue[]
  /** For violations: the fields that are concerned, where the engine tells. */
  readonly fields?: readonly string[]
  /** For violations: the name of the foreign key, where the engine tells. */
  readonly constraint?: string
  /** For a stored record that cannot be read: its key. */
  readonly key?: Readonly<Record<string, unknown>>
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
  /** The name of the foreign key that was violated, where the engine tells. */
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

/** Input that does not fit: the message tells the first problem and how many there are. */
export function validationError(subject: string, issues: readonly Issue[]): DbError {
  const [first] = issues
  const place = first?.path.join('.')
  const more = issues.length - 1
  const rest = more > 0 ? ` (and ${more}${issues.length >= MAX_ISSUES ? ' or more' : ' more'})` : ''
  const told = first ? `: ${place ? `\`${place}\` ` : ''}${first.message}${rest}` : ''
  return new DbError('VALIDATION_FAILED', `${subject}${told}`, { issues })
}

/** One problem with one value. */
export function invalid(subject: string, path: string, message: string, code = 'type'): DbError {
  return validationError(subject, [{ path: path === '' ? [] : path.split('.'), code, message }])
}

/** Whether an insert was refused because there is no number left to give out. */
export function isExhausted(error: unknown): boolean {
  return error instanceof DbError && error.code === 'NUMBER_UNSAFE'
}

/** Counting has come to its end: nothing was stored. */
export function exhausted(path: string, cause?: unknown, most = '2^53 − 1'): DbError {
  return new DbError('NUMBER_UNSAFE', `\`${path}\` cannot be counted beyond ${most}`, { cause, fields: [path] })
}

/** A statement by hand has begun a transaction outside of any. It was taken back. */
export function begunByHand(): DbError {
  return new DbError('TRANSACTION_MISUSE', 'transactions are begun by db.transaction')
}

/** What an engine says of a table or column that is not there, and what to do about it. */
export function notSynced(message: string): string {
  return `${message}. The database is not as declared: sync it first, with db.sync or \`portico sync\``
}
