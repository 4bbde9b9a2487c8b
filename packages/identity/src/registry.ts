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
  /** Where this application is reached from outside, such as `https://app.example`; one trailing slash is dropped. */
  readonly baseUrl: string
  /** Signs states; at least 32 bytes. */
  readonly stateSecret: string
  readonly providers: IdentityProvider[]
  readonly policy?: FederatedPolicy | undefined
  /** Path of the callbacks. Default `'/auth/oauth/:provider/callback'`. */
  readonly callbackPathTemplate?: string | undefined
  /** Shared with the providers: seconds that clocks may differ by. */
  readonly clockToleranceSec?: number | undefined
  /** Shared with the providers. */
  readonly jwks?: SharedKeySetConfig | undefined
  /** Shared with the providers, and used for states. */
  readonly clock?: Clock | undefined
  /** Shared with the providers. */
  readonly fetch?: FetchLike | undefined
}

/**
 * The providers of an application, with what they share: settings, callback addresses, the secret of the states.
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

  /** In the order they were given. */
  ids(): string[] {
    return [...this.#providers.keys()]
  }

  /** In the order they were given. */
  list(): IdentityProvider[] {
    return [...this.#providers.values()]
  }

  /** Path of a provider's callback, the id percent-encoded. */
  callbackPath(providerId: string): string {
    const id = encodeURIComponent(this.require(providerId).id)
    return this.#callbackPathTemplate.replaceAll(':provider', id)
  }

  /** Address of a provider's callback: `baseUrl` followed by the callback path. */
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

/** An unknown id comes from an address: it is shown only while it can hardly be anything else. */
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
  // RFC 9700 §4.4.2: an address of its own for each provider keeps their answers from being mixed up.
  if (providers > 1 && !String(template).includes(':provider'))
    throw invalidConfig('`callbackPathTemplate` must contain :provider when there are several providers')
}

/** The id is a segment of the callback's path: one that URLs drop, or cannot carry, would lead elsewhere. */
function checkId(id: string): void {
  if (id === '.' || id === '..' || /\p{Cs}/u.test(id))
    throw invalidConfig('The id of a provider must be usable as a segment of a path')
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
