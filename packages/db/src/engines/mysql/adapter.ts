import type { Adapter, Engine } from '../../contract/adapter.ts'
import { type OptionCheck, withMethods } from '../../shared/option-checks.ts'
import { openPooled, type PooledOptions, pooledRules, readPooledOptions } from '../../sql/pooled-adapter.ts'
import { checkEither, checkOptions, wrongArgument } from '../../values/check-options.ts'
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
  /** Your own pool of `mysql2`. It stays open when the Portico database is closed. */
  readonly pool: MysqlPool
}

// The URL may contain a password, so it is never shown.
const mysqlUrl: OptionCheck = (value) => {
  const expected = 'a URL that begins with mysql:// and names a database'
  if (typeof value !== 'string' || !/^(?:mysql|mariadb):\/\//i.test(value) || !URL.canParse(value)) return expected
  const { pathname, searchParams, username, password, hostname } = new URL(value)
  if (pathname.length < 2) return expected
  if (![username, password, hostname, pathname].every(isEncoded)) return 'a URL with `%` written as %25'
  if (!isSsl(searchParams.get('ssl'))) return 'a URL whose `ssl` is true, or an object of options as JSON'
  const unknown = [...searchParams.keys()].find((name) => name !== 'ssl')
  return unknown === undefined ? undefined : 'a URL without parameters except `ssl`: pass a `pool` for others'
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
  pool: withMethods(['getConnection'], 'a pool of mysql2'),
  ...pooledRules,
}

/**
 * Connects to MySQL or MariaDB through mysql2, with a connection pool.
 *
 * ```ts
 * const db = await openDatabase(mysql({ url: 'mysql://localhost/app' }))
 * ```
 */
export function mysql(options: MysqlOptions | MysqlPoolOptions): Adapter {
  checkOptions('mysql', options, rules)
  checkEither('mysql', options, 'url', 'pool')
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
        const own = { address: undefined, timeouts: undefined }
        return openEngine(withCallbacks(options.pool), own, async () => {})
      }
      const url = new URL((options as MysqlOptions).url)
      const timeouts = readPooledOptions(options as MysqlOptions)
      const pool = await openPool({ url, ...timeouts })
      const address = `${url.hostname}:${url.port || '3306'}`
      return openEngine(pool, { address, timeouts }, () => new Promise((resolve) => pool.end(() => resolve())))
    },
  } satisfies Adapter)
}

/** The promise-based pool of mysql2 wraps a callback-based one. */
function withCallbacks(pool: MysqlPool & { readonly pool?: MysqlPool }): MysqlPool {
  return typeof pool.pool?.getConnection === 'function' ? pool.pool : pool
}

function openEngine(pool: MysqlPool, options: ClientOptions, end: () => Promise<void>): Promise<Engine> {
  return openPooled({
    name: 'MySQL',
    address: options.address,
    clients: poolClients(pool, options),
    connect: async (executor) => new MysqlEngine(await readFeatures(executor), options.timeouts?.statementTimeoutMs),
    end,
  })
}

/** Asks the server for its version and settings. */
async function readFeatures(pooled: MysqlExecutor): Promise<Statements> {
  const listed = collations.map((it) => `'${it}'`).join(', ')
  const best = `SELECT COLLATION_NAME FROM information_schema.COLLATIONS WHERE COLLATION_NAME IN (${listed}) ORDER BY FIELD(COLLATION_NAME, ${listed}) LIMIT 1`
  const text = `SELECT version(), @@auto_increment_increment, @@max_allowed_packet, @@lower_case_table_names, database(), (${best}), HEX(CONVERT('é🙂' USING utf8mb4))`
  const { rows } = await pooled.execute({ text })
  const [version, step, maxBytes, folding, home, collation, bytes] = rows[0] as [
    string,
    number,
    number,
    number,
    string | null,
    Collation | null,
    string,
  ]
  if (home === null) throw wrongArgument('a pool whose connections name a database')
  if (bytes !== 'C3A9F09F9982') throw wrongArgument('a pool whose connections have the `charset` utf8mb4')
  const server = readServer(version)
  const features = {
    returning: canReturn(version),
    step,
    maxBytes: Number(maxBytes),
    server,
    foldsNames: Number(folding) !== 0,
  }
  return new Statements(createMysqlDialect(collation ?? 'utf8mb4_bin', home, server), features)
}

/** `INSERT … RETURNING` exists in MariaDB since 10.5, and not in MySQL. */
function canReturn(version: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(version)?.map(Number) ?? []
  return major > 10 || (major === 10 && minor >= 5)
}
