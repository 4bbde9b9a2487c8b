import type { SecurityScheme } from '../document.ts'
import { SpecError } from '../errors.ts'
import { findOptionProblem } from '../shared/find-option-problem.ts'
import { anyObject, listOfStrings, nonEmptyString } from '../shared/option-checks.ts'
import { type OptionRules, required } from '../shared/options.ts'
import type { UiOptions } from './page.ts'

const uiRules: OptionRules<UiOptions> = { oauth: anyObject }

const oauthRules: OptionRules<NonNullable<UiOptions['oauth']>> = {
  clientId: required(nonEmptyString),
  scopes: listOfStrings,
}

/** Refuses options with which sign-in from the docs page could not work. */
export function checkUi(ui: UiOptions, securitySchemes: Readonly<Record<string, SecurityScheme>> = {}): void {
  checkControllerOptions(ui, uiRules, 'ui')
  const { oauth } = ui
  if (oauth === undefined) return
  if ('clientSecret' in oauth)
    throw refuse('`ui.oauth` must not have a clientSecret: everybody who opens the page could read it')
  checkControllerOptions(oauth, oauthRules, 'ui.oauth')
  const [flow] = Object.values(securitySchemes).flatMap((it) =>
    it.type === 'oauth2' ? (it.flows['authorizationCode'] ?? []) : [],
  )
  if (!flow)
    throw refuse('`ui.oauth` needs a scheme of type oauth2 with the flow authorizationCode in `securitySchemes`')
  const unknown = (oauth.scopes ?? []).find((it) => !Object.hasOwn(flow.scopes, it))
  if (unknown !== undefined) throw refuse(`\`ui.oauth.scopes\` has \`${unknown}\`, which the flow does not offer`)
}

export function checkControllerOptions(options: unknown, rules: OptionRules, path?: string): void {
  const problem = findOptionProblem(options, rules, path)
  if (problem !== undefined) throw refuse(problem)
}

function refuse(problem: string): SpecError {
  return new SpecError('OPTIONS_INVALID', `specController: ${problem}`)
}
