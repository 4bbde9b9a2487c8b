/** How MySQL turns the values of a column into those of another kind. */
import { precisionOf } from '../../sync/convert.ts'
import type { ColumnSnapshot } from '../../sync/snapshot.ts'

/** Whole numbers that JavaScript keeps, and those that an INT holds. */
const SAFE = Number.MAX_SAFE_INTEGER
const MOST_INT = 2 ** 31 - 1

/** A number with all digits that a DECIMAL can have. */
const exact = (value: string): string => `CAST(${value} AS DECIMAL(65,30))`

/** Whether the server's own conversion of a column gives other values than ours. */
export function needsConversion(from: ColumnSnapshot, to: ColumnSnapshot): boolean {
  if (from.storage === to.storage) return false
  if (to.storage === 'text') return from.storage === 'boolean' || (from.storage === 'decimal' && !from.precision)
  return from.storage === 'text' && to.storage === 'boolean'
}

export function convertMysql(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  if (!needsConversion(from, to)) return column
  if (to.storage === 'boolean') return `CASE ${column} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`
  if (from.storage === 'boolean') return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
  return `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(${column} AS CHAR)))`
}

export function isUnfitMysql(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  if (from.storage === 'text') return isUnfitText(column, to)
  if (to.storage === 'text' || from.storage === 'boolean' || from.storage === 'json') return 'FALSE'
  switch (to.storage) {
    case 'integer':
      return `${column} <> TRUNCATE(${column}, 0) OR ABS(${column}) > ${mostOf(to)}`
    case 'boolean':
      return `${column} NOT IN (0, 1)`
    case 'decimal':
      return isUnfitDecimal(column, to)
    default:
      return from.storage === 'decimal' ? `${exact(`${column} + 0e0`)} <> ${column}` : `ABS(${column}) > ${SAFE}`
  }
}

function mostOf({ type }: ColumnSnapshot): number {
  return type === 'INT' ? MOST_INT : SAFE
}

function isUnfitDecimal(column: string, to: ColumnSnapshot): string {
  const { precision, scale } = precisionOf(to)
  const isTooBig = `ABS(${column}) >= ${`1${'0'.repeat(precision - scale)}`}`
  return `${isTooBig} OR ${exact(column)} <> ROUND(${exact(column)}, ${scale})`
}

/** A text is looked at as a number only when it is written as one. */
function isUnfitText(column: string, to: ColumnSnapshot): string {
  const number = (pattern: string, isUnfit: string): string =>
    `CASE WHEN ${column} REGEXP '${pattern}' THEN ${isUnfit} ELSE TRUE END`
  switch (to.storage) {
    case 'integer':
      return number('^(0|-?[1-9][0-9]{0,15})$', `ABS(${exact(column)}) > ${mostOf(to)}`)
    case 'real':
      return number('^-?[0-9]{1,30}([.][0-9]{1,30})?$', `${exact(`${column} + 0e0`)} <> ${exact(column)}`)
    case 'decimal':
      return number('^-?[0-9]{1,35}([.][0-9]{1,30})?$', isUnfitDecimal(column, to))
    case 'boolean':
      return `${column} NOT IN ('true', 'false')`
    case 'json':
      return `NOT JSON_VALID(${column})`
    default:
      return 'FALSE'
  }
}
