import { buildAuthorizationUrl } from '../authorization-url.ts'
import { type CallbackParams, checkCallbackIssuer } from '../callback.ts'
import { checkOptional, checkOptions, checkValue } from '../check-options.ts'
import type { Clock } from '../clock.ts'
import { namingProvider, OAuthError, rethrowFrom } from '../errors.ts'
import type { FetchLike } from '../fetch.ts'
import { asymmetricAlgs } from '../oidc/algorithms.ts'
import {
  type ClientAuth,
  type ClientKey,
  type ClientProof,
  checkClientOptions,
  proveByKey,
  proveBySecret,
} from '../oidc/client-auth.ts'
import { Discovery, type OidcDiscoveryDocument } from '../oidc/discovery.ts'
import { readAuthTime, validateIdToken } from '../oidc/id-token.ts'
import { type KeyResolver, type KeySource, keysFromResolver, RemoteKeySet } from '../oidc/key-set.ts'
import { isClientRefused, redeemCode } from '../oidc/token-endpoint.ts'
import { completeClaims } from '../oidc/userinfo.ts'
import { onlyDefined, readText, readWebUrl } from '../profile.ts'
import type {
  AuthorizationUrlArgs,
  ConfigurableProvider,
  ExchangeArgs,
  NormalizedProfile,
  SharedProviderConfig,
} from '../provider.ts'
import { checkOwnSettings, checkSharedConfig, resolveSettings, type Settings } from '../settings.ts'
import {
  anyFunction,
  anyObject,
  expecting,
  listOfStrings,
  nonEmptyString,
  nonNegativeInteger,
} from '../shared/option-checks.ts'
import { httpsUrl } from '../shared/url-checks.ts'

export interface OidcProviderOptions {
  /** The issuer, exactly as in the provider's discovery document and id tokens. */
  readonly issuer: string
  readonly clientId: string
  /** May be left out with `clientAuth: 'none'` and `'private_key_jwt'`. */
  readonly clientSecret?: string | undefined
  /**
   * Client authentication at the token endpoint. By default the secret is sent in the form (`'post'`), or by HTTP Basic if the
   * metadata lists only that. If the server refuses the client, the other method is tried once, and remembered if it works.
   */
  readonly clientAuth?: ClientAuth | undefined
  /** The key for `clientAuth: 'private_key_jwt'`. */
  readonly clientKey?: ClientKey | undefined
  /** Default `oidc:<issuer>`. */
  readonly id?: string | undefined
  /**
   * Default `['openid', 'email', 'profile']`. Without `openid` a provider issues no id token. If the id token lacks the address
   * of `email` or the name of `profile`, they are read from the userinfo endpoint.
   */
  readonly scopes?: string[] | undefined
  /** Default `['RS256', 'ES256']`; `none` and `HS*` are always rejected. */
  readonly idTokenSigningAlgs?: string[] | undefined
  /** An explicit endpoint overrides the discovered one. If all are explicit, no document is fetched. */
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint?: string | undefined
  readonly jwksUri?: string | undefined
  /** Replaces the well-known document, which is then not fetched. */
  readonly discovery?: OidcDiscoveryDocument | undefined
  /** Replaces the key set, which is then not fetched. */
  readonly jwks?: KeyResolver | undefined
  /** Allowed difference between clocks, in seconds. Default 5. */
  readonly clockToleranceSec?: number | undefined
  /** Lifetime of a cached key set, in milliseconds. Default 3600000. */
  readonly jwksCacheTtlMs?: number | undefined
  readonly clock?: Clock | undefined
  /** Default: the global `fetch`, without redirects, limited to 10 s and 1 MiB. */
  readonly fetch?: FetchLike | undefined
}

/** Built from the options and the shared settings. */
interface Parts {
  settings: Settings
  discovery: Discovery
  keys: KeySource
}

/**
 * Sign-in with any OpenID Connect provider: discovery, PKCE, and full validation of id tokens (OpenID Connect Core 3.1.3.7).
 * If the keys or a required discovery document are unavailable, every sign-in is refused.
 *
 * ```ts
 * const provider = new OidcProvider({ issuer: 'https://login.example', clientId, clientSecret })
 * const url = await provider.authorizationUrl({ redirectUri, state, codeChallenge, nonce })
 * const profile = await provider.exchange({ code, redirectUri, codeVerifier, expectedNonce: nonce })
 * ```
 */
export class OidcProvider implements ConfigurableProvider {
  readonly id: string
  /** The allowed signature algorithms of id tokens. A subclass may change them. */
  protected readonly signingAlgs: readonly string[]
  readonly #options: OidcProviderOptions & { scopes: string[] }
  #parts: Parts
  /** Set after the first choice was refused and the other method worked. */
  #workingMethod: 'post' | 'basic' | undefined

