import { DbError } from './errors.ts'
import { isPromise } from './values/plain-object.ts'

/** What an option is checked for: gives what it should have been, or nothing when it is. */
export type OptionRule = (value: unknown) => string | undefined

export const text: OptionRule = (value) => (typeof value === 'string' && value !== '' ? undefined : 'text')

export const wholeNumber: OptionRule = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'a whole number, 0 or more'

export const positiveNumber: OptionRule = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'a whole number, 1 or more'

export const boolean: OptionRule = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

export const oneOf =
  (...values: readonly string[]): OptionRule =>
  (value) =>
    values.includes(value as string) ? undefined : values.map((it) => `'${it}'`).join(' or ')

/** Something with a method of this name. */
export const having =
  (method: string, told: string): OptionRule =>
  (value) =>
    typeof (value as Record<string, unknown> | undefined | null)?.[method] === 'function' ? undefined : told

/**
 * Refuses options that are no object, have an unknown name or a value of another kind. `usage` shows the call as it
 * should be.
 */
export function checkOptions(usage: string, options: unknown, rules: Readonly<Record<string, OptionRule>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw wrongOptions(usage)
  if (isPromise(options)) throw wrongOptions(usage, 'the options are a promise')
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) throw wrongOptions(usage, `\`${name}\` is not one of ${Object.keys(rules).join(', ')}`)
    const expected = value === undefined ? undefined : rule(value)
    if (expected !== undefined) throw wrongOptions(usage, `\`${name}\` should be ${expected}`)
  }
}

/** Refuses options that have both of two, or none: each is enough and needed by itself. */
export function checkEither(usage: string, options: object, one: string, other: string): void {
  const given = [one, other].filter((it) => (options as Record<string, unknown>)[it] !== undefined)
  if (given.length === 2) throw wrongOptions(usage, `\`${one}\` and \`${other}\` are both given`)
  if (given.length === 0) throw wrongOptions(usage, `\`${one}\` is missing`)
}

export function wrongOptions(usage: string, problem?: string): DbError {
  return new DbError('OPTIONS_INVALID', problem === undefined ? `expected ${usage}` : `${problem}: expected ${usage}`)
}
