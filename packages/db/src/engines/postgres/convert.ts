/** SQL expressions that convert a column to another type, and find values that do not fit. */

import type { ColumnSnapshot } from '../../contract/snapshot.ts'
import { precisionOf } from '../../sync/2-diff/classify-conversion.ts'

const SAFE = Number.MAX_SAFE_INTEGER

export function convertPostgres(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  const [before, after] = [from.storage, to.storage]
  if (isOtherText(from))
    return after === 'text' ? `${column}::TEXT` : convertPostgres(`${column}::TEXT`, plainText(from), to)
  if (after === 'text')
    return before === 'decimal' && !from.precision ? `trim_scale(${column})::TEXT` : `${column}::TEXT`
  if (after === 'boolean') return before === 'text' ? `${column}::BOOLEAN` : `${column} <> 0`
  if (before === 'boolean') return `${column}::INT::${to.type}`
  // A direct cast to a decimal keeps 15 digits of a number that may have 17.
  return before === 'real' && after === 'decimal' ? `${column}::TEXT::${to.type}` : `${column}::${to.type}`
}

/** Converts, and fails on a value that does not fit: it may have been written after the check. */
export function convertOrFail(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  const converted = convertPostgres(column, from, to)
  const isUnfit = isUnfitPostgres(column, from, to)
  if (isUnfit === 'FALSE') return converted
  // The message contains no value, but must depend on the column: a constant would be evaluated before any row.
  const failure = `('a value' || left(${column}::TEXT, 0) || ' cannot be kept exactly')::${to.type}`
  return `CASE WHEN ${column} IS NOT NULL AND (${isUnfit}) THEN ${failure} ELSE ${converted} END`
}

/** Casts types such as `uuid`, which lack operators of text. */
function isOtherText({ storage, type }: ColumnSnapshot): boolean {
  return storage === 'text' && type !== 'TEXT'
}

function plainText(from: ColumnSnapshot): ColumnSnapshot {
  return { ...from, type: 'TEXT' }
}

export function isUnfitPostgres(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string {
  if (isOtherText(from)) return isUnfitPostgres(`${column}::TEXT`, plainText(from), to)
  if (from.storage === 'text') return isUnfitText(column, to)
  if (to.storage === 'text' || from.storage === 'boolean' || from.storage === 'json') return 'FALSE'
  switch (to.storage) {
    case 'integer':
      return `${column} <> trunc(${column}) OR abs(${column}) > ${SAFE}`
    case 'boolean':
      return `${column} NOT IN (0, 1)`
    case 'decimal':
      return isUnfitDecimal(from.storage === 'real' ? `${column}::TEXT::NUMERIC` : `${column}::NUMERIC`, to)
    default:
      if (from.storage === 'real') return 'FALSE'
      return from.storage === 'decimal'
        ? `${column}::DOUBLE PRECISION::NUMERIC <> ${column}`
        : `abs(${column}) > ${SAFE}`
  }
}

function isUnfitDecimal(number: string, to: ColumnSnapshot): string {
  const { precision, scale } = precisionOf(to)
  return `abs(${number}) >= 1e${precision - scale} OR ${number} <> round(${number}, ${scale})`
}

/** A text fits a number only if it is exactly how that number is written. */
function isUnfitText(column: string, to: ColumnSnapshot): string {
  const number = (pattern: string, isUnfit: string): string =>
    `CASE WHEN ${column} ~ '${pattern}' THEN ${isUnfit} ELSE TRUE END`
  switch (to.storage) {
    case 'integer':
      return number('^(0|-?[1-9][0-9]{0,15})$', `abs(${column}::NUMERIC) > ${SAFE}`)
    case 'real': {
      const written = `${column}::DOUBLE PRECISION::TEXT`
      const isOther = `${written}::NUMERIC <> ${column}::NUMERIC OR ${column} NOT IN (${written}, ${written} || '.0')`
      return number('^-?[0-9]{1,200}([.][0-9]{1,200})?(e[-+]?[0-9]{1,2})?$', isOther)
    }
    case 'decimal': {
      const value = `${column}::NUMERIC`
      const written = `round(${value}, ${precisionOf(to).scale})::TEXT, trim_scale(${value})::TEXT`
      const isOther = `${isUnfitDecimal(value, to)} OR ${column} NOT IN (${written})`
      return number('^-?[0-9]{1,100}([.][0-9]{1,100})?$', isOther)
    }
    case 'boolean':
      return `${column} NOT IN ('true', 'false')`
    default:
      return 'FALSE'
  }
}
