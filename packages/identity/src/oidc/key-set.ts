import type { CryptoKey, FlattenedJWSInput, JWK, JWSHeaderParameters, KeyObject } from 'jose'
import { hasPassed } from '../clock.ts'
import { describeCause, OAuthError } from '../errors.ts'
import { requestJson } from '../fetch.ts'
import type { Settings } from '../settings.ts'
import { isObject } from '../shared/objects.ts'
import { algorithms } from './algorithms.ts'

/** A public key; symmetric ones are refused. */
export type VerificationKey = CryptoKey | KeyObject | JWK

/**
 * Finds the key of an id token: takes its protected header and the token in three parts. What jose's
 * `createLocalJWKSet` and `createRemoteJWKSet` return fits as it is.
 */
export type KeyResolver = (
  protectedHeader: JWSHeaderParameters,
  token: FlattenedJWSInput,
) => VerificationKey | Promise<VerificationKey>

/** The keys that may have signed a token, the likeliest first; the next one is asked for when one did not. */
export type KeySource = (header: JWSHeaderParameters, token: FlattenedJWSInput) => AsyncIterable<VerificationKey>

type RemoteKeySetSettings = Pick<Settings, 'clock' | 'fetch' | 'jwksCacheTtlMs' | 'refreshOnUnknownKid'>

interface KeySet {
  uri: string
  keys: readonly JWK[]
  fetchedAt: number
}

const COOLDOWN_MS = 30_000

/** A provider's key set: fetched when needed, by one request at a time, and kept for `jwksCacheTtlMs`. */
export class RemoteKeySet {
  readonly #uri: () => Promise<string>
  readonly #settings: RemoteKeySetSettings
  #set: KeySet | undefined
  #pending: Promise<KeySet> | undefined
  #lastFetchAt = Number.NEGATIVE_INFINITY

  constructor(uri: () => Promise<string>, settings: RemoteKeySetSettings) {
    this.#uri = uri
    this.#settings = settings
  }

  /** The keys that fit the header; when none does, or none without a `kid` will do, those of a set that is fetched again. */
  async *keysFor(header: JWSHeaderParameters): AsyncGenerator<JWK> {
    const set = await this.#current()
    const fitting = set.keys.filter((key) => fits(key, header))
    yield* fitting
    if (fitting.length > 0 && header.kid !== undefined) return
    const renewed = await this.#renew(set)
    if (renewed) yield* renewed.keys.filter((key) => fits(key, header))
  }

  async #current(): Promise<KeySet> {
    const set = this.#set
    // A set from another address than the one in force is not the provider's any more.
    if (set && !this.#hasPassed(this.#settings.jwksCacheTtlMs, set.fetchedAt) && set.uri === (await this.#uri()))
      return set
    return this.#fetch()
  }

  /** A newer set than `seen`. Tokens with made-up kids must not turn into a flood of requests: hence the cooldown. */
  async #renew(seen: KeySet): Promise<KeySet | undefined> {
    if (this.#set !== seen) return this.#set
    if (!this.#settings.refreshOnUnknownKid) return undefined
    if (!this.#pending && !this.#hasPassed(COOLDOWN_MS, this.#lastFetchAt)) return undefined
    return this.#fetch()
  }

  #hasPassed(ms: number, since: number): boolean {
    return hasPassed(this.#settings.clock, ms, since)
  }

  #fetch(): Promise<KeySet> {
    this.#pending ??= this.#request().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #request(): Promise<KeySet> {
    const endpoint = 'key set'
    const url = await this.#uri()
    const fetchedAt = this.#settings.clock.now()
    this.#lastFetchAt = fetchedAt
    const { ok, status, body } = await requestJson({
      fetch: this.#settings.fetch,
      url,
      init: { method: 'GET', headers: { accept: 'application/json, application/jwk-set+json' } },
      endpoint,
      failAs: 'JWKS_FAILED',
    })
    const keys = ok && isObject(body) ? body['keys'] : undefined
    if (!Array.isArray(keys)) throw new OAuthError('JWKS_FAILED', 'The key set could not be read', { endpoint, status })
    this.#set = { uri: url, keys: keys.filter(isPublicKey), fetchedAt }
    return this.#set
  }
}

/** A secret that stands in a public document is no secret: symmetric and private keys are ignored. */
function isPublicKey(key: unknown): key is JWK {
  return isObject(key) && typeof key['kty'] === 'string' && !['k', 'd'].some((secret) => secret in key)
}

function fits(key: JWK, { alg, kid }: JWSHeaderParameters): boolean {
  const algorithm = algorithms.get(alg ?? '')
  return (
    algorithm !== undefined &&
    key.kty === algorithm.kty &&
    (algorithm.crv === undefined || key.crv === algorithm.crv) &&
    (kid === undefined || key.kid === kid) &&
    (key.use === undefined || key.use === 'sig') &&
    (key.key_ops === undefined || (Array.isArray(key.key_ops) && key.key_ops.includes('verify'))) &&
    (key.alg === undefined || key.alg === alg)
  )
}

/** Makes an injected resolver a source of keys. */
export function keysFromResolver(resolver: KeyResolver): KeySource {
  return async function* (header, token) {
    try {
      yield requirePublic(await resolver(header, token))
    } catch (error) {
      if (error instanceof OAuthError) throw error
      // How jose's resolvers say that several keys fit (the error lists them) or none does.
      if (hasCode(error, 'ERR_JWKS_NO_MATCHING_KEY')) return
      if (!hasCode(error, 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') || !isKeyList(error))
        throw new OAuthError('JWKS_FAILED', 'The key resolver failed', undefined, describeCause(error))
      for await (const key of error) yield requirePublic(key)
    }
  }
}

function requirePublic(key: unknown): VerificationKey {
  const kind = isObject(key) ? (key['type'] ?? (isPublicKey(key) && 'public')) : undefined
  if (kind !== 'public') throw new OAuthError('JWKS_FAILED', 'The key resolver did not return a public key')
  return key as VerificationKey
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function isKeyList(error: unknown): error is AsyncIterable<unknown> {
  return isObject(error) && Symbol.asyncIterator in error
}
