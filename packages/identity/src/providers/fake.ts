import { buildAuthorizationUrl } from '../authorization-url.ts'
import { checkOptions, checkValue } from '../check-options.ts'
import { namingProvider, OAuthError, rethrowFrom } from '../errors.ts'
import { onlyDefined } from '../profile.ts'
import type { AuthorizationUrlArgs, ExchangeArgs, IdentityProvider, NormalizedProfile } from '../provider.ts'
import { nonEmptyString } from '../shared/option-checks.ts'
import { httpsUrl } from '../shared/url-checks.ts'

export interface FakeIdentityProviderOptions {
  /** Default `'fake'`. */
  readonly id?: string | undefined
  /** Default `'https://fake.example/authorize'`. */
  readonly authorizationEndpoint?: string | undefined
  /** The profile for codes without one of their own. Without it, such a code is `EXCHANGE_FAILED`. */
  readonly defaultProfile?: Omit<NormalizedProfile, 'provider'> | undefined
}

/**
 * A provider for tests: no network, no randomness, the same result every time. It does not verify the nonce.
 *
 * ```ts
 * const fake = new FakeIdentityProvider().setProfile('code-of-ada', { subject: 'ada', raw: {} })
 * const profile = await fake.exchange({ code: 'code-of-ada', redirectUri, codeVerifier })
 * ```
 */
export class FakeIdentityProvider implements IdentityProvider {
  readonly id: string
  readonly #authorizationEndpoint: string
  readonly #defaultProfile: Omit<NormalizedProfile, 'provider'> | undefined
  readonly #profiles = new Map<string, Omit<NormalizedProfile, 'provider'>>()

  constructor(options: FakeIdentityProviderOptions = {}) {
    checkOptions(options, {})
    const { id = 'fake', authorizationEndpoint = 'https://fake.example/authorize', defaultProfile } = options
    checkValue(id, 'id', nonEmptyString)
    namingProvider(id, () => checkValue(authorizationEndpoint, 'authorizationEndpoint', httpsUrl))
    this.id = id
    this.#authorizationEndpoint = authorizationEndpoint
    this.#defaultProfile = defaultProfile
  }

  /** Sets the profile for a code. */
  setProfile(code: string, profile: Omit<NormalizedProfile, 'provider'>): this {
    this.#profiles.set(code, profile)
    return this
  }

  authorizationUrl(args: AuthorizationUrlArgs): Promise<string> {
    return this.#buildUrl(args).catch(rethrowFrom(this.id))
  }

  async #buildUrl(args: AuthorizationUrlArgs): Promise<string> {
    return buildAuthorizationUrl({ endpoint: this.#authorizationEndpoint, clientId: this.id, scopes: [], args })
  }

  async exchange(args: ExchangeArgs): Promise<NormalizedProfile> {
    const profile = this.#profiles.get(args.code) ?? this.#defaultProfile
    if (!profile)
      throw new OAuthError('EXCHANGE_FAILED', 'No profile is registered for this code', { provider: this.id })
    const { subject, raw, ...rest } = profile
    return { ...onlyDefined(rest), provider: this.id, subject, raw }
  }
}
