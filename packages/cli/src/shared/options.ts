// Copied from shared/options.ts by `npm run copies`; edit it there.
import { isObject, isPromise } from './objects.ts'
import { describeMismatch, describeValue, type OptionCheck } from './option-checks.ts'
import { suggest } from './suggest.ts'

/** A check alone accepts `undefined`, as if the option had been left out. */
export type OptionRule = OptionCheck | { readonly check: OptionCheck; readonly presence: 'required' | 'defined' }

/** One rule per option. */
export type OptionRules<Options = Record<string, unknown>> = { readonly [Name in keyof Options]-?: OptionRule }

export interface OptionsContext {
  /** The call that received the options, such as `createApp`: messages begin with it. */
  readonly call?: string | undefined
  /** The option that holds these options, such as `lifetimes`. */
  readonly path?: string | undefined
  /** Accepts names without a rule. Default false: a misspelled option would be ignored silently. */
  readonly allowUnknown?: boolean | undefined
}

/** The option must be given. */
export function required(check: OptionCheck): OptionRule {
  return { check, presence: 'required' }
}

/** The option may be left out, but `undefined` is an error. For guards: one that is `undefined` would protect nothing. */
export function defined(check: OptionCheck): OptionRule {
  return { check, presence: 'defined' }
}

/** Returns the first problem as a message, or `undefined`. Messages never quote text, since it may be a secret. */
export function findOptionProblem(options: unknown, rules: OptionRules, context: OptionsContext): string | undefined {
  const problem = findProblem(options, rules, context)
  return problem === undefined || context.call === undefined ? problem : `${context.call}: ${problem}`
}

function findProblem(options: unknown, rules: OptionRules, { path, allowUnknown }: OptionsContext): string | undefined {
  if (!isObject(options) || isPromise(options)) {
    return `${path === undefined ? 'the options' : `\`${path}\``} must be an object, got ${describeValue(options)}`
  }
  const fullName = (name: string): string => `\`${path === undefined ? '' : `${path}.`}${name}\``
  const unknown = allowUnknown ? undefined : Object.keys(options).find((it) => !Object.hasOwn(rules, it))
  if (unknown !== undefined) {
    const meant = suggest(unknown, Object.keys(rules))
    const hint =
      meant === undefined ? `the options are ${Object.keys(rules).join(', ')}` : `did you mean ${fullName(meant)}?`
    return `unknown option ${fullName(printable(unknown))}; ${hint}`
  }
  for (const [name, rule] of Object.entries(rules)) {
    const problem = findProblemWith(options, name, rule)
    if (problem !== undefined) return `${fullName(name)} ${problem}`
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

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64)
}
