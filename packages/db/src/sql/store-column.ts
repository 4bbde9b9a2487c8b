import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../contract/storage.ts'
import {
  type Codec,
  DEFAULT_DECIMAL,
  decodeInteger,
  decodeJson,
  encodeDecimal,
  encodeJson,
  encodeReal,
  encodeText,
} from '../values/codec.ts'
import { normalizeDecimal } from '../values/decimal.ts'

/** What an SQL engine calls its types. The values travel the same way on all of them. */
export interface SqlTypes {
  readonly text: TypeName
  readonly integer: TypeName
  readonly real: string
  readonly json: string
  decimal(column: Column): ColumnStorage
  readonly boolean: ColumnStorage
}

/** The name of a type, or how it follows from the column and what its table uses it for. */
type TypeName = string | ((column: Column, table: TableUses) => string)

/** How an engine with these types stores a column. */
export function storeSqlColumn(types: SqlTypes): (column: Column, table: TableUses) => ColumnStorage {
  const nameOf = (type: TypeName, column: Column, table: TableUses): string =>
    typeof type === 'string' ? type : type(column, table)
  return (column, table) => {
    switch (column.storage) {
      case 'text':
        return { type: nameOf(types.text, column, table), encode: encodeText(column) }
      case 'integer':
        return { type: nameOf(types.integer, column, table), decode: decodeInteger(column) }
      case 'real':
        return { type: types.real, encode: encodeReal, ...(column.integer && { decode: decodeInteger(column) }) }
      case 'decimal':
        return types.decimal(column)
      case 'boolean':
        return types.boolean
      case 'json':
        return { type: types.json, encode: encodeJson(column), decode: decodeJson(column) }
    }
  }
}

/** A decimal in a type that keeps it exactly, `NUMERIC(12,2)`, and travels as text. */
export function storeExactDecimal(name: string, column: Column): ColumnStorage {
  const { precision, scale } = column.precision ?? DEFAULT_DECIMAL
  const declared = column.precision?.scale
  return {
    type: `${name}(${precision},${scale})`,
    encode: encodeDecimal(column),
    // The column fills up to its scale with zeros, which nobody declared where there is no precision.
    decode: (value) => normalizeDecimal(value as string, declared),
  }
}

/** A boolean where there is none: 0 or 1. */
export function storeZeroOrOne(type: string): ColumnStorage {
  const encode: Codec = (value) => (value === true ? 1 : 0)
  return { type, encode, decode: (value) => value !== 0 }
}
