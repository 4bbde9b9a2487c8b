import { checkObject, invalidConfig } from '../check-options.ts'
import { namingProvider } from '../errors.ts'
import { OidcProvider, type OidcProviderOptions } from './oidc.ts'

/** The issuer that `AlphaProvider` is pinned to. */
export const ALPHA_ISSUER = 'https://alpha.example'

export type AlphaProviderOptions = Omit<OidcProviderOptions, 'id' | 'issuer'>

/**
 * Sign-in with Alpha: OpenID Connect pinned to `ALPHA_ISSUER` and RS256. Its id is `alpha`.
 *
 * ```ts
 * const alpha = new AlphaProvider({ clientId, clientSecret })
 * ```
 */
export class AlphaProvider extends OidcProvider {
  constructor(options: AlphaProviderOptions) {
    namingProvider('alpha', () => checkPins(options))
    super({ ...options, id: 'alpha', issuer: ALPHA_ISSUER, idTokenSigningAlgs: ['RS256'] })
  }
}

function checkPins(options: AlphaProviderOptions): void {
  checkObject(options, 'options')
  const { idTokenSigningAlgs: algs = ['RS256'] } = options
  if (!Array.isArray(algs) || algs.length !== 1 || algs[0] !== 'RS256')
    throw invalidConfig("idTokenSigningAlgs of AlphaProvider is pinned to ['RS256']")
}
