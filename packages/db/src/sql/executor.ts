/** How statements reach a server: over any connection of a pool, or over the one of a transaction. */

import type { TablePlan } from '../contract/plan.ts'
import { DbError } from '../errors.ts'
import { retryConflicts } from '../transaction/retry.ts'

export type Done<T> = (error: Error | null | undefined, value: T) => void

/** What a driver's pool can do, and what its errors mean. Functions take the client, so that no call makes objects. */
export interface ClientPool<Client, Query, Result> {
  take(done: Done<Client | undefined>): void
  /** `destroy` closes the connection instead of keeping it for others. */
  give(client: Client, destroy: boolean): void
  send(client: Client, query: Query, done: Done<Result>): void
  /** An error as one that is the same on every engine. */
  explain(error: unknown, plan?: TablePlan, query?: Query): unknown
  /** An error of getting a connection, likewise: nothing was sent. */
  explainRefusal(error: unknown): unknown
  /** Whether nobody knows what the connection would say next: it is not used again. */
  isUnusable(error: unknown, query: Query): boolean
  /**
   * Whether the connection is gone, or leads to a server that may no longer write. Those that were made before it are
   * likely to be in the same state.
   */
  isLost(error: unknown): boolean
  /** Whether concurrent transactions got in the way, and nothing of the statement was kept. */
  isConflict(error: unknown): boolean
  /** For a statement that was not run but may be sent in another form: that form. */
  mend?(query: Query, error: unknown): Query | undefined
}

/** Runs statements somewhere. Fails with `DbError`s. */
export interface Executor<Query, Result> {
  /** @param isRead Whether the statement only reads: it may be sent again after the connection was lost. */
  execute(query: Query, plan?: TablePlan, isRead?: boolean): Promise<Result>
}

/** How often one statement is run again when concurrent transactions got in its way: nothing of it was kept. */
export const MOST_RETRIES = 10

/** Without a listener, a connection that breaks while nobody uses it would end the program. */
export const ignore = (): void => {}

/** Statements that stand alone, each on whatever connection is free. */
export class PoolExecutor<Client extends object, Query, Result> implements Executor<Query, Result> {
  readonly #pool: ClientPool<Client, Query, Result>
  /** How many calls have a connection, wait for one, or will ask for one again. */
  #underWay = 0
  #whenIdle = (): void => {}
  /** How often connections were lost, and how often that had happened when each one was first used. */
  #losses = 0
  readonly #births = new WeakMap<Client, number>()

  constructor(pool: ClientPool<Client, Query, Result>) {
    this.#pool = pool
  }

  /** A connection for one transaction. */
  connect(): Promise<ClientExecutor<Client, Query, Result>> {
    return new Promise((resolve, reject) => {
      this.#take((error, client) => {
        if (!client) return reject(this.#pool.explainRefusal(error))
        resolve(
          new ClientExecutor(this.#pool, client, (destroy, isLost) => {
            if (isLost) this.#noteLoss(client)
            this.#give(client, destroy)
          }),
        )
      })
    })
  }

  /** A connection on which `start` was done. Where one was lost before that, nothing was done: another is tried once. */
  async connectWith(
    start: (client: ClientExecutor<Client, Query, Result>) => Promise<void>,
    last: Query,
  ): Promise<ClientExecutor<Client, Query, Result>> {
    for (let isRetry = false; ; isRetry = true) {
      const client = await this.connect()
      try {
        await start(client)
        return client
      } catch (error) {
        await client.end(last).catch(() => {})
        if (isRetry || !client.isConnectionLost) throw error
      }
    }
  }

  /** Waits for all that is under way: a pool that is ended forgets those that wait for a connection. */
  async close(end: () => Promise<void>): Promise<void> {
    while (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
      // The answer to one statement may be followed by another of the same call.
      await new Promise(setImmediate)
    }
    await end()
  }

  /** One promise for the whole way: on a network as near as the same machine each further one would show. */
  execute(query: Query, plan?: TablePlan, isRead = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#send(query, resolve, (error) => {
        const resent = this.#pool.mend?.(query, error)
        if (resent) resolve(this.execute(resent, plan, isRead))
        // It may have died while nobody used it. What writes is not sent again: it may have been carried out.
        else if (isRead && this.#pool.isLost(error)) resolve(this.execute(query, plan))
        else if (this.#pool.isConflict(error)) resolve(this.#retry(query, plan))
        else reject(this.#pool.explain(error, plan, query))
      })
    })
  }

  #take(done: Done<Client | undefined>): void {
    this.#underWay += 1
    const take = (): void =>
      this.#pool.take((error, client) => {
        if (client && this.#isSuspect(client)) {
          this.#pool.give(client, true)
          return take()
        }
        if (!client) this.#finish()
        done(error, client)
      })
    take()
  }

  /** Whether it is older than one that was lost: it may be dead as well, without anybody having noticed. */
  #isSuspect(client: Client): boolean {
    const birth = this.#births.get(client)
    if (birth !== undefined) return birth < this.#losses
    this.#births.set(client, this.#losses)
    return false
  }

  #noteLoss(client: Client): void {
    // Of several that were lost together only the first says something new.
    if (this.#births.get(client) === this.#losses) this.#losses += 1
  }

  #give(client: Client, destroy: boolean): void {
    this.#pool.give(client, destroy)
    this.#finish()
  }

  #finish(): void {
    this.#underWay -= 1
    if (this.#underWay === 0) this.#whenIdle()
  }

  #send(query: Query, resolve: (result: Result) => void, fail: (error: unknown) => void): void {
    this.#take((refused, client) => {
      if (!client) return fail(this.#pool.explainRefusal(refused))
      this.#pool.send(client, query, (error, result) => {
        if (error && this.#pool.isLost(error)) this.#noteLoss(client)
        // After any failure but a plain refusal by the server nobody knows what this connection would say next.
        this.#give(client, error ? this.#pool.isUnusable(error, query) : false)
        if (error) fail(error)
        else resolve(result)
      })
    })
  }

  async #retry(query: Query, plan: TablePlan | undefined): Promise<Result> {
    this.#underWay += 1
    try {
      return await retryConflicts(
        () =>
          new Promise((resolve, reject) => {
            this.#send(query, resolve, (error) => reject(this.#pool.explain(error, plan, query)))
          }),
        MOST_RETRIES,
      )
    } finally {
      this.#finish()
    }
  }
}

