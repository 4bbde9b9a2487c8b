import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Session, Transaction } from '../contract/adapter.ts'
import type { MaybePromise } from '../contract/storage.ts'
import { DbError } from '../errors.ts'

/** Starts a transaction of the database itself. */
type Begin = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>

/**
 * Where operations run: the database itself, or one transaction. Knows what may run in it at a given moment, so that
 * no program waits for itself and no operation slips into a transaction that it is no part of.
 */
export class Scope {
  readonly session: Session
  readonly parent: Scope | undefined
  readonly depth: number
  /** The innermost scope of the code that runs now. */
  readonly #current: AsyncLocalStorage<Scope>
  readonly #begin: Begin | undefined
  #isEnded = false
  /** What the engine refused in this scope, after which a transaction cannot be kept. */
  #failure: unknown
  /** Why the transaction was ended from outside, and what waits for that. Kept by the outermost one for those in it. */
  #expired: DbError | undefined
  readonly #onExpired = new Set<(outcome: PromiseRejectedResult) => void>()
  #nested: Promise<unknown> | undefined
  /** How many transactions of the database are open, counted in the scope of the database itself. */
  #open = 0

  constructor(session: Session, current: AsyncLocalStorage<Scope>, parent?: Scope, begin?: Begin) {
    this.session = session
    this.#current = current
    this.parent = parent
    this.#begin = begin
    this.depth = parent ? parent.depth + 1 : 0
  }

  run<T>(work: (session: Session) => MaybePromise<T>): MaybePromise<T> {
    // While there is no transaction, there is none to be inside of: asking for it would cost each operation a little.
    if (!this.parent && this.#open === 0 && !this.#isEnded) return work(this.session)
    this.check()
    if (!this.parent) return work(this.session)
    return this.#runInside(work)
  }

  /** Throws when nothing may run here now. */
  check(): void {
    const inner = this.#current.getStore()
    if (inner && inner !== this && inner.#isInside(this)) {
      throw new DbError('TRANSACTION_MISUSE', 'inside a transaction, use what its function was given')
    }
    if (!this.parent && this.#isEnded) throw new DbError('CLOSED', 'the database is closed')
    const expired = this.#outermost.#expired
    if (expired) throw new DbError(expired.code, expired.message)
    if (this.#hasEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    if (this.#failure === undefined) return
    throw new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed before: nest one to try', {
      cause: this.#failure,
    })
  }

  /** A nested transaction ends with the one around it; those that run when the database is closed are waited for. */
  get #hasEnded(): boolean {
    return this.parent !== undefined && (this.#isEnded || this.parent.#hasEnded)
  }

  end(): void {
    this.#isEnded = true
  }

  /** Ends the outermost transaction from outside: its function and those of nested ones are not waited for. */
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

  /** Runs several operations as one: in a transaction, nested where there is one already. */
  atomically<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return this.#begin ? this.#begin(work) : this.nest(work)
  }

  /** Runs a nested transaction. They take turns: savepoints are a stack. */
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
    // While a nested transaction is open, whatever runs on this connection would be part of it.
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
      // One that is out of time ends as a whole, and its connection may be busy.
      else if (this.#outermost.#expired) throw error
      // What cannot be taken back takes this scope with it, which says so later; the caller wants the reason.
      else await this.#orFail(() => session.rollbackTo(scope.depth)).catch(() => {})
      throw error
    }
  }

  /** What the engine refuses leaves this transaction with nothing that could be kept. */
  async #orFail<T>(work: () => MaybePromise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  /** Runs the function of a transaction, ends its scope, and throws when not all of it can be kept. */
  async complete<T>(work: () => Promise<T>): Promise<T> {
    const outcome = await this.#runCurrent(work)
    // Whatever is nested and still runs finds out that it has ended: only then may the whole be kept or rolled back.
    while (this.#nested && !this.#outermost.#expired) await this.#settleOrExpire(this.#nested)
    const expired = this.#outermost.#expired
    if (expired) throw expired
    if (isFatal(this.#failure)) throw this.#failure
    if (outcome.status === 'rejected') throw outcome.reason
    if (this.#failure === undefined) return outcome.value
    throw new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed, so nothing of it was kept', {
      cause: this.#failure,
    })
  }

  /**
   * Runs the function with this as the scope of its code, until this has ended. Between transactions nothing is kept
   * track of: before Node 24, doing so makes every promise and every request of the process slower.
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

  /** Waits for what is nested, or until time is up: what it waits for itself may be a statement that never ends. */
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

  /** The outermost transaction that this one is in; the database itself where there is none. */
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

/** Errors that end the whole transaction, not only the innermost. */
function isFatal(error: unknown): boolean {
  return error instanceof DbError && (error.code === 'SERIALIZATION_FAILED' || error.code === 'UNAVAILABLE')
}
