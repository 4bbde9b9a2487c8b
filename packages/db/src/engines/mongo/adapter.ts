import { checkEither, checkOptions, having, type OptionRule, positiveNumber, wholeNumber } from '../../check-options.ts'
import type { Adapter, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { retryConflicts } from '../../transaction/retry.ts'
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
  /** How long a sync that gives no sign of life keeps others waiting. Default 10000 (10 s). */
  readonly leaseMs?: number | undefined
}

export interface MongoOptions extends CommonOptions {
  /** `mongodb://user:password@host:27017/database` */
  readonly url: string
  /** How many connections there may be at once. Default 10. */
  readonly maxConnections?: number | undefined
  /** How long connecting, and waiting for a server or a free connection, may take. Default 5000 (5 s); 0 is without an end. */
  readonly connectTimeoutMs?: number | undefined
  /** How long a command may take. Default 30000 (30 s); 0 is without an end. */
  readonly statementTimeoutMs?: number | undefined
}

export interface MongoHandleOptions extends CommonOptions {
  /** A ready `Db` of the mongodb driver. Its client stays open when the Portico database is closed. */
  readonly db: MongoHandle
}

/** A `Db` of the mongodb driver, of any version. */
export interface MongoHandle {
  readonly databaseName: string
  readonly client: object
  collection(name: string): object
  command(command: object): Promise<object>
}

const usage = "mongo({ url: 'mongodb://user:password@host:27017/database' }) or mongo({ db })"

// The address may hold a password: it is never shown.
const mongoUrl: OptionRule = (value) =>
  typeof value === 'string' && /^mongodb(?:\+srv)?:\/\/(?:[^/@]*@)?[^/@]+\/[^/?]+/i.test(value)
    ? undefined
    : 'an address that begins with mongodb:// and names a database'

const rules = {
  url: mongoUrl,
  db: having('collection', 'a Db of mongodb'),
  maxConnections: positiveNumber,
  connectTimeoutMs: wholeNumber,
  statementTimeoutMs: wholeNumber,
  leaseMs: positiveNumber,
}

/**
 * MongoDB, through its own driver. A replica set or a sharded cluster has transactions; a single server has none.
 *
 * ```ts
 * const db = await openDatabase(mongo({ url: 'mongodb://localhost:27017/app' }))
 * ```
 */
export function mongo(options: MongoOptions | MongoHandleOptions): Adapter {
  checkOptions(usage, options, rules)
  checkEither(usage, options, 'url', 'db')
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
      // Connects when it is asked for something, which most programs never do.
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

/** @param patient Where what sync does is agreed on, and takes as long as it takes. */
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

/** A write that nobody answers may have been refused: no call could tell what it has done. */
function refuseUnknown({ writeConcern }: MongoDatabase): void {
  if (writeConcern?.w !== 0) return
  const told =
    'writes that are not acknowledged (`w=0`) could be refused without a word: leave `w` out, or ask for more'
  throw new DbError('OPTIONS_INVALID', told)
}

/** Values in another form than the driver's usual one would be taken for what others stored, or never be understood. */
function refuseForms({ bsonOptions = {} }: MongoDatabase): void {
  const usual = { raw: false, promoteValues: true, promoteLongs: true, useBigInt64: false }
  for (const [name, value] of Object.entries(usual)) {
    if ((bsonOptions[name] ?? value) === value) continue
    const reason = `a Db with \`${name}: ${String(bsonOptions[name])}\` reads values in a form that tables do not have`
    throw new DbError('OPTIONS_INVALID', `${reason}: hand in one without the option`)
  }
}

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Members of replica sets and the routers of sharded clusters have transactions. A wrong address shows here too. */
async function hasTransactions(db: MongoDatabase): Promise<boolean> {
  try {
    const { setName, msg, logicalSessionTimeoutMinutes } = await db.command({ hello: 1 })
    return (setName !== undefined || msg === 'isdbgrid') && typeof logicalSessionTimeoutMinutes === 'number'
  } catch (error) {
    // A server that does not know the command is older than transactions, or another product.
    if (hasCode(error, 59) && /hello/.test((error as Error).message)) return false
    throw toDbError(error)
  }
}

/** FerretDB 1 matches with Go's regular expressions, after RE2; MongoDB and all others known with PCRE or Java's. */
async function readBacktracking(db: MongoDatabase): Promise<Backtracking> {
  const { ferretdbVersion } = await db.command({ buildInfo: 1 }).catch(() => ({}) as Document)
  return ferretdbVersion === undefined ? 'atomic' : 'none'
}

/** Host and port are told, and what else an address holds is not. */
function explainOpening(error: unknown, url: string): unknown {
  const cause = error instanceof DbError ? error.cause : error
  if (!(cause instanceof Error)) return error
  const hosts = /^[^/]+\/\/(?:[^/]*@)?([^/]*)/.exec(url)?.[1]
  if (cause.name === 'MongoServerError') {
    return new DbError('UNAVAILABLE', `MongoDB at ${hosts} does not accept the connection: ${cause.message}`, { cause })
  }
  const code = /\bE[A-Z]{4,}\b/.exec(cause.message)?.[0]
  const told = `cannot reach MongoDB at ${hosts}${code === undefined ? '' : ` (${code})`}`
  return new DbError('UNAVAILABLE', told, { cause })
}
