import { type TablePlan } from '../../../contract/table-plan.ts'
import { DbError, type DbErrorCode } from '../../../errors.ts'
import { toIndexName } from '../../../values/table-name.ts'
import { type Document, loadDriver } from './driver.ts'

/** An error of the driver. Those of the server have a number, others only a name. */
interface MongoError extends Error {
  readonly code?: number | string
  readonly errorLabels?: readonly string[]
}

const serverCodes: readonly (readonly [numbers: readonly number[], code: DbErrorCode, message: string])[] = [
  [[11000, 11001, 12582], 'UNIQUE_VIOLATION', 'such a record already exists'],
  [[121], 'CONSTRAINT_VIOLATION', 'the database refused a value'],
  [[10334, 17419, 17420], 'CONSTRAINT_VIOLATION', 'the record is larger than 16 MB, the limit of MongoDB'],
  [[112], 'SERIALIZATION_FAILED', 'concurrent transactions conflicted'],
  [[20, 263], 'TRANSACTIONS_UNSUPPORTED', 'this server has no transactions'],
  [[50, 262, 24, 64], 'TIMEOUT', 'the database did not finish in time'],
  [
    [6, 7, 43, 89, 91, 133, 134, 189, 251, 9001, 10058, 10107, 11600, 11602, 13435, 13436],
    'UNAVAILABLE',
    'the connection was lost',
  ],
  [[79, 100], 'UNAVAILABLE', 'the write succeeded, but too few members of the replica set confirmed it'],
  [[18, 8000], 'UNAVAILABLE', 'the database does not accept the connection'],
]

const driverNames: readonly (readonly [names: RegExp, code: DbErrorCode, message: string])[] = [
  [/^MongoOperationTimeoutError$/, 'TIMEOUT', 'the database did not answer in time'],
  [/^MongoWaitQueueTimeoutError$/, 'TIMEOUT', 'timed out waiting for a connection'],
  [/^Mongo(TopologyClosed|ClientClosed|NotConnected|ExpiredSession)Error$/, 'CLOSED', 'the client was closed'],
  [/^Mongo(Network|ServerSelection|Pool\w*|ServerClosed)Error$/, 'UNAVAILABLE', 'the connection was lost'],
]

function isMongoError(error: unknown): error is MongoError {
  return error instanceof Error && error.name.startsWith('Mongo')
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return isMongoError(error) && codes.includes(error.code as number)
}

export function isDuplicate(error: unknown): boolean {
  return hasCode(error, 11000)
}

/** True if the result of a commit is unknown. */
export function isCommitUnknown(error: unknown): boolean {
  return isMongoError(error) && (error.errorLabels?.includes('UnknownTransactionCommitResult') ?? false)
}

/** Translates a driver error into a `DbError`, the same on every engine. */
export function toDbError(error: unknown, plan?: TablePlan): unknown {
  if (!isMongoError(error) && !isTooLarge(error) && !isCutOff(error)) return error
  const place = plan ? `table \`${plan.name}\`: ` : ''
  const [code, message] = classify(error as MongoError)
  const fields = code === 'UNIQUE_VIOLATION' && plan ? readFields(error as MongoError, plan) : []
  return new DbError(code, `${place}${message}`, { cause: error, fields })
}

/** The driver refuses documents that are too large before it sends anything. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE'
  return error instanceof Error && /larger than the maximum size/.test(error.message)
}

/** A raw socket error: the driver does not wrap those of a connection that was just closed by the other side. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}

function classify(error: MongoError): readonly [DbErrorCode, string] {
  if (isCutOff(error)) return ['UNAVAILABLE', 'the connection was lost']
  if (isTooLarge(error)) return ['CONSTRAINT_VIOLATION', 'the record is larger than 16 MB, the limit of MongoDB']
  if (isCommitUnknown(error)) return ['UNAVAILABLE', 'it is unknown whether the transaction was committed']
  // Not retried, not even in a transaction: a command that was too slow would be too slow again.
  if (error.name === 'MongoNetworkTimeoutError') return ['TIMEOUT', 'the database did not answer in time']
  // The transaction had no effect, and a retry may succeed.
  if (error.errorLabels?.includes('TransientTransactionError')) {
    return ['SERIALIZATION_FAILED', 'concurrent transactions conflicted']
  }
  const [, code, message] =
    serverCodes.find(([numbers]) => numbers.includes(error.code as number)) ??
    driverNames.find(([names]) => names.test(error.name)) ??
    []
  // The server's message may contain values.
  return code !== undefined
    ? [code, message!]
    : ['QUERY_FAILED', `MongoDB refused the command (${error.code ?? error.name})`]
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
 * Explains the failure of a command that was too large. Some servers close the connection, which looks like an outage;
 * others refuse it with an unspecific code.
 */
export async function explainSize(error: unknown, sent: readonly unknown[], plan: TablePlan): Promise<unknown> {
  if (!(error instanceof DbError) || !['UNAVAILABLE', 'QUERY_FAILED'].includes(error.code)) return error
  const { BSON } = await loadDriver()
  const isLarge = (value: unknown): boolean => BSON.calculateObjectSize({ value } as Document) > MAX_BYTES
  if (!sent.some(isLarge)) return error
  const reason = `table \`${plan.name}\`: the record or filter is larger than 16 MB, the limit of MongoDB`
  return new DbError('CONSTRAINT_VIOLATION', reason, { cause: error.cause })
}
