import type { Column } from '@portico/schema/model'
import type { Comparison } from '../contract/operation.ts'
import { DEFAULT_DECIMAL } from '../values/codec.ts'
import { countWholeDigits, floorFiner } from '../values/decimal.ts'
import { expectedType } from './encode-value.ts'

export type Operator =
  | { readonly kind: 'compare'; readonly comparison: Comparison }
  | { readonly kind: 'list'; readonly isNegated: boolean }
  | { readonly kind: 'pattern'; readonly fold: boolean }
  | { readonly kind: 'null' }

/** The operators of a condition on a column. Their names over HTTP have no `$`. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', { kind: 'compare', comparison: '=' }],
  ['$ne', { kind: 'compare', comparison: '<>' }],
  ['$gt', { kind: 'compare', comparison: '>' }],
  ['$gte', { kind: 'compare', comparison: '>=' }],
  ['$lt', { kind: 'compare', comparison: '<' }],
  ['$lte', { kind: 'compare', comparison: '<=' }],
  ['$in', { kind: 'list', isNegated: false }],
  ['$nin', { kind: 'list', isNegated: true }],
  ['$like', { kind: 'pattern', fold: false }],
  ['$ilike', { kind: 'pattern', fold: true }],
  ['$null', { kind: 'null' }],
])

const plainNames = [...operators].flatMap(([name, { kind }]) => (kind === 'pattern' ? [] : [name]))
const UNKNOWN_OPERATOR = `is not a known operator; known are ${plainNames.join(', ')}, and for parts of text $like, $ilike`

/** The maximum number of values in a filter, including those in lists. The engine with the lowest limit decides. */
export const MAX_VALUES = 30_000

/**
 * The maximum length of a pattern, in UTF-16 units. MongoDB turns it into a regular expression, which may have 64 KB when
 * compiled and takes up to 33 bytes for a letter of an `$ilike`.
 */
const MAX_PATTERN_LENGTH = 1000

export interface OperandProblem {
  readonly path: string
  readonly message: string
  readonly code?: string
}

/** Checks an operator and its value against a column. Returns nothing if both are valid. */
export function checkOperand(column: Column, name: string, value: unknown): OperandProblem | undefined {
  const { path } = column
  if (value === undefined) return { path, message: 'is undefined: leave it out, or use null for a missing value' }
  const operator = operators.get(name)
  switch (operator?.kind) {
    case undefined:
      return { path: `${path}.${name}`, message: UNKNOWN_OPERATOR, code: 'operator' }
    case 'null':
      return typeof value === 'boolean' ? undefined : { path: `${path}.$null`, message: 'expected true or false' }
    case 'list':
      return checkList(column, value)
    case 'pattern':
      return checkPattern(column, name, value)
    case 'compare': {
      const { comparison } = operator
      if (value === null && (comparison === '=' || comparison === '<>')) return undefined
      return isFiner(column, value) ? undefined : checkValue(column, value)
    }
  }
}

function checkValue(column: Column, value: unknown): OperandProblem | undefined {
  const expected = expectedType(column, value)
  return expected === undefined ? undefined : { path: column.path, message: `expected ${expected}` }
}

function checkList(column: Column, value: unknown): OperandProblem | undefined {
  const { path } = column
  if (!Array.isArray(value)) return { path, message: 'expected an array of values' }
  if (value.length > MAX_VALUES) return { path, message: `has more than ${MAX_VALUES} values` }
  // By index: `for…of` is slower here, and `forEach` skips holes.
  for (let index = 0; index < value.length; index++) {
    const it: unknown = value[index]
    const problem = it === null || isOutOfRange(column, it) ? undefined : checkValue(column, it)
    if (problem) return problem
  }
  return undefined
}

function checkPattern(column: Column, name: string, value: unknown): OperandProblem | undefined {
  const { path } = column
  if (column.type !== 'string') return { path, message: `${name} is for text` }
  const problem = checkValue(column, value)
  if (problem) return problem
  if (/(?<!\\)(?:\\\\)*\\$/.test(value as string))
    return { path, message: 'the pattern ends in the middle of an escape' }
  if ((value as string).length <= MAX_PATTERN_LENGTH) return undefined
  return { path, message: `the pattern is longer than ${MAX_PATTERN_LENGTH} characters` }
}

/** True for a decimal with more fraction digits than its column. */
function isFiner({ type, precision }: Column, value: unknown): boolean {
  if (type !== 'decimal' || typeof value !== 'string') return false
  return floorFiner(value, (precision ?? DEFAULT_DECIMAL).scale) !== undefined
}

/** True for a decimal that its column cannot hold, so that no record has it. */
export function isOutOfRange(column: Column, value: unknown): boolean {
  if (isFiner(column, value)) return true
  const { type, precision: { precision, scale } = DEFAULT_DECIMAL } = column
  return type === 'decimal' && typeof value === 'string' && countWholeDigits(value) > precision - scale
}
