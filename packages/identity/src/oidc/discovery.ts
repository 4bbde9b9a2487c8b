import { checkOptional, checkValue, invalidConfig } from '../check-options.ts'
import { type Clock, hasPassed } from '../clock.ts'
import { OAuthError, printable } from '../errors.ts'
import { type FetchLike, requestJson } from '../fetch.ts'
import type { Filled } from '../filled.ts'
import { isLoopback } from '../shared/loopback.ts'
import { isObject } from '../shared/objects.ts'
import { httpsUrl } from '../shared/url-checks.ts'

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
  /** A `prompt` that is not in the list is not sent; `login` takes the place of `select_account`. */
  prompt_values_supported?: string[] | undefined
  /** Whether callbacks carry `iss` (RFC 9207), so that one without it is refused. */
  authorization_response_iss_parameter_supported?: boolean | undefined
}

interface ExplicitEndpoints {
  authorizationEndpoint?: string | undefined
  tokenEndpoint?: string | undefined
  jwksUri?: string | undefined
}

/** What is read of a document. */
export interface Metadata extends Filled<ExplicitEndpoints> {
  secretBy: 'post' | 'basic'
  userinfoEndpoint: string | undefined
  promptValues: readonly string[] | undefined
  sendsIss: boolean
}

/** Where a code is redeemed, and what only a document can say: how to authenticate there and where to ask for more. */
export type TokenMetadata = Pick<Metadata, 'tokenEndpoint' | 'secretBy'> &
  Partial<Pick<Metadata, 'userinfoEndpoint' | 'sendsIss'>>

interface DiscoverySetup {
  issuer: string
  explicit: ExplicitEndpoints
  /** The injected document, if any. */
  document: OidcDiscoveryDocument | undefined
  /** Whether the keys come from an injected resolver, so that no key set needs to be found. */
  hasResolver: boolean
  fetch: FetchLike | undefined
  clock: Clock
}

/** How long a fetched document serves. */
const LIFETIME_MS = 86_400_000

/** How soon it is fetched again when something that it names fails. */
const COOLDOWN_MS = 30_000

interface Fetched {
  metadata: Metadata
  fetchedAt: number
}

/**
 * Finds a provider's endpoints: explicit ones as they are, the others from its discovery document. That is fetched only
 * when an endpoint is needed that was not given, by one request however many callers wait, and kept for a day.
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

  /** Where people are sent. What the document says of prompts counts for its own endpoint alone. */
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
   * Reads the document again because something that it names failed, at most once in 30 s. Returns whether it says
   * something else now.
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
    if (known.fetchedAt === Number.POSITIVE_INFINITY || !hasPassed(clock, LIFETIME_MS, known.fetchedAt))
      return known.metadata
    if (!this.#pending && !hasPassed(clock, COOLDOWN_MS, this.#lastFetchAt)) return known.metadata
    return this.#fetchOnce().catch((error: unknown) => {
      // A document that cannot be had for the moment changes nothing; one that is wrong does.
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
      // OpenID Connect Discovery 4.1: a terminating slash of the issuer is removed first.
      url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      init: { method: 'GET', headers: { accept: 'application/json' } },
      endpoint,
      failAs: 'JWKS_FAILED',
    })
    if (!ok || !isObject(body))
      throw new OAuthError('JWKS_FAILED', 'The discovery document could not be read', { endpoint, status })
    const metadata = readMetadata(body, this.#setup)
    refuseInnerEndpoints(metadata, this.#setup)
    this.#fetched = { metadata, fetchedAt }
    return metadata
  }
}

function readMetadata(document: object, { issuer, explicit }: DiscoverySetup): Metadata {
  const found: Record<string, unknown> = { ...document }
  // OpenID Connect Discovery 4.3: exactly equal, or one provider could speak for another.
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

/** A document from the network must not turn this machine's requests onto itself: loopback serves loopback issuers alone. */
function refuseInnerEndpoints(metadata: Metadata, { issuer, explicit }: DiscoverySetup): void {
  if (isLoopback(new URL(issuer).hostname)) return
  for (const name of ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri', 'userinfoEndpoint'] as const) {
    const address = metadata[name]
    const isExplicit = name !== 'userinfoEndpoint' && explicit[name] !== undefined
    if (address !== undefined && !isExplicit && new URL(address).protocol === 'http:')
      throw invalidConfig('The discovery document of a remote issuer must not name an endpoint on a loopback address')
  }
}

function issuerMismatch(expected: string, actual: unknown): OAuthError {
  const said = typeof actual === 'string' ? { actual: printable(actual, 200) } : {}
  return invalidConfig('The discovery document names another issuer', undefined, { expected, ...said })
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
