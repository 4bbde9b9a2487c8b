/**
 * Decimals are text in documents, each value in its one spelling. They are compared as numbers by the length of what
 * stands before the point, then as text. That is exact for any number of digits, where `$toDecimal` rounds to 34, and a
 * filter of this kind can use an index.
 */
import type { Comparison } from '../../../contract/operation.ts'
import type { Document } from '../client/driver.ts'

/** The condition that the decimal at a path compares so with a value. Equality is that of text. */
export function compareDecimal(path: string, operator: Exclude<Comparison, '=' | '<>'>, value: string): Document {
  const isNegative = value.startsWith('-')
  const digits = value.replace('-', '').split('.')[0]!.length
  const isAbove = operator.startsWith('>')
  const sign = isNegative ? '-' : ''
  const matches = (pattern: string): Document => ({ [path]: { $regex: pattern } })
  const away = isAbove !== isNegative
  const same = matches(`^${sign}[0-9]{${digits}}(\\.|\\z)`)
  const conditions: Document[] = [{ $and: [same, { [path]: compareText(operator, isNegative, value) }] }]
  // Further from zero: longer. Nearer to it: shorter, or of the other sign.
  if (away) conditions.push(matches(`^${sign}[0-9]{${digits + 1},}`))
  else {
    conditions.push(matches(isNegative ? '^[0-9]' : '^-'))
    if (digits > 1) conditions.push(matches(`^${sign}[0-9]{1,${digits - 1}}(\\.|\\z)`))
  }
  return { $or: conditions }
}

const textOperators = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const
const opposite = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

/** Of negative numbers, the greater text is the smaller number. */
function compareText(operator: keyof typeof textOperators, isNegative: boolean, value: string): Document {
  return { [textOperators[isNegative ? opposite[operator] : operator]]: value }
}

/** Expressions that sort decimals as numbers, absent ones first; each with its direction. */
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
