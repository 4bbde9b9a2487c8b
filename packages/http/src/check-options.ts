import { RouteError } from './errors.ts'
import { findOptionProblem } from './shared/find-option-problem.ts'
import type { OptionRules } from './shared/options.ts'

/** `call` names what received the options, such as `createApp` or `GET /tasks`. */
export function checkOptions(options: unknown, rules: OptionRules, call: string): void {
  const problem = findOptionProblem(options, rules)
  if (problem !== undefined) throw new RouteError('OPTIONS_INVALID', `${call}: ${problem}`)
}
