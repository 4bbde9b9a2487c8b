import { DbError, type DbErrorCode } from '../../errors.ts'
import type { TablePlan } from '../../table-plan.ts'

/** What the driver rejects with: answers of the server have a number, other failures a name. */
interface MongoError extends Error {
  readonly code?: number | string
  readonly errorLabels?: readonly string[]
}

const TOO_LARGE = 'a document is larger than the 16 MB that MongoDB takes'

const serverCodes: readonly (readonly [numbers: readonly number[], code: DbErrorCode, message: string])[] = [
  [[11000, 11001, 12582], 'UNIQUE_VIOLATION', 'there is such a record already'],
  [[121], 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [[112, 251], 'SERIALIZATION_FAILED', 'concurrent transactions got in each other’s way'],
  [[20, 263], 'TRANSACTIONS_UNSUPPORTED', 'this server has no transactions'],
  [[50, 262, 24], 'TIMEOUT', 'the database did not finish in time'],
  [[6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436], 'UNAVAILABLE', 'the connection was lost'],
  [[18, 8000], 'UNAVAILABLE', 'the database does not accept the connection'],
  [[10334], 'QUERY_FAILED', TOO_LARGE],
]

const driverNames: readonly (readonly [names: RegExp, code: DbErrorCode, message: string])[] = [
  [/^Mongo(NetworkTimeout|OperationTimeout)Error$/, 'TIMEOUT', 'the database did not answer in time'],
  [/^MongoWaitQueueTimeoutError$/, 'TIMEOUT', 'no connection became free in time'],
  [/^Mongo(TopologyClosed|ClientClosed|NotConnected|ExpiredSession)Error$/, 'CLOSED', 'the client was closed'],
  [/^Mongo(Network|ServerSelection|Pool\w*|ServerClosed)Error$/, 'UNAVAILABLE', 'the connection was lost'],
]

export function isMongoError(error: unknown): error is MongoError {
  return error instanceof Error && error.name.startsWith('Mongo')
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return isMongoError(error) && codes.includes(error.code as number)
}

export function isDuplicate(error: unknown): boolean {
  return hasCode(error, 11000)
}

/** An error of the driver as one that is the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  const place = plan ? `table \`${plan.name}\`: ` : ''
  if (isTooLarge(error)) return new DbError('QUERY_FAILED', `${place}${TOO_LARGE}`, { cause: error })
  if (!isMongoError(error)) return error
  const [code, message] = classify(error)
  const fields = code === 'UNIQUE_VIOLATION' && plan ? readFields(error, plan) : []
  return new DbError(code, `${place}${message}`, { cause: error, fields })
}

/** The driver notices when it comes to the end of its buffer, or, of several documents, when it has measured one. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE'
  return (
    isMongoError(error) && error.name === 'MongoInvalidArgumentError' && error.message.startsWith('Document is larger')
  )
}

function classify(error: MongoError): readonly [DbErrorCode, string] {
  // Nothing of the transaction was kept, and the same again may do better.
  if (error.errorLabels?.includes('TransientTransactionError')) {
    return ['SERIALIZATION_FAILED', 'concurrent transactions got in each other’s way']
  }
  const [, code, message] =
    serverCodes.find(([numbers]) => numbers.includes(error.code as number)) ??
    driverNames.find(([names]) => names.test(error.name)) ??
    []
  // The server's own words may hold values.
  return code !== undefined ? [code, message!] : ['QUERY_FAILED', `MongoDB refused it (${error.code ?? error.name})`]
}

/** The server names the index: `… index: things_name dup key: …`. */
function readFields({ message }: MongoError, { key, declaration }: TablePlan): readonly string[] {
  const name = /index: (?:\S*\.\$)?(\S+)/.exec(message)?.[1]
  if (name === undefined) return []
  const index = declaration.indexes.find((it) => it.name === name)
  if (index) return index.columns.map((it) => it.path)
  return name === '_id_' || name === KEY_INDEX ? key.map((it) => it.path) : []
}

/** The name of the unique index over the columns of a composite key. */
export const KEY_INDEX = 'portico_key'
