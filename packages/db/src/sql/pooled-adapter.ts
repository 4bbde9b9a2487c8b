/** Options, opening and the sync lock of the engines that use a connection pool: PostgreSQL and MySQL. */

import type { BeginOptions, Engine } from '../contract/adapter.ts'
import { DbError } from '../errors.ts'
import { nonNegativeInteger, positiveInteger } from '../shared/option-checks.ts'
import type { OptionRules } from '../shared/options.ts'
import { retryConflicts } from '../transaction/retry.ts'
import { describeUnreachable } from './connect-errors.ts'
import { type ClientPool, MAX_RETRIES, PoolExecutor } from './executor.ts'
import {
  type Connection,
  type PooledEngine,
  PooledLockedSession,
  type PooledResult,
  PooledSession,
  PooledTransaction,
} from './pooled-session.ts'

export interface PooledOptions {
  /** Maximum number of open connections. Default 10. */
  readonly maxConnections?: number | undefined
  /** Timeout for connecting, and for waiting for a free connection. Default 5000 (5 s); 0 disables the timeout. */
  readonly connectTimeoutMs?: number | undefined
  /** Timeout for a statement. Default 30000 (30 s); 0 disables the timeout. */
  readonly statementTimeoutMs?: number | undefined
}

export const pooledRules: OptionRules<PooledOptions> = {
  maxConnections: positiveInteger,
  connectTimeoutMs: nonNegativeInteger,
  statementTimeoutMs: nonNegativeInteger,
}

/** The options with their defaults. */
export function readPooledOptions({
  maxConnections = 10,
  connectTimeoutMs = 5000,
  statementTimeoutMs = 30_000,
}: PooledOptions): { maxConnections: number; connectTimeoutMs: number; statementTimeoutMs: number } {
  return { maxConnections, connectTimeoutMs, statementTimeoutMs }
}

export interface OpenPooled<Client, Query, Result extends PooledResult> {
  /** The server's product name, as errors show it. */
  readonly name: string
  /** Host and port, as errors show them. */
  readonly address: string | undefined
  readonly clients: ClientPool<Client, Query, Result>
  /** Sends the first statement, so that a wrong address fails here and not at the first query. */
  readonly connect: (
    executor: PoolExecutor<Client & object, Query, Result>,
  ) => Promise<PooledEngine<Client, Query, Result>>
  /** Ends the pool, if it is our own. */
  readonly end: () => Promise<void>
}

export async function openPooled<Client extends object, Query, Result extends PooledResult>({
  name,
  address,
  clients,
  connect,
  end,
}: OpenPooled<Client, Query, Result>): Promise<Engine> {
  const pool = new PoolExecutor(clients)
  let engine: PooledEngine<Client, Query, Result>
  try {
    engine = await connect(pool)
  } catch (error) {
    await pool.close(end)
    if (!(error instanceof DbError)) {
      throw new DbError('UNAVAILABLE', describeUnreachable(name, address, error), { cause: error })
    }
    if (error.code !== 'TIMEOUT') throw error
    // Nobody else uses the pool yet, so this was not a wait for a free connection.
    throw new DbError('TIMEOUT', `${describeUnreachable(name, address)} in time`, { cause: error })
  }
  const start = async (options: BeginOptions): Promise<PooledTransaction<Client, Query, Result>> => {
    const client = await pool.connectWith((it) => engine.startTransaction(it, options), engine.statement('ROLLBACK'))
    return new PooledTransaction(client, engine)
  }
  const session = new AutocommitSession(pool, engine, start)
  return {
    session,
    begin(options) {
      // Without preparation the transaction gets its turn at a connection in the order of the calls.
      const preparation = engine.beforeTransaction?.(session)
      return preparation ? preparation.then(() => start(options)) : start(options)
    },
    async acquireSyncLock() {
      const release = engine.statement(engine.unlock.at(-1)!)
      return new PooledLockedSession(await pool.connectWith((it) => engine.acquireSyncLock(it), release), engine)
    },
    ...(engine.isRaced && { isRaced: engine.isRaced }),
    close: () => pool.close(end),
  }
}

/** The session outside of transactions. Work that needs several statements begins its own transaction. */
class AutocommitSession<Client extends object, Query, Result extends PooledResult> extends PooledSession<
  Client,
  Query,
  Result
> {
  readonly #start: (options: BeginOptions) => Promise<PooledTransaction<Client, Query, Result>>

  constructor(
    pool: PoolExecutor<Client, Query, Result>,
    engine: PooledEngine<Client, Query, Result>,
    start: (options: BeginOptions) => Promise<PooledTransaction<Client, Query, Result>>,
  ) {
    super(pool, engine)
    this.#start = start
  }

  override atomically<Value>(work: (connection: Connection<Query, Result>) => Promise<Value>): Promise<Value> {
    return retryConflicts(async () => {
      const transaction = await this.#start({ isolation: 'default', purpose: 'work' })
      try {
        const result = await work(transaction)
        await transaction.commit()
        return result
      } catch (error) {
        await transaction.rollback()
        throw error
      }
    }, MAX_RETRIES)
  }
}

/** Timeout of a sync for waiting for another sync, or for a table that is in use. */
export const SYNC_LOCK_WAIT_MS = 30_000

/** Tries again until the lock is free, at most `SYNC_LOCK_WAIT_MS`. */
export async function waitForSyncLock(
  tryLock: () => Promise<boolean>,
  pause: (attempt: number) => Promise<void> = async () => {},
): Promise<void> {
  const deadline = Date.now() + SYNC_LOCK_WAIT_MS
  for (let attempt = 0; !(await tryLock()); attempt++) {
    if (Date.now() > deadline) throw new DbError('SYNC_LOCKED', 'another sync did not finish in time')
    await pause(attempt)
  }
}
