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
 * Finds the key of an id token by its protected header. The return values of jose's `createLocalJWKSet` and
 * `createRemoteJWKSet` can be used directly.
 */
export type KeyResolver = (
  protectedHeader: JWSHeaderParameters,
  token: FlattenedJWSInput,
) => VerificationKey | Promise<VerificationKey>

/** Yields the keys that may have signed a token, the most likely first. */
export type KeySource = (header: JWSHeaderParameters, token: FlattenedJWSInput) => AsyncIterable<VerificationKey>

type RemoteKeySetSettings = Pick<Settings, 'clock' | 'fetch' | 'jwksCacheTtlMs' | 'refreshOnUnknownKid'>

interface KeySet {
  uri: string
  keys: readonly JWK[]
  fetchedAt: number
}

const COOLDOWN_MS = 30_000

/** A provider's key set: fetched on demand, by one request at a time, and cached for `jwksCacheTtlMs`. */
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

  /** Yields the matching keys. Fetches the set again if no key has the `kid`, or if no key worked and there is no `kid`. */
  async *keysFor(header: JWSHeaderParameters): AsyncGenerator<JWK> {
    const set = await this.#current()
    const matching = set.keys.filter((key) => matches(key, header))
    yield* matching
    if (matching.length > 0 && header.kid !== undefined) return
    const renewed = await this.#renew(set)
    if (renewed) yield* renewed.keys.filter((key) => matches(key, header))
  }

  async #current(): Promise<KeySet> {
    const set = this.#set
    // The provider may have moved its key set to another URL.
    if (set && !this.#hasPassed(this.#settings.jwksCacheTtlMs, set.fetchedAt) && set.uri === (await this.#uri()))
      return set
    return this.#fetch()
  }

  /** Returns a newer set than `seen`. The cooldown keeps tokens with made-up kids from causing a flood of requests. */
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

/** Ignores symmetric and private keys: in a public document they are not secret. */
function isPublicKey(key: unknown): key is JWK {
  return isObject(key) && typeof key['kty'] === 'string' && !['k', 'd'].some((secret) => secret in key)
}

function matches(key: JWK, { alg, kid }: JWSHeaderParameters): boolean {
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

/** Adapts an injected resolver. */
export function keysFromResolver(resolver: KeyResolver): KeySource {
  return async function* (header, token) {
    try {
      yield requirePublic(await resolver(header, token))
    } catch (error) {
      if (error instanceof OAuthError) throw error
      // jose's resolvers throw these codes if no key matches, or several do (the error iterates over them).
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
