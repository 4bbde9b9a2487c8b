import type { Adapter, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { type OptionCheck, trueOrFalse, withMethods } from '../../shared/option-checks.ts'
import { ignore } from '../../sql/executor.ts'
import { openPooled, type PooledOptions, pooledRules, readPooledOptions } from '../../sql/pooled-adapter.ts'
import { checkEither, checkOptions } from '../../values/check-options.ts'
import { openPool, type PostgresPool, poolClients, StatementNames } from './driver.ts'
import { isParameterRefused } from './errors.ts'
import { PostgresEngine } from './session.ts'
import { Statements } from './statements.ts'
import { storePostgresColumn } from './types.ts'

interface CommonOptions {
  /**
   * Set to true behind a pooler such as PgBouncer. Statements are then not prepared by name, connections get no startup
   * parameters, the server enforces `statementTimeoutMs` only in transactions, and sync builds all indexes inside its
   * transaction. Default false; a pooler that refuses parameters or loses prepared statements is detected.
   */
  readonly pooler?: boolean | undefined
}

export interface PostgresOptions extends PooledOptions, CommonOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
}

export interface PostgresPoolOptions extends CommonOptions {
  /** Your own pool of `pg`. It stays open when the Portico database is closed. */
  readonly pool: PostgresPool
}

// The URL may contain a password, so it is never shown.
const postgresUrl: OptionCheck = (value) =>
  typeof value === 'string' && /^postgres(?:ql)?:\/\//i.test(value) ? undefined : 'a URL that begins with postgres://'

const rules = {
  url: postgresUrl,
  pool: withMethods(['connect'], 'a pool of pg'),
  pooler: trueOrFalse,
  ...pooledRules,
}

/**
 * Connects to PostgreSQL through pg, with a connection pool.
 *
 * ```ts
 * const db = await openDatabase(postgres({ url: 'postgres://localhost/app' }))
 * ```
 */
export function postgres(options: PostgresOptions | PostgresPoolOptions): Adapter {
  checkOptions('postgres', options, rules)
  checkEither('postgres', options, 'url', 'pool')
  const { pooler = false } = options
  return Object.freeze({
    name: 'postgres',
    supports: {
      schemas: true,
      transactions: true,
      sql: true,
      forwardReferences: false,
      transactionalDdl: true,
      alterColumn: true,
      renameIndex: true,
      autoIncrementAnyColumn: true,
      // Behind a pooler each statement may use another connection, so none of them could hold the sync lock.
      concurrentIndexes: !pooler,
      foreignKeys: true,
    },
    storeColumn: storePostgresColumn,
    async open() {
      if ('pool' in options && options.pool) {
        const { pool } = options
        pool.on('error', ignore)
        const own = { pooler, address: undefined, statementTimeoutMs: 0 }
        return openEngine(pool, own, async () => void pool.off('error', ignore))
      }
      const { url } = options as PostgresOptions
      const limits = readPooledOptions(options as PostgresOptions)
      const open = async (isPooled: boolean): Promise<Engine> => {
        const pool = await openPool({ url, ...limits, pooler: isPooled })
        const { statementTimeoutMs } = limits
        return openEngine(pool, { pooler: isPooled, address: addressOf(url), statementTimeoutMs }, () => pool.end())
      }
      try {
        return await open(pooler)
      } catch (error) {
        if (pooler || !(error instanceof DbError) || !isParameterRefused(error.cause)) throw error
        // The server is behind a pooler.
        return { ...(await open(true)), supports: { concurrentIndexes: false } }
      }
    },
  } satisfies Adapter)
}

/** Maximum number of prepared statements per connection. */
const MAX_PREPARED = 500

/** Host and port of a URL. */
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

function openEngine(
  pool: PostgresPool,
  { pooler, address, statementTimeoutMs }: EngineOptions,
  end: () => Promise<void>,
): Promise<Engine> {
  const names = new StatementNames(pooler ? 0 : MAX_PREPARED)
  return openPooled({
    name: 'PostgreSQL',
    address,
    clients: poolClients(pool, names, address),
    async connect(executor) {
      await executor.execute({ text: 'SELECT 1' })
      // Behind a pooler a connection cannot have a timeout of its own, but each transaction can.
      return new PostgresEngine(new Statements(names), pooler ? statementTimeoutMs : 0)
    },
    end,
  })
}
