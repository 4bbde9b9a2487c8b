/** How SQLite turns the values of a column into those of another kind. */
import type { Storage } from '@portico/schema/model'
import { precisionOf } from '../../sync/convert.ts'
import type { ColumnSnapshot } from '../../sync/snapshot.ts'

/** Whole numbers that JavaScript keeps. */
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

function toText(column: string, from: ColumnSnapshot): string {
  switch (from.storage) {
    case 'boolean':
      return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    case 'decimal':
      // To printf, NULL is zero.
      return from.precision
        ? `CASE WHEN ${column} IS NOT NULL THEN printf('%.${from.precision.scale}f', ${column}) END`
        : plainNumber(column)
    case 'real':
      return plainNumber(column)
    default:
      return `CAST(${column} AS TEXT)`
  }
}

/** A whole number is written without a point, as everywhere else. */
function plainNumber(column: string): string {
  const whole = `CAST(${column} AS INTEGER)`
  return `CASE WHEN ${column} = ${whole} THEN CAST(${whole} AS TEXT) ELSE CAST(${column} AS TEXT) END`
}

export function isUnfitSqlite(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  if (from.storage === 'text') return isUnfitText(column, to)
  if (to.storage === 'text') {
    const isReal = from.storage === 'real' || from.storage === 'decimal'
    return isReal ? `CAST(${toText(column, from)} AS REAL) <> ${column}` : '0'
  }
  if (from.storage === 'boolean' || from.storage === 'json') return '0'
  return isUnfitNumber(column, from.storage, to)
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

/** Text that is a number has to be written as that number is. */
function isUnfitText(column: string, to: ColumnSnapshot): string {
  const asWhole = `CAST(CAST(${column} AS INTEGER) AS TEXT) <> ${column}`
  const asReal = `CAST(CAST(${column} AS REAL) AS TEXT) <> ${column}`
  switch (to.storage) {
    case 'integer':
      return `${asWhole} OR abs(CAST(${column} AS INTEGER)) > ${SAFE}`
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
