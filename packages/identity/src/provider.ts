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
  /** What the provider said, as it said it. For the moment only: never store it. */
  raw: unknown
}

export interface AuthorizationUrlArgs {
  /** Sent byte for byte as given; `exchange` needs the same one. */
  redirectUri: string
  state: string
  /** The S256 challenge; see `createPkcePair`. */
  codeChallenge: string
  /** Comes back inside the id token; providers without id tokens ignore it. */
  nonce?: string | undefined
  /** Instead of the provider's own scopes. */
  scopes?: string[] | undefined
}

export interface ExchangeArgs {
  code: string
  /** Byte-equal to the one given to `authorizationUrl`. */
  redirectUri: string
  codeVerifier: string
  /** The nonce given to `authorizationUrl`; when set, the id token must carry it. */
  expectedNonce?: string | undefined
}

/** What every provider does, and all that the rest of the library knows of one. */
export interface IdentityProvider {
  readonly id: string
  /** The address to send the browser to. */
  authorizationUrl(args: AuthorizationUrlArgs): Promise<string>
  /** Redeems the code of the callback for a verified profile. */
  exchange(args: ExchangeArgs): Promise<NormalizedProfile>
}

/** What a registry shares with its providers. */
export interface SharedProviderConfig {
  /** Seconds that clocks may differ by. */
  clockToleranceSec?: number | undefined
  jwks?: SharedKeySetConfig | undefined
  clock?: Clock | undefined
  fetch?: FetchLike | undefined
}

/** How key sets are kept, for every provider of a registry. */
export interface SharedKeySetConfig {
  /** How long a fetched key set serves, in milliseconds. */
  cacheTtlMs?: number | undefined
  /** Whether an unknown `kid` fetches the key set anew, at most once per 30 s. Default true. */
  refreshOnUnknownKid?: boolean | undefined
}

/** A provider that takes shared settings where its own options left them open. */
export interface ConfigurableProvider extends IdentityProvider {
  applyDefaults(shared: SharedProviderConfig): void
}

/** Whether a provider takes shared settings. */
export function isConfigurableProvider(provider: IdentityProvider): provider is ConfigurableProvider {
  return 'applyDefaults' in provider && typeof provider.applyDefaults === 'function'
}
