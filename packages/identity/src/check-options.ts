import { OAuthError } from './errors.ts'
import { findOptionProblem } from './shared/find-option-problem.ts'
import { describeMismatch, type OptionCheck, withMethods } from './shared/option-checks.ts'
import { findInvalidOption, type OptionRules } from './shared/options.ts'

/** The error for every wrong option. The message names the option and never quotes text. */
export function invalidConfig(message: string, options?: ErrorOptions, details?: Record<string, unknown>): OAuthError {
  return new OAuthError('INVALID_CONFIG', message, details, options)
}

/** Ignores options without a rule: a subclass of a provider may have options of its own. */
export function checkOptions(options: unknown, rules: OptionRules, path?: string): void {
  throwProblem(findInvalidOption(options, rules, path))
}

/** Refuses options without a rule. */
export function checkKnownOptions(options: unknown, rules: OptionRules, path?: string): void {
  throwProblem(findOptionProblem(options, rules, path))
}

function throwProblem(problem: string | undefined): void {
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

/** For a store or provider of the caller. */
export function checkMethods(value: unknown, name: string, methods: readonly string[]): void {
  for (const method of methods) checkValue(value, name, withMethods([method], `an object with a method ${method}()`))
}
