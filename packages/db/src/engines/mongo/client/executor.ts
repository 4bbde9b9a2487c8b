import { setTimeout as sleep } from 'node:timers/promises'
import type { TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import type { CommandOptions, MongoDatabase, MongoSession } from './driver.ts'
import { hasCode, isCommitUnknown, toDbError } from './errors.ts'

export type Work<T> = (options: CommandOptions) => Promise<T>

/** Runs commands, each by itself or in one transaction. Fails with `DbError`s. */
export interface Executor {
  run<T>(work: Work<T>, plan?: TablePlan): Promise<T>
}

/** Runs commands outside of transactions. */
export class PoolExecutor implements Executor {
  readonly options: CommandOptions
  #underWay = 0
  #whenIdle = (): void => {}

  constructor(statementTimeoutMs: number | undefined) {
    this.options = statementTimeoutMs === undefined ? {} : { maxTimeMS: statementTimeoutMs }
  }

  async run<T>(work: Work<T>, plan?: TablePlan): Promise<T> {
    return this.hold(async () => {
      try {
        return await work(this.options)
      } catch (error) {
        throw toDbError(error, plan)
      }
    })
  }

  /** Makes `close` wait for `work`. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#whenIdle()
    }
  }

  /** Waits for pending commands, which the driver would abort. */
  async settle(): Promise<void> {
    while (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
      // A call may send another command after the answer to one.
      await new Promise(setImmediate)
    }
  }
}

/** Runs the commands of one transaction one after the other: a MongoDB session does not allow concurrent commands. */
export class TransactionExecutor implements Executor {
  readonly #session: MongoSession
  readonly #options: CommandOptions
  readonly #finish: () => void
  #last: Promise<unknown> = Promise.resolve()
  #isEnded = false
  #running = 0

  constructor(session: MongoSession, options: CommandOptions, finish: () => void) {
    this.#session = session
    this.#options = { ...options, session }
    this.#finish = finish
  }

  async run<T>(work: Work<T>, plan?: TablePlan): Promise<T> {
    if (this.#isEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    return this.#inTurn(() => work(this.#options), plan)
  }

  async commit(): Promise<void> {
    if (this.#isEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    await this.#end(() => commitSurely(this.#session))
  }

  async rollback(): Promise<void> {
    if (this.#isEnded) return
    // If the connection is lost, the server rolls back.
    await this.#end(() => this.#session.abortTransaction()).catch(() => {})
  }

  /** Does not wait for a running command: the rollback follows it. */
  async abort(): Promise<void> {
    const isBusy = this.#running > 0
    const ended = this.rollback()
    if (!isBusy) await ended
  }

  async #end(work: () => Promise<unknown>): Promise<void> {
    this.#isEnded = true
    try {
      await this.#inTurn(work)
    } finally {
      await this.#session.endSession().catch(() => {})
      this.#finish()
    }
  }

  async #inTurn<T>(work: () => Promise<T>, plan?: TablePlan): Promise<T> {
    const running = this.#last.then(work)
    this.#last = running.catch(() => {})
    this.#running += 1
    try {
      return await running
    } catch (error) {
      throw toDbError(error, plan)
    } finally {
      this.#running -= 1
    }
  }
}

const MAX_COMMITS = 5

/** Repeats a commit while its result is unknown. The server recognizes it by the transaction number. */
async function commitSurely(session: MongoSession): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      await session.commitTransaction()
      return
    } catch (error) {
      // A commit that was too slow would be too slow again.
      if (count >= MAX_COMMITS || !isCommitUnknown(error) || hasCode(error, 50)) throw error
      await sleep(50 * 2 ** count)
    }
  }
}

/** Starts a transaction on a snapshot that commits with majority. */
export function startTransaction(db: MongoDatabase): MongoSession {
  const session = db.client.startSession()
  session.startTransaction({
    readConcern: { level: 'snapshot' },
    writeConcern: { w: 'majority' },
    readPreference: 'primary',
  })
  return session
}
