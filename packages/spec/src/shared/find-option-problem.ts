// Copied from shared/find-option-problem.ts by `npm run copies`; edit it there.
import { isObject, isPromise } from './objects.ts'
import { findInvalidOption, fullName, type OptionRules } from './options.ts'
import { suggest } from './suggest.ts'

/** Like `findInvalidOption`, and also refuses options without a rule: a misspelled one would be ignored silently. */
export function findOptionProblem(options: unknown, rules: OptionRules, path?: string): string | undefined {
  return findUnknownOption(options, rules, path) ?? findInvalidOption(options, rules, path)
}

function findUnknownOption(options: unknown, rules: OptionRules, path?: string): string | undefined {
  if (!isObject(options) || isPromise(options)) return undefined
  const names = Object.keys(rules)
  const unknown = Object.keys(options).find((it) => !names.includes(it))
  if (unknown === undefined) return undefined
  const meant = suggest(unknown, names)
  const hint = meant === undefined ? `the options are ${names.join(', ')}` : `did you mean ${fullName(meant, path)}?`
  return `unknown option ${fullName(printable(unknown), path)}; ${hint}`
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64)
}
