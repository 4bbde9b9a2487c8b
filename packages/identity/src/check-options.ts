import { OAuthError } from './errors.ts'
import { describeMismatch, type OptionCheck, withMethods } from './shared/option-checks.ts'
import { findOptionProblem, type OptionRules, type OptionsContext } from './shared/options.ts'

/** Every wrong option ends in this error. The message names the option and never quotes text. */
export function invalidConfig(message: string, options?: ErrorOptions, details?: Record<string, unknown>): OAuthError {
  return new OAuthError('INVALID_CONFIG', message, details, options)
}

/** Unknown names are accepted by default: a subclass of a provider may have options of its own. */
export function checkOptions(
  options: unknown,
  rules: OptionRules,
  context: OptionsContext = { allowUnknown: true },
): void {
  const problem = findOptionProblem(options, rules, context)
  if (problem !== undefined) throw invalidConfig(problem)
}

/** For a single value: an argument, or an option that a table cannot describe. */
export function checkValue(value: unknown, name: string, check: OptionCheck): void {
  const mismatch = describeMismatch(value, check)
  if (mismatch !== undefined) throw invalidConfig(`\`${name}\` ${mismatch}`)
}

export function checkOptional(value: unknown, name: string, check: OptionCheck): void {
  if (value !== undefined) checkValue(value, name, check)
}

/** A store or provider that was made elsewhere. */
export function checkMethods(value: unknown, name: string, methods: readonly string[]): void {
  for (const method of methods) checkValue(value, name, withMethods([method], `an object with a method ${method}()`))
}
