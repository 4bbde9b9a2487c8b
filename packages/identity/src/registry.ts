import { checkMethods, checkOptions, checkValue, invalidConfig } from './check-options.ts'
import { type Clock, systemClock } from './clock.ts'
import { OAuthError } from './errors.ts'
import type { FetchLike } from './fetch.ts'
import { type FederatedPolicy, type ResolvedFederatedPolicy, resolveFederatedPolicy } from './policy.ts'
import {
  type IdentityProvider,
  isConfigurableProvider,
  type SharedKeySetConfig,
  type SharedProviderConfig,
} from './provider.ts'
import { checkSharedConfig } from './settings.ts'
import { anything, expecting, listOf, nonEmptyString, type OptionCheck } from './shared/option-checks.ts'
import { httpUrl } from './shared/url-checks.ts'
import {
  type OAuthStatePayload,
  readSecret,
  type SignStateOptions,
  signState,
  type VerifyStateOptions,
  verifyState,
} from './state.ts'

export interface OAuthProviderRegistryOptions {
  /** The public URL of this application, such as `https://app.example`. One trailing slash is dropped. */
  readonly baseUrl: string
  /** Signs states. At least 32 bytes. */
  readonly stateSecret: string
  readonly providers: IdentityProvider[]
  readonly policy?: FederatedPolicy | undefined
  /** Path of the callbacks. Default `'/auth/oauth/:provider/callback'`. */
  readonly callbackPathTemplate?: string | undefined
  /** Shared with the providers: the allowed difference between clocks, in seconds. */
  readonly clockToleranceSec?: number | undefined
  /** Shared with the providers. */
  readonly jwks?: SharedKeySetConfig | undefined
  /** Shared with the providers, and used for states. */
  readonly clock?: Clock | undefined
  /** Shared with the providers. */
  readonly fetch?: FetchLike | undefined
}

/**
 * The providers of an application and what they share: settings, callback URLs and the secret for states.
 *
 * ```ts
 * const registry = new OAuthProviderRegistry({ baseUrl: 'https://app.example', stateSecret, providers: [alpha, beta] })
 * registry.redirectUri('alpha')   // 'https://app.example/auth/oauth/alpha/callback'
 * ```
 */
export class OAuthProviderRegistry {
  readonly policy: ResolvedFederatedPolicy
  readonly #providers: ReadonlyMap<string, IdentityProvider>
  readonly #baseUrl: string
  readonly #callbackPathTemplate: string
  readonly #stateSecret: string
  readonly #clock: Clock

  constructor(options: OAuthProviderRegistryOptions) {
    checkOptions(options, {})
    const { baseUrl, callbackPathTemplate = '/auth/oauth/:provider/callback' } = options
    checkValue(baseUrl, 'baseUrl', plainUrl)
    readSecret(options.stateSecret)
    checkSharedConfig(options)
    this.policy = resolveFederatedPolicy(options.policy)
    this.#providers = readProviders(options.providers)
    checkTemplate(callbackPathTemplate, this.#providers.size)
    this.#baseUrl = baseUrl.replace(/\/$/, '')
    this.#callbackPathTemplate = callbackPathTemplate
    this.#stateSecret = options.stateSecret
    this.#clock = options.clock ?? systemClock
    const { clockToleranceSec, jwks, clock, fetch } = options
    const shared: SharedProviderConfig = { clockToleranceSec, jwks, clock, fetch }
    for (const provider of this.list()) if (isConfigurableProvider(provider)) provider.applyDefaults(shared)
  }

  has(id: string): boolean {
    return this.#providers.has(id)
  }

  get(id: string): IdentityProvider | undefined {
    return this.#providers.get(id)
  }

  /** Like `get`, but an unknown id throws `UNKNOWN_PROVIDER`. */
  require(id: string): IdentityProvider {
    const provider = this.#providers.get(id)
    if (!provider) throw new OAuthError('UNKNOWN_PROVIDER', undefined, isShort(id) ? { provider: id } : {})
    return provider
  }

  /** In the order of `providers`. */
  ids(): string[] {
    return [...this.#providers.keys()]
  }

  /** In the order of `providers`. */
  list(): IdentityProvider[] {
    return [...this.#providers.values()]
  }

  /** The path of a provider's callback, with the id percent-encoded. */
  callbackPath(providerId: string): string {
    const id = encodeURIComponent(this.require(providerId).id)
    return this.#callbackPathTemplate.replaceAll(':provider', id)
  }

  /** The URL of a provider's callback: `baseUrl` followed by the callback path. */
  redirectUri(providerId: string): string {
    return this.#baseUrl + this.callbackPath(providerId)
  }

  /** `signState` with the registry's secret and clock. */
  signState(payload: OAuthStatePayload, options?: SignStateOptions): Promise<string> {
    return signState(payload, this.#stateSecret, { ...options, clock: options?.clock ?? this.#clock })
  }

  /** `verifyState` with the registry's secret and clock. */
  verifyState(token: string, options?: VerifyStateOptions): Promise<OAuthStatePayload> {
    return verifyState(token, this.#stateSecret, { ...options, clock: options?.clock ?? this.#clock })
  }
}

/** An unknown id comes from a URL, so it may be anything. Only short printable ones are shown. */
function isShort(id: unknown): boolean {
  return typeof id === 'string' && /^[\x21-\x7e]{1,40}$/.test(id)
}

const plainUrl: OptionCheck = (value) => {
  if (httpUrl(value) !== undefined) return httpUrl(value)
  return /[?#\s]/.test(String(value)) ? 'a URL without query, fragment or spaces' : undefined
}

const isPath = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/')

function checkTemplate(template: unknown, providers: number): void {
  checkValue(template, 'callbackPathTemplate', expecting('a path that starts with /', isPath))
  // RFC 9700 §4.4.2: a separate redirect URI for each provider prevents mix-up attacks.
  if (providers > 1 && !String(template).includes(':provider'))
    throw invalidConfig('`callbackPathTemplate` must contain :provider when there are several providers')
}

/** The id is a segment of the callback path. URLs drop `.` and `..`, and cannot contain a lone surrogate. */
function checkId(id: string): void {
  if (id === '.' || id === '..' || /\p{Cs}/u.test(id))
    throw invalidConfig('`provider.id` must be usable as a path segment')
}

function readProviders(providers: unknown): ReadonlyMap<string, IdentityProvider> {
  checkValue(providers, 'providers', listOf(anything, 'a list of providers'))
  const byId = new Map<string, IdentityProvider>()
  for (const provider of providers as IdentityProvider[]) {
    checkValue(provider?.id, 'provider.id', nonEmptyString)
    checkId(provider.id)
    checkMethods(provider, `providers.${provider.id}`, ['authorizationUrl', 'exchange'])
    if (byId.has(provider.id)) throw invalidConfig(`Two providers have the id ${provider.id}`)
    byId.set(provider.id, provider)
  }
  return byId
}
