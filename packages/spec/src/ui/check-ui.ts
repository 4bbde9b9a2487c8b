import type { SecurityScheme } from '../document.ts'
import { SpecError } from '../errors.ts'
import { findOptionProblem } from '../shared/find-option-problem.ts'
import { anyObject, expecting, listOfStrings, nonEmptyString, type OptionCheck } from '../shared/option-checks.ts'
import { type OptionRules, required } from '../shared/options.ts'
import type { UiColors, UiHome, UiOptions } from './page.ts'

const MAX_LOGO_LENGTH = 100_000

// Colors and fonts become part of a style sheet, so nothing may end a declaration.
const color = textLike('a color such as #2952cc', /^#(?:[\da-f]{3}|[\da-f]{6})$/i)
const font = textLike('font families, separated by commas', /^[\w\s,'"-]{1,200}$/)
const address = textLike(
  'an http address or a path of this site',
  /^(?:https?:\/\/[^\s\\]{1,2000}|\/(?![/\\])[^\s\\]{0,2000})$/,
)
const logo = expecting('a path of this site or a data: URL of an image, up to 100,000 characters', (value) => {
  return (
    typeof value === 'string' &&
    value.length <= MAX_LOGO_LENGTH &&
    /^(?:\/(?![/\\])|data:image\/[\w.+-]+[;,])\S*$/.test(value)
  )
})

const uiRules: OptionRules<UiOptions> = { oauth: anyObject, home: anyObject, font, light: anyObject, dark: anyObject }

const homeRules: OptionRules<UiHome> = { label: required(nonEmptyString), href: required(address), logo }

const colorRules: OptionRules<UiColors> = {
  accent: color,
  page: color,
  panel: color,
  line: color,
  ink: color,
  quiet: color,
}

const oauthRules: OptionRules<NonNullable<UiOptions['oauth']>> = {
  clientId: required(nonEmptyString),
  scopes: listOfStrings,
}

/** Refuses options with which the docs page, or sign-in from it, could not work. */
export function checkUi(ui: UiOptions, securitySchemes: Readonly<Record<string, SecurityScheme>> = {}): void {
  checkControllerOptions(ui, uiRules, 'ui')
  if (ui.home) checkControllerOptions(ui.home, homeRules, 'ui.home')
  if (ui.light) checkControllerOptions(ui.light, colorRules, 'ui.light')
  if (ui.dark) checkControllerOptions(ui.dark, colorRules, 'ui.dark')
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

function textLike(expected: string, pattern: RegExp): OptionCheck {
  return expecting(expected, (value) => typeof value === 'string' && pattern.test(value))
}

function refuse(problem: string): SpecError {
  return new SpecError('OPTIONS_INVALID', `specController: ${problem}`)
}
