// Copied from shared/options.ts by `npm run copies`; edit it there.
import { isObject, isPromise } from './objects.ts'
import { describeMismatch, describeValue, type OptionCheck } from './option-checks.ts'

/** A check alone accepts `undefined`, as if the option had been left out. */
export type OptionRule = OptionCheck | { readonly check: OptionCheck; readonly presence: 'required' | 'defined' }

/** One rule per option. */
export type OptionRules<Options = Record<string, unknown>> = { readonly [Name in keyof Options]-?: OptionRule }

/** The option must be given. */
export function required(check: OptionCheck): OptionRule {
  return { check, presence: 'required' }
}

/** The option may be left out, but `undefined` is an error. For guards: one that is `undefined` would protect nothing. */
export function defined(check: OptionCheck): OptionRule {
  return { check, presence: 'defined' }
}

/**
 * Describes the first wrong option, and ignores options without a rule. `path` is the option that holds these options, such
 * as `lifetimes`. Messages never quote text, since it may be a secret.
 */
export function findInvalidOption(options: unknown, rules: OptionRules, path?: string): string | undefined {
  if (!isObject(options) || isPromise(options)) {
    return `${path === undefined ? 'the options' : `\`${path}\``} must be an object, got ${describeValue(options)}`
  }
  for (const [name, rule] of Object.entries(rules)) {
    const problem = findProblemWith(options, name, rule)
    if (problem !== undefined) return `${fullName(name, path)} ${problem}`
  }
  return undefined
}

function findProblemWith(options: Record<string, unknown>, name: string, rule: OptionRule): string | undefined {
  const { check, presence } = typeof rule === 'function' ? { check: rule, presence: 'optional' } : rule
  const value = options[name]
  if (value !== undefined) return describeMismatch(value, check)
  if (presence === 'required') return `is required: it must be ${check(value) ?? 'given'}`
  return presence === 'defined' && name in options ? describeMismatch(value, check) : undefined
}

/** The name as messages show it: `ttl`, or `lifetimes.ttl`. */
export function fullName(name: string, path: string | undefined): string {
  return `\`${path === undefined ? '' : `${path}.`}${name}\``
}
