import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../../contract/storage.ts'
import { DbError } from '../../errors.ts'
import { storeSqlColumn, storeZeroOrOne } from '../../sql/store-column.ts'
import { type Codec, encodeDecimal } from '../../values/codec.ts'
import { countDigits, formatNumber } from '../../values/decimal.ts'

/** Decimal digits that a floating-point number preserves. */
const EXACT_DIGITS = 15

export const storeSqliteColumn: (column: Column, table: TableUses) => ColumnStorage = storeSqlColumn({
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  json: 'TEXT',
  boolean: storeZeroOrOne('INTEGER'),
  decimal: (column) => ({
    type: 'REAL',
    digits: EXACT_DIGITS,
    encode: encodeExactReal(column),
    decode: decodeReal(column),
  }),
})

/** Stores a decimal as a floating-point number, but only if it reads back as the same decimal. */
function encodeExactReal(column: Column): Codec {
  const normalize = encodeDecimal(column)
  const scale = column.precision?.scale
  return (value) => {
    const text = normalize(value) as string
    const number = Number(text)
    if (formatNumber(number, scale) === text && countDigits(text) <= EXACT_DIGITS) return number
    const message = `SQLite stores \`${column.path}\` as a floating-point number, which is exact up to 15 digits: this value has more`
    throw new DbError('DECIMAL_INEXACT', message, { fields: [column.path] })
  }
}

function decodeReal(column: Column): Codec {
  const scale = column.precision?.scale
  return (value) => {
    // SQLite stores text in a numeric column if it is not a number.
    if (typeof value === 'number') return formatNumber(value, scale)
    throw new DbError('DATABASE_INVALID', `column \`${column.path}\` holds a value that is not a number`)
  }
}
