import { type TablePlan } from '../../../contract/plan.ts'
import { DbError, type DbErrorCode } from '../../../errors.ts'
import { toIndexName } from '../../../values/table-name.ts'
import { type Document, loadDriver } from './driver.ts'

/** What the driver rejects with: answers of the server have a number, other failures a name. */
interface MongoError extends Error {
  readonly code?: number | string
  readonly errorLabels?: readonly string[]
}

const serverCodes: readonly (readonly [numbers: readonly number[], code: DbErrorCode, message: string])[] = [
  [[11000, 11001, 12582], 'UNIQUE_VIOLATION', 'there is such a record already'],
  [[121], 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [[10334, 17419, 17420], 'CONSTRAINT_VIOLATION', 'the record is larger than the 16 MB that MongoDB takes'],
  [[112], 'SERIALIZATION_FAILED', 'concurrent transactions got in each other’s way'],
  [[20, 263], 'TRANSACTIONS_UNSUPPORTED', 'this server has no transactions'],
  [[50, 262, 24, 64], 'TIMEOUT', 'the database did not finish in time'],
  [
    [6, 7, 43, 89, 91, 133, 134, 189, 251, 9001, 10058, 10107, 11600, 11602, 13435, 13436],
    'UNAVAILABLE',
    'the connection was lost',
  ],
  [[79, 100], 'UNAVAILABLE', 'it was written, but there are not as many members as should have it'],
  [[18, 8000], 'UNAVAILABLE', 'the database does not accept the connection'],
]

const driverNames: readonly (readonly [names: RegExp, code: DbErrorCode, message: string])[] = [
  [/^MongoOperationTimeoutError$/, 'TIMEOUT', 'the database did not answer in time'],
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

/** Whether a commit may have been carried out or not. */
export function isCommitUnknown(error: unknown): boolean {
  return isMongoError(error) && (error.errorLabels?.includes('UnknownTransactionCommitResult') ?? false)
}

/** An error of the driver as one that is the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  if (!isMongoError(error) && !isTooLarge(error) && !isCutOff(error)) return error
  const place = plan ? `table \`${plan.name}\`: ` : ''
  const [code, message] = classify(error as MongoError)
  const fields = code === 'UNIQUE_VIOLATION' && plan ? readFields(error as MongoError, plan) : []
  return new DbError(code, `${place}${message}`, { cause: error, fields })
}

/** Before anything is sent: the driver has room for little more than a document may have. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE'
  return error instanceof Error && /larger than the maximum size/.test(error.message)
}

/** What a socket fails with by itself: the driver passes it on as it is where the other side has just gone away. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}

function classify(error: MongoError): readonly [DbErrorCode, string] {
  if (isCutOff(error)) return ['UNAVAILABLE', 'the connection was lost']
  if (isTooLarge(error)) return ['CONSTRAINT_VIOLATION', 'the record is larger than the 16 MB that MongoDB takes']
  if (isCommitUnknown(error)) return ['UNAVAILABLE', 'nobody can tell whether the transaction was kept']
  // Also in a transaction, which the driver would have run again: what took too long would do so again.
  if (error.name === 'MongoNetworkTimeoutError') return ['TIMEOUT', 'the database did not answer in time']
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
function readFields({ message }: MongoError, plan: TablePlan): readonly string[] {
  const { key, declaration } = plan
  const name = /index: (?:\S*\.\$)?(\S+)/.exec(message)?.[1]
  if (name === undefined) return []
  const index = declaration.indexes.find((it) => toIndexName(it.name, plan) === name)
  if (index) return index.columns.map((it) => it.path)
  return name === '_id_' || name === KEY_INDEX ? key.map((it) => it.path) : []
}

/** The name of the unique index over the columns of a composite key. */
export const KEY_INDEX = 'portico_key'

/** The largest document. https://www.mongodb.com/docs/manual/reference/limits/#bson-documents */
const MAX_BYTES = 16 * 2 ** 20

/**
 * The reason of a failed command, where what was sent is larger than a server takes: some close the connection then,
 * which looks like a server that is gone, and others refuse it with a code that says nothing of it.
 */
export async function explainSize(error: unknown, sent: readonly unknown[], plan: TablePlan): Promise<unknown> {
  if (!(error instanceof DbError) || !['UNAVAILABLE', 'QUERY_FAILED'].includes(error.code)) return error
  const { BSON } = await loadDriver()
  const isLarge = (value: unknown): boolean => BSON.calculateObjectSize({ value } as Document) > MAX_BYTES
  if (!sent.some(isLarge)) return error
  const reason = `table \`${plan.name}\`: the record or filter is larger than the 16 MB that MongoDB takes`
  return new DbError('CONSTRAINT_VIOLATION', reason, { cause: error.cause })
}
