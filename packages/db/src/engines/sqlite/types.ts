import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../../contract/storage.ts'
import { DbError } from '../../errors.ts'
import { storeSqlColumn, storeZeroOrOne } from '../../sql/store-column.ts'
import { type Codec, encodeDecimal } from '../../values/codec.ts'
import { countDigits, formatNumber } from '../../values/decimal.ts'

/** How many digits of a decimal a binary number gives back as they were. */
const EXACT_DIGITS = 15

/** How SQLite stores a column. */
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

/** A decimal is kept as a binary number only when that number is written back as the same decimal. */
function encodeExactReal(column: Column): Codec {
  const normalize = encodeDecimal(column)
  const scale = column.precision?.scale
  return (value) => {
    const text = normalize(value) as string
    const number = Number(text)
    if (formatNumber(number, scale) === text && countDigits(text) <= EXACT_DIGITS) return number
    const told = `SQLite keeps \`${column.path}\` as a binary number, which holds 15 digits exactly: this value has more`
    throw new DbError('DECIMAL_INEXACT', told, { fields: [column.path] })
  }
}

function decodeReal(column: Column): Codec {
  const scale = column.precision?.scale
  return (value) => {
    // SQLite keeps text in a column of numbers when it is none.
    if (typeof value === 'number') return formatNumber(value, scale)
    throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds a value that is no number`)
  }
}