  constructor(options: OidcProviderOptions) {
    checkOptions(options, {})
    this.id = readId(options)
    namingProvider(this.id, () => checkOidcOptions(options))
    this.#options = { ...options, scopes: options.scopes ?? ['openid', 'email', 'profile'] }
    this.signingAlgs = [...(options.idTokenSigningAlgs ?? ['RS256', 'ES256'])]
    this.#parts = namingProvider(this.id, () => createParts(this.#options, {}))
  }

  /** Uses shared settings for options that were not given. */
  applyDefaults(shared: SharedProviderConfig): void {
    checkSharedConfig(shared)
    this.#parts = createParts(this.#options, shared)
  }

  authorizationUrl(args: AuthorizationUrlArgs): Promise<string> {
    return this.#buildUrl(args).catch(rethrowFrom(this.id))
  }

  exchange(args: ExchangeArgs): Promise<NormalizedProfile> {
    return this.#redeem(args).catch(rethrowFrom(this.id))
  }

  /** Checks `iss` of a callback (RFC 9207). It is required if the metadata says that the provider sends it. */
  checkCallback(params: CallbackParams): Promise<void> {
    return this.#checkIssuer(params).catch(rethrowFrom(this.id))
  }

  async #checkIssuer(params: CallbackParams): Promise<void> {
    const { sendsIss = false } = await this.#parts.discovery.forExchange()
    checkCallbackIssuer(params, this.#options.issuer, sendsIss)
  }

  async #buildUrl({ prompt, ...args }: AuthorizationUrlArgs): Promise<string> {
    const { clientId, scopes } = this.#options
    const { endpoint, promptValues } = await this.#parts.discovery.forAuthorization()
    const supported = { ...args, prompt: keepSupported(prompt, promptValues) }
    return buildAuthorizationUrl({ endpoint, clientId, scopes, args: supported, extra: this.authorizationParams() })
  }

  async #redeem(args: ExchangeArgs): Promise<NormalizedProfile> {
    // The constructor checked the option; a subclass may override the member.
    checkValue(this.signingAlgs, 'signingAlgs', asymmetricAlgs)
    checkOptional(args.maxAge, 'maxAge', nonNegativeInteger)
    const { scopes } = this.#options
    const { settings, discovery } = this.#parts
    const { fetch } = settings
    const tokens = await this.#retryWithNewMetadata(isEndpointGone, async () => this.#requestTokens(args))
    const claims = await this.#retryWithNewMetadata(isKeyFailure, () => this.#validate(tokens, args))
    const completed = await this.#retryWithNewMetadata(isEndpointGone, async () => {
      const { userinfoEndpoint: url } = await discovery.forExchange()
      return completeClaims({ fetch, url, scopes, tokens, claims })
    })
    return { ...this.profileFrom(completed), ...this.#readAuthentication(claims) }
  }

  /** Retries once if the failure may come from outdated metadata and the metadata has changed. */
  async #retryWithNewMetadata<Result>(
    mayBeStale: (error: unknown) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!mayBeStale(error) || !(await this.#parts.discovery.renew())) throw error
      return work()
    }
  }

  async #requestTokens(args: ExchangeArgs): Promise<Record<string, unknown>> {
    const { clientAuth, issuer } = this.#options
    const { settings, discovery } = this.#parts
    const { tokenEndpoint: url, secretBy } = await discovery.forExchange()
    const redeem = (proof: ClientProof) => redeemCode({ fetch: settings.fetch, url, proof, args })
    if (clientAuth === 'none') return redeem({ form: { client_id: this.#options.clientId }, headers: {}, sent: [] })
    if (clientAuth === 'private_key_jwt') return redeem(await proveByKey(this.#options, issuer, settings.clock))
    return this.#redeemBySecret(clientAuth, this.#workingMethod ?? secretBy, redeem)
  }

  /** Many servers accept only the method that the client was registered with, whatever their metadata lists. */
  async #redeemBySecret(
    fixed: 'post' | 'basic' | undefined,
    likely: 'post' | 'basic',
    redeem: (proof: ClientProof) => Promise<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    const { clientId } = this.#options
    const redeemBy = async (method: 'post' | 'basic') =>
      redeem(proveBySecret(method, clientId, await this.clientSecret()))
    try {
      return await redeemBy(fixed ?? likely)
    } catch (error) {
      if (fixed || !isClientRefused(error)) throw error
      const other = likely === 'post' ? 'basic' : 'post'
      const tokens = await redeemBy(other)
      this.#workingMethod = other
      return tokens
    }
  }

  #validate(tokens: Record<string, unknown>, args: ExchangeArgs): Promise<Record<string, unknown>> {
    const { issuer, clientId } = this.#options
    const { settings, keys } = this.#parts
    return validateIdToken(tokens['id_token'], {
      issuer,
      clientId,
      signingAlgs: this.signingAlgs,
      keys,
      clock: settings.clock,
      toleranceSec: settings.clockToleranceSec,
      nonce: args.expectedNonce,
      maxAge: args.maxAge,
      accessToken: tokens['access_token'],
    })
  }

  /** Reads the signed id token only, never the userinfo response. */
  #readAuthentication(claims: Record<string, unknown>): Pick<NormalizedProfile, 'authTime' | 'acr' | 'amr'> {
    const { clock, clockToleranceSec } = this.#parts.settings
    const authTime = readAuthTime(claims, clock, clockToleranceSec)
    const amr = claims['amr']
    return onlyDefined({
      authTime: authTime === undefined ? undefined : authTime * 1000,
      acr: readText(claims['acr']),
      amr: Array.isArray(amr) && amr.every((it) => typeof it === 'string') ? (amr as string[]) : undefined,
    })
  }

  /** The clock of the options, the shared one, or the system clock. */
  protected get clock(): Clock {
    return this.#parts.settings.clock
  }

  /** Called for each token request. */
  protected clientSecret(): string | Promise<string> {
    return this.#options.clientSecret ?? ''
  }

  /** Extra parameters of the authorization request. They cannot override `state`, PKCE, the nonce and the like. */
  protected authorizationParams(): Record<string, string> {
    return {}
  }

  /** Maps validated claims to a profile. Ignores an `email_verified` that is not a boolean: the string `"false"` is truthy. */
  protected profileFrom(claims: Record<string, unknown>): NormalizedProfile {
    const verified = claims['email_verified']
    return {
      provider: this.id,
      subject: claims['sub'] as string,
      ...onlyDefined({
        email: readText(claims['email']),
        emailVerified: typeof verified === 'boolean' ? verified : undefined,
        displayName: readText(claims['name']),
        avatarUrl: readWebUrl(claims['picture']),
      }),
      raw: claims,
    }
  }
}

