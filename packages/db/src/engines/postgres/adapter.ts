import { setTimeout as sleep } from 'node:timers/promises'
import {
  boolean,
  checkEither,
  checkOptions,
  having,
  type OptionRule,
  positiveNumber,
  wholeNumber,
} from '../../check-options.ts'
import type { Adapter, BeginOptions, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { describeUnreachable } from '../../sql/connect-errors.ts'
import { ignore, PoolExecutor } from '../../sql/executor.ts'
import { openPool, type PostgresClientExecutor, type PostgresPool, poolClients, StatementNames } from './driver.ts'
import { isParameterRefused } from './errors.ts'
import { PostgresPinnedSession, PostgresSession, PostgresTransaction, Statements, SYNC_LOCK } from './session.ts'
import { storePostgresColumn } from './types.ts'

interface CommonOptions {
  /**
   * Whether a pooler such as PgBouncer is between: statements are then not prepared by name and no parameters are set
   * on connections, `statementTimeoutMs` is a limit of the server inside transactions alone, and sync builds all
   * indexes within its transaction. Default false; a pooler that refuses parameters, or loses prepared statements, is
   * found out anyhow.
   */
  readonly pooler?: boolean
}

export interface PostgresOptions extends CommonOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
  /** How many connections there may be at once. Default 10. */
  readonly maxConnections?: number
  /** How long connecting, and waiting for a free connection, may take. Default 5000 (5 s); 0 is without an end. */
  readonly connectTimeoutMs?: number
  /** How long a statement may take. Default 30000 (30 s); 0 is without an end. */
  readonly statementTimeoutMs?: number
}

export interface PostgresPoolOptions extends CommonOptions {
  /** A ready pool of `pg`. It stays open when the Portico database is closed. */
  readonly pool: PostgresPool
}

const usage = "postgres({ url: 'postgres://user:password@host:5432/database' }) or postgres({ pool })"

// The address may hold a password: it is never shown.
const postgresUrl: OptionRule = (value) =>
  typeof value === 'string' && /^postgres(?:ql)?:\/\//i.test(value)
    ? undefined
    : 'an address that begins with postgres://'

const rules = {
  url: postgresUrl,
  pool: having('connect', 'a pool of pg'),
  pooler: boolean,
  maxConnections: positiveNumber,
  connectTimeoutMs: wholeNumber,
  statementTimeoutMs: wholeNumber,
}

/**
 * PostgreSQL, through pg, with a pool of connections.
 *
 * ```ts
 * const db = await openDatabase(postgres({ url: 'postgres://localhost/app' }))
 * ```
 */
export function postgres(options: PostgresOptions | PostgresPoolOptions): Adapter {
  checkOptions(usage, options, rules)
  checkEither(usage, options, 'url', 'pool')
  const { pooler = false } = options
  return Object.freeze({
    name: 'postgres',
    can: {
      schemas: true,
      transactions: true,
      sql: true,
      forwardReferences: false,
      transactionalDdl: true,
      alterColumn: true,
      renameIndex: true,
      countsAnyColumn: true,
      // Behind a pooler each statement may have another connection, so that none of them could hold a lock.
      concurrentIndexes: !pooler,
      foreignKeys: true,
    },
    storeColumn: storePostgresColumn,
    async open() {
      if ('pool' in options && options.pool) {
        const { pool } = options
        pool.on('error', ignore)
        const own = { pooler, address: undefined, statementTimeoutMs: 0 }
        return createEngine(pool, own, async () => void pool.off('error', ignore))
      }
      const {
        url,
        maxConnections = 10,
        connectTimeoutMs = 5000,
        statementTimeoutMs = 30_000,
      } = options as PostgresOptions
      const open = async (isPooled: boolean): Promise<Engine> => {
        const pool = await openPool({ url, maxConnections, connectTimeoutMs, statementTimeoutMs, pooler: isPooled })
        const own = { pooler: isPooled, address: addressOf(url), statementTimeoutMs }
        return createEngine(pool, own, () => pool.end())
      }
      try {
        return await open(pooler)
      } catch (error) {
        if (pooler || !(error instanceof DbError) || !isParameterRefused(error.cause)) throw error
        // A pooler that was not announced.
        return { ...(await open(true)), can: { concurrentIndexes: false } }
      }
    },
  } satisfies Adapter)
}

