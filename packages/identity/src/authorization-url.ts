import { checkOptions } from './check-options.ts'
import type { AuthorizationUrlArgs } from './provider.ts'
import { listOfStrings, nonEmptyString, nonNegativeInteger } from './shared/option-checks.ts'
import { type OptionRules, required } from './shared/options.ts'

export interface AuthorizationRequest {
  readonly endpoint: string
  readonly clientId: string
  /** Used when the call names none. */
  readonly scopes: readonly string[]
  readonly args: AuthorizationUrlArgs
  /** What a provider asks for beyond the standard parameters. */
  readonly extra?: Record<string, string>
}

/** OpenID Connect Core 3.1.2.1: what the application wishes for this sign-in. Providers ignore what they do not know. */
function readWishes(args: AuthorizationUrlArgs): Record<string, string> {
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

/** What a provider's own parameters cannot change: the answer could not be trusted any more. */
const reserved: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
])

/** Builds the address of an authorization request with PKCE; parameters the endpoint has already are kept. */
export function buildAuthorizationUrl({ endpoint, clientId, scopes, args, extra }: AuthorizationRequest): string {
  checkOptions(args, argRules)
  const wishes = readWishes(args)
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
    ...wishes,
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
