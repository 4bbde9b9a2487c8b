import { buildAuthorizationUrl } from '../authorization-url.ts'
import { checkOptions } from '../check-options.ts'
import { namingProvider, OAuthError, rethrowFrom } from '../errors.ts'
import { type FetchLike, type JsonResponse, requestJson } from '../fetch.ts'
import type { Filled } from '../filled.ts'
import { proveBySecret } from '../oidc/client-auth.ts'
import { readResponse, redeemCode } from '../oidc/token-endpoint.ts'
import { onlyDefined, readText, readWebUrl } from '../profile.ts'
import type {
  AuthorizationUrlArgs,
  ConfigurableProvider,
  ExchangeArgs,
  NormalizedProfile,
  SharedProviderConfig,
} from '../provider.ts'
import { checkSharedConfig } from '../settings.ts'
import { isObject } from '../shared/objects.ts'
import { anyFunction, expecting, listOfStrings, nonEmptyString } from '../shared/option-checks.ts'
import { type OptionRules, required } from '../shared/options.ts'
import { httpsUrl } from '../shared/url-checks.ts'

/** The endpoints of Beta. A self-hosted instance has its own. */
export const BETA_ENDPOINTS: {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userEndpoint: string
  readonly emailsEndpoint: string
} = Object.freeze({
  authorizationEndpoint: 'https://beta.example/oauth/authorize',
  tokenEndpoint: 'https://beta.example/oauth/token',
  userEndpoint: 'https://beta.example/api/user',
  emailsEndpoint: 'https://beta.example/api/user/emails',
})

/** The default user agent. Beta refuses requests without one. */
export const USER_AGENT = 'portico-identity'

export interface BetaProviderOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** Default `'beta'`. */
  readonly id?: string | undefined
  /** Default `['read:user', 'user:email']`. */
  readonly scopes?: string[] | undefined
  /** Default `USER_AGENT`. */
  readonly userAgent?: string | undefined
  /** Default: see `BETA_ENDPOINTS`. */
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint?: string | undefined
  readonly userEndpoint?: string | undefined
  readonly emailsEndpoint?: string | undefined
  /** Default: the global `fetch`, without redirects, limited to 10 s and 1 MiB. */
  readonly fetch?: FetchLike | undefined
}

/**
 * Sign-in with Beta: OAuth 2.0 with PKCE, without id token, key set or nonce. The profile comes from the user and emails
 * endpoints. `emailVerified` is true only for the primary address, if Beta has verified it.
 *
 * ```ts
 * const beta = new BetaProvider({ clientId, clientSecret })
 * ```
 */
export class BetaProvider implements ConfigurableProvider {
  readonly id: string
  readonly #options: Filled<Omit<BetaProviderOptions, 'id' | 'fetch'>>
  readonly #ownFetch: FetchLike | undefined
  #fetch: FetchLike | undefined

  constructor(options: BetaProviderOptions) {
    checkOptions(options, {})
    const { id = 'beta', fetch, ...given } = options
    const defaults = { scopes: ['read:user', 'user:email'], userAgent: USER_AGENT, ...BETA_ENDPOINTS }
    this.id = id
    this.#options = { ...defaults, ...onlyDefined(given) } as Filled<Omit<BetaProviderOptions, 'id' | 'fetch'>>
    this.#ownFetch = fetch
    this.#fetch = fetch
    namingProvider(id, () => checkOptions(options, optionRules))
  }

  /** Uses the shared `fetch` unless the options have one. Ignores the other settings. */
  applyDefaults(shared: SharedProviderConfig): void {
    checkSharedConfig(shared)
    this.#fetch = this.#ownFetch ?? shared.fetch
  }

  authorizationUrl(args: AuthorizationUrlArgs): Promise<string> {
    return this.#buildUrl(args).catch(rethrowFrom(this.id))
  }

  exchange(args: ExchangeArgs): Promise<NormalizedProfile> {
    return this.#readProfile(args).catch(rethrowFrom(this.id))
  }

