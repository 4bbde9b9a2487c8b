import { boolean, checkEither, checkOptions, having, type OptionRule } from '../../check-options.ts'
import type { Adapter, Engine } from '../../contract/adapter.ts'
import { DbError } from '../../errors.ts'
import { ignore } from '../../sql/executor.ts'
import { openPooled, type PooledOptions, pooledRules, readPooledOptions } from '../../sql/pooled-adapter.ts'
import { openPool, type PostgresPool, poolClients, StatementNames } from './driver.ts'
import { isParameterRefused } from './errors.ts'
import { PostgresEngine } from './session.ts'
import { Statements } from './statements.ts'
import { storePostgresColumn } from './types.ts'

interface CommonOptions {
  /**
   * Whether a pooler such as PgBouncer is between: statements are then not prepared by name and no parameters are set
   * on connections, `statementTimeoutMs` is a limit of the server inside transactions alone, and sync builds all
   * indexes within its transaction. Default false; a pooler that refuses parameters, or loses prepared statements, is
   * found out anyhow.
   */
  readonly pooler?: boolean | undefined
}

export interface PostgresOptions extends PooledOptions, CommonOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
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
  ...pooledRules,
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
    supports: {
      schemas: true,
      transactions: true,
      sql: true,
      forwardReferences: false,
      transactionalDdl: true,
      alterColumn: true,
      renameIndex: true,
      autoIncrementAnyColumn: true,
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
        // A pooler that was not announced.
        return { ...(await open(true)), supports: { concurrentIndexes: false } }
      }
    },
  } satisfies Adapter)
}

/** Maximum number of prepared statements per connection. */
const MAX_PREPARED = 500

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
