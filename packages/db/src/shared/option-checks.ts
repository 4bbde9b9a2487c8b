// Copied from shared/option-checks.ts by `npm run copies`; edit it there.
import { isObject, isPromise } from './objects.ts'

/** Returns `undefined` for a value that fits, otherwise what was expected, such as `a positive integer`. */
export type OptionCheck = (value: unknown) => string | undefined

/** Longer timers fire at once (Node sets them to 1 ms). */
export const MAX_TIMER_MS = 2_147_483_647

/** For a single value: `must be a positive integer, got -1`, or `undefined` if it fits. */
export function describeMismatch(value: unknown, check: OptionCheck): string | undefined {
  const expected = check(value)
  return expected === undefined ? undefined : `must be ${expected}, got ${describeValue(value)}`
}

/** Names the kind of a value. Text is never quoted, since it may be a secret. */
export function describeValue(value: unknown): string {
  if (value === null || /undefined|number|boolean/.test(typeof value)) return String(value)
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'an array'
  if (isPromise(value)) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

// Bundlers drop a check that nobody uses: `@__NO_SIDE_EFFECTS__` allows them to.

/** Builds a check. `expected` completes the sentence "must be …". */
// @__NO_SIDE_EFFECTS__
export function expecting(expected: string, accepts: (value: unknown) => boolean): OptionCheck {
  return (value) => (accepts(value) ? undefined : expected)
}

export const anything: OptionCheck = () => undefined

export const nonEmptyString: OptionCheck = expecting(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
)

export const trueOrFalse: OptionCheck = expecting('true or false', (value) => typeof value === 'boolean')

export const anyFunction: OptionCheck = expecting('a function', (value) => typeof value === 'function')

export const nonNegativeNumber: OptionCheck = expecting(
  'a non-negative number',
  (value) => Number.isFinite(value) && (value as number) >= 0,
)

export const positiveNumber: OptionCheck = expecting(
  'a positive number',
  (value) => Number.isFinite(value) && (value as number) > 0,
)

export const nonNegativeInteger: OptionCheck = integerFrom(0, Number.MAX_SAFE_INTEGER, 'a non-negative integer')

export const positiveInteger: OptionCheck = integerFrom(1, Number.MAX_SAFE_INTEGER, 'a positive integer')

export const milliseconds: OptionCheck = integerFrom(0, MAX_TIMER_MS, 'an integer of milliseconds from 0 to 2147483647')

// @__NO_SIDE_EFFECTS__
export function integerFrom(min: number, max: number, expected = `an integer from ${min} to ${max}`): OptionCheck {
  return expecting(expected, (it) => Number.isSafeInteger(it) && (it as number) >= min && (it as number) <= max)
}

export function oneOf(...values: readonly string[]): OptionCheck {
  return expecting(`one of ${values.map((it) => `'${it}'`).join(', ')}`, (value) => values.includes(value as string))
}

/** `expected` describes the list: `a list of field names`. */
// @__NO_SIDE_EFFECTS__
export function listOf(check: OptionCheck, expected: string): OptionCheck {
  return expecting(expected, (value) => Array.isArray(value) && value.every((it) => check(it) === undefined))
}

export const listOfStrings: OptionCheck = listOf(nonEmptyString, 'a list of non-empty strings')

/** An object, or an instance of a class, that has these methods. */
// @__NO_SIDE_EFFECTS__
export function withMethods(names: readonly string[], expected: string): OptionCheck {
  return expecting(expected, (value) => names.every((it) => typeof (Object(value) as never)[it] === 'function'))
}

export const clock: OptionCheck = withMethods(['now'], 'an object with a method now()')

export const anyObject: OptionCheck = expecting('an object', isObject)
