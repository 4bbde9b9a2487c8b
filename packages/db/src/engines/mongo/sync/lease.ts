/** The sync lock: a document with its owner, who renews it regularly. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from '../../../errors.ts'
import type { Document, MongoCollection, MongoDatabase } from '../client/driver.ts'
import { isDuplicate } from '../client/errors.ts'

const LEASE = 'portico__lease'
const NAME = 'sync'

/** Timeout for waiting for a running sync. */
const WAIT_MS = 30_000

interface Held {
  readonly owner: string | null
  /** Incremented whenever the lease changes hands. */
  readonly token: number
  /** Incremented by each renewal. */
  readonly beat: number
  /** Time after which the lease expires without a renewal. Earlier versions do not store it. */
  readonly leaseMs?: unknown
}

export class Lease {
  /** A fencing token: grows with every owner, so that writes of an owner that lost the lease are refused. */
  readonly token: number
  readonly #leases: MongoCollection
  readonly #owner: string
  readonly #timer: NodeJS.Timeout

  private constructor(leases: MongoCollection, owner: string, token: number, leaseMs: number) {
    this.#leases = leases
    this.#owner = owner
    this.token = token
    // A failed renewal is noticed at the next change, which checks the lease itself.
    this.#timer = setInterval(() => void this.#beat().catch(() => {}), leaseMs / 4)
    this.#timer.unref()
  }

  /**
   * Waits until nobody has the lease, or until its owner has not renewed it for the owner's own `leaseMs`, which may
   * differ from ours.
   */
  static async acquire(db: MongoDatabase, leaseMs: number): Promise<Lease> {
    const leases = db.collection(LEASE)
    const owner = randomUUID()
    const begun = Date.now()
    let seen: Held | undefined
    // Uses only our own clock: those of other machines may be wrong.
    let seenAt = Date.now()
    for (let pauseMs = 5; ; pauseMs *= 1.5) {
      const held = await read(leases)
      const silenceMs = readLength(held) ?? leaseMs
      if (held?.token !== seen?.token || held?.beat !== seen?.beat) seenAt = Date.now()
      seen = held
      const isFree = !held || held.owner === null || Date.now() - seenAt >= silenceMs
      const token = isFree ? await takeOver(leases, owner, held, leaseMs) : undefined
      if (token !== undefined) return new Lease(leases, owner, token, leaseMs)
      if (Date.now() > begun + WAIT_MS + silenceMs)
        throw new DbError('SYNC_LOCKED', 'another sync did not finish in time')
      pauseMs = Math.min(pauseMs, leaseMs / 4, silenceMs / 4)
      await sleep(pauseMs)
    }
  }

  /** Fails if somebody else has the lease now. */
  async check(): Promise<void> {
    if (await this.#beat()) return
    throw new DbError('SYNC_LOCKED', 'another sync took over, since this one did not renew its lease in time')
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

/** A conditional write, so that only one of several callers succeeds. */
async function takeOver(
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
