import { checkOptional, checkValue, invalidConfig } from '../check-options.ts'
import { type Clock, hasPassed } from '../clock.ts'
import { OAuthError, printable } from '../errors.ts'
import { type FetchLike, requestJson } from '../fetch.ts'
import type { Filled } from '../filled.ts'
import { isLoopback } from '../shared/loopback.ts'
import { isObject } from '../shared/objects.ts'
import { httpsUrl } from '../shared/url-checks.ts'

/** The fields of `/.well-known/openid-configuration` that the library uses. */
export interface OidcDiscoveryDocument {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  /** Provides the claims that the id token lacks. */
  userinfo_endpoint?: string | undefined
  /** `['client_secret_basic']` sends the client secret in a header instead of the body. */
  token_endpoint_auth_methods_supported?: string[] | undefined
  /** A `prompt` that is not in the list is not sent. `login` replaces `select_account`. */
  prompt_values_supported?: string[] | undefined
  /** If true, a callback without `iss` is refused (RFC 9207). */
  authorization_response_iss_parameter_supported?: boolean | undefined
}

interface ExplicitEndpoints {
  authorizationEndpoint?: string | undefined
  tokenEndpoint?: string | undefined
  jwksUri?: string | undefined
}

/** The parsed document. */
export interface Metadata extends Filled<ExplicitEndpoints> {
  secretBy: 'post' | 'basic'
  userinfoEndpoint: string | undefined
  promptValues: readonly string[] | undefined
  sendsIss: boolean
}

/** The metadata for exchanging a code. Optional fields are known only from a document. */
export type TokenMetadata = Pick<Metadata, 'tokenEndpoint' | 'secretBy'> &
  Partial<Pick<Metadata, 'userinfoEndpoint' | 'sendsIss'>>

interface DiscoverySetup {
  issuer: string
  explicit: ExplicitEndpoints
  /** The injected document, if any. */
  document: OidcDiscoveryDocument | undefined
  /** True if an injected resolver provides the keys, so no key set is needed. */
  hasResolver: boolean
  fetch: FetchLike | undefined
  clock: Clock
}

const CACHE_TTL_MS = 86_400_000

/** The minimum time between two fetches after an endpoint in the document has failed. */
const COOLDOWN_MS = 30_000

interface Fetched {
  metadata: Metadata
  fetchedAt: number
}

/**
 * Provides the endpoints of a provider: explicit ones, otherwise those of its discovery document. The document is fetched
 * only if a missing endpoint is needed, with one request for all waiting callers, and cached for a day.
 */
export class Discovery {
  readonly #setup: DiscoverySetup
  #fetched: Fetched | undefined
  #pending: Promise<Metadata> | undefined
  #lastFetchAt = Number.NEGATIVE_INFINITY

  constructor(setup: DiscoverySetup) {
    this.#setup = setup
    if (setup.document)
      this.#fetched = { metadata: readMetadata(setup.document, setup), fetchedAt: Number.POSITIVE_INFINITY }
  }

  /** An explicit endpoint has no `promptValues`: the document describes only its own endpoint. */
  async forAuthorization(): Promise<{ endpoint: string; promptValues?: readonly string[] | undefined }> {
    const { authorizationEndpoint: endpoint } = this.#setup.explicit
    if (endpoint !== undefined) return { endpoint }
    const { authorizationEndpoint, promptValues } = await this.#discover()
    return { endpoint: authorizationEndpoint, promptValues }
  }

  async jwksUri(): Promise<string> {
    return this.#setup.explicit.jwksUri ?? (await this.#discover()).jwksUri
  }

