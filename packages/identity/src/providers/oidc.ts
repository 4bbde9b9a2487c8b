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
  /** The issuer, exactly as the provider's discovery document and id tokens have it. */
  readonly issuer: string
  readonly clientId: string
  /** May be left out with `clientAuth: 'none'` and `'private_key_jwt'`. */
  readonly clientSecret?: string | undefined
  /**
   * How this client proves itself at the token endpoint. Without it the secret goes into the form (`'post'`), or by HTTP
   * Basic where the metadata lists only that; a server that refuses the client is asked once more the other way, and what
   * worked is remembered.
   */
  readonly clientAuth?: ClientAuth | undefined
  /** The key for `clientAuth: 'private_key_jwt'`. */
  readonly clientKey?: ClientKey | undefined
  /** Default `oidc:<issuer>`. */
  readonly id?: string | undefined
  /**
   * Default `['openid', 'email', 'profile']`. Without `openid` a provider issues no id token. When the id token lacks the
   * address of `email` or the name of `profile`, the provider's userinfo endpoint is asked.
   */
  readonly scopes?: string[] | undefined
  /** Default `['RS256', 'ES256']`; `none` and `HS*` are always rejected. */
  readonly idTokenSigningAlgs?: string[] | undefined
  /** An explicit endpoint comes before the discovered one; when none is left to discover, nothing is fetched. */
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint?: string | undefined
  readonly jwksUri?: string | undefined
  /** Instead of fetching the well-known document. */
  readonly discovery?: OidcDiscoveryDocument | undefined
  /** Instead of fetching the key set. */
  readonly jwks?: KeyResolver | undefined
  /** Seconds that clocks may differ by. Default 5. */
  readonly clockToleranceSec?: number | undefined
  /** How long a fetched key set serves, in milliseconds. Default 3600000. */
  readonly jwksCacheTtlMs?: number | undefined
  readonly clock?: Clock | undefined
  /** Default: the platform's, without redirects, at most 10 s and 1 MiB. */
  readonly fetch?: FetchLike | undefined
}

/** What is made of the options and the shared settings together. */
interface Parts {
  settings: Settings
  discovery: Discovery
  keys: KeySource
}

/**
 * Sign-in with any OpenID Connect provider: discovery, PKCE, and id tokens validated by OpenID Connect Core 3.1.3.7 in
 * full. Without keys, or without a discovery document where one is needed, nobody is let in.
 *
 * ```ts
 * const provider = new OidcProvider({ issuer: 'https://login.example', clientId, clientSecret })
 * const url = await provider.authorizationUrl({ redirectUri, state, codeChallenge, nonce })
 * const profile = await provider.exchange({ code, redirectUri, codeVerifier, expectedNonce: nonce })
 * ```
 */
export class OidcProvider implements ConfigurableProvider {
  readonly id: string
  /** The algorithms an id token may be signed with; a subclass may narrow or change them. */
  protected readonly signingAlgs: readonly string[]
  readonly #options: OidcProviderOptions & { scopes: string[] }
  #parts: Parts
  /** The way that worked where the likelier one was refused. */
  #workingMethod: 'post' | 'basic' | undefined

  constructor(options: OidcProviderOptions) {
    checkOptions(options, {})
    this.id = readId(options)
    namingProvider(this.id, () => checkOidcOptions(options))
    this.#options = { ...options, scopes: options.scopes ?? ['openid', 'email', 'profile'] }
    this.signingAlgs = [...(options.idTokenSigningAlgs ?? ['RS256', 'ES256'])]
    this.#parts = namingProvider(this.id, () => makeParts(this.#options, {}))
  }

  /** Takes over shared settings where the options left them open. */
  applyDefaults(shared: SharedProviderConfig): void {
    checkSharedConfig(shared)
    this.#parts = makeParts(this.#options, shared)
  }

  authorizationUrl(args: AuthorizationUrlArgs): Promise<string> {
    return this.#buildUrl(args).catch(rethrowFrom(this.id))
  }

  exchange(args: ExchangeArgs): Promise<NormalizedProfile> {
    return this.#redeem(args).catch(rethrowFrom(this.id))
  }

  /** Holds a callback's `iss` to the issuer (RFC 9207), and wants one where the metadata says that it is sent. */
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
    const wished = { ...args, prompt: keepSupported(prompt, promptValues) }
    return buildAuthorizationUrl({ endpoint, clientId, scopes, args: wished, extra: this.authorizationParams() })
  }

  async #redeem(args: ExchangeArgs): Promise<NormalizedProfile> {
    // The constructor checked the option; a subclass may override the member.
    checkValue(this.signingAlgs, 'signingAlgs', asymmetricAlgs)
    checkOptional(args.maxAge, 'maxAge', nonNegativeInteger)
    const { scopes } = this.#options
    const { settings, discovery } = this.#parts
    const { fetch } = settings
    const tokens = await this.#orRenewed(isEndpointGone, async () => this.#requestTokens(args))
    const claims = await this.#orRenewed(isKeyTrouble, () => this.#validate(tokens, args))
    const completed = await this.#orRenewed(isEndpointGone, async () => {
      const { userinfoEndpoint: url } = await discovery.forExchange()
      return completeClaims({ fetch, url, scopes, tokens, claims })
    })
    return { ...this.profileFrom(completed), ...this.#readAuthentication(claims) }
  }

  /** What failed because the metadata is out of date is tried once more, where it says something else by now. */
  async #orRenewed<T>(mayBeStale: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
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

  /** Many servers hold a client to the method that it was registered with, whatever their metadata lists. */
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

  /** How and when the person authenticated, by the signed id token alone: userinfo is not asked for it. */
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

  /** The clock in force: the option's, the shared one, or the system's. */
  protected get clock(): Clock {
    return this.#parts.settings.clock
  }

  /** The secret of one token request. */
  protected clientSecret(): string | Promise<string> {
    return this.#options.clientSecret ?? ''
  }

  /** Parameters of the authorization request beyond the standard ones; those that make it safe stay as they are. */
  protected authorizationParams(): Record<string, string> {
    return {}
  }

  /** The profile that validated claims make, completed by the userinfo endpoint's. `email_verified` counts only as a boolean: `"false"` is not true. */
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

function makeParts(options: OidcProviderOptions, shared: SharedProviderConfig): Parts {
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

/** A provider may answer a prompt that it does not know with an error: what its metadata does not list is left out. */
function keepSupported(prompt: string | undefined, supported: readonly string[] | undefined): string | undefined {
  if (prompt === undefined || !supported) return prompt
  // Whoever signs in again may do so as somebody else: the nearest to a choice of accounts.
  const nearest = (it: string): string => (it === 'select_account' && !supported.includes(it) ? 'login' : it)
  const kept = new Set(prompt.split(' ').map(nearest))
  const sent = [...kept].filter((it) => supported.includes(it))
  return sent.length > 0 ? sent.join(' ') : undefined
}

/** An endpoint that nobody answers at, or that is not there any more: the provider may have moved it. */
function isEndpointGone(error: unknown): boolean {
  if (!(error instanceof OAuthError) || error.type !== 'EXCHANGE_FAILED' || !('endpoint' in error.details)) return false
  const { status } = error.details
  return status === undefined || (typeof status === 'number' && (status >= 500 || [404, 405, 410].includes(status)))
}

function isKeyTrouble(error: unknown): boolean {
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

/** The rules for `id`, the issuer, client authentication and settings are in functions of their own. */
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
