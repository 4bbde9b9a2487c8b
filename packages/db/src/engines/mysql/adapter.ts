import {
  checkEither,
  checkOptions,
  having,
  type OptionRule,
  positiveNumber,
  wholeNumber,
  wrongOptions,
} from '../../check-options.ts'
import type { Adapter, BeginOptions, Engine, Transaction } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { describeUnreachable } from '../../sql/connect-errors.ts'
import { MOST_RETRIES, PoolExecutor } from '../../sql/executor.ts'
import { retryConflicts } from '../../transaction/retry.ts'
import { type Collation, collations, createMysqlDialect, readServer } from './dialect.ts'
import {
  type ClientOptions,
  limitStatements,
  type MysqlClientExecutor,
  type MysqlExecutor,
  type MysqlPool,
  openPool,
  poolClients,
  readSsl,
} from './driver.ts'
import { isLockContended, isRaced } from './errors.ts'
import { MysqlPinnedSession, MysqlSession, MysqlTransaction, SYNC_LOCK } from './session.ts'
import { Statements } from './statements.ts'
import { storeMysqlColumn } from './types.ts'

export interface MysqlOptions {
  /** `mysql://user:password@host:3306/database`; with `?ssl=true` encrypted, or `?ssl={…}` with the options of mysql2. */
  readonly url: string
  /** How many connections there may be at once. Default 10. */
  readonly maxConnections?: number
  /** How long connecting, and waiting for a free connection, may take. Default 5000 (5 s); 0 is without an end. */
  readonly connectTimeoutMs?: number
  /** How long a statement may take. Default 30000 (30 s); 0 is without an end. */
  readonly statementTimeoutMs?: number
}

export interface MysqlPoolOptions {
  /** A ready pool of `mysql2`. It stays open when the Portico database is closed. */
  readonly pool: MysqlPool
}

const usage = "mysql({ url: 'mysql://user:password@host:3306/database' }) or mysql({ pool })"

