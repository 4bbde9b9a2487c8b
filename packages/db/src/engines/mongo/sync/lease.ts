/** The lock of sync: a document that says who has it, and that its owner touches again and again while it lives. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from '../../../errors.ts'
import type { Document, MongoCollection, MongoDatabase } from '../client/driver.ts'
import { isDuplicate } from '../client/errors.ts'

export const LEASE = 'portico__lease'
const NAME = 'sync'

/** How long a sync waits for another that lives. */
const WAIT_MS = 30_000

interface Held {
  readonly owner: string | null
  /** Raised whenever the lease changes hands. */
  readonly token: number
  /** Raised by its owner while it lives. */
  readonly beat: number
  /** How long its owner may be silent. Leases of earlier versions do not say. */
  readonly leaseMs?: unknown
}

export class Lease {
  /** Raised with every owner: what an owner writes that has lost the lease is refused by this number. */
  readonly token: number
  readonly #leases: MongoCollection
  readonly #owner: string
  readonly #timer: NodeJS.Timeout

  private constructor(leases: MongoCollection, owner: string, token: number, leaseMs: number) {
    this.#leases = leases
    this.#owner = owner
    this.token = token
    // A beat that fails shows at the next change, which asks for itself.
    this.#timer = setInterval(() => void this.#beat().catch(() => {}), leaseMs / 4)
    this.#timer.unref()
  }

  /**
   * Waits until nobody has the lease, or until its owner has given no sign of life for as long as the owner itself
   * said: it beats by its own `leaseMs`, which another program may have set otherwise.
   */
  static async acquire(db: MongoDatabase, leaseMs: number): Promise<Lease> {
    const leases = db.collection(LEASE)
    const owner = randomUUID()
    const begun = Date.now()
    let seen: Held | undefined
    // Only our own clock counts: those of other machines may be wrong.
    let seenAt = Date.now()
    for (let pauseMs = 5; ; pauseMs *= 1.5) {
      const held = await read(leases)
      const silenceMs = readLength(held) ?? leaseMs
      if (held?.token !== seen?.token || held?.beat !== seen?.beat) seenAt = Date.now()
      seen = held
      const isFree = !held || held.owner === null || Date.now() - seenAt >= silenceMs
      const token = isFree ? await take(leases, owner, held, leaseMs) : undefined
      if (token !== undefined) return new Lease(leases, owner, token, leaseMs)
      if (Date.now() > begun + WAIT_MS + silenceMs)
        throw new DbError('SYNC_LOCKED', 'another sync did not finish in time')
      pauseMs = Math.min(pauseMs, leaseMs / 4, silenceMs / 4)
      await sleep(pauseMs)
    }
  }

  /** Fails when somebody else has the lease now. */
  async check(): Promise<void> {
    if (await this.#beat()) return
    throw new DbError('SYNC_LOCKED', 'another sync took over, since this one gave no sign of life for too long')
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#leases.updateOne(this.#own(), { $set: { owner: null } }, {})
  }

  async #beat(): Promise<boolean> {
    const { matchedCount } = await this.#leases.updateOne(this.#own(), { $inc: { beat: 1 } }, {})
    return matchedCount === 1
  }

  #own(): Document {
    return { _id: NAME, owner: this.#owner, token: this.token }
  }
}

async function read(leases: MongoCollection): Promise<Held | undefined> {
  const [held] = await leases.find({ _id: NAME }, {}).toArray()
  return held as Held | undefined
}

function readLength(held: Held | undefined): number | undefined {
  const length = held?.leaseMs
  return typeof length === 'number' && length > 0 && Number.isFinite(length) ? length : undefined
}

/** One conditional write: of several that try, one succeeds. */
async function take(
  leases: MongoCollection,
  owner: string,
  held: Held | undefined,
  leaseMs: number,
): Promise<number | undefined> {
  if (held) {
    const { owner: former, token, beat } = held
    const condition = { _id: NAME, owner: former, token, beat }
    const { matchedCount } = await leases.updateOne(condition, { $set: { owner, leaseMs }, $inc: { token: 1 } }, {})
    return matchedCount === 1 ? token + 1 : undefined
  }
  try {
    await leases.insertOne({ _id: NAME, owner, token: 1, beat: 0, leaseMs }, {})
    return 1
  } catch (error) {
    if (isDuplicate(error)) return undefined
    throw error
  }
}
