import { buildAuthorizationUrl } from '../authorization-url.ts'
import {
  checkEndpoint,
  checkObject,
  checkOptionalEndpoint,
  checkOptionalFunction,
  checkOptionalText,
  checkOptionalTexts,
  checkText,
  invalidConfig,
} from '../check-options.ts'
import type { Clock } from '../clock.ts'
import { namingProvider, rethrowFrom } from '../errors.ts'
import type { FetchLike } from '../fetch.ts'
import { checkSigningAlgs } from '../oidc/algorithms.ts'
import { Discovery, type OidcDiscoveryDocument } from '../oidc/discovery.ts'
import { validateIdToken } from '../oidc/id-token.ts'
import { type KeyResolver, type KeySource, keysFromResolver, RemoteKeySet } from '../oidc/key-set.ts'
import { redeemCode } from '../oidc/token-endpoint.ts'
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

export interface OidcProviderOptions {
  /** The issuer, exactly as the provider's discovery document and id tokens have it. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Default `oidc:<issuer>`. */
  id?: string | undefined
  /**
   * Default `['openid', 'email', 'profile']`. Without `openid` a provider issues no id token. When the id token lacks the
   * address of `email` or the name of `profile`, the provider's userinfo endpoint is asked.
   */
  scopes?: string[] | undefined
  /** Default `['RS256', 'ES256']`; `none` and `HS*` are always rejected. */
  idTokenSigningAlgs?: string[] | undefined
  /** An explicit endpoint comes before the discovered one; when none is left to discover, nothing is fetched. */
  authorizationEndpoint?: string | undefined
  tokenEndpoint?: string | undefined
  jwksUri?: string | undefined
  /** Instead of fetching the well-known document. */
  discovery?: OidcDiscoveryDocument | undefined
  /** Instead of fetching the key set. */
  jwks?: KeyResolver | undefined
  /** Seconds that clocks may differ by. Default 5. */
  clockToleranceSec?: number | undefined
  /** How long a fetched key set serves, in milliseconds. Default 3600000. */
  jwksCacheTtlMs?: number | undefined
  clock?: Clock | undefined
  /** Default: the platform's, without redirects, at most 10 s and 1 MiB. */
  fetch?: FetchLike | undefined
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

  constructor(options: OidcProviderOptions) {
    checkObject(options, 'options')
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

  async #buildUrl(args: AuthorizationUrlArgs): Promise<string> {
    const { clientId, scopes } = this.#options
    const endpoint = await this.#parts.discovery.authorizationEndpoint()
    return buildAuthorizationUrl({ endpoint, clientId, scopes, args, extra: this.authorizationParams() })
  }

  async #redeem(args: ExchangeArgs): Promise<NormalizedProfile> {
    // The constructor looked at the option; a subclass may have its own.
    checkSigningAlgs(this.signingAlgs)
    const { issuer, clientId, scopes } = this.#options
    const { settings, discovery, keys } = this.#parts
    const { fetch } = settings
    const { tokenEndpoint: url, authMethod, userinfoEndpoint } = await discovery.forExchange()
    const clientSecret = await this.clientSecret()
    const tokens = await redeemCode({ fetch, url, clientId, clientSecret, authMethod, args })
    const claims = await validateIdToken(tokens['id_token'], {
      issuer,
      clientId,
      signingAlgs: this.signingAlgs,
      keys,
      clock: settings.clock,
      toleranceSec: settings.clockToleranceSec,
      nonce: args.expectedNonce,
      accessToken: tokens['access_token'],
    })
    return this.profileFrom(await completeClaims({ fetch, url: userinfoEndpoint, scopes, tokens, claims }))
  }

  /** The clock in force: the option's, the shared one, or the system's. */
  protected get clock(): Clock {
    return this.#parts.settings.clock
  }

  /** The secret of one token request. */
  protected clientSecret(): string | Promise<string> {
    return this.#options.clientSecret
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
  })
  if (jwks) return { settings, discovery, keys: keysFromResolver(jwks) }
  const remote = new RemoteKeySet(() => discovery.jwksUri(), settings)
  return { settings, discovery, keys: (header) => remote.keysFor(header) }
}

function readId({ id, issuer }: OidcProviderOptions): string {
  checkOptionalText(id, 'id')
  if (id !== undefined) return id
  checkIssuer(issuer)
  return `oidc:${issuer}`
}

function checkIssuer(issuer: string): void {
  checkEndpoint(issuer, 'issuer')
  // OpenID Connect Core 2: an issuer has no query.
  if (issuer.includes('?')) throw invalidConfig('issuer must not have a query')
}

function checkOidcOptions(options: OidcProviderOptions): void {
  checkIssuer(options.issuer)
  checkText(options.clientId, 'clientId')
  checkText(options.clientSecret, 'clientSecret')
  checkOptionalTexts(options.scopes, 'scopes')
  if (options.idTokenSigningAlgs !== undefined) checkSigningAlgs(options.idTokenSigningAlgs)
  checkOptionalEndpoint(options.authorizationEndpoint, 'authorizationEndpoint')
  checkOptionalEndpoint(options.tokenEndpoint, 'tokenEndpoint')
  checkOptionalEndpoint(options.jwksUri, 'jwksUri')
  if (options.discovery !== undefined) checkObject(options.discovery, 'discovery')
  checkOptionalFunction(options.jwks, 'jwks')
  checkOwnSettings(options)
}