/** Whether a transaction is still the same one, and open, after one of its statements. */
type IsOpenAfter<Client, Query, Result> = (result: Result, query: Query, client: Client) => boolean

/** The statements of one transaction, on its own connection. */
export class ClientExecutor<Client, Query, Result> implements Executor<Query, Result> {
  readonly #pool: ClientPool<Client, Query, Result>
  readonly #client: Client
  readonly #release: (destroy: boolean, isLost: boolean) => void
  /** Statements of one connection go one after the other; those that come meanwhile wait here. */
  readonly #waiting: (() => void)[] = []
  /** What rejects the statements that were not answered yet. */
  readonly #unanswered = new Set<(error: DbError) => void>()
  #isBusy = false
  #isUnusable = false
  #isLost = false
  #isConnectionLost = false
  #isEnded = false
  #isOpenAfter: IsOpenAfter<Client, Query, Result> = () => true

  constructor(
    pool: ClientPool<Client, Query, Result>,
    client: Client,
    release: (destroy: boolean, isLost: boolean) => void,
  ) {
    this.#pool = pool
    this.#client = client
    this.#release = release
  }

  /** Whether nothing of it can be kept. Some servers have rolled back by then, and would keep whatever came after. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Whether it is the connection that failed. */
  get isConnectionLost(): boolean {
    return this.#isConnectionLost
  }

  /** From now on looks whether each statement leaves the transaction open: where one does not, the next would stand alone. */
  watch(isOpenAfter: IsOpenAfter<Client, Query, Result>): void {
    this.#isOpenAfter = isOpenAfter
  }

  /** For a statement whose answer does not show that it ended the transaction: nothing of what follows is kept. */
  lose(): DbError {
    this.#isLost = true
    return endedByHand()
  }

  async execute(query: Query, plan?: TablePlan): Promise<Result> {
    // The connection may be another's by now.
    if (this.#isEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    if (this.#isLost) throw refusal()
    return this.#send(query, plan)
  }

  /** Ends the transaction and gives the connection back, or closes it when its state is not known. */
  async end(last: Query): Promise<Result | undefined> {
    if (this.#isEnded) return undefined
    this.#isEnded = true
    let result: Result | undefined
    try {
      if (!this.#isUnusable) result = await this.#send(last, undefined, true)
    } catch (error) {
      this.#release(true, this.#isConnectionLost)
      throw error
    }
    this.#release(this.#isUnusable, this.#isConnectionLost)
    return result
  }

  /**
   * Rolls back with `last`. While a statement is under way the connection is closed instead, which makes the server
   * roll back, and nobody waits for the answer any more: a driver may never give one.
   */
  async abort(last: Query): Promise<void> {
    if (!this.#isBusy || this.#isEnded) return void (await this.end(last).catch(() => {}))
    this.#isEnded = true
    this.#isUnusable = true
    this.#isLost = true
    this.#waiting.length = 0
    this.#release(true, false)
    for (const reject of this.#unanswered) reject(new DbError('TIMEOUT', 'the transaction was ended before the answer'))
  }

  #send(query: Query, plan?: TablePlan, isLast = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject)
      const start = (): void => {
        this.#pool.send(this.#client, query, (error, result) => {
          this.#unanswered.delete(reject)
          if (error) {
            this.#isUnusable ||= this.#pool.isUnusable(error, query)
            this.#isConnectionLost ||= this.#pool.isLost(error)
            this.#isLost ||= this.#isUnusable || this.#pool.isConflict(error)
            reject(this.#pool.explain(error, plan, query))
          } else if (isLast || this.#isOpenAfter(result, query, this.#client)) resolve(result)
          else reject(this.lose())
          this.#startNext()
        })
      }
      if (this.#isBusy)
        this.#waiting.push(() => ((isLast ? this.#isUnusable : this.#isLost) ? this.#refuse(reject) : start()))
      else {
        this.#isBusy = true
        start()
      }
    })
  }

  #startNext(): void {
    const start = this.#waiting.shift()
    if (start) start()
    else this.#isBusy = false
  }

  #refuse(reject: (error: DbError) => void): void {
    this.#unanswered.delete(reject)
    reject(refusal())
    this.#startNext()
  }
}

function endedByHand(): DbError {
  return new DbError('TRANSACTION_ABORTED', 'a statement ended the transaction')
}

function refusal(): DbError {
  return new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed before')
}
