import { RouteError, type RouteErrorCode } from './errors.ts'

/** What an option has to be, and in words. */
export interface OptionRule {
  readonly is: (value: unknown) => boolean
  readonly told: string
}

export const aFunction: OptionRule = { is: (value) => typeof value === 'function', told: 'a function' }

export const aCount: OptionRule = {
  is: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  told: 'a whole number, 0 or more',
}

export const aSize: OptionRule = {
  is: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  told: 'a whole number, 1 or more',
}

/** Timers take a longer time for none at all. */
const LONGEST_MS = 2 ** 31 - 1

export const aTime: OptionRule = {
  is: (value) => aCount.is(value) && (value as number) <= LONGEST_MS,
  told: `a whole number of milliseconds from 0 to ${LONGEST_MS}`,
}

/**
 * Refuses options that nobody reads, and values that are none of theirs: a misspelt `guard`, or one that is undefined,
 * would leave a door open in silence.
 */
export function checkOptions(
  options: unknown,
  rules: Readonly<Record<string, OptionRule | undefined>>,
  { code, place }: { code: RouteErrorCode; place: string },
): void {
  if (typeof options !== 'object' || options === null) throw new RouteError(code, `${place} takes an object of options`)
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) {
      const known = Object.keys(rules).join(', ')
      throw new RouteError(code, `${place} has no option \`${name}\`; known are ${known}`)
    }
    const rule = rules[name]
    if (rule && !rule.is(value)) throw new RouteError(code, `${place}: \`${name}\` has to be ${rule.told}`)
  }
}
