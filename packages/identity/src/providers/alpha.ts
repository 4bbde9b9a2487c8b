import { checkOptional, checkOptions } from '../check-options.ts'
import { namingProvider } from '../errors.ts'
import { expecting } from '../shared/option-checks.ts'
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

const onlyRs256 = expecting(
  "['RS256'], which AlphaProvider pins",
  (algs) => Array.isArray(algs) && algs.length === 1 && algs[0] === 'RS256',
)

function checkPins(options: AlphaProviderOptions): void {
  checkOptions(options, {})
  checkOptional(options.idTokenSigningAlgs, 'idTokenSigningAlgs', onlyRs256)
}
