/**
 * Decimals are text in documents, with one spelling per value. They compare as numbers by the number of digits before
 * the point, then as text. That is exact for any number of digits, where `$toDecimal` rounds to 34, and such a filter
 * can use an index.
 */
import type { Comparison } from '../../../contract/operation.ts'
import type { Document } from '../client/driver.ts'

/** Compiles the comparison of a decimal with a value. Equality is that of text. */
export function compareDecimal(path: string, operator: Exclude<Comparison, '=' | '<>'>, value: string): Document {
  const isNegative = value.startsWith('-')
  const digits = value.replace('-', '').split('.')[0]!.length
  const isAbove = operator.startsWith('>')
  const sign = isNegative ? '-' : ''
  const matches = (pattern: string): Document => ({ [path]: { $regex: pattern } })
  const away = isAbove !== isNegative
  const same = matches(`^${sign}[0-9]{${digits}}(\\.|\\z)`)
  const conditions: Document[] = [{ $and: [same, { [path]: compareText(operator, isNegative, value) }] }]
  // A number further from zero is longer. One nearer to zero is shorter, or has the other sign.
  if (away) conditions.push(matches(`^${sign}[0-9]{${digits + 1},}`))
  else {
    conditions.push(matches(isNegative ? '^[0-9]' : '^-'))
    if (digits > 1) conditions.push(matches(`^${sign}[0-9]{1,${digits - 1}}(\\.|\\z)`))
  }
  return { $or: conditions }
}

const textOperators = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const
const opposite = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

/** For negative numbers, the greater text is the smaller number. */
function compareText(operator: keyof typeof textOperators, isNegative: boolean, value: string): Document {
  return { [textOperators[isNegative ? opposite[operator] : operator]]: value }
}

/** Expressions that sort decimals as numbers, absent ones first, each with its direction. */
export function sortDecimal(path: string, direction: 1 | -1): readonly (readonly [expression: Document, 1 | -1])[] {
  const text = { $ifNull: [`$${path}`, ''] }
  const point = { $indexOfBytes: [text, '.'] }
  const length = { $cond: [{ $eq: [point, -1] }, { $strLenBytes: text }, point] }
  const isNegative = { $eq: [{ $indexOfBytes: [text, '-'] }, 0] }
  const signed = { $cond: [isNegative, { $subtract: [0, length] }, length] }
  const absent = -Number.MAX_SAFE_INTEGER
  const opposed = direction === 1 ? -1 : 1
  return [
    [{ $cond: [{ $eq: [text, ''] }, absent, signed] }, direction],
    [{ $cond: [isNegative, '', text] }, direction],
    [{ $cond: [isNegative, text, ''] }, opposed],
  ]
}
