import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Session, Transaction } from '../contract/adapter.ts'
import type { MaybePromise } from '../contract/storage.ts'
import { DbError } from '../errors.ts'

/** Starts an outermost transaction. */
type Begin = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>

/**
 * The database or one transaction, in which operations run. It refuses operations that would deadlock with their own
 * program, or become part of a transaction by accident.
 */
export class Scope {
  readonly session: Session
  readonly parent: Scope | undefined
  readonly depth: number
  /** The innermost scope of the code that runs now. */
  readonly #current: AsyncLocalStorage<Scope>
  readonly #begin: Begin | undefined
  #isEnded = false
  /** The first error of the engine in this scope, after which the transaction cannot be committed. */
  #failure: unknown
  /** The timeout that ended the transaction, and the callbacks waiting for it. Only on the outermost transaction. */
  #expired: DbError | undefined
  readonly #onExpired = new Set<(outcome: PromiseRejectedResult) => void>()
  #nested: Promise<unknown> | undefined
  /** The number of open transactions. Only on the scope of the database. */
  #open = 0

  constructor(session: Session, current: AsyncLocalStorage<Scope>, parent?: Scope, begin?: Begin) {
    this.session = session
    this.#current = current
    this.parent = parent
    this.#begin = begin
    this.depth = parent ? parent.depth + 1 : 0
  }

  run<T>(work: (session: Session) => MaybePromise<T>): MaybePromise<T> {
    // Without open transactions there is nothing to check, and asking AsyncLocalStorage would cost every operation.
    if (!this.parent && this.#open === 0 && !this.#isEnded) return work(this.session)
    this.check()
    if (!this.parent) return work(this.session)
    return this.#runInside(work)
  }

  /** Throws when nothing may run here now. */
  check(): void {
    const inner = this.#current.getStore()
    if (inner && inner !== this && inner.#isInside(this)) {
      throw new DbError('TRANSACTION_MISUSE', 'inside a transaction, use the `tx` that its function receives')
    }
    if (!this.parent && this.#isEnded) throw new DbError('CLOSED', 'the database is closed')
    const expired = this.#outermost.#expired
    if (expired) throw new DbError(expired.code, expired.message)
    if (this.#hasEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    if (this.#failure === undefined) return
    throw new DbError(
      'TRANSACTION_ABORTED',
      'an earlier operation of this transaction failed: use a nested transaction to catch errors',
      {
        cause: this.#failure,
      },
    )
  }

  /** A nested transaction ends with its outer one. Closing the database waits for transactions that are running. */
  get #hasEnded(): boolean {
    return this.parent !== undefined && (this.#isEnded || this.parent.#hasEnded)
  }

  end(): void {
    this.#isEnded = true
  }

  /** Ends the outermost transaction after its timeout, without waiting for its function and nested ones. */
  expire(error: DbError): void {
    this.#expired = error
    for (const finish of this.#onExpired) finish({ status: 'rejected', reason: error })
  }

  get isExpired(): boolean {
    return this.#expired !== undefined
  }

  fail(error: unknown): void {
    this.#failure ??= error
  }

  /** Runs several operations in a transaction, or in a nested one. */
  atomically<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return this.#begin ? this.#begin(work) : this.nest(work)
  }

  /** Runs a nested transaction. Nested transactions take turns, since savepoints are a stack. */
  async nest<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    this.check()
    while (this.#nested) await this.#nested.catch(() => {})
    this.check()
    const nested = this.#runSavepoint(this.session as Transaction, work)
    this.#nested = nested
    try {
      return await nested
    } finally {
      this.#nested = undefined
    }
  }

  async #runInside<T>(work: (session: Session) => MaybePromise<T>): Promise<T> {
    // An operation on this connection would become part of an open nested transaction.
    while (this.#nested) await this.#nested.catch(() => {})
    this.check()
    return this.#orFail(() => work(this.session))
  }

  async #runSavepoint<T>(session: Transaction, work: (scope: Scope) => Promise<T>): Promise<T> {
    const scope = new Scope(session, this.#current, this)
    await this.#orFail(() => session.savepoint(scope.depth))
    try {
      const result = await scope.complete(() => work(scope))
      await session.release(scope.depth)
      return result
    } catch (error) {
      if (isFatal(scope.#failure)) this.fail(scope.#failure)
      // After the timeout the whole transaction is rolled back, and its connection may be busy.
      else if (this.#outermost.#expired) throw error
      // If the rollback fails, this scope fails too and reports it later. The caller needs the original error.
      else await this.#orFail(() => session.rollbackTo(scope.depth)).catch(() => {})
      throw error
    }
  }

  /** After an error of the engine, this transaction cannot be committed. */
  async #orFail<T>(work: () => MaybePromise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  /** Runs the function of a transaction, ends its scope, and throws if it cannot be committed. */
  async complete<T>(work: () => Promise<T>): Promise<T> {
    const outcome = await this.#runCurrent(work)
    // Nested transactions that still run must notice the end before the whole is committed or rolled back.
    while (this.#nested && !this.#outermost.#expired) await this.#settleOrExpire(this.#nested)
    const expired = this.#outermost.#expired
    if (expired) throw expired
    if (isFatal(this.#failure)) throw this.#failure
    if (outcome.status === 'rejected') throw outcome.reason
    if (this.#failure === undefined) return outcome.value
    throw new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed, so it was rolled back', {
      cause: this.#failure,
    })
  }

  /**
   * Runs the function with this as its current scope. AsyncLocalStorage is disabled between transactions: before Node 24 it
   * makes every promise of the process slower.
   */
  async #runCurrent<T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
    const root = this.#root
    root.#open += 1
    const onExpired = this.#outermost.#onExpired
    try {
      return await new Promise((resolve) => {
        const finish = (outcome: PromiseSettledResult<T>): void => {
          onExpired.delete(finish)
          resolve(outcome)
        }
        onExpired.add(finish)
        void this.#current.run(this, () => settle(work, finish))
      })
    } finally {
      this.end()
      root.#open -= 1
      if (root.#open === 0) this.#current.disable()
    }
  }

  /** Waits for a nested transaction or the timeout, since it may be waiting for a statement that never ends. */
  #settleOrExpire(nested: Promise<unknown>): Promise<void> {
    const onExpired = this.#outermost.#onExpired
    return new Promise((resolve) => {
      const finish = (): void => {
        onExpired.delete(finish)
        resolve()
      }
      onExpired.add(finish)
      nested.then(finish, finish)
    })
  }

  /** The outermost transaction, or the database outside transactions. */
  get #outermost(): Scope {
    return this.parent?.parent ? this.parent.#outermost : this
  }

  get #root(): Scope {
    return this.parent ? this.parent.#root : this
  }

  #isInside(scope: Scope): boolean {
    if (this.#isEnded) return false
    for (let outer = this.parent; outer; outer = outer.parent) if (outer === scope) return true
    return false
  }
}

async function settle<T>(work: () => Promise<T>, finish: (outcome: PromiseSettledResult<T>) => void): Promise<void> {
  try {
    finish({ status: 'fulfilled', value: await work() })
  } catch (reason) {
    finish({ status: 'rejected', reason })
  }
}

/** Errors that end the whole transaction, not only the nested one. */
function isFatal(error: unknown): boolean {
  return error instanceof DbError && (error.code === 'SERIALIZATION_FAILED' || error.code === 'UNAVAILABLE')
}
