import { checkEndpoint, checkOptionalEndpoint, invalidConfig, isObject } from '../check-options.ts'
import { OAuthError, printable } from '../errors.ts'
import { type FetchLike, requestJson } from '../fetch.ts'
import type { Filled } from '../filled.ts'
import type { ClientAuthMethod } from './token-endpoint.ts'

/** What the library reads of a provider's `/.well-known/openid-configuration`. */
export interface OidcDiscoveryDocument {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  /** Asked for the claims that the id token leaves out. */
  userinfo_endpoint?: string | undefined
  /** `['client_secret_basic']` sends the client secret in a header instead of the body. */
  token_endpoint_auth_methods_supported?: string[] | undefined
}

export interface ExplicitEndpoints {
  authorizationEndpoint?: string | undefined
  tokenEndpoint?: string | undefined
  jwksUri?: string | undefined
}

interface Metadata extends Filled<ExplicitEndpoints> {
  authMethod: ClientAuthMethod
  userinfoEndpoint: string | undefined
}

/** Where a code is redeemed, and what only a document can tell: how to authenticate there and where to ask for more. */
interface TokenMetadata {
  tokenEndpoint: string
  authMethod: ClientAuthMethod
  userinfoEndpoint?: string | undefined
}

interface DiscoverySetup {
  issuer: string
  explicit: ExplicitEndpoints
  /** The injected document, if any. */
  document: OidcDiscoveryDocument | undefined
  /** Whether the keys come from an injected resolver, so that no key set needs to be found. */
  hasResolver: boolean
  fetch: FetchLike | undefined
}

/**
 * Finds a provider's endpoints: explicit ones as they are, the others from its discovery document. That is fetched only
 * when an endpoint is needed that was not given, by one request however many callers wait, and kept unless it failed.
 */
export class Discovery {
  readonly #setup: DiscoverySetup
  #metadata: Promise<Metadata> | undefined

  constructor(setup: DiscoverySetup) {
    this.#setup = setup
    if (setup.document) this.#metadata = Promise.resolve(readMetadata(setup.document, setup))
  }

  async authorizationEndpoint(): Promise<string> {
    return this.#setup.explicit.authorizationEndpoint ?? (await this.#discover()).authorizationEndpoint
  }

  async jwksUri(): Promise<string> {
    return this.#setup.explicit.jwksUri ?? (await this.#discover()).jwksUri
  }

  async forExchange(): Promise<TokenMetadata> {
    const { explicit, document, hasResolver } = this.#setup
    if (explicit.tokenEndpoint && (explicit.jwksUri || hasResolver) && !document)
      return { tokenEndpoint: explicit.tokenEndpoint, authMethod: 'client_secret_post' }
    return this.#discover()
  }

  #discover(): Promise<Metadata> {
    this.#metadata ??= this.#fetch().catch((error: unknown) => {
      this.#metadata = undefined
      throw error
    })
    return this.#metadata
  }

  async #fetch(): Promise<Metadata> {
    const { issuer, fetch } = this.#setup
    const endpoint = 'discovery document'
    const { ok, status, body } = await requestJson({
      fetch,
      // OpenID Connect Discovery 4.1: a terminating slash of the issuer is removed first.
      url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      init: { method: 'GET', headers: { accept: 'application/json' } },
      endpoint,
      failAs: 'JWKS_FAILED',
    })
    if (!ok || !isObject(body))
      throw new OAuthError('JWKS_FAILED', 'The discovery document could not be read', { endpoint, status })
    return readMetadata(body, this.#setup)
  }
}

function readMetadata(document: object, { issuer, explicit }: DiscoverySetup): Metadata {
  const found: Record<string, unknown> = { ...document }
  // OpenID Connect Discovery 4.3: exactly equal, or one provider could speak for another.
  if (found['issuer'] !== issuer) throw issuerMismatch(issuer, found['issuer'])
  checkOptionalEndpoint(found['userinfo_endpoint'], 'userinfo_endpoint of the discovery document')
  return {
    authorizationEndpoint: pick(explicit.authorizationEndpoint, found, 'authorization_endpoint'),
    tokenEndpoint: pick(explicit.tokenEndpoint, found, 'token_endpoint'),
    jwksUri: pick(explicit.jwksUri, found, 'jwks_uri'),
    authMethod: chooseAuthMethod(found['token_endpoint_auth_methods_supported']),
    userinfoEndpoint: found['userinfo_endpoint'] as string | undefined,
  }
}

function issuerMismatch(expected: string, actual: unknown): OAuthError {
  const said = typeof actual === 'string' ? { actual: printable(actual, 200) } : {}
  return invalidConfig('The discovery document names another issuer', undefined, { expected, ...said })
}

function pick(explicit: string | undefined, document: Record<string, unknown>, name: string): string {
  if (explicit !== undefined) return explicit
  checkEndpoint(document[name], `${name} of the discovery document`)
  return document[name] as string
}

function chooseAuthMethod(supported: unknown): ClientAuthMethod {
  if (!Array.isArray(supported) || supported.includes('client_secret_post')) return 'client_secret_post'
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}
