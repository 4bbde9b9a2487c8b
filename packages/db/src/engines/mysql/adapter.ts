import { checkEither, checkOptions, having, type OptionRule, wrongOptions } from '../../check-options.ts'
import type { Adapter, Engine } from '../../contract/adapter.ts'
import { openPooled, type PooledOptions, pooledRules, readPooledOptions } from '../../sql/pooled-adapter.ts'
import { type Collation, collations, createMysqlDialect, readServer } from './dialect.ts'
import { type ClientOptions, type MysqlExecutor, type MysqlPool, openPool, poolClients, readSsl } from './driver.ts'
import { MysqlEngine } from './session.ts'
import { Statements } from './statements.ts'
import { storeMysqlColumn } from './types.ts'

export interface MysqlOptions extends PooledOptions {
  /** `mysql://user:password@host:3306/database`; with `?ssl=true` encrypted, or `?ssl={…}` with the options of mysql2. */
  readonly url: string
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
  ...pooledRules,
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
    supports: {
      schemas: true,
      transactions: true,
      sql: true,
      forwardReferences: false,
      transactionalDdl: false,
      alterColumn: true,
      renameIndex: true,
      autoIncrementAnyColumn: true,
      concurrentIndexes: false,
      foreignKeys: true,
    },
    storeColumn: storeMysqlColumn,
    async open() {
      if ('pool' in options && options.pool) {
        const own = { address: undefined, waits: undefined }
        return openEngine(withCallbacks(options.pool), own, async () => {})
      }
      const url = new URL((options as MysqlOptions).url)
      const waits = readPooledOptions(options as MysqlOptions)
      const pool = await openPool({ url, ...waits })
      const address = `${url.hostname}:${url.port || '3306'}`
      return openEngine(pool, { address, waits }, () => new Promise((resolve) => pool.end(() => resolve())))
    },
  } satisfies Adapter)
}

/** A pool of mysql2's promises holds one of callbacks. */
function withCallbacks(pool: MysqlPool & { readonly pool?: MysqlPool }): MysqlPool {
  return typeof pool.pool?.getConnection === 'function' ? pool.pool : pool
}

function openEngine(pool: MysqlPool, options: ClientOptions, end: () => Promise<void>): Promise<Engine> {
  return openPooled({
    name: 'MySQL',
    address: options.address,
    clients: poolClients(pool, options),
    connect: async (executor) => new MysqlEngine(await readFeatures(executor), options.waits?.statementTimeoutMs),
    end,
  })
}

/** Finds out what the server can do. */
async function readFeatures(pooled: MysqlExecutor): Promise<Statements> {
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
