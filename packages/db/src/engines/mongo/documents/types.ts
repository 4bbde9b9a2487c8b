import type { Column } from '@portico/schema/model'
import type { ColumnStorage } from '../../../contract/storage.ts'
import { DbError, invalid } from '../../../errors.ts'
import { type Codec, decodeInteger, encodeDecimal, encodeJson, encodeReal, encodeText } from '../../../values/codec.ts'

/** How MongoDB stores a column. It would take anything anywhere, so what comes back is looked at. */
export function storeMongoColumn(column: Column): ColumnStorage {
  checkName(column)
  switch (column.storage) {
    case 'text':
      return { type: 'string', encode: encodeText(column), decode: expectType(column, 'string') }
    case 'integer':
    case 'real':
      return { type: 'number', encode: encodeReal, decode: decodeNumber(column) }
    case 'decimal':
      return { type: 'string', encode: encodeDecimal(column), decode: expectType(column, 'string') }
    case 'boolean':
      return { type: 'boolean', decode: expectType(column, 'boolean') }
    case 'json':
      return { type: column.shape ?? 'mixed', encode: encodeNative(column), decode: decodeNative(column) }
  }
}

/** `_id` is the name of a key alone. */
function checkName({ name, key }: Column): void {
  const isForeign = name.startsWith('$') || name.includes('.') || name === '' || (name === '_id' && !key)
  if (isForeign) throw new DbError('OPTIONS_INVALID', `MongoDB cannot have a field named \`${name}\` here`)
}

/** Arrays and objects as they are, but refused and simplified like JSON: no NUL, no half pairs, no sign of zero. */
function encodeNative(column: Column): Codec {
  const write = encodeJson(column)
  return (value) => {
    const plain: unknown = JSON.parse(write(value) as string)
    const problem = findUnstorable(plain)
    if (problem !== undefined) throw invalid('the value cannot be stored', column.path, problem, 'storable')
    return plain
  }
}

/** MongoDB has 100 levels for a whole document; those around a value take some. */
const MOST_LEVELS = 90

/** What MongoDB cannot keep of a value that JSON can. */
export function findUnstorable(value: unknown, depth = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MOST_LEVELS) return `is nested more than ${MOST_LEVELS} levels deep`
  // By this name the driver tells its own types apart.
  if (Object.hasOwn(value, '_bsontype')) return 'a field named `_bsontype` cannot be stored'
  for (const inner of Object.values(value)) {
    const problem = findUnstorable(inner, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What others stored may be more than JSON has: dates, binary data, wide numbers. */
function decodeNative(column: Column): Codec {
  return function decode(value): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(decode)
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds a value that is no JSON`)
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, decode(inner)]))
  }
}

function decodeNumber(column: Column): Codec {
  const check = expectType(column, 'number')
  const read = column.integer ? decodeInteger(column) : check
  // The driver gives whole numbers of 64 bits that JavaScript would round as objects.
  return (value) => (typeOf(value) === 'Long' ? decodeInteger(column)(value) : read(check(value)))
}

/** Whether a number of the server is more than JavaScript's. */
export function isWide(value: unknown): boolean {
  return typeOf(value) === 'Long' || typeOf(value) === 'Decimal128'
}

function typeOf(value: unknown): unknown {
  return (value as { _bsontype?: unknown } | null)?._bsontype
}

function expectType(column: Column, type: 'string' | 'number' | 'boolean'): Codec {
  return (value) => {
    if (typeof value === type && !(type === 'number' && !Number.isFinite(value))) return value
    throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds a value that is no ${type}`)
  }
}