/** How many statements are kept prepared on a connection. */
const MOST_PREPARED = 500

/** Host and port, without what else an address holds. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port, searchParams } = new URL(url)
  return `${hostname || (searchParams.get('host') ?? 'localhost')}:${port || '5432'}`
}

interface EngineOptions {
  readonly pooler: boolean
  /** Host and port, as errors show them. */
  readonly address: string | undefined
  readonly statementTimeoutMs: number
}

async function createEngine(
  pool: PostgresPool,
  { pooler, address, statementTimeoutMs }: EngineOptions,
  end: () => Promise<void>,
): Promise<Engine> {
  const names = new StatementNames(pooler ? 0 : MOST_PREPARED)
  const pooled = new PoolExecutor(poolClients(pool, names, address))
  const statements = new Statements(names)
  try {
    // A wrong address shows at the opening, not at the first query.
    await pooled.execute({ text: 'SELECT 1' })
  } catch (error) {
    await pooled.close(end)
    if (!(error instanceof DbError)) {
      throw new DbError('UNAVAILABLE', describeUnreachable('PostgreSQL', address, error), { cause: error })
    }
    if (error.code !== 'TIMEOUT') throw error
    // Nobody else uses the pool yet: it was not a free connection that was waited for.
    throw new DbError('TIMEOUT', `${describeUnreachable('PostgreSQL', address)} in time`, { cause: error })
  }
  // A connection behind a pooler cannot have a limit of its own, but each transaction can.
  const limitMs = pooler ? statementTimeoutMs : 0
  return {
    session: new PostgresSession(pooled, statements),
    async begin(options) {
      const start = (client: PostgresClientExecutor): Promise<void> => startTransaction(client, options, limitMs)
      return new PostgresTransaction(await pooled.connectWith(start, { text: 'ROLLBACK' }), statements)
    },
    async pin() {
      const start = async (client: PostgresClientExecutor): Promise<void> => {
        await waitForLock(client, 'pg_try_advisory_lock')
        await client.execute({ text: 'SET statement_timeout = 0' })
      }
      const client = await pooled.connectWith(start, { text: UNLOCK })
      return new PostgresPinnedSession(client, statements, UNLOCK)
    },
    close: () => pooled.close(end),
  }
}

const UNLOCK = `SELECT pg_advisory_unlock(${SYNC_LOCK}); RESET statement_timeout`

async function startTransaction(
  client: PostgresClientExecutor,
  { isolation, purpose }: BeginOptions,
  limitMs: number,
): Promise<void> {
  if (purpose === 'sync') return startSync(client)
  const limit = limitMs > 0 ? `; SET LOCAL statement_timeout = ${limitMs}` : ''
  await client.execute({ text: `BEGIN${isolation === 'serializable' ? ' ISOLATION LEVEL SERIALIZABLE' : ''}${limit}` })
}

/**
 * A change of a big table takes the time it needs; only the waiting for others has an end. Who waits for a table is
 * waited for by all that come later, also by those who would only read.
 */
async function startSync(client: PostgresClientExecutor): Promise<void> {
  await waitForLock(client, 'pg_try_advisory_xact_lock', 'BEGIN', 'ROLLBACK')
  await client.execute({ text: 'SET LOCAL statement_timeout = 0' })
  // Who has set a limit of their own knows better.
  const text = `SELECT set_config('lock_timeout', '${LOCK_WAIT_MS}', true) WHERE current_setting('lock_timeout') = '0'`
  await client.execute({ text })
}

/** How long a sync waits for another, or for a table that somebody uses. */
const LOCK_WAIT_MS = 30_000

/**
 * Asks for the lock again and again instead of waiting in the server: a transaction that waits there would hold up
 * the building of indexes by the very sync that it waits for.
 */
async function waitForLock(
  client: PostgresClientExecutor,
  attempt: string,
  before?: string,
  after?: string,
): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 200)) {
    if (before !== undefined) await client.execute({ text: before })
    const { rows } = await client.execute({ text: `SELECT ${attempt}(${SYNC_LOCK})`, rowMode: 'array' })
    if ((rows[0] as [boolean])[0]) return
    if (after !== undefined) await client.execute({ text: after })
    if (Date.now() > deadline) throw new DbError('SYNC_LOCKED', 'another sync did not finish in time')
    await sleep(pauseMs)
  }
}
