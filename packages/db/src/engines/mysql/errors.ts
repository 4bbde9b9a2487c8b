import type { TablePlan } from '../../contract/table-plan.ts'
import { DbError, type DbErrorCode, exhausted, notSynced } from '../../errors.ts'
import { adviseGrant, describeUnreachable, NO_CONNECTION } from '../../sql/connect-errors.ts'

/** An error of mysql2. Those of the server have a number and a message; others have a code of Node's or the driver's. */
interface MysqlError extends Error {
  readonly code?: string
  readonly errno?: number
  readonly sqlMessage?: string
  readonly fatal?: boolean
}

/** The client-side timeout of a statement or a connection. */
export class WaitTimeout extends Error {}

/**
 * 1020 (MariaDB): a row changed since it was read. 1243, 1615: a prepared statement was lost. 1461: the server has too
 * many prepared statements. 8002, 8022, 8028, 9007: TiDB.
 */
const conflicts: readonly number[] = [1020, 1205, 1213, 1243, 1461, 1614, 1615, 8002, 8022, 8028, 9007]

const TOO_LARGE = 'a record, or a filter, is larger than the server’s max_allowed_packet'

const codes: readonly (readonly [numbers: readonly number[], code: DbErrorCode, message: string])[] = [
  [[1062, 1169, 1586], 'UNIQUE_VIOLATION', 'such a record already exists'],
  [[1216, 1217, 1451, 1452], 'FOREIGN_KEY_VIOLATION', 'a foreign key is violated'],
  [[1048, 1265, 1292, 1364, 1366, 3819, 4025], 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [[1264], 'CONSTRAINT_VIOLATION', 'a number is out of range for its column'],
  [
    [1406],
    'CONSTRAINT_VIOLATION',
    'a text is too long for its column, which holds 255 characters in a key or an index',
  ],
  [conflicts, 'SERIALIZATION_FAILED', 'concurrent transactions conflicted'],
  [[1317, 1907, 1969, 3024], 'TIMEOUT', 'the database did not finish in time'],
  [
    [1040, 1045, 1047, 1053, 1129, 1130, 1203, 1226, 1290, 1698, 1792, 1836, 1927, 3118, 4031],
    'UNAVAILABLE',
    'the database does not accept the connection',
  ],
  [
    [8048],
    'TRANSACTIONS_UNSUPPORTED',
    'this server has no serializable transactions: declare a version (@db.column.version), which refuses the second write',
  ],
  [[1071], 'QUERY_FAILED', 'an index holds at most 3072 bytes, and each text in it takes 1020: remove a text from it'],
  [[1153, 1301], 'CONSTRAINT_VIOLATION', TOO_LARGE],
]

/** After these the connection is closed: it is shutting down, lost prepared statements, or its server is read-only. */
const unusable: readonly number[] = [1047, 1053, 1153, 1243, 1290, 1461, 1615, 1792, 1836, 1927, 4031]

/** Of these, errors that connections of the same age are likely to get too. */
const losses: readonly number[] = [1047, 1053, 1290, 1792, 1836, 1927, 4031]

/** Translates a driver error into a `DbError`, the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  if (!(error instanceof Error) || error instanceof DbError) return error
  const place = plan ? `table \`${plan.name}\`: ` : ''
  if (error.message === 'Pool is closed.')
    return new DbError('CLOSED', 'the connection pool was ended', { cause: error })
  if (isTimeout(error)) return new DbError('TIMEOUT', `${place}the database did not answer in time`, { cause: error })
  if (!isServerError(error)) {
    if (!isNetworkError(error)) return error
    return new DbError('UNAVAILABLE', `${place}the connection was lost`, { cause: error })
  }
  const { errno, sqlMessage } = error
  const [, known, message] = codes.find(([numbers]) => numbers.includes(errno)) ?? [undefined, undefined, sqlMessage]
  if (plan && [1054, 1146].includes(errno))
    return new DbError('QUERY_FAILED', place + notSynced(sqlMessage), { cause: error })
  // Connection errors contain no row values, so their message is safe to show.
  const shown =
    known === 'UNAVAILABLE' ? `${message}: ${sqlMessage}` : `${message}${errno === 1142 ? adviseGrant(sqlMessage) : ''}`
  const constraint = constraintOf(error)
  return new DbError(known ?? 'QUERY_FAILED', `${place}${shown}`, {
    cause: error,
    fields: fieldsOf(error, plan),
    constraint,
  })
}

export function tooLarge({ name }: TablePlan): DbError {
  return new DbError('CONSTRAINT_VIOLATION', `table \`${name}\`: ${TOO_LARGE}`)
}

/** Access denied to a database, and unknown database. Statements that name another database get them too. */
const databaseRefused: readonly number[] = [1044, 1049]

/** Translates an error of connecting: nothing was sent. `address` is host and port. */
export function toConnectError(error: unknown, address: string | undefined): unknown {
  if (!(error instanceof Error) || error instanceof DbError) return error
  if (isTimeout(error)) return new DbError('TIMEOUT', NO_CONNECTION, { cause: error })
  if (isServerError(error) && databaseRefused.includes(error.errno)) {
    const advice = error.errno === 1049 ? '. Create it first: CREATE DATABASE' : ''
    return new DbError('UNAVAILABLE', `the database does not accept the connection: ${error.sqlMessage}${advice}`, {
      cause: error,
    })
  }
  if (isServerError(error) || !isNetworkError(error)) return toDbError(error)
  return new DbError('UNAVAILABLE', describeUnreachable('MySQL', address, error), { cause: error })
}

/** True if the connection is lost, or the server may still be running a statement on it. */
export function isUnusable(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  if (isServerError(error)) return unusable.includes(error.errno)
  return isTimeout(error) || isNetworkError(error)
}

/** True if the connection is lost, or its server is read-only, as after a failover. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DbError) return false
  if (isServerError(error)) return losses.includes(error.errno)
  return !isTimeout(error) && isNetworkError(error)
}

export function isConflict(error: unknown): boolean {
  return error instanceof Error && isServerError(error) && conflicts.includes(error.errno)
}

/** True for the few statements that cannot be prepared. */
export function isUnpreparable(error: unknown): boolean {
  return error instanceof Error && isServerError(error) && error.errno === 1295
}

/** Concurrent writes exceeded the log of an online ALTER TABLE. */
const LOG_TOO_SMALL = 1799

/** Error codes for an unsupported ALGORITHM or LOCK clause. */
const unsupportedAlter: readonly number[] = [LOG_TOO_SMALL, 1800, 1845, 1846, 4092]

/** True if the server did not support the ALGORITHM or LOCK clause, and changed nothing. */
export function isUnsupportedAlter(error: unknown): boolean {
  return unsupportedAlter.includes(serverErrorOf(error)?.errno ?? 0)
}

export function isLogTooSmall(error: unknown): boolean {
  return serverErrorOf(error)?.errno === LOG_TOO_SMALL
}

/** LOCK TABLES needs a privilege that the server's message does not name. */
export function explainLock(error: unknown, table: string): unknown {
  const answer = serverErrorOf(error)
  if (answer?.errno !== 1044) return error
  const reason = 'the privilege LOCK TABLES is missing, which keeps others from writing while values are checked'
  return new DbError('SYNC_REFUSED', `table \`${table}\`: ${reason}: ${answer.sqlMessage}`, { cause: answer })
}

/** True if a savepoint does not exist: its transaction has ended. */
export function isSavepointGone(error: unknown): boolean {
  return serverErrorOf(error)?.errno === 1305
}

/** Table, column or index exists already, or is already gone. */
const raced: readonly number[] = [1050, 1060, 1061, 1091]

/** True if a concurrent sync made the same change. Looks through the causes of the error. */
export function isRaced(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isServerError(cause) && raced.includes(cause.errno)) return true
  }
  return false
}

