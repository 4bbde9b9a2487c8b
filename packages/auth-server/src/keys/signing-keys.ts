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
import { isUniqueViolation } from '../accounts/unique-violation.ts'
import type { SigningAlg } from '../clients.ts'
import type { Settings } from '../options.ts'
import { deriveKey } from '../secrets.ts'
import { SigningKey } from '../tables/operations.portico.ts'

/** A key that signs now. */
export interface CurrentKey {
  readonly kid: string
  readonly alg: SigningAlg
  readonly key: CryptoKey
}

interface HeldKey extends Omit<CurrentKey, 'key'> {
  /** Absent when it is locked with another secret: such a key cannot sign, and stays published until it expires. */
  readonly key: CryptoKey | undefined
  readonly number: number
  readonly signsFrom: number
  readonly signsUntil: number
}

/** A key that is open. */
type OpenKey = HeldKey & CurrentKey

/** How long before its first signature a key is published, and after its last one still is. */
const OVERLAP_MS = 86_400_000

/** How long an instance relies on what it has read of the keys. */
const CACHE_MS = 60_000

/** How long it goes on with them after it could not read them again, before it tries once more. */
const RETRY_MS = 5000

/** The public keys, as they were when they were read. */
interface PublishedKeys {
  readonly readAt: number
  readonly keys: readonly { readonly jwk: JWK; readonly expiresAt: number }[]
}

/**
 * The keys that sign id tokens. They are made when they are needed, shared by all instances through the database, locked
 * with the server's secret, and follow each other with an overlap, so that verifiers with a cache notice nothing.
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

  /** The key to sign with. Makes the first one, and the next one in good time. */
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
      // A key that signs from now on is to be found at once.
      this.#published = undefined
    }
  }

  /**
   * The public keys, those of tokens signed before included: from memory, and read again once a minute at most. While the
   * database cannot answer, those that were read before stay up, so that tokens can be verified.
   */
  async published(): Promise<JWK[]> {
    const { keys } = await this.#findPublished()
    const now = this.#now()
    return keys.filter(({ expiresAt }) => expiresAt > now).map(({ jwk }) => jwk)
  }

  /** Reads the keys that are there, so that they can be published even if the database goes away before anybody asks. */
  async load(): Promise<void> {
    const { keys, readAt, isSigning } = await this.#readRows()
    if (isSigning) this.#published ??= { keys, readAt }
  }

  async #findPublished(): Promise<PublishedKeys> {
    const known = this.#published
    const now = this.#now()
    if (known && (Math.abs(now - known.readAt) < CACHE_MS || now < this.#retryAt)) return known
    // One question at a time, however many ask.
    this.#publishing ??= this.#readPublished().finally(() => {
      this.#publishing = undefined
    })
    const renewed = this.#publishing.catch((error: unknown) => {
      if (!known) throw error
      this.#retryAt = this.#now() + RETRY_MS
      return known
    })
    // A key is published long before it signs. Within that time nobody waits for a database that may not answer.
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

  /** At most half a life, so that short-lived keys follow each other in an orderly way too. */
  get #overlapMs(): number {
    return Math.min(OVERLAP_MS, this.#settings.lifetimes.signingKeySec * 500)
  }

  #read(alg: SigningAlg): Promise<HeldKey[]> {
    const now = this.#now()
    const held = this.#held.get(alg)
    if (held && Math.abs(now - held.readAt) < CACHE_MS) return held.keys
    const keys = this.#readAll(alg)
    this.#held.set(alg, { readAt: now, keys })
    // What failed is not kept.
    keys.catch(() => this.#held.delete(alg))
    return keys
  }

  /** In the order in which they were made. */
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

  /** Makes the key with this number; of several instances that find it missing, one makes it. */
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
