/** Sends statements to a server: over any connection of a pool, or over the one connection of a transaction. */

import type { TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'
import { retryConflicts } from '../transaction/retry.ts'

export type Done<T> = (error: Error | null | undefined, value: T) => void

/** A driver's pool, and the meaning of its errors. Functions take the client as a parameter, so no call allocates one. */
export interface ClientPool<Client, Query, Result> {
  acquire(done: Done<Client | undefined>): void
  /** `destroy` closes the connection instead of keeping it for others. */
  release(client: Client, destroy: boolean): void
  send(client: Client, query: Query, done: Done<Result>): void
  /** Translates a driver error into a `DbError`, the same on every engine. */
  toDbError(error: unknown, plan?: TablePlan, query?: Query): unknown
  /** Translates an error of acquiring a connection: nothing was sent. */
  toConnectError(error: unknown): unknown
  /** True if the connection's state is unknown after the error, so that it must be closed. */
  isUnusable(error: unknown, query: Query): boolean
  /**
   * True if the connection is lost, or its server no longer accepts writes. Older connections are likely to be in the
   * same state.
   */
  isConnectionLost(error: unknown): boolean
  /** True if concurrent transactions conflicted and the statement had no effect. */
  isConflict(error: unknown): boolean
  /** For a statement that did not run but may run in another form: that form. */
  rewriteStale?(query: Query, error: unknown): Query | undefined
}

/** Runs statements. Fails with `DbError`s. */
export interface Executor<Query, Result> {
  /** @param isRead The statement only reads, so it may be sent again after the connection was lost. */
  execute(query: Query, plan?: TablePlan, isRead?: boolean): Promise<Result>
}

/** Retries of a statement that conflicted with concurrent transactions and had no effect. */
export const MAX_RETRIES = 10

/** Without a listener, an idle connection that breaks would crash the process. */
export const ignore = (): void => {}

/** Runs each statement on any free connection, outside of transactions. */
export class PoolExecutor<Client extends object, Query, Result> implements Executor<Query, Result> {
  readonly #pool: ClientPool<Client, Query, Result>
  /** Calls that have a connection, wait for one, or will acquire one again. */
  #pending = 0
  #whenIdle = (): void => {}
  /** Number of losses so far, and per connection that number at its first use. */
  #losses = 0
  readonly #lossesAtFirstUse = new WeakMap<Client, number>()

  constructor(pool: ClientPool<Client, Query, Result>) {
    this.#pool = pool
  }

  /** Acquires a connection for one transaction. */
  connect(): Promise<ClientExecutor<Client, Query, Result>> {
    return new Promise((resolve, reject) => {
      this.#acquire((error, client) => {
        if (!client) return reject(this.#pool.toConnectError(error))
        resolve(
          new ClientExecutor(this.#pool, client, (destroy, isConnectionLost) => {
            if (isConnectionLost) this.#recordLoss(client)
            this.#release(client, destroy)
          }),
        )
      })
    })
  }

  /** Acquires a connection and runs `start` on it. If the connection is lost before that has run, tries another one once. */
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

  /** Waits for pending calls: a pool that ends never answers those that wait for a connection. */
  async close(end: () => Promise<void>): Promise<void> {
    while (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
      // A call may send another statement after the answer to one.
      await new Promise(setImmediate)
    }
    await end()
  }

  /** Uses a single promise: with the server on the same machine, each further one is measurable. */
  execute(query: Query, plan?: TablePlan, isRead = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#send(query, resolve, (error) => {
        const rewritten = this.#pool.rewriteStale?.(query, error)
        if (rewritten) resolve(this.execute(rewritten, plan, isRead))
        // The connection may have died while idle. Writes are not sent again: they may have run.
        else if (isRead && this.#pool.isConnectionLost(error)) resolve(this.execute(query, plan))
        else if (this.#pool.isConflict(error)) resolve(this.#retry(query, plan))
        else reject(this.#pool.toDbError(error, plan, query))
      })
    })
  }

  #acquire(done: Done<Client | undefined>): void {
    this.#pending += 1
    const acquire = (): void =>
      this.#pool.acquire((error, client) => {
        if (client && this.#isSuspect(client)) {
          this.#pool.release(client, true)
          return acquire()
        }
        if (!client) this.#finish()
        done(error, client)
      })
    acquire()
  }

  /** True for a connection that is older than one that was lost: it may be dead as well. */
  #isSuspect(client: Client): boolean {
    const before = this.#lossesAtFirstUse.get(client)
    if (before !== undefined) return before < this.#losses
    this.#lossesAtFirstUse.set(client, this.#losses)
    return false
  }

  #recordLoss(client: Client): void {
    // Connections that were lost together count once.
    if (this.#lossesAtFirstUse.get(client) === this.#losses) this.#losses += 1
  }

  #release(client: Client, destroy: boolean): void {
    this.#pool.release(client, destroy)
    this.#finish()
  }

  #finish(): void {
    this.#pending -= 1
    if (this.#pending === 0) this.#whenIdle()
  }

  #send(query: Query, resolve: (result: Result) => void, fail: (error: unknown) => void): void {
    this.#acquire((refused, client) => {
      if (!client) return fail(this.#pool.toConnectError(refused))
      this.#pool.send(client, query, (error, result) => {
        if (error && this.#pool.isConnectionLost(error)) this.#recordLoss(client)
        // After any error but a plain refusal by the server, the state of the connection is unknown.
        this.#release(client, error ? this.#pool.isUnusable(error, query) : false)
        if (error) fail(error)
        else resolve(result)
      })
    })
  }

  async #retry(query: Query, plan: TablePlan | undefined): Promise<Result> {
    this.#pending += 1
    try {
      return await retryConflicts(
        () =>
          new Promise((resolve, reject) => {
            this.#send(query, resolve, (error) => reject(this.#pool.toDbError(error, plan, query)))
          }),
        MAX_RETRIES,
      )
    } finally {
      this.#finish()
    }
  }
}

