import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer, Session, Transaction } from './adapter.ts'
import { DbError } from './errors.ts'

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
  #nested: Promise<unknown> | undefined

  constructor(session: Session, current: AsyncLocalStorage<Scope>, parent?: Scope, begin?: Begin) {
    this.session = session
    this.#current = current
    this.parent = parent
    this.#begin = begin
    this.depth = parent ? parent.depth + 1 : 0
  }

  run<T>(work: (session: Session) => Answer<T>): Answer<T> {
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
    if (this.#isEnded) {
      const told = this.parent ? 'the transaction has ended' : 'the database is closed'
      throw new DbError(this.parent ? 'TRANSACTION_MISUSE' : 'CLOSED', told)
    }
    if (this.#failure === undefined) return
    throw new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed before: nest one to try', {
      cause: this.#failure,
    })
  }

  end(): void {
    this.#isEnded = true
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

  async #runInside<T>(work: (session: Session) => Answer<T>): Promise<T> {
    // While a nested transaction is open, whatever runs on this connection would be part of it.
    while (this.#nested) await this.#nested.catch(() => {})
    this.check()
    try {
      return await work(this.session)
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  async #runSavepoint<T>(session: Transaction, work: (scope: Scope) => Promise<T>): Promise<T> {
    const scope = new Scope(session, this.#current, this)
    await session.savepoint(scope.depth)
    try {
      const result = await scope.complete(() => work(scope))
      await session.release(scope.depth)
      return result
    } catch (error) {
      if (isFatal(scope.#failure)) this.fail(scope.#failure)
      else await session.rollbackTo(scope.depth)
      throw error
    }
  }

  /** Runs the function of a transaction, ends its scope, and throws when not all of it can be kept. */
  async complete<T>(work: () => Promise<T>): Promise<T> {
    let result: T
    try {
      result = await this.#current.run(this, work)
    } catch (error) {
      throw isFatal(this.#failure) ? this.#failure : error
    } finally {
      this.end()
    }
    if (this.#failure === undefined) return result
    if (isFatal(this.#failure)) throw this.#failure
    throw new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed, so nothing of it was kept', {
      cause: this.#failure,
    })
  }

  #isInside(scope: Scope): boolean {
    if (this.#isEnded) return false
    for (let outer = this.parent; outer; outer = outer.parent) if (outer === scope) return true
    return false
  }
}

/** Errors that end the whole transaction, not only the innermost. */
function isFatal(error: unknown): boolean {
  return error instanceof DbError && (error.code === 'SERIALIZATION_FAILED' || error.code === 'UNAVAILABLE')
}