  async forExchange(): Promise<TokenMetadata> {
    const { explicit } = this.#setup
    if (explicit.tokenEndpoint && !this.#needsDocument)
      return { tokenEndpoint: explicit.tokenEndpoint, secretBy: 'post' }
    return this.#discover()
  }

  /**
   * Fetches the document again after one of its endpoints has failed, at most once per 30 s. Returns true if the document has
   * changed.
   */
  async renew(): Promise<boolean> {
    const before = this.#fetched
    if (this.#setup.document || !before) return false
    if (!this.#pending && !hasPassed(this.#setup.clock, COOLDOWN_MS, this.#lastFetchAt)) return false
    const metadata = await this.#fetchOnce().catch(() => before.metadata)
    return JSON.stringify(metadata) !== JSON.stringify(before.metadata)
  }

  get #needsDocument(): boolean {
    const { explicit, document, hasResolver } = this.#setup
    return document !== undefined || !(explicit.jwksUri || hasResolver)
  }

  async #discover(): Promise<Metadata> {
    const { clock } = this.#setup
    const known = this.#fetched
    if (!known) return this.#fetchOnce()
    if (known.fetchedAt === Number.POSITIVE_INFINITY || !hasPassed(clock, CACHE_TTL_MS, known.fetchedAt))
      return known.metadata
    if (!this.#pending && !hasPassed(clock, COOLDOWN_MS, this.#lastFetchAt)) return known.metadata
    return this.#fetchOnce().catch((error: unknown) => {
      // If the document is unavailable, use the cached one. If it is wrong, fail.
      if (error instanceof OAuthError && error.type === 'JWKS_FAILED') return known.metadata
      throw error
    })
  }

  #fetchOnce(): Promise<Metadata> {
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #fetch(): Promise<Metadata> {
    const { issuer, fetch, clock } = this.#setup
    const endpoint = 'discovery document'
    const fetchedAt = clock.now()
    this.#lastFetchAt = fetchedAt
    const { ok, status, body } = await requestJson({
      fetch,
      // OpenID Connect Discovery 4.1: remove a terminating slash of the issuer first.
      url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      init: { method: 'GET', headers: { accept: 'application/json' } },
      endpoint,
      failAs: 'JWKS_FAILED',
    })
    if (!ok || !isObject(body))
      throw new OAuthError('JWKS_FAILED', 'The discovery document could not be read', { endpoint, status })
    const metadata = readMetadata(body, this.#setup)
    refuseLoopbackEndpoints(metadata, this.#setup)
    this.#fetched = { metadata, fetchedAt }
    return metadata
  }
}

function readMetadata(document: object, { issuer, explicit }: DiscoverySetup): Metadata {
  const found: Record<string, unknown> = { ...document }
  // OpenID Connect Discovery 4.3: exactly equal. Otherwise one provider could impersonate another.
  if (found['issuer'] !== issuer) throw issuerMismatch(issuer, found['issuer'])
  checkOptional(found['userinfo_endpoint'], 'discovery.userinfo_endpoint', httpsUrl)
  const prompts = found['prompt_values_supported']
  return {
    authorizationEndpoint: pick(explicit.authorizationEndpoint, found, 'authorization_endpoint'),
    tokenEndpoint: pick(explicit.tokenEndpoint, found, 'token_endpoint'),
    jwksUri: pick(explicit.jwksUri, found, 'jwks_uri'),
    secretBy: chooseAuthMethod(found['token_endpoint_auth_methods_supported']),
    userinfoEndpoint: found['userinfo_endpoint'] as string | undefined,
    promptValues: Array.isArray(prompts) ? prompts.filter((it) => typeof it === 'string') : undefined,
    sendsIss: found['authorization_response_iss_parameter_supported'] === true,
  }
}

/** Prevents server-side request forgery: only a loopback issuer may have endpoints on loopback addresses. */
function refuseLoopbackEndpoints(metadata: Metadata, { issuer, explicit }: DiscoverySetup): void {
  if (isLoopback(new URL(issuer).hostname)) return
  for (const name of ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri', 'userinfoEndpoint'] as const) {
    const url = metadata[name]
    const isExplicit = name !== 'userinfoEndpoint' && explicit[name] !== undefined
    if (url !== undefined && !isExplicit && new URL(url).protocol === 'http:')
      throw invalidConfig('The discovery document of a remote issuer must not name an endpoint on a loopback address')
  }
}

function issuerMismatch(expected: string, actual: unknown): OAuthError {
  const quoted = typeof actual === 'string' ? { actual: printable(actual, 200) } : {}
  return invalidConfig('The discovery document names another issuer', undefined, { expected, ...quoted })
}

function pick(explicit: string | undefined, document: Record<string, unknown>, name: string): string {
  if (explicit !== undefined) return explicit
  checkValue(document[name], `discovery.${name}`, httpsUrl)
  return document[name] as string
}

function chooseAuthMethod(supported: unknown): 'post' | 'basic' {
  if (!Array.isArray(supported) || supported.includes('client_secret_post')) return 'post'
  return supported.includes('client_secret_basic') ? 'basic' : 'post'
}
