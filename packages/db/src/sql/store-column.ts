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

/** The type names of an SQL engine. Values are encoded the same way on all of them. */
export interface SqlTypes {
  readonly text: TypeName
  readonly integer: TypeName
  readonly real: string
  readonly json: string
  decimal(column: Column): ColumnStorage
  readonly boolean: ColumnStorage
}

/** A type name, or a function of the column and of the keys and indexes that use it. */
type TypeName = string | ((column: Column, table: TableUses) => string)

/** Returns the `storeColumn` of an engine with these types. */
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

/** Stores a decimal exactly, as `NUMERIC(12,2)`, and sends it as text. */
export function storeExactDecimal(name: string, column: Column): ColumnStorage {
  const { precision, scale } = column.precision ?? DEFAULT_DECIMAL
  const declared = column.precision?.scale
  return {
    type: `${name}(${precision},${scale})`,
    encode: encodeDecimal(column),
    // The server pads to the column's scale. Without a declared precision, the padding is removed.
    decode: (value) => normalizeDecimal(value as string, declared),
  }
}

/** For engines without a boolean type: 0 or 1. */
export function storeZeroOrOne(type: string): ColumnStorage {
  const encode: Codec = (value) => (value === true ? 1 : 0)
  return { type, encode, decode: (value) => value !== 0 }
}
