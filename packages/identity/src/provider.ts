import type { CallbackParams } from './callback.ts'
import type { Clock } from './clock.ts'
import type { FetchLike } from './fetch.ts'

/** Who signed in, told the same way whichever provider it was. */
export interface NormalizedProfile {
  /** Id of the provider. */
  provider: string
  /** The provider's stable name for the person; with `provider` the durable key to a local user. */
  subject: string
  email?: string | undefined
  /** Whether the provider vouches for `email`. Whether that counts is for the policy to say. */
  emailVerified?: boolean | undefined
  displayName?: string | undefined
  avatarUrl?: string | undefined
  /** When the provider last authenticated the person, in milliseconds since the epoch; absent where it does not say. */
  authTime?: number | undefined
  /** The authentication context class that the provider says was met (OpenID Connect Core 2). */
  acr?: string | undefined
  /** The authentication methods that the provider says were used (OpenID Connect Core 2, RFC 8176). */
  amr?: string[] | undefined
  /** What the provider said, as it said it. For the moment only: never store it. */
  raw: unknown
}

export interface AuthorizationUrlArgs {
  /** Sent byte for byte as given; `exchange` needs the same one. */
  readonly redirectUri: string
  readonly state: string
  /** The S256 challenge; see `createPkcePair`. */
  readonly codeChallenge: string
  /** Comes back inside the id token; providers without id tokens ignore it. */
  readonly nonce?: string | undefined
  /** Instead of the provider's own scopes. */
  readonly scopes?: string[] | undefined
  /** Space-separated, such as `'login'` or `'select_account'`; comes before the one of `authorizationParams`. */
  readonly prompt?: string | undefined
  /** Seconds since the person last authenticated, at most. Hand the same number to `exchange`, which checks it. */
  readonly maxAge?: number | undefined
  /** Who is likely to sign in: an address or a name. */
  readonly loginHint?: string | undefined
  /** Authentication context classes that are wished for, the best first. The profile's `acr` says what was met. */
  readonly acrValues?: string[] | undefined
  /** Languages for the provider's pages, the best first (BCP 47). */
  readonly uiLocales?: string[] | undefined
}

export interface ExchangeArgs {
  readonly code: string
  /** Byte-equal to the one given to `authorizationUrl`. */
  readonly redirectUri: string
  readonly codeVerifier: string
  /** The nonce given to `authorizationUrl`; when set, the id token must carry it. */
  readonly expectedNonce?: string | undefined
  /** The `maxAge` given to `authorizationUrl`; when set, the id token must say that the person authenticated since then. */
  readonly maxAge?: number | undefined
}

/** What every provider does, and all that the rest of the library knows of one. */
export interface IdentityProvider {
  readonly id: string
  /** The address to send the browser to. */
  authorizationUrl(args: AuthorizationUrlArgs): Promise<string>
  /** Redeems the code of the callback for a verified profile. */
  exchange(args: ExchangeArgs): Promise<NormalizedProfile>
  /**
   * Checks that a callback comes from this provider, by its `iss` (RFC 9207), and throws `STATE_INVALID` where it does not.
   * Call it before `readCallback`: it holds for errors too.
   */
  checkCallback?(params: CallbackParams): Promise<void>
}

/** What a registry shares with its providers. */
export interface SharedProviderConfig {
  /** Seconds that clocks may differ by. */
  readonly clockToleranceSec?: number | undefined
  readonly jwks?: SharedKeySetConfig | undefined
  readonly clock?: Clock | undefined
  readonly fetch?: FetchLike | undefined
}

/** How key sets are kept, for every provider of a registry. */
export interface SharedKeySetConfig {
  /** How long a fetched key set serves, in milliseconds. */
  readonly cacheTtlMs?: number | undefined
  /** Whether an unknown `kid` fetches the key set again, at most once per 30 s. Default true. */
  readonly refreshOnUnknownKid?: boolean | undefined
}

/** A provider that takes shared settings where its own options left them open. */
export interface ConfigurableProvider extends IdentityProvider {
  applyDefaults(shared: SharedProviderConfig): void
}

/** Whether a provider takes shared settings. */
export function isConfigurableProvider(provider: IdentityProvider): provider is ConfigurableProvider {
  return 'applyDefaults' in provider && typeof provider.applyDefaults === 'function'
}
