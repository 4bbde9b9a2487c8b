import type { TablePlan } from '../../contract/plan.ts'
import { DbError, type DbErrorCode, exhausted, notSynced } from '../../errors.ts'
import { adviseGrant, describeUnreachable, NO_CONNECTION } from '../../sql/connect-errors.ts'

/** What mysql2 rejects with: an answer of the server has a number and its text, other failures have a code of Node's or its own. */
interface MysqlError extends Error {
  readonly code?: string
  readonly errno?: number
  readonly sqlMessage?: string
  readonly fatal?: boolean
}

/** A statement or a connection for which we have waited long enough. */
export class WaitTimeout extends Error {}

/**
 * 1020 is MariaDB's for a row that changed since it was read, 1243 and 1615 are prepared statements that got lost, 1461 is
 * one too many of them on the whole server, the last are TiDB's.
 */
const conflicts: readonly number[] = [1020, 1205, 1213, 1243, 1461, 1614, 1615, 8002, 8022, 8028, 9007]

const TOO_LARGE = 'a record, or a filter, is larger than the server’s max_allowed_packet'

const codes: readonly (readonly [numbers: readonly number[], code: DbErrorCode, message: string])[] = [
  [[1062, 1169, 1586], 'UNIQUE_VIOLATION', 'there is such a record already'],
  [[1216, 1217, 1451, 1452], 'FOREIGN_KEY_VIOLATION', 'a foreign key does not hold'],
  [[1048, 1265, 1292, 1364, 1366, 3819, 4025], 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [[1264], 'CONSTRAINT_VIOLATION', 'a number is beyond what its column holds'],
  [[1406], 'CONSTRAINT_VIOLATION', 'a text is longer than its column holds: 255 characters in a key or an index'],
  [conflicts, 'SERIALIZATION_FAILED', 'concurrent transactions got in each other’s way'],
  [[1317, 1907, 1969, 3024], 'TIMEOUT', 'the database did not finish in time'],
  [
    [1040, 1045, 1047, 1053, 1129, 1130, 1203, 1226, 1290, 1698, 1792, 1836, 1927, 3118, 4031],
    'UNAVAILABLE',
    'the database does not accept the connection',
  ],
  [
    [8048],
    'TRANSACTIONS_UNSUPPORTED',
    'this server has no serializable transactions: declare a version (@db.column.version), which refuses the write that comes second',
  ],
  [[1071], 'QUERY_FAILED', 'an index holds 3072 bytes at most: leave a text out of it, which takes 1020 of them'],
  [[1153, 1301], 'CONSTRAINT_VIOLATION', TOO_LARGE],
]

/** After these a connection is not used again: it is closing, has lost statements or too many, or leads to a server that may not write. */
const lastWords: readonly number[] = [1047, 1053, 1153, 1243, 1290, 1461, 1615, 1792, 1836, 1927, 4031]

/** Those of them after which other connections of the same age are likely to be in the same state. */
const losses: readonly number[] = [1047, 1053, 1290, 1792, 1836, 1927, 4031]

/** An error of the driver as one that is the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  if (!(error instanceof Error) || error instanceof DbError) return error
  const place = plan ? `table \`${plan.name}\`: ` : ''
  if (error.message === 'Pool is closed.')
    return new DbError('CLOSED', 'the pool of connections was ended', { cause: error })
  if (isTimeout(error)) return new DbError('TIMEOUT', `${place}the database did not answer in time`, { cause: error })
  if (!isAnswer(error)) {
    if (!isConnectionLost(error)) return error
    return new DbError('UNAVAILABLE', `${place}the connection was lost`, { cause: error })
  }
  const { errno, sqlMessage } = error
  const [, known, message] = codes.find(([numbers]) => numbers.includes(errno)) ?? [undefined, undefined, sqlMessage]
  if (plan && [1054, 1146].includes(errno))
    return new DbError('QUERY_FAILED', place + notSynced(sqlMessage), { cause: error })
  // Why a server refuses somebody holds no values, and is what there is to mend.
  const shown =
    known === 'UNAVAILABLE' ? `${message}: ${sqlMessage}` : `${message}${errno === 1142 ? adviseGrant(sqlMessage) : ''}`
  const constraint = constraintOf(error)
  return new DbError(known ?? 'QUERY_FAILED', `${place}${shown}`, {
    cause: error,
    fields: fieldsOf(error, plan),
    ...(constraint !== undefined && { constraint }),
  })
}

export function tooLarge({ name }: TablePlan): DbError {
  return new DbError('CONSTRAINT_VIOLATION', `table \`${name}\`: ${TOO_LARGE}`)
}

/** No right to a database, and no such database: where a statement names another one, they are about that. */
const databaseRefused: readonly number[] = [1044, 1049]

/** An error of connecting: nothing was sent. `address` is host and port. */
export function toConnectError(error: unknown, address: string | undefined): unknown {
  if (!(error instanceof Error) || error instanceof DbError) return error
  if (isTimeout(error)) return new DbError('TIMEOUT', NO_CONNECTION, { cause: error })
  if (isAnswer(error) && databaseRefused.includes(error.errno)) {
    const advice = error.errno === 1049 ? '. Create it first: CREATE DATABASE' : ''
    return new DbError('UNAVAILABLE', `the database does not accept the connection: ${error.sqlMessage}${advice}`, {
      cause: error,
    })
  }
  if (isAnswer(error) || !isConnectionLost(error)) return toDbError(error)
  return new DbError('UNAVAILABLE', describeUnreachable('MySQL', address, error), { cause: error })
}

/** Whether the server may still be at work for this connection, or the connection is gone: it is not used again. */
export function isUnusable(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  if (isAnswer(error)) return lastWords.includes(error.errno)
  return isTimeout(error) || isConnectionLost(error)
}

/** Whether the connection is gone, or leads to a server that may not write (any more), as after a failover. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DbError) return false
  if (isAnswer(error)) return losses.includes(error.errno)
  return !isTimeout(error) && isConnectionLost(error)
}

export function isConflict(error: unknown): boolean {
  return error instanceof Error && isAnswer(error) && conflicts.includes(error.errno)
}

/** Whether it is one of the few kinds of statements that cannot be prepared. */
export function isUnpreparable(error: unknown): boolean {
  return error instanceof Error && isAnswer(error) && error.errno === 1295
}

/** Others have written more meanwhile than the server keeps for later. */
const OUTRUN = 1799

/** What a server says that cannot change a table in the way that it was told to, or no longer, or does not know the way. */
const tooQuick: readonly number[] = [OUTRUN, 1800, 1845, 1846, 4092]

/** Whether a table was not changed because the way to do it was too quick. */
export function isTooQuick(error: unknown): boolean {
  return tooQuick.includes(answerOf(error)?.errno ?? 0)
}

export function isOutrun(error: unknown): boolean {
  return answerOf(error)?.errno === OUTRUN
}

/** To lock a table takes a right of its own, which the server does not name. */
export function explainLock(error: unknown, table: string): unknown {
  const answer = answerOf(error)
  if (answer?.errno !== 1044) return error
  const told = 'the right LOCK TABLES is missing, without which others could write while values are looked at'
  return new DbError('SYNC_REFUSED', `table \`${table}\`: ${told}: ${answer.sqlMessage}`, { cause: answer })
}

/** Whether a savepoint that was set is not there: its transaction has ended. */
export function isSavepointGone(error: unknown): boolean {
  return answerOf(error)?.errno === 1305
}

/** A table, a column or an index that is there already, and one that is gone already. */
const raced: readonly number[] = [1050, 1060, 1061, 1091]

/** Whether somebody else made the same, wherever in what it became the server's answer is. */
export function isRaced(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isAnswer(cause) && raced.includes(cause.errno)) return true
  }
  return false
}

