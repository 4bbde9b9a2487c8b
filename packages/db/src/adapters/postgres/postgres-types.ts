import type { Column } from '@portico/schema/model'
import type { ColumnStorage } from '../../adapter.ts'
import {
  DEFAULT_DECIMAL,
  decodeInteger,
  decodeJson,
  encodeDecimal,
  encodeJson,
  encodeReal,
  encodeText,
} from '../../codec.ts'
import { normalizeDecimal } from '../../decimal.ts'

/** How PostgreSQL stores a column. */
export function storePostgresColumn(column: Column): ColumnStorage {
  switch (column.storage) {
    case 'text':
      return { type: 'TEXT', encode: encodeText(column) }
    case 'integer':
      return { type: 'BIGINT', decode: decodeInteger(column) }
    case 'real':
      return { type: 'DOUBLE PRECISION', encode: encodeReal, ...(column.integer && { decode: decodeInteger(column) }) }
    case 'decimal':
      return storeDecimal(column)
    case 'boolean':
      return { type: 'BOOLEAN' }
    case 'json':
      return { type: 'JSONB', encode: encodeJson(column), decode: decodeJson }
  }
}

function storeDecimal(column: Column): ColumnStorage {
  const { precision, scale } = column.precision ?? DEFAULT_DECIMAL
  const declared = column.precision?.scale
  return {
    type: `NUMERIC(${precision},${scale})`,
    encode: encodeDecimal(column),
    // The column fills up to its scale with zeros, which nobody declared where there is no precision.
    decode: (value) => normalizeDecimal(value as string, declared),
  }
}

const asText = (text: string): unknown => text
const asBoolean = (text: string): unknown => text === 't'

/** Values as PostgreSQL writes them; whole numbers, decimals and JSON stay text until the column's own codec. */
export function parserOf(oid: number): (text: string) => unknown {
  switch (oid) {
    case 16: // bool
      return asBoolean
    case 21: // int2
    case 23: // int4
    case 700: // float4
    case 701: // float8
      return Number
    default:
      return asText
  }
}
