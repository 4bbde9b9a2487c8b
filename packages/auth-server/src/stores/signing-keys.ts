import type { Database } from '@portico/db'
import {
  CompactEncrypt,
  type CryptoKey,
  calculateJwkThumbprint,
  compactDecrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import type { SigningAlg } from '../clients.ts'
import type { Settings } from '../options.ts'
import { deriveKey } from '../secrets.ts'
import { SigningKey } from '../tables/operations.portico.ts'
import { isUniqueViolation } from '../unique-violation.ts'

/** The key to sign with. */
export interface CurrentKey {
  readonly kid: string
  readonly alg: SigningAlg
  readonly key: CryptoKey
}

interface HeldKey extends Omit<CurrentKey, 'key'> {
  /**
   * `undefined` if it is encrypted with another secret: such a key cannot sign, but stays published until it expires.
   */
  readonly key: CryptoKey | undefined
  readonly number: number
  readonly signsFrom: number
  readonly signsUntil: number
}

/** A key that could be decrypted. */
type OpenKey = HeldKey & CurrentKey

/** A key is published this long before its first and after its last signature. */
const OVERLAP_MS = 86_400_000

/** An instance caches the keys for this long. */
const CACHE_MS = 60_000

/** After a failed read the cached keys serve for this long before the next attempt. */
const RETRY_MS = 5000

/** The public keys at the time of a read. */
interface PublishedKeys {
  readonly readAt: number
  readonly keys: readonly { readonly jwk: JWK; readonly expiresAt: number }[]
}

/**
 * The keys that sign id tokens. They are created on demand, shared by all instances through the database, and encrypted
 * with a key derived from the secret of the server. Their lifetimes overlap, so that verifiers with a cache see no gap.
 */
export class SigningKeys {
  readonly #keys
  readonly #settings: Settings
  readonly #now: () => number
  readonly #lock: Uint8Array
  readonly #held = new Map<SigningAlg, { readonly readAt: number; readonly keys: Promise<HeldKey[]> }>()

  #published: PublishedKeys | undefined
  #publishing: Promise<PublishedKeys> | undefined
  #retryAt = 0

  constructor(db: Database, settings: Settings, now: () => number) {
    this.#keys = db.table(SigningKey)
    this.#settings = settings
    this.#now = now
    this.#lock = deriveKey(settings.secret, 'signing keys')
  }

  /** The key to sign with. Creates the first one, and the next one ahead of time. */
  async current(alg: SigningAlg): Promise<CurrentKey> {
    for (;;) {
      const now = this.#now()
      const keys = await this.#read(alg)
      const open = keys.filter((it): it is OpenKey => it.key !== undefined)
      const active = open.findLast((it) => it.signsFrom <= now && now < it.signsUntil)
      const isLast = active === open.at(-1)
      if (active && !(isLast && active.signsUntil - now <= this.#overlapMs)) return active
      await this.#create(alg, (keys.at(-1)?.number ?? 0) + 1, active ? active.signsUntil : now)
      this.#held.delete(alg)
      // A new key must be published immediately.
      this.#published = undefined
    }
  }

  /**
   * The public keys, including those of earlier tokens, from memory. They are read again at most once a minute. While
   * the database is down, the cached keys stay available, so that tokens can be verified.
   */
  async published(): Promise<JWK[]> {
    const { keys } = await this.#findPublished()
    const now = this.#now()
    return keys.filter(({ expiresAt }) => expiresAt > now).map(({ jwk }) => jwk)
  }

  /** Reads the existing keys, so that they can be published even if the database goes away before the first request. */
  async load(): Promise<void> {
    const { keys, readAt, isSigning } = await this.#readRows()
    if (isSigning) this.#published ??= { keys, readAt }
  }

  async #findPublished(): Promise<PublishedKeys> {
    const known = this.#published
    const now = this.#now()
    if (known && (Math.abs(now - known.readAt) < CACHE_MS || now < this.#retryAt)) return known
    // One read at a time, however many requests wait for it.
    this.#publishing ??= this.#readPublished().finally(() => {
      this.#publishing = undefined
    })
    const renewed = this.#publishing.catch((error: unknown) => {
      if (!known) throw error
      this.#retryAt = this.#now() + RETRY_MS
      return known
    })
    // A key is published long before it signs. Within that time no request waits for a slow database.
    return known && now - known.readAt < this.#overlapMs / 2 ? known : renewed
  }

  async #readPublished(): Promise<PublishedKeys> {
    const algs = new Set<SigningAlg>(['ES256'])
    for (const { idTokenSigningAlg = 'ES256' } of this.#settings.clients.values()) algs.add(idTokenSigningAlg)
    for (const alg of algs) await this.current(alg)
    const { keys, readAt } = await this.#readRows()
    this.#published = { keys, readAt }
    return this.#published
  }

  async #readRows(): Promise<PublishedKeys & { readonly isSigning: boolean }> {
    const readAt = this.#now()
    const rows = await this.#keys.findMany({ where: { expiresAt: { $gt: readAt } }, orderBy: { signsFrom: 'desc' } })
    const keys = rows.map(({ publicKey, expiresAt }) => ({ jwk: JSON.parse(publicKey) as JWK, expiresAt }))
    return { readAt, keys, isSigning: rows.some(({ signsUntil }) => signsUntil > readAt) }
  }

  /** At most half a lifetime, so that short-lived keys rotate in order too. */
  get #overlapMs(): number {
    return Math.min(OVERLAP_MS, this.#settings.lifetimes.signingKeySec * 500)
  }

  #read(alg: SigningAlg): Promise<HeldKey[]> {
    const now = this.#now()
    const held = this.#held.get(alg)
    if (held && Math.abs(now - held.readAt) < CACHE_MS) return held.keys
    const keys = this.#readAll(alg)
    this.#held.set(alg, { readAt: now, keys })
    // Failures are not cached.
    keys.catch(() => this.#held.delete(alg))
    return keys
  }

  /** In order of creation. */
  async #readAll(alg: SigningAlg): Promise<HeldKey[]> {
    const rows = await this.#keys.findMany({ where: { alg } })
    const keys = await Promise.all(rows.map((row) => this.#open(row)))
    return keys.sort((a, b) => a.number - b.number)
  }

  async #open({ id, kid, alg, privateKey, signsFrom, signsUntil }: SigningKey): Promise<HeldKey> {
    const unlocked = await compactDecrypt(privateKey, this.#lock).catch(() => undefined)
    const jwk = unlocked && (JSON.parse(new TextDecoder().decode(unlocked.plaintext)) as JWK)
    const key = jwk && ((await importJWK(jwk, alg)) as CryptoKey)
    return { number: numberOf(id), kid, alg, key, signsFrom, signsUntil }
  }

  /** Creates the key with this number. Of several instances that find it missing, one creates it. */
  async #create(alg: SigningAlg, number: number, signsFrom: number): Promise<void> {
    const pair = await generateKeyPair(alg, { extractable: true })
    const publicJwk = await exportJWK(pair.publicKey)
    const kid = await calculateJwkThumbprint(publicJwk)
    const signsUntil = signsFrom + this.#settings.lifetimes.signingKeySec * 1000
    try {
      await this.#keys.insertOne({
        id: `${alg}:${number}`,
        kid,
        alg,
        publicKey: JSON.stringify({ ...publicJwk, kid, alg, use: 'sig' }),
        privateKey: await this.#seal(await exportJWK(pair.privateKey)),
        signsFrom,
        signsUntil,
        expiresAt: signsUntil + this.#settings.lifetimes.idTokenSec * 1000 + OVERLAP_MS,
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }

  #seal(privateJwk: JWK): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(privateJwk)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.#lock)
  }
}

function numberOf(id: string): number {
  return Number(id.slice(id.indexOf(':') + 1))
}
