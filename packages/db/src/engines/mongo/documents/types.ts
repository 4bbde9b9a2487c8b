import type { Column } from '@portico/schema/model'
import type { ColumnStorage } from '../../../contract/storage.ts'
import { DbError, invalid } from '../../../errors.ts'
import { type Codec, decodeInteger, encodeDecimal, encodeJson, encodeReal, encodeText } from '../../../values/codec.ts'

/** MongoDB does not enforce types, so values are checked when they are read. */
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

/** Only a key may be named `_id`. */
function checkName({ name, key }: Column): void {
  const isForeign = name.startsWith('$') || name.includes('.') || name === '' || (name === '_id' && !key)
  if (isForeign) throw new DbError('OPTIONS_INVALID', `MongoDB cannot have a field named \`${name}\` here`)
}

/** Arrays and objects are stored as such, with the rules of JSON: no NUL, no lone surrogates, no negative zero. */
function encodeNative(column: Column): Codec {
  const write = encodeJson(column)
  return (value) => {
    const plain: unknown = JSON.parse(write(value) as string)
    const problem = findUnstorable(plain)
    if (problem !== undefined) throw invalid('the value cannot be stored', column.path, problem, 'storable')
    return plain
  }
}

/** MongoDB allows 100 levels in a document, including those around the value. */
const MAX_LEVELS = 90

/** Finds parts of a JSON value that MongoDB cannot store. */
export function findUnstorable(value: unknown, depth = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_LEVELS) return `is nested more than ${MAX_LEVELS} levels deep`
  // The driver recognizes its own types by this name.
  if (Object.hasOwn(value, '_bsontype')) return 'a field named `_bsontype` cannot be stored'
  for (const inner of Object.values(value)) {
    const problem = findUnstorable(inner, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Other programs may have stored values that JSON lacks: dates, binary data, 64-bit integers. */
function decodeNative(column: Column): Codec {
  return function decode(value): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(decode)
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      throw new DbError('DATABASE_INVALID', `column \`${column.path}\` holds a value that is not JSON`)
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, decode(inner)]))
  }
}

function decodeNumber(column: Column): Codec {
  const check = expectType(column, 'number')
  const read = column.integer ? decodeInteger(column) : check
  // The driver returns 64-bit integers that JavaScript would round as objects.
  return (value) => (typeOf(value) === 'Long' ? decodeInteger(column)(value) : read(check(value)))
}

/** True for number types of the server that JavaScript lacks. */
export function isWide(value: unknown): boolean {
  return typeOf(value) === 'Long' || typeOf(value) === 'Decimal128'
}

function typeOf(value: unknown): unknown {
  return (value as { _bsontype?: unknown } | null)?._bsontype
}

function expectType(column: Column, type: 'string' | 'number' | 'boolean'): Codec {
  return (value) => {
    if (typeof value === type && !(type === 'number' && !Number.isFinite(value))) return value
    throw new DbError('DATABASE_INVALID', `column \`${column.path}\` holds a value that is not a ${type}`)
  }
}
