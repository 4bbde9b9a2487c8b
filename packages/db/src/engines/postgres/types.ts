import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../../contract/storage.ts'
import { storeExactDecimal, storeSqlColumn } from '../../sql/store-column.ts'

export const storePostgresColumn: (column: Column, table: TableUses) => ColumnStorage = storeSqlColumn({
  text: 'TEXT',
  integer: 'BIGINT',
  real: 'DOUBLE PRECISION',
  json: 'JSONB',
  boolean: { type: 'BOOLEAN' },
  decimal: (column) => storeExactDecimal('NUMERIC', column),
})

const asText = (text: string): unknown => text
const asBoolean = (text: string): unknown => text === 't'

/** Parses values. Integers, decimals and JSON stay text until the column's own codec reads them. */
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