  async #buildUrl(args: AuthorizationUrlArgs): Promise<string> {
    const { authorizationEndpoint: endpoint, clientId, scopes } = this.#options
    const { nonce: _unused, ...rest } = args
    return buildAuthorizationUrl({ endpoint, clientId, scopes, args: rest })
  }

  async #readProfile(args: ExchangeArgs): Promise<NormalizedProfile> {
    const { userEndpoint, emailsEndpoint, clientSecret } = this.#options
    const token = await this.#redeem(args)
    const sent = [token, clientSecret, args.code, args.codeVerifier]
    const [user, emails] = await Promise.all([
      this.#read(userEndpoint, 'user endpoint', token).then((response) =>
        readResponse(response, 'user endpoint', sent),
      ),
      this.#read(emailsEndpoint, 'emails endpoint', token).then((response) => readEmails(response, sent)),
    ])
    return { provider: this.id, subject: readSubject(user), ...readProfile(user, emails), raw: { user, emails } }
  }

  async #redeem(args: ExchangeArgs): Promise<string> {
    const { tokenEndpoint: url, clientId, clientSecret, userAgent } = this.#options
    const tokens = await redeemCode({
      fetch: this.#fetch,
      url,
      proof: proveBySecret('post', clientId, clientSecret),
      args,
      headers: { 'user-agent': userAgent },
    })
    const { access_token: token, token_type: type } = tokens
    // RFC 6749 §7.1: a token of an unknown type must not be used.
    if (typeof type === 'string' && type.toLowerCase() !== 'bearer') throw malformed('token endpoint')
    // RFC 6750 §2.1: other characters cannot be sent in a header.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw malformed('token endpoint')
    return token
  }

  #read(url: string, endpoint: string, token: string): Promise<JsonResponse> {
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': this.#options.userAgent,
    }
    return requestJson({
      fetch: this.#fetch,
      url,
      init: { method: 'GET', headers },
      endpoint,
      failAs: 'EXCHANGE_FAILED',
    })
  }
}

function malformed(endpoint: string): OAuthError {
  return new OAuthError('EXCHANGE_FAILED', `The ${endpoint} sent an invalid response`, { endpoint })
}

/** Refuses a number that JavaScript cannot represent exactly: two people could get the same subject. */
function readSubject({ id }: Record<string, unknown>): string {
  if (Number.isSafeInteger(id)) return String(id)
  if (typeof id === 'string' && id !== '' && id.length <= 255) return id
  throw malformed('user endpoint')
}

/** Without the emails scope there is no list. The sign-in succeeds all the same. */
function readEmails(response: JsonResponse, sent: readonly string[]): unknown[] {
  if ([401, 403, 404].includes(response.status)) return []
  if (response.ok && Array.isArray(response.body)) return response.body
  readResponse(response, 'emails endpoint', sent)
  throw malformed('emails endpoint')
}

function readProfile(user: Record<string, unknown>, emails: unknown[]): Partial<NormalizedProfile> {
  const primary = emails.filter(isObject).find((it) => it['primary'] === true && it['verified'] === true)
  const verified = readText(primary?.['email'])
  const email = verified ?? readText(user['email'])
  return onlyDefined({
    email,
    emailVerified: email === undefined ? undefined : verified !== undefined,
    displayName: readText(user['name']) ?? readText(user['login']),
    avatarUrl: readWebUrl(user['avatar_url']),
  })
}

const userAgent = expecting('printable ASCII', (value) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value))

const optionRules: OptionRules<BetaProviderOptions> = {
  clientId: required(nonEmptyString),
  clientSecret: required(nonEmptyString),
  id: nonEmptyString,
  scopes: listOfStrings,
  userAgent,
  authorizationEndpoint: httpsUrl,
  tokenEndpoint: httpsUrl,
  userEndpoint: httpsUrl,
  emailsEndpoint: httpsUrl,
  fetch: anyFunction,
}
