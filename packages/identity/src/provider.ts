import type { CallbackParams } from './callback.ts'
import type { Clock } from './clock.ts'
import type { FetchLike } from './fetch.ts'

/** The person who signed in, in the same form for every provider. */
export interface NormalizedProfile {
  provider: string
  /** The provider's stable id of the person. Together with `provider`, it is the durable key to a local user. */
  subject: string
  email?: string | undefined
  /** The provider's statement about `email`. The policy decides whether to trust it. */
  emailVerified?: boolean | undefined
  displayName?: string | undefined
  avatarUrl?: string | undefined
  /** Time of the last authentication, in milliseconds since the epoch, if the provider reports it. */
  authTime?: number | undefined
  /** The authentication context class that was met (OpenID Connect Core 2). */
  acr?: string | undefined
  /** The authentication methods that were used (OpenID Connect Core 2, RFC 8176). */
  amr?: string[] | undefined
  /** The unchanged data of the provider. Never store it. */
  raw: unknown
}

export interface AuthorizationUrlArgs {
  /** Sent unchanged. `exchange` needs the same value. */
  readonly redirectUri: string
  readonly state: string
  /** The S256 challenge; see `createPkcePair`. */
  readonly codeChallenge: string
  /** Comes back in the id token. Providers without id tokens ignore it. */
  readonly nonce?: string | undefined
  /** Replaces the provider's scopes. */
  readonly scopes?: string[] | undefined
  /** Space-separated, such as `'login'` or `'select_account'`. Overrides the one in `authorizationParams`. */
  readonly prompt?: string | undefined
  /** Maximum seconds since the last authentication. Pass the same number to `exchange`, which checks it. */
  readonly maxAge?: number | undefined
  /** The person who is likely to sign in: an address or a user name. */
  readonly loginHint?: string | undefined
  /** Requested authentication context classes, in order of preference. The profile's `acr` is the one that was met. */
  readonly acrValues?: string[] | undefined
  /** Languages for the provider's pages, in order of preference (BCP 47). */
  readonly uiLocales?: string[] | undefined
}

export interface ExchangeArgs {
  readonly code: string
  /** The same as for `authorizationUrl`. */
  readonly redirectUri: string
  readonly codeVerifier: string
  /** The `nonce` passed to `authorizationUrl`. If set, the id token must contain it. */
  readonly expectedNonce?: string | undefined
  /** The `maxAge` passed to `authorizationUrl`. If set, the `auth_time` of the id token must be recent enough. */
  readonly maxAge?: number | undefined
}

/** Implement this for a provider of your own. */
export interface IdentityProvider {
  readonly id: string
  /** The URL to send the browser to. */
  authorizationUrl(args: AuthorizationUrlArgs): Promise<string>
  /** Exchanges the code of the callback for a verified profile. */
  exchange(args: ExchangeArgs): Promise<NormalizedProfile>
  /**
   * Checks by `iss` (RFC 9207) that a callback comes from this provider, and throws `STATE_INVALID` if not. Call it before
   * `readCallback`, so that it covers error responses too.
   */
  checkCallback?(params: CallbackParams): Promise<void>
}

/** Settings that a registry shares with its providers. */
export interface SharedProviderConfig {
  /** Allowed difference between clocks, in seconds. */
  readonly clockToleranceSec?: number | undefined
  readonly jwks?: SharedKeySetConfig | undefined
  readonly clock?: Clock | undefined
  readonly fetch?: FetchLike | undefined
}

/** Caching of key sets, for every provider of a registry. */
export interface SharedKeySetConfig {
  /** Lifetime of a cached key set, in milliseconds. */
  readonly cacheTtlMs?: number | undefined
  /** Fetches the key set again for an unknown `kid`, at most once per 30 s. Default true. */
  readonly refreshOnUnknownKid?: boolean | undefined
}

/** A provider that uses shared settings for options that it was not given. */
export interface ConfigurableProvider extends IdentityProvider {
  applyDefaults(shared: SharedProviderConfig): void
}

export function isConfigurableProvider(provider: IdentityProvider): provider is ConfigurableProvider {
  return 'applyDefaults' in provider && typeof provider.applyDefaults === 'function'
}