/** Whether several asked for one lock at once, and TiDB let none of them have it. */
export function isLockContended(error: unknown): boolean {
  const answer = answerOf(error)
  return answer?.errno === 1105 && /pessimistic lock retry limit/.test(answer.sqlMessage)
}

/** Whether it is a violation of the table's key. */
export function isKeyTaken(error: unknown): boolean {
  const answer = answerOf(error)
  return answer?.errno === 1062 && indexOf(answer) === 'PRIMARY'
}

/** The error of an insert whose number the server counts: where there is none left, it says so in several ways. */
export function explainCounted(error: unknown, { autoIncrement, key }: TablePlan): unknown {
  const answer = answerOf(error)
  if (!autoIncrement || !answer) return error
  const isRepeated = isKeyTaken(error) && key.length === 1 && key[0] === autoIncrement
  if (answer.errno !== 167 && answer.errno !== 1467 && !isRepeated) return error
  return exhausted(autoIncrement.path, answer, autoIncrement.storage.type === 'INT' ? '2^31 − 1' : undefined)
}

type MaybePromise = MysqlError & { readonly errno: number; readonly sqlMessage: string }

/** What the server said, of an error as we tell it. */
function answerOf(error: unknown): MaybePromise | undefined {
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return cause instanceof Error && isAnswer(cause) ? cause : undefined
}

/** Whether the server said it, rather than the way to it. */
function isAnswer(error: MysqlError): error is MaybePromise {
  return typeof error.sqlMessage === 'string' && typeof error.errno === 'number'
}

function isTimeout(error: MysqlError): boolean {
  return error instanceof WaitTimeout || error.code === 'ETIMEDOUT'
}

function isConnectionLost({ code = '', fatal, message }: MysqlError): boolean {
  return fatal === true || /^E[A-Z]{3,}$|^PROTOCOL_/.test(code) || message.endsWith('in closed state')
}

function fieldsOf(error: MaybePromise, plan: TablePlan | undefined): string[] {
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

/** The foreign key that a message names. */
function constraintOf({ sqlMessage }: MaybePromise): string | undefined {
  return /CONSTRAINT [`"]([^`"]+)[`"] FOREIGN KEY/.exec(sqlMessage)?.[1]
}

/** `Duplicate entry '…' for key 'users.PRIMARY'`: MySQL puts the table in front, and the entry may be any text. */
function indexOf({ sqlMessage }: { readonly sqlMessage: string }): string | undefined {
  return /for key '(?:[^']*\.)?([^'.]+)'$/.exec(sqlMessage)?.[1]
}
