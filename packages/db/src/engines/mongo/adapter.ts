import type { Adapter, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { nonNegativeInteger, type OptionCheck, positiveInteger, withMethods } from '../../shared/option-checks.ts'
import { retryConflicts } from '../../transaction/retry.ts'
import { checkEither, checkOptions } from '../../values/check-options.ts'
import { agreeOn, type Document, type MongoDatabase, openClient } from './client/driver.ts'
import { hasCode, toDbError } from './client/errors.ts'
import { PoolExecutor, startTransaction, TransactionExecutor } from './client/executor.ts'
import { storeMongoColumn } from './documents/types.ts'
import { Counters } from './operations/auto-increment.ts'
import { CompiledOperations } from './operations/compile-operation.ts'
import type { Backtracking } from './operations/like.ts'
import { MongoLockedTables, MongoPoolTables, type MongoTables, MongoTransaction } from './session.ts'
import { finishTasks } from './sync/change.ts'
import { fenceDatabase } from './sync/fence.ts'
import { Lease } from './sync/lease.ts'

interface CommonOptions {
  /** Time after which the lease of a sync expires without a renewal. Default 10000 (10 s). */
  readonly leaseMs?: number | undefined
}

export interface MongoOptions extends CommonOptions {
  /** `mongodb://user:password@host:27017/database` */
  readonly url: string
  /** Maximum number of open connections. Default 10. */
  readonly maxConnections?: number | undefined
  /** Timeout for connecting, and for waiting for a server or a free connection. Default 5000 (5 s); 0 disables it. */
  readonly connectTimeoutMs?: number | undefined
  /** Timeout for a command. Default 30000 (30 s); 0 disables the timeout. */
  readonly statementTimeoutMs?: number | undefined
}

export interface MongoHandleOptions extends CommonOptions {
  /** Your own `Db` of the mongodb driver. Its client stays open when the Portico database is closed. */
  readonly db: MongoHandle
}

/** A `Db` of the mongodb driver, of any version. */
export interface MongoHandle {
  readonly databaseName: string
  readonly client: object
  collection(name: string): object
  command(command: object): Promise<object>
}

// The URL may contain a password, so it is never shown.
const mongoUrl: OptionCheck = (value) =>
  typeof value === 'string' && /^mongodb(?:\+srv)?:\/\/(?:[^/@]*@)?[^/@]+\/[^/?]+/i.test(value)
    ? undefined
    : 'a URL that begins with mongodb:// and names a database'

const rules = {
  url: mongoUrl,
  db: withMethods(['collection'], 'a Db of mongodb'),
  maxConnections: positiveInteger,
  connectTimeoutMs: nonNegativeInteger,
  statementTimeoutMs: nonNegativeInteger,
  leaseMs: positiveInteger,
}

/**
 * Connects to MongoDB through its own driver. Transactions need a replica set or a sharded cluster.
 *
 * ```ts
 * const db = await openDatabase(mongo({ url: 'mongodb://localhost:27017/app' }))
 * ```
 */
export function mongo(options: MongoOptions | MongoHandleOptions): Adapter {
  checkOptions('mongo', options, rules)
  checkEither('mongo', options, 'url', 'db')
  const { leaseMs = 10_000 } = options
  return Object.freeze({
    name: 'mongo',
    supports: {
      schemas: false,
      transactions: true,
      sql: false,
      forwardReferences: true,
      transactionalDdl: false,
      alterColumn: true,
      renameIndex: false,
      autoIncrementAnyColumn: true,
      concurrentIndexes: false,
      foreignKeys: false,
    },
    storeColumn: storeMongoColumn,
    async open() {
      if ('db' in options && options.db) {
        const handle = options.db as MongoDatabase
        return createEngine(handle, agreeOn(handle), { leaseMs }, async () => {})
      }
      const { url, maxConnections = 10, connectTimeoutMs = 5000, statementTimeoutMs = 30_000 } = options as MongoOptions
      const settings = { url, maxConnections, connectTimeoutMs, statementTimeoutMs }
      const { db, close: closeClient } = await openClient(settings)
      // Connects on first use, which most programs never need.
      const patient = await openClient({ ...settings, statementTimeoutMs: 0 })
      const close = async (): Promise<void> => void (await Promise.all([closeClient(), patient.close()]))
      try {
        return await createEngine(db, agreeOn(patient.db), { statementTimeoutMs, leaseMs }, close)
      } catch (error) {
        await close()
        throw explainOpening(error, url)
      }
    },
  } satisfies Adapter)
}

/** @param patient The database with majority concerns and without timeouts, for sync. */
async function createEngine(
  db: MongoDatabase,
  patient: MongoDatabase,
  { statementTimeoutMs, leaseMs }: { readonly statementTimeoutMs?: number; readonly leaseMs: number },
  end: () => Promise<void>,
): Promise<Engine> {
  refuseUnknown(db)
  refuseForms(db)
  const transactions = await hasTransactions(db)
  const backtracking = await readBacktracking(db)
  const pool = new PoolExecutor(statementTimeoutMs)
  const agreed = agreeOn(db)
  const operations = new CompiledOperations(backtracking)
  const parts = { db, agreed, patient, pool, operations, counters: new Counters(agreed) }
  const begin = async (): Promise<MongoTransaction> => {
    if (!transactions) throw new DbError('TRANSACTIONS_UNSUPPORTED', 'this server has no transactions')
    const session = startTransaction(db)
    const { promise, resolve } = createSignal()
    void pool.hold(() => promise)
    return new MongoTransaction(parts, new TransactionExecutor(session, pool.options, resolve))
  }
  const inTransaction = (work: (tables: MongoTables) => Promise<void>): Promise<void> =>
    retryConflicts(async () => {
      const transaction = await begin()
      try {
        await work(transaction)
        await transaction.commit()
      } finally {
        await transaction.rollback()
      }
    })
  return {
    supports: { transactions },
    session: new MongoPoolTables(parts, transactions ? inTransaction : undefined),
    begin,
    acquireSyncLock: () =>
      pool.run(async () => {
        const lease = await Lease.acquire(patient, leaseMs)
        try {
          const fenced = fenceDatabase(patient, lease)
          await finishTasks({ db: fenced, lease })
          const own = { db: fenced, agreed: fenced, patient: fenced, counters: new Counters(fenced) }
          return new MongoLockedTables({ ...parts, ...own }, lease)
        } catch (error) {
          await lease.release()
          throw error
        }
      }),
    async close() {
      await pool.settle()
      await end()
    },
  }
}

/** The result of an unacknowledged write is unknown. */
function refuseUnknown({ writeConcern }: MongoDatabase): void {
  if (writeConcern?.w !== 0) return
  const reason =
    'writes that are not acknowledged (`w=0`) could be refused without a word: leave `w` out, or ask for more'
  throw new DbError('OPTIONS_INVALID', reason)
}

/** Refuses driver options that change the form of values: the values would be misread. */
function refuseForms({ bsonOptions = {} }: MongoDatabase): void {
  const usual = { raw: false, promoteValues: true, promoteLongs: true, useBigInt64: false }
  for (const [name, value] of Object.entries(usual)) {
    if ((bsonOptions[name] ?? value) === value) continue
    const reason = `a Db with \`${name}: ${String(bsonOptions[name])}\` reads values in a form that tables do not support`
    throw new DbError('OPTIONS_INVALID', `${reason}: pass one without the option`)
  }
}

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** True for members of replica sets and routers of sharded clusters. Fails for a wrong address. */
async function hasTransactions(db: MongoDatabase): Promise<boolean> {
  try {
    const { setName, msg, logicalSessionTimeoutMinutes } = await db.command({ hello: 1 })
    return (setName !== undefined || msg === 'isdbgrid') && typeof logicalSessionTimeoutMinutes === 'number'
  } catch (error) {
    // A server without this command is older than transactions, or another product.
    if (hasCode(error, 59) && /hello/.test((error as Error).message)) return false
    throw toDbError(error)
  }
}

/** FerretDB 1 uses Go's regular expressions, which follow RE2; MongoDB and all others known use PCRE or Java's. */
async function readBacktracking(db: MongoDatabase): Promise<Backtracking> {
  const { ferretdbVersion } = await db.command({ buildInfo: 1 }).catch(() => ({}) as Document)
  return ferretdbVersion === undefined ? 'atomic' : 'none'
}

/** Shows host and port, but nothing else of the URL. */
function explainOpening(error: unknown, url: string): unknown {
  const cause = error instanceof DbError ? error.cause : error
  if (!(cause instanceof Error)) return error
  const hosts = /^[^/]+\/\/(?:[^/]*@)?([^/]*)/.exec(url)?.[1]
  if (cause.name === 'MongoServerError') {
    return new DbError('UNAVAILABLE', `MongoDB at ${hosts} does not accept the connection: ${cause.message}`, { cause })
  }
  const code = /\bE[A-Z]{4,}\b/.exec(cause.message)?.[0]
  const message = `cannot reach MongoDB at ${hosts}${code === undefined ? '' : ` (${code})`}`
  return new DbError('UNAVAILABLE', message, { cause })
}