function createParts(options: OidcProviderOptions, shared: SharedProviderConfig): Parts {
  const { issuer, authorizationEndpoint, tokenEndpoint, jwksUri, jwks } = options
  const settings = resolveSettings(options, shared)
  const discovery = new Discovery({
    issuer,
    explicit: { authorizationEndpoint, tokenEndpoint, jwksUri },
    document: options.discovery,
    hasResolver: jwks !== undefined,
    fetch: settings.fetch,
    clock: settings.clock,
  })
  if (jwks) return { settings, discovery, keys: keysFromResolver(jwks) }
  const remote = new RemoteKeySet(() => discovery.jwksUri(), settings)
  return { settings, discovery, keys: (header) => remote.keysFor(header) }
}

/** Drops a prompt that the metadata does not list: a provider may respond with an error to an unknown one. */
function keepSupported(prompt: string | undefined, supported: readonly string[] | undefined): string | undefined {
  if (prompt === undefined || !supported) return prompt
  // Signing in again allows another account, so `login` is the closest to `select_account`.
  const nearest = (it: string): string => (it === 'select_account' && !supported.includes(it) ? 'login' : it)
  const kept = new Set(prompt.split(' ').map(nearest))
  const sent = [...kept].filter((it) => supported.includes(it))
  return sent.length > 0 ? sent.join(' ') : undefined
}

/** The endpoint is unreachable or gone: the provider may have moved it. */
function isEndpointGone(error: unknown): boolean {
  if (!(error instanceof OAuthError) || error.type !== 'EXCHANGE_FAILED' || !('endpoint' in error.details)) return false
  const { status } = error.details
  return status === undefined || (typeof status === 'number' && (status >= 500 || [404, 405, 410].includes(status)))
}

function isKeyFailure(error: unknown): boolean {
  if (!(error instanceof OAuthError)) return false
  return error.type === 'JWKS_FAILED' || error.details['check'] === 'signature'
}

function readId({ id, issuer }: OidcProviderOptions): string {
  checkOptional(id, 'id', nonEmptyString)
  if (id !== undefined) return id
  checkIssuer(issuer)
  return `oidc:${issuer}`
}

function checkIssuer(issuer: string): void {
  checkValue(issuer, 'issuer', httpsUrl)
  // OpenID Connect Core 2: an issuer has no query.
  checkValue(
    issuer,
    'issuer',
    expecting('a URL without a query', (it) => !String(it).includes('?')),
  )
}

/** `id`, the issuer, client authentication and settings have their own checks. */
const optionRules = {
  scopes: listOfStrings,
  idTokenSigningAlgs: asymmetricAlgs,
  authorizationEndpoint: httpsUrl,
  tokenEndpoint: httpsUrl,
  jwksUri: httpsUrl,
  discovery: anyObject,
  jwks: anyFunction,
}

function checkOidcOptions(options: OidcProviderOptions): void {
  checkIssuer(options.issuer)
  checkClientOptions(options)
  checkOptions(options, optionRules)
  checkOwnSettings(options)
}
