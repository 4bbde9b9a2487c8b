import type { TablePlan } from '../../contract/table-plan.ts'
import { DbError, type DbErrorCode, exhausted, notSynced } from '../../errors.ts'
import { adviseGrant, describeUnreachable, NO_CONNECTION } from '../../sql/connect-errors.ts'

/** An error of pg. Those of the server have a five-character code; others have none, or one of Node's. */
interface PostgresError extends Error {
  readonly code?: string
  readonly constraint?: string
  /** The column of a NOT NULL violation. */
  readonly column?: string
}

const codes: readonly (readonly [pattern: RegExp, code: DbErrorCode, message: string])[] = [
  [/^23505$/, 'UNIQUE_VIOLATION', 'such a record already exists'],
  [/^(23503|23001)$/, 'FOREIGN_KEY_VIOLATION', 'a foreign key is violated'],
  [/^23/, 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [/^54000$/, 'CONSTRAINT_VIOLATION', 'a value is too long for an index, which holds about 2700 bytes'],
  [/^(40001|40P01)$/, 'SERIALIZATION_FAILED', 'concurrent transactions conflicted'],
  [/^25P02$/, 'TRANSACTION_ABORTED', 'an earlier operation of this transaction failed'],
  [/^55P03$/, 'TIMEOUT', 'timed out waiting for a lock'],
  [/^(57014|25P03|25P04)$/, 'TIMEOUT', 'the database did not finish in time'],
  [/^25006$/, 'UNAVAILABLE', 'the server or the transaction is read-only'],
  [/^(08...|57P0[1-5]|53300|28...|3D000)$/, 'UNAVAILABLE', 'the database does not accept the connection'],
]

/** Translates a driver error into a `DbError`, the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  if (!(error instanceof Error) || error instanceof DbError) return error
  const place = plan ? `table \`${plan.name}\`: ` : ''
  if (error.message === 'Cannot use a pool after calling end on the pool') {
    return new DbError('CLOSED', 'the connection pool was ended', { cause: error })
  }
  if (isTimeout(error)) return new DbError('TIMEOUT', `${place}the database did not answer in time`, { cause: error })
  if (isNetworkError(error)) return new DbError('UNAVAILABLE', `${place}the connection was lost`, { cause: error })
  const { code = '', constraint, column } = error as PostgresError
  if (isStandby(error)) {
    return new DbError('UNAVAILABLE', `${place}the server is read-only: ${error.message}`, { cause: error })
  }
  const [, known, message = error.message] = codes.find(([pattern]) => pattern.test(code)) ?? []
  if (!known && !/^[0-9A-Z]{5}$/.test(code)) return error
  if (code === '2200H' && plan?.autoIncrement) return exhausted(plan.autoIncrement.path, error)
  if (plan && ['42P01', '42703'].includes(code))
    return new DbError('QUERY_FAILED', place + notSynced(message), { cause: error })
  if (code === '42501') {
    return new DbError('QUERY_FAILED', `${place}${message}${adviseGrant(message)}`, { cause: error })
  }
  const fields = column === undefined ? fieldsOf(constraint, plan) : pathsOf(column, plan)
  // Connection errors contain no row values, so their message is safe to show.
  const shown = known === 'UNAVAILABLE' ? `${message}: ${error.message}${adviceOn(error)}` : message
  if (known === 'FOREIGN_KEY_VIOLATION' && constraint !== undefined) {
    return new DbError(known, `${place}foreign key \`${constraint}\` is violated`, { cause: error, fields, constraint })
  }
  return new DbError(known ?? 'QUERY_FAILED', `${place}${shown}`, { cause: error, fields })
}

/** Advice for a refused connection, if there is any. */
function adviceOn(error: PostgresError): string {
  if (error.code === '3D000') {
    const name = /database "(.+)" does not exist/.exec(error.message)?.[1]
    return `. Create it first: createdb ${name ?? '<name>'}`
  }
  return isParameterRefused(error) ? '. Behind a pooler, say so: postgres({ url, pooler: true })' : ''
}

/** True if a pooler such as PgBouncer refused a startup parameter. */
export function isParameterRefused(error: unknown): boolean {
  const { code, message } = (error ?? {}) as Partial<PostgresError>
  return code === '08P01' && /unsupported startup parameter/.test(message ?? '')
}

/** Translates an error of connecting: nothing was sent. `address` is host and port. */
export function toConnectError(error: unknown, address: string | undefined, plan?: TablePlan): unknown {
  if (!(error instanceof Error)) return error
  if (error.message === CONNECT_TIMEOUT) {
    return new DbError('TIMEOUT', NO_CONNECTION, { cause: error })
  }
  if (!isNetworkError(error)) return toDbError(error, plan)
  return new DbError('UNAVAILABLE', describeUnreachable('PostgreSQL', address, error), { cause: error })
}

/** True if the connection is lost, or the server may still be running a statement on it. */
export function isUnusable(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  const { code = '' } = error as PostgresError
  return isTimeout(error) || isNetworkError(error) || isStandby(error) || /^(08|57P|25006$)/.test(code)
}

/** True if the connection is lost, or its server is read-only, as after a failover. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DbError) return false
  return (
    isNetworkError(error) || isStandby(error) || /^(0800.|57P0[1-5]|25006)$/.test((error as PostgresError).code ?? '')
  )
}

/** True for the error of a hot standby, which has no serializable transactions. */
function isStandby(error: Error): boolean {
  return (error as PostgresError).code === '0A000' && /hot standby/.test(error.message)
}

export function isSerializationFailure(error: unknown): boolean {
  return /^(40001|40P01)$/.test((error as PostgresError | undefined)?.code ?? '')
}

/**
 * True if a prepared statement is gone, or out of date after a change of its table: the type of its result (0A000) or
 * of a parameter (42804, 42883, 22P02) has changed. The statement had no effect.
 */
export function isStaleStatement(error: unknown): boolean {
  const { code = '', message } = error as PostgresError
  return (
    isStatementLost(error) || /^(42804|42883|22P02)$/.test(code) || (code === '0A000' && /cached plan/.test(message))
  )
}

/** True if the connection does not know the prepared statement, as behind a pooler that switches connections. */
export function isStatementLost(error: unknown): boolean {
  const { code } = error as PostgresError
  return code === '26000' || code === '42P05'
}

const CONNECT_TIMEOUT = 'timeout exceeded when trying to connect'

function isTimeout({ message }: Error): boolean {
  return message === 'Query read timeout' || message === CONNECT_TIMEOUT
}

function isNetworkError(error: Error): boolean {
  const { code = '', message } = error as PostgresError
  if (/^E[A-Z]{3,}$/.test(code)) return true
  return /^(Connection terminated|Client was closed|Client has encountered a connection error|Connection ended)/.test(
    message,
  )
}

function pathsOf(column: string, plan: TablePlan | undefined): string[] {
  return plan?.columns.filter((it) => it.name === column).map((it) => it.path) ?? []
}

function fieldsOf(constraint: string | undefined, plan: TablePlan | undefined): string[] {
  const index = plan?.declaration.indexes.find((it) => it.name === constraint)
  if (index) return index.columns.map((it) => it.path)
  const foreignKey = plan?.declaration.foreignKeys.find((it) => it.constraint === constraint)
  if (foreignKey) return [...foreignKey.paths]
  return constraint?.endsWith('_pkey') && plan ? plan.key.map((it) => it.path) : []
}