/** Returns true if the same transaction is still open after one of its statements. */
type IsOpenAfter<Client, Query, Result> = (result: Result, query: Query, client: Client) => boolean

/** Runs the statements of one transaction on its connection. */
export class ClientExecutor<Client, Query, Result> implements Executor<Query, Result> {
  readonly #pool: ClientPool<Client, Query, Result>
  readonly #client: Client
  readonly #release: (destroy: boolean, isConnectionLost: boolean) => void
  /** A connection runs one statement at a time; the next ones wait here. */
  readonly #waiting: (() => void)[] = []
  /** Reject functions of the statements without an answer yet. */
  readonly #unanswered = new Set<(error: DbError) => void>()
  #isBusy = false
  #isUnusable = false
  #isAborted = false
  #isConnectionLost = false
  #isEnded = false
  #isOpenAfter: IsOpenAfter<Client, Query, Result> = () => true

  constructor(
    pool: ClientPool<Client, Query, Result>,
    client: Client,
    release: (destroy: boolean, isConnectionLost: boolean) => void,
  ) {
    this.#pool = pool
    this.#client = client
    this.#release = release
  }

  /** True if the transaction can no longer commit. Some servers have rolled back by then, and would keep later writes. */
  get isAborted(): boolean {
    return this.#isAborted
  }

  /** True if the connection failed. */
  get isConnectionLost(): boolean {
    return this.#isConnectionLost
  }

  /** Checks from now on that each statement leaves the transaction open: after one that ends it, the next would autocommit. */
  watch(isOpenAfter: IsOpenAfter<Client, Query, Result>): void {
    this.#isOpenAfter = isOpenAfter
  }

  /** For a statement whose answer does not show that it ended the transaction: refuses all that follows. */
  markAborted(): DbError {
    this.#isAborted = true
    return endedByRawSql()
  }

  async execute(query: Query, plan?: TablePlan): Promise<Result> {
    // The connection may belong to another transaction by now.
    if (this.#isEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    if (this.#isAborted) throw refusal()
    return this.#send(query, plan)
  }

  /** Ends the transaction and releases the connection, or closes it if its state is unknown. */
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
   * Rolls back with `last`. While a statement is running, closes the connection instead, which makes the server roll
   * back, and does not wait for the answer: the driver may never deliver one.
   */
  async abort(last: Query): Promise<void> {
    if (!this.#isBusy || this.#isEnded) return void (await this.end(last).catch(() => {}))
    this.#isEnded = true
    this.#isUnusable = true
    this.#isAborted = true
    this.#waiting.length = 0
    this.#release(true, false)
    for (const reject of this.#unanswered)
      reject(new DbError('TIMEOUT', 'the transaction ended before the server answered'))
  }

  #send(query: Query, plan?: TablePlan, isLast = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject)
      const start = (): void => {
        this.#pool.send(this.#client, query, (error, result) => {
          this.#unanswered.delete(reject)
          if (error) {
            this.#isUnusable ||= this.#pool.isUnusable(error, query)
            this.#isConnectionLost ||= this.#pool.isConnectionLost(error)
            this.#isAborted ||= this.#isUnusable || this.#pool.isConflict(error)
            reject(this.#pool.toDbError(error, plan, query))
          } else if (isLast || this.#isOpenAfter(result, query, this.#client)) resolve(result)
          else reject(this.markAborted())
          this.#startNext()
        })
      }
      if (this.#isBusy)
        this.#waiting.push(() => ((isLast ? this.#isUnusable : this.#isAborted) ? this.#refuse(reject) : start()))
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

function endedByRawSql(): DbError {
  return new DbError('TRANSACTION_ABORTED', 'a statement ended the transaction')
}

function refusal(): DbError {
  return new DbError('TRANSACTION_ABORTED', 'an earlier operation of this transaction failed')
}
