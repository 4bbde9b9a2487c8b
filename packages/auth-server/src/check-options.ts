import { AuthServerError } from './errors.ts'
import { findOptionProblem } from './shared/find-option-problem.ts'
import type { OptionRules } from './shared/options.ts'

const call = 'createAuthServer'

/** `path` names the option that holds these, such as `lifetimes`. */
export function checkOptions(options: unknown, rules: OptionRules, path?: string): void {
  const problem = findOptionProblem(options, rules, path)
  if (problem !== undefined) throw invalidOption(problem)
}

/** For rules that concern several options, or that no table can hold. */
export function invalidOption(problem: string, options?: ErrorOptions): AuthServerError {
  return new AuthServerError(`${call}: ${problem}`, 'OPTIONS_INVALID', options)
}