// The address may hold a password: it is never shown.
const mysqlUrl: OptionRule = (value) => {
  const told = 'an address that begins with mysql:// and names a database'
  if (typeof value !== 'string' || !/^(?:mysql|mariadb):\/\//i.test(value) || !URL.canParse(value)) return told
  const { pathname, searchParams, username, password, hostname } = new URL(value)
  if (pathname.length < 2) return told
  if (![username, password, hostname, pathname].every(isEncoded)) return 'an address with `%` written as %25'
  if (!isSsl(searchParams.get('ssl'))) return 'an address whose `ssl` is true, or an object of options as JSON'
  const unknown = [...searchParams.keys()].find((name) => name !== 'ssl')
  return unknown === undefined ? undefined : 'an address without parameters but `ssl`: hand in a pool for others'
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

function isSsl(text: string | null): boolean {
  try {
    return text === null || (readSsl(text) !== null && typeof readSsl(text) === 'object')
  } catch {
    return false
  }
}

const rules = {
  url: mysqlUrl,
  pool: having('getConnection', 'a pool of mysql2'),
  maxConnections: positiveNumber,
  connectTimeoutMs: wholeNumber,
  statementTimeoutMs: wholeNumber,
}

/**
 * MySQL and MariaDB, through mysql2, with a pool of connections.
 *
 * ```ts
 * const db = await openDatabase(mysql({ url: 'mysql://localhost/app' }))
 * ```
 */
export function mysql(options: MysqlOptions | MysqlPoolOptions): Adapter {
  checkOptions(usage, options, rules)
  checkEither(usage, options, 'url', 'pool')
  return Object.freeze({
    name: 'mysql',
    can: {
      schemas: true,
      transactions: true,
      sql: true,
      forwardReferences: false,
      transactionalDdl: false,
      alterColumn: true,
      renameIndex: true,
      countsAnyColumn: true,
      concurrentIndexes: false,
      foreignKeys: true,
    },
    storeColumn: storeMysqlColumn,
    async open() {
      if ('pool' in options && options.pool) {
        const own = { address: undefined, waits: undefined }
        return createEngine(withCallbacks(options.pool), own, async () => {})
      }
      const { url, maxConnections = 10, connectTimeoutMs = 5000, statementTimeoutMs = 30_000 } = options as MysqlOptions
      const place = new URL(url)
      const pool = await openPool({ url: place, maxConnections, connectTimeoutMs })
      const address = `${place.hostname}:${place.port || '3306'}`
      const end = (): Promise<void> => new Promise((resolve) => pool.end(() => resolve()))
      return createEngine(pool, { address, waits: { connectTimeoutMs, statementTimeoutMs } }, end)
    },
  } satisfies Adapter)
}

/** A pool of mysql2's promises holds one of callbacks. */
function withCallbacks(pool: MysqlPool & { readonly pool?: MysqlPool }): MysqlPool {
  return typeof pool.pool?.getConnection === 'function' ? pool.pool : pool
}

async function createEngine(pool: MysqlPool, options: ClientOptions, end: () => Promise<void>): Promise<Engine> {
  const pooled: MysqlExecutor = new PoolExecutor(poolClients(pool, options))
  let statements: Statements
  try {
    // A wrong address shows at the opening, not at the first query.
    statements = await askServer(pooled)
  } catch (error) {
    await pooled.close(end)
    if (!(error instanceof DbError)) {
      throw new DbError('UNAVAILABLE', describeUnreachable('MySQL', options.address, error), { cause: error })
    }
    if (error.code !== 'TIMEOUT') throw error
    // Nobody else uses the pool yet: it was not a free connection that was waited for.
    throw new DbError('TIMEOUT', `${describeUnreachable('MySQL', options.address)} in time`, { cause: error })
  }
  const start = (begun: BeginOptions): Promise<Transaction> => startTransaction(pooled, statements, begun)
  const session = createSession(pooled, statements, start)
  const begin = async (begun: BeginOptions): Promise<Transaction> => {
    for (const [plan, operation] of statements.exhausted) {
      statements.exhausted.delete(plan)
      await session.restartCounter(operation)
    }
    return start(begun)
  }
  return { session, begin, isRaced, pin: () => pinSession(pooled, statements, options), close: () => pooled.close(end) }
}

function createSession(
  pooled: MysqlExecutor,
  statements: Statements,
  start: (begun: BeginOptions) => Promise<Transaction>,
): MysqlSession {
  return new MysqlSession(pooled, statements, (work) =>
    retryConflicts(async () => {
      const transaction = (await start({ isolation: 'default', purpose: 'work' })) as MysqlTransaction
      try {
        const result = await work(transaction)
        await transaction.commit()
        return result
      } catch (error) {
        await transaction.rollback()
        throw error
      }
    }, MOST_RETRIES),
  )
}

/** Finds out what the server can do. */
async function askServer(pooled: MysqlExecutor): Promise<Statements> {
  const listed = collations.map((it) => `'${it}'`).join(', ')
  const best = `SELECT COLLATION_NAME FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN (${listed}) ORDER BY FIELD(COLLATION_NAME, ${listed}) LIMIT 1`
  const text = `SELECT version(), @@auto_increment_increment, @@max_allowed_packet, @@lower_case_table_names, database(), (${best}), HEX(CONVERT('é🙂' USING utf8mb4))`
  const { rows } = await pooled.execute({ text })
  const [version, step, mostBytes, folding, home, collation, bytes] = rows[0] as [
    string,
    number,
    number,
    number,
    string | null,
    Collation | null,
    string,
  ]
  if (home === null) throw wrongOptions('a pool whose connections name a database')
  if (bytes !== 'C3A9F09F9982')
    throw wrongOptions('a pool whose connections have a `charset` that holds all text: utf8mb4')
  const server = readServer(version)
  const features = {
    returning: canReturn(version),
    step,
    mostBytes: Number(mostBytes),
    server,
    foldsNames: Number(folding) !== 0,
  }
  return new Statements(createMysqlDialect(collation ?? 'utf8mb4_bin', home, server), features)
}

/** MariaDB's inserts can, since 10.5; MySQL's cannot. */
function canReturn(version: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(version)?.map(Number) ?? []
  return major > 10 || (major === 10 && minor >= 5)
}

async function startTransaction(
  pooled: MysqlExecutor,
  statements: Statements,
  { isolation }: BeginOptions,
): Promise<Transaction> {
  const start = async (client: MysqlClientExecutor): Promise<void> => {
    // For the next transaction of this connection alone.
    if (isolation === 'serializable') await client.execute({ text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE' })
    await client.execute({ text: 'START TRANSACTION' })
  }
  return new MysqlTransaction(await pooled.connectWith(start, { text: 'ROLLBACK' }), statements)
}

/** One connection with the lock of sync, on which statements take as long as they take. */
async function pinSession(
  pooled: MysqlExecutor,
  statements: Statements,
  { waits }: ClientOptions,
): Promise<MysqlPinnedSession> {
  const start = async (client: MysqlClientExecutor): Promise<void> => {
    await lockSync(client)
    if (waits) await client.execute({ text: `SET SESSION ${limitStatements(0)}` })
  }
  const client = await pooled.connectWith(start, { text: `DO RELEASE_LOCK(${SYNC_LOCK})` })
  const last = ['UNLOCK TABLES', ...(waits ? [`SET SESSION ${limitStatements(waits.statementTimeoutMs)}`] : [])]
  return new MysqlPinnedSession(client, statements, last)
}

/** How long a sync waits for another. */
const LOCK_WAIT_MS = 30_000

/** One sync of a database at a time. The lock is the connection's, and goes with it. */
async function lockSync(client: MysqlClientExecutor): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS
  // Asked for in short turns, which are within any limit of statements.
  for (;;) {
    if (await tryLock(client)) return
    if (Date.now() > deadline) throw new DbError('SYNC_LOCKED', 'another sync did not finish in time')
  }
}

async function tryLock(client: MysqlClientExecutor): Promise<boolean> {
  try {
    const { rows } = await client.execute({ text: `SELECT GET_LOCK(${SYNC_LOCK}, 0.2)` })
    return (rows[0] as [number | null])[0] === 1
  } catch (error) {
    // TiDB gives up asking for a lock that others ask for too.
    if (isLockContended(error)) return false
    throw error
  }
}
