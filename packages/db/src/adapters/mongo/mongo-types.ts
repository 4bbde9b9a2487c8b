import type { Column } from '@portico/schema/model'
import type { ColumnStorage } from '../../adapter.ts'
import { type Codec, decodeInteger, encodeDecimal, encodeJson, encodeReal, encodeText } from '../../codec.ts'
import { DbError } from '../../errors.ts'

/** How MongoDB stores a column. It would take anything anywhere, so what comes back is looked at. */
export function storeMongoColumn(column: Column): ColumnStorage {
  checkName(column)
  switch (column.storage) {
    case 'text':
      return { type: 'string', encode: encodeText(column), decode: expectType(column, 'string') }
    case 'integer':
      return { type: 'number', encode: encodeReal, decode: decodeNumber(column) }
    case 'real':
      return { type: 'number', encode: encodeReal, decode: decodeNumber(column) }
    case 'decimal':
      return { type: 'string', encode: encodeDecimal(column), decode: expectType(column, 'string') }
    case 'boolean':
      return { type: 'boolean', decode: expectType(column, 'boolean') }
    case 'json':
      return { type: column.shape ?? 'mixed', encode: encodeNative(column) }
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
  return (value) => JSON.parse(write(value) as string) as unknown
}

function decodeNumber(column: Column): Codec {
  const check = expectType(column, 'number')
  const read = column.integer ? decodeInteger(column) : check
  // The driver gives whole numbers of 64 bits that JavaScript would round as objects.
  return (value) => (isWide(value) ? decodeInteger(column)(value) : read(check(value)))
}

function isWide(value: unknown): boolean {
  return (value as { _bsontype?: unknown } | null)?._bsontype === 'Long'
}

function expectType(column: Column, type: 'string' | 'number' | 'boolean'): Codec {
  return (value) => {
    if (typeof value === type) return value
    throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds a value that is no ${type}`)
  }
}
