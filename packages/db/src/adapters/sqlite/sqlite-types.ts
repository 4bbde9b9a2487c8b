import type { Column } from '@portico/schema/model'
import type { ColumnStorage } from '../../adapter.ts'
import {
  type Codec,
  decodeInteger,
  decodeJson,
  encodeDecimal,
  encodeJson,
  encodeReal,
  encodeText,
} from '../../codec.ts'
import { formatNumber } from '../../decimal.ts'
import { DbError } from '../../errors.ts'

/** How SQLite stores a column. */
export function storeSqliteColumn(column: Column): ColumnStorage {
  switch (column.storage) {
    case 'text':
      return { type: 'TEXT', encode: encodeText(column) }
    case 'integer':
      return { type: 'INTEGER', decode: decodeInteger(column) }
    case 'real':
      return { type: 'REAL', encode: encodeReal, ...(column.integer && { decode: decodeInteger(column) }) }
    case 'decimal':
      return { type: 'REAL', encode: encodeExactReal(column), decode: decodeReal(column) }
    case 'boolean':
      return { type: 'INTEGER', encode: (value) => (value === true ? 1 : 0), decode: (value) => value !== 0 }
    case 'json':
      return { type: 'TEXT', encode: encodeJson(column), decode: decodeJson }
  }
}

/** A decimal is kept as a binary number only when that number is written back as the same decimal. */
function encodeExactReal(column: Column): Codec {
  const normalize = encodeDecimal(column)
  const scale = column.precision?.scale
  return (value) => {
    const text = normalize(value) as string
    const number = Number(text)
    if (formatNumber(number, scale) === text && countDigits(text) <= 15) return number
    const told = `SQLite keeps \`${column.path}\` as a binary number, which holds 15 digits exactly: this value has more`
    throw new DbError('DECIMAL_INEXACT', told, { fields: [column.path] })
  }
}

/** Significant digits: those from the first that is not zero, without zeros at the end. */
function countDigits(text: string): number {
  return text
    .replace(/^-?[0.]*/, '')
    .replace(/\.?0*$/, '')
    .replace('.', '').length
}

function decodeReal(column: Column): Codec {
  const scale = column.precision?.scale
  return (value) => {
    // SQLite keeps text in a column of numbers when it is none.
    if (typeof value === 'number') return formatNumber(value, scale)
    throw new DbError('DATABASE_INVALID', `\`${column.path}\` holds a value that is no number`)
  }
}
