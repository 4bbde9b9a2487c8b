import { checkOptions } from './check-options.ts'
import type { AuthorizationUrlArgs } from './provider.ts'
import { listOfStrings, nonEmptyString, nonNegativeInteger } from './shared/option-checks.ts'
import { type OptionRules, required } from './shared/options.ts'

export interface AuthorizationRequest {
  readonly endpoint: string
  readonly clientId: string
  /** Used if `args` has none. */
  readonly scopes: readonly string[]
  readonly args: AuthorizationUrlArgs
  /** Parameters of this provider beyond the standard ones. */
  readonly extra?: Record<string, string>
}

/** The optional parameters of OpenID Connect Core 3.1.2.1. Providers ignore those that they do not know. */
function optionalParams(args: AuthorizationUrlArgs): Record<string, string> {
  const { prompt, maxAge, loginHint, acrValues, uiLocales } = args
  return {
    ...(prompt !== undefined && { prompt }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
    ...(acrValues && acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
    ...(uiLocales && uiLocales.length > 0 && { ui_locales: uiLocales.join(' ') }),
  }
}

const argRules: OptionRules<AuthorizationUrlArgs> = {
  redirectUri: required(nonEmptyString),
  state: required(nonEmptyString),
  codeChallenge: required(nonEmptyString),
  nonce: nonEmptyString,
  scopes: listOfStrings,
  prompt: nonEmptyString,
  maxAge: nonNegativeInteger,
  loginHint: nonEmptyString,
  acrValues: listOfStrings,
  uiLocales: listOfStrings,
}

/** `extra` cannot override these: the callback could no longer be trusted. */
const reserved: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
])

/** Builds the URL of an authorization request with PKCE. Keeps the parameters that the endpoint already has. */
export function buildAuthorizationUrl({ endpoint, clientId, scopes, args, extra }: AuthorizationRequest): string {
  checkOptions(args, argRules)
  const url = new URL(endpoint)
  const scope = (args.scopes ?? scopes).join(' ')
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: args.redirectUri,
    ...(scope !== '' && { scope }),
    state: args.state,
    code_challenge: args.codeChallenge,
    code_challenge_method: 'S256',
    ...(args.nonce !== undefined && { nonce: args.nonce }),
    ...Object.fromEntries(Object.entries(extra ?? {}).filter(([name]) => !reserved.has(name))),
    ...optionalParams(args),
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
