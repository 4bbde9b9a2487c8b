/** SQL expressions that convert a column to another type, and find values that do not fit. */

import type { ColumnSnapshot } from '../../contract/snapshot.ts'
import { precisionOf } from '../../sync/2-diff/classify-conversion.ts'

const MAX_SAFE = Number.MAX_SAFE_INTEGER
const MAX_INT = 2 ** 31 - 1

/** Casts to the widest DECIMAL. */
const exact = (value: string): string => `CAST(${value} AS DECIMAL(65,30))`

/** Removes trailing zeros. */
const trimmed = (decimal: string): string => `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(${decimal} AS CHAR)))`

/** Writes a number as JavaScript does: the server would use an exponent for large integers. */
const written = (real: string): string =>
  `CASE WHEN ${real} = TRUNCATE(${real}, 0) AND ABS(${real}) < 1e21 THEN CAST(CAST(${real} AS DECIMAL(65,0)) AS CHAR) ELSE CAST(${real} AS CHAR) END`

/** True if the server's own conversion would give other values. */
export function needsConversion(from: ColumnSnapshot, to: ColumnSnapshot): boolean {
  if (from.storage === to.storage) return false
  if (to.storage !== 'text') return from.storage === 'text' && to.storage === 'boolean'
  return from.storage === 'boolean' || from.storage === 'real' || (from.storage === 'decimal' && !from.precision)
}

export function convertMysql(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  if (!needsConversion(from, to)) return column
  if (to.storage === 'boolean') return `CASE ${column} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
  if (from.storage === 'boolean') return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
  return from.storage === 'real' ? written(column) : trimmed(column)
}

export function isUnfitMysql(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  // A boolean column accepts numbers other than 0 and 1.
  if (from.storage === 'boolean') return to.storage === 'boolean' ? 'FALSE' : `${column} NOT IN (0, 1)`
  if (to.storage === 'text') return isUnfitLength(column, from, to)
  if (from.storage === 'text') return isUnfitText(column, to)
  switch (to.storage) {
    case 'integer':
      return isUnfitInteger(column, from, to)
    case 'boolean':
      return `${column} NOT IN (0, 1)`
    case 'decimal':
      return isUnfitDecimal(column, from, to)
    case 'real':
      return from.storage === 'decimal' ? `${exact(`${column} + 0e0`)} <> ${column}` : isUnsafe(column, from)
    default:
      return 'FALSE'
  }
}

function isUnsafe(column: string, { storage }: ColumnSnapshot): string {
  return storage === 'integer' ? `ABS(${column}) > ${MAX_SAFE}` : 'FALSE'
}

/** The server would silently truncate trailing spaces. */
function isUnfitLength(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  const [before, max] = [from, to].map(({ type }) =>
    Number(/CHAR\((\d+)\)/.exec(type)?.[1] ?? Number.POSITIVE_INFINITY),
  )
  const isBound = from.storage === 'text' || from.storage === 'json'
  return isBound && before! > max! ? `CHAR_LENGTH(${column}) > ${max}` : 'FALSE'
}

const widths = ['TINYINT', 'SMALLINT', 'MEDIUMINT', 'INT', 'BIGINT']

function isUnfitInteger(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  const isWider = widths.indexOf(from.type) < widths.indexOf(to.type) && widths.includes(from.type)
  if (from.type === to.type || isWider) return 'FALSE'
  const isTooBig = `ABS(${column}) > ${maxOf(to)}`
  return from.storage === 'integer' ? isTooBig : `${column} <> TRUNCATE(${column}, 0) OR ${isTooBig}`
}

function maxOf({ type }: ColumnSnapshot): number {
  return type === 'INT' ? MAX_INT : MAX_SAFE
}

function isUnfitDecimal(column: string, { storage }: ColumnSnapshot, to: ColumnSnapshot): string {
  const { precision, scale } = precisionOf(to)
  const number = storage === 'decimal' ? column : exact(column)
  const isTooBig = `ABS(${storage === 'text' ? number : column}) >= 1${'0'.repeat(precision - scale)}`
  const isCut = `${number} <> ROUND(${number}, ${scale})`
  // A tiny number may become zero as a decimal.
  const isLost = storage === 'real' ? ` OR ${number} + 0e0 <> ${column}` : ''
  return `${isTooBig} OR ${isCut}${isLost}`
}

/** A text fits a number only if it is exactly how that number is written. */
function isUnfitText(column: string, to: ColumnSnapshot): string {
  const number = (pattern: string, isUnfit: string): string =>
    `CASE WHEN ${column} REGEXP '${pattern}' THEN ${isUnfit} ELSE TRUE END`
  // Compares bytes, whatever the column's collation.
  const bytes = (text: string): string => `CAST(${text} AS BINARY)`
  const isNone = (...texts: string[]): string => `${bytes(column)} NOT IN (${texts.map(bytes).join(', ')})`
  switch (to.storage) {
    case 'integer':
      return number(
        '^(0|-?[1-9][0-9]{0,15})$',
        `${isNone(trimmed(exact(column)))} OR ABS(${exact(column)}) > ${maxOf(to)}`,
      )
    case 'real': {
      const real = written(`(${column} + 0e0)`)
      const pattern = '^-?[0-9]{1,200}([.][0-9]{1,200})?(e-?[0-9]{1,2})?$'
      return number(pattern, isNone(real, `CONCAT(${real}, '.0')`))
    }
    case 'decimal': {
      const { scale } = precisionOf(to)
      const isOther = isNone(`CAST(ROUND(${exact(column)}, ${scale}) AS CHAR)`, trimmed(exact(column)))
      const pattern = '^-?[0-9]{1,35}([.][0-9]{1,30})?$'
      return number(pattern, `${isUnfitDecimal(column, { ...to, storage: 'text' }, to)} OR (${isOther})`)
    }
    case 'boolean':
      return isNone("'true'", "'false'")
    case 'json':
      return `NOT JSON_VALID(${column}) OR ${isLooseJson(column)}`
    default:
      return 'FALSE'
  }
}

/** MariaDB alone accepts `1.`, `1e`, `-` and `"\x"` as JSON. */
function isLooseJson(column: string): string {
  const finds = (text: string, { source }: RegExp): string => `${text} REGEXP '(?-i)${source.replaceAll('\\', '\\\\')}'`
  const hasLooseEscape = finds(column, /(?<!\\)(?:\\\\)*\\[^"\\/bfnrtu]/)
  const withoutTexts = `REGEXP_REPLACE(${column}, '"[^"\\\\\\\\]*(?:\\\\\\\\.[^"\\\\\\\\]*)*"', '""')`
  const hasLooseNumber = finds(withoutTexts, /-(?![0-9])|[0-9][.](?![0-9])|[0-9][eE][-+]?(?![-+0-9])/)
  return `COALESCE(${hasLooseEscape} OR ${hasLooseNumber}, TRUE)`
}
