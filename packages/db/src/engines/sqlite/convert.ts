/** SQL expressions that convert a column to another type, and find values that do not fit. */
import type { Storage } from '@portico/schema/model'
import type { ColumnSnapshot } from '../../contract/snapshot.ts'
import { precisionOf } from '../../sync/2-diff/classify-conversion.ts'

const SAFE = Number.MAX_SAFE_INTEGER

export function convertSqlite(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  const [before, after] = [from.storage, to.storage]
  if (before === after || from.type === to.type) return column
  if (after === 'text') return toText(column, from)
  if (after === 'boolean') {
    return before === 'text'
      ? `CASE ${column} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
      : `CAST(${column} AS INTEGER)`
  }
  return after === 'json' ? column : `CAST(${column} AS ${to.type})`
}

/** Converts in a script, and fails on a value that does not fit: it may have been written after the script. */
export function convertOrFail(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  const converted = convertSqlite(column, from, to)
  if (converted === column) return column
  const isUnfit = `${column} IS NOT NULL AND (${isUnfitSqlite(column, from, to)})`
  return `CASE WHEN ${isUnfit} THEN ${failAt(column, 'cannot be kept exactly')} ELSE ${converted} END`
}

/** An expression that fails. SQLite has few of them; invalid JSON is one. */
export function failAt(column: string, reason: string): string {
  return `json(quote(${column}) || ' ${reason}')`
}

function toText(column: string, from: ColumnSnapshot): string {
  switch (from.storage) {
    case 'boolean':
      return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    case 'decimal':
      // printf treats NULL as zero.
      return `CASE WHEN ${column} IS NOT NULL THEN ${writeDecimal(column, from)} END`
    case 'real':
      return plainNumber(column)
    default:
      return `CAST(${column} AS TEXT)`
  }
}

/** Writes a decimal at its scale, or without trailing zeros if it has none. Never with an exponent. */
function writeDecimal(column: string, from: ColumnSnapshot): string {
  const text = `printf('%.${precisionOf(from).scale}f', ${column})`
  return from.precision ? text : `rtrim(rtrim(${text}, '0'), '.')`
}

/** Writes integers without a decimal point, as other engines do. */
function plainNumber(column: string): string {
  const whole = `CAST(${column} AS INTEGER)`
  return `CASE WHEN ${column} = ${whole} THEN CAST(${whole} AS TEXT) ELSE CAST(${column} AS TEXT) END`
}

export function isUnfitSqlite(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  // A SQLite column accepts values of any type, whatever its declaration.
  if (from.storage === 'text') return `typeof(${column}) <> 'text' OR ${isUnfitText(column, to)}`
  if (from.storage === 'json') return '0'
  const isStrange = `typeof(${column}) NOT IN ('integer', 'real')`
  if (from.storage === 'boolean') return `${isStrange} OR ${column} NOT IN (0, 1)`
  if (to.storage !== 'text') return `${isStrange} OR ${isUnfitNumber(column, from.storage, to)}`
  const isReal = from.storage === 'real' || from.storage === 'decimal'
  return isReal ? `${isStrange} OR CAST(${toText(column, from)} AS REAL) <> ${column}` : isStrange
}

function isUnfitNumber(column: string, from: Storage | undefined, to: ColumnSnapshot): string {
  const isTooBig = `abs(${column}) > ${SAFE}`
  switch (to.storage) {
    case 'integer':
      return `${column} <> CAST(${column} AS INTEGER) OR ${isTooBig}`
    case 'boolean':
      return `${column} NOT IN (0, 1)`
    case 'decimal': {
      const { precision, scale } = precisionOf(to)
      return `abs(${column}) >= 1e${precision - scale} OR ${column} <> round(${column}, ${scale})`
    }
    default:
      return from === 'integer' ? isTooBig : '0'
  }
}

/** A text fits a number only if it is exactly how that number is written. */
function isUnfitText(column: string, to: ColumnSnapshot): string {
  const whole = `CAST(${column} AS INTEGER)`
  const asWhole = `(CAST(${whole} AS TEXT) <> ${column} OR ${whole} NOT BETWEEN -${SAFE} AND ${SAFE})`
  const asReal = `CAST(CAST(${column} AS REAL) AS TEXT) <> ${column}`
  switch (to.storage) {
    case 'integer':
      return asWhole
    case 'real':
      return `${asWhole} AND ${asReal}`
    case 'decimal': {
      const { precision, scale } = precisionOf(to)
      const number = `CAST(${column} AS REAL)`
      const isWritten = `printf('%.${scale}f', ${number}) <> ${column} AND ${asWhole} AND ${asReal}`
      return `(${isWritten}) OR abs(${number}) >= 1e${precision - scale} OR ${number} <> round(${number}, ${scale})`
    }
    case 'boolean':
      return `${column} NOT IN ('true', 'false')`
    case 'json':
      return `NOT json_valid(${column})`
    default:
      return '0'
  }
}
