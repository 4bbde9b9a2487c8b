import { DbError } from '../errors.ts'
import { findOptionProblem } from '../shared/find-option-problem.ts'
import type { OptionRules } from '../shared/options.ts'

/** `call` names the function that received the options, such as `sqlite`. */
export function checkOptions(call: string, options: unknown, rules: OptionRules): void {
  const problem = findOptionProblem(options, rules)
  if (problem !== undefined) throw new DbError('OPTIONS_INVALID', `${call}: ${problem}`)
}

/** Requires exactly one of two options: an address, or a ready handle of the driver. */
export function checkEither(call: string, options: object, one: string, other: string): void {
  const given = [one, other].filter((it) => (options as Record<string, unknown>)[it] !== undefined)
  if (given.length === 1) return
  const problem = given.length === 2 ? 'only one of them can be given' : 'one of them is required'
  throw new DbError('OPTIONS_INVALID', `${call}: \`${one}\` or \`${other}\`: ${problem}`)
}

/** For an argument that is not an options object. `expected` shows the call as it should be. */
export function wrongArgument(expected: string): DbError {
  return new DbError('OPTIONS_INVALID', `expected ${expected}`)
}