/** True if several sessions asked for a lock at once, and TiDB gave it to none of them. */
export function isLockContended(error: unknown): boolean {
  const answer = serverErrorOf(error)
  return answer?.errno === 1105 && /pessimistic lock retry limit/.test(answer.sqlMessage)
}

/** True for a duplicate primary key. */
export function isKeyTaken(error: unknown): boolean {
  const answer = serverErrorOf(error)
  return answer?.errno === 1062 && indexOf(answer) === 'PRIMARY'
}

/** Recognizes the several errors of an exhausted auto-increment. */
export function explainExhausted(error: unknown, { autoIncrement, key }: TablePlan): unknown {
  const answer = serverErrorOf(error)
  if (!autoIncrement || !answer) return error
  const isRepeated = isKeyTaken(error) && key.length === 1 && key[0] === autoIncrement
  if (answer.errno !== 167 && answer.errno !== 1467 && !isRepeated) return error
  return exhausted(autoIncrement.path, answer, autoIncrement.storage.type === 'INT' ? '2^31 − 1' : undefined)
}

type ServerError = MysqlError & { readonly errno: number; readonly sqlMessage: string }

/** The server's error that caused a `DbError`. */
function serverErrorOf(error: unknown): ServerError | undefined {
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return cause instanceof Error && isServerError(cause) ? cause : undefined
}

/** True for errors of the server; false for those of the driver and the network. */
function isServerError(error: MysqlError): error is ServerError {
  return typeof error.sqlMessage === 'string' && typeof error.errno === 'number'
}

function isTimeout(error: MysqlError): boolean {
  return error instanceof WaitTimeout || error.code === 'ETIMEDOUT'
}

function isNetworkError({ code = '', fatal, message }: MysqlError): boolean {
  return fatal === true || /^E[A-Z]{3,}$|^PROTOCOL_/.test(code) || message.endsWith('in closed state')
}

function fieldsOf(error: ServerError, plan: TablePlan | undefined): string[] {
  if (!plan) return []
  const column = /[Cc]olumn '(.+)' (?:at row \d+|cannot be null)$/.exec(error.sqlMessage)?.[1]
  if (column !== undefined) return plan.columns.filter((it) => it.name === column).map((it) => it.path)
  const constraint = constraintOf(error)
  const foreignKey = plan.declaration.foreignKeys.find((it) => it.constraint === constraint)
  if (foreignKey) return [...foreignKey.paths]
  const name = error.errno === 1062 ? indexOf(error) : undefined
  if (name === 'PRIMARY') return plan.key.map((it) => it.path)
  return plan.declaration.indexes.find((it) => it.name === name)?.columns.map((it) => it.path) ?? []
}

/** Finds the foreign key in the server's message. */
function constraintOf({ sqlMessage }: ServerError): string | undefined {
  return /CONSTRAINT [`"]([^`"]+)[`"] FOREIGN KEY/.exec(sqlMessage)?.[1]
}

/** `Duplicate entry '…' for key 'users.PRIMARY'`: only MySQL names the table, and the entry may be any text. */
function indexOf({ sqlMessage }: { readonly sqlMessage: string }): string | undefined {
  return /for key '(?:[^']*\.)?([^'.]+)'$/.exec(sqlMessage)?.[1]
}
