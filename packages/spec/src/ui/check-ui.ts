import type { SecurityScheme } from '../document.ts'
import { SpecError } from '../errors.ts'
import type { UiOptions } from './page.ts'

/** Refuses options with which sign-in from the docs page could not work. */
export function checkUi(ui: UiOptions, securitySchemes: Readonly<Record<string, SecurityScheme>> = {}): void {
  checkNames('ui', ui, ['oauth'])
  const { oauth } = ui
  if (oauth === undefined) return
  checkNames('ui.oauth', oauth, ['clientId', 'scopes'])
  const { clientId, scopes = [] } = oauth
  if (typeof clientId !== 'string' || clientId === '') throw refuse('ui.oauth.clientId has to be the id of a client')
  if (!Array.isArray(scopes)) throw refuse('ui.oauth.scopes has to be a list of names')
  const [flow] = Object.values(securitySchemes).flatMap((it) =>
    it.type === 'oauth2' ? (it.flows['authorizationCode'] ?? []) : [],
  )
  if (!flow) throw refuse('ui.oauth needs a scheme of type oauth2 with the flow authorizationCode in securitySchemes')
  const unknown = scopes.find((it) => !Object.hasOwn(flow.scopes, it))
  if (unknown !== undefined) throw refuse(`ui.oauth.scopes has \`${unknown}\`, which the flow does not offer`)
}

/** Refuses unknown options: a misspelt one would be ignored silently. */
export function checkNames(place: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null) throw refuse(`${place} has to be an object`)
  const unknown = Object.keys(value).find((it) => !known.includes(it))
  if (unknown === 'clientSecret')
    throw refuse(`${place} takes no clientSecret: everybody who opens the page could read it`)
  if (unknown !== undefined) throw refuse(`${place} has no option \`${unknown}\`; known are ${known.join(', ')}`)
}

function refuse(message: string): SpecError {
  return new SpecError('OPTIONS_INVALID', message)
}
