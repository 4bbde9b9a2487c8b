import { DbError } from '../../errors.ts'
import { type ClientExecutor, type ClientPool, type Done, ignore } from '../../sql/executor.ts'
import { changesSession, firstWords, isSavepoint, postgresComments } from '../../sql/raw-sql.ts'
import {
  isConnectionLost,
  isSerializationFailure,
  isStaleStatement,
  isStatementLost,
  isUnusable,
  toConnectError,
  toDbError,
} from './errors.ts'

/** The methods of a pg pool that the adapter uses. */
export interface PostgresPool {
  connect(done: Done<PostgresClient | undefined>): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export interface PostgresClient {
  query(query: PostgresQuery, done: Done<PostgresResult>): void
  /** `I` outside of transactions, `T` inside, `E` inside a failed one. Older drivers lack it. */
  getTransactionStatus?(): string | null
  /** `true` closes the connection instead of returning it to the pool. */
  release(destroy?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export interface PostgresQuery {
  readonly text: string
  readonly values?: unknown[]
  readonly name?: string | undefined
  readonly rowMode?: 'array'
  readonly queryMode?: 'extended'
  /** Overrides the pool's timeout. */
  readonly query_timeout?: number
  readonly types?: { getTypeParser(oid: number): (text: string) => unknown }
}

export interface PostgresResult {
  readonly rows: unknown[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly rowCount: number | null
  readonly command: string
}

export interface PoolOptions {
  readonly url: string
  readonly maxConnections: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly pooler: boolean
}

export async function openPool(options: PoolOptions): Promise<PostgresPool> {
  const pg = await loadDriver()
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    // The server cancels slow statements. If even its error does not arrive, the client gives up a little later.
    query_timeout: options.statementTimeoutMs && options.statementTimeoutMs + 1000,
    // Poolers may refuse connections with startup parameters.
    ...(!options.pooler && { statement_timeout: options.statementTimeoutMs }),
    allowExitOnIdle: true,
  })
  pool.on('error', ignore)
  return pool as unknown as PostgresPool
}

async function loadDriver(): Promise<{ readonly Pool: typeof import('pg').Pool }> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new DbError('DRIVER_MISSING', 'PostgreSQL needs the package pg: npm install pg', { cause })
  }
}

export type PostgresClientExecutor = ClientExecutor<PostgresClient, PostgresQuery, PostgresResult>

/** Adapts a pg pool. `address` is host and port, as errors show them. */
export function poolClients(
  pool: PostgresPool,
  names: StatementNames,
  address: string | undefined,
): ClientPool<PostgresClient, PostgresQuery, PostgresResult> {
  /** Connections on which raw SQL has begun a transaction or changed the session. */
  const unclean = new WeakSet<PostgresClient>()
  return {
    acquire(done) {
      const finish: Done<PostgresClient | undefined> = (error, client) => {
        // A connection that breaks between two statements fails at the next one.
        client?.on('error', ignore)
        done(error, client)
      }
      try {
        pool.connect(finish)
      } catch (error) {
        // pg throws an invalid URL instead of passing it to the callback.
        finish(error as Error, undefined)
      }
    },
    release(client, destroy) {
      // Later statements on an unclean connection would be part of an open transaction, or run under other settings.
      client.release(destroy || unclean.has(client))
      client.off('error', ignore)
    },
    send(client, query, done) {
      if (query.queryMode === undefined) return client.query(names.apply(query), done)
      // Raw SQL. A statement that fails may still have acquired a lock.
      if (changesSession(query.text, 'postgres')) unclean.add(client)
      client.query(query, (error, result) => {
        if (!error && isBegin(result.command)) unclean.add(client)
        done(error, result)
      })
    },
    toDbError(error, plan, query) {
      if (!isStale(query, error)) return toDbError(error, plan)
      names.replace(error)
      // The transaction is lost, but will succeed when it runs again.
      return new DbError('SERIALIZATION_FAILED', 'a prepared statement was out of date', { cause: error })
    },
    toConnectError: (error) => toConnectError(error, address),
    isUnusable: (error, query) => isStale(query, error) || isUnusable(error),
    isConnectionLost,
    isConflict: isSerializationFailure,
    rewriteStale(query, error) {
      if (!isStale(query, error)) return undefined
      // The statement did not run, so it can be sent again, this time with its text.
      names.replace(error)
      return { ...query, name: undefined }
    },
  }
}

/** True if the command has begun a transaction: `BEGIN`, `START TRANSACTION`. */
export function isBegin(command: string): boolean {
  return command === 'BEGIN' || command === 'START'
}

/**
 * Returns true if the transaction is still open after one of its statements. Raw SQL may have ended it and begun
 * another one (`COMMIT AND CHAIN`). The server's status is then the same as before; only the statement shows it.
 */
export function isOpenAfter(result: PostgresResult, query: PostgresQuery, client: PostgresClient): boolean {
  if (query.queryMode !== undefined) {
    const { command } = result
    if (command === 'COMMIT' || isBegin(command)) return false
    if (command === 'ROLLBACK' && !isSavepoint(firstWords(query.text, postgresComments))) return false
  }
  return client.getTransactionStatus?.() !== 'I'
}

/** Only prepared statements can be stale. For others, the same error codes have their usual meaning. */
function isStale(query: PostgresQuery | undefined, error: unknown): boolean {
  return query?.name !== undefined && isStaleStatement(error)
}

/** Names of prepared statements, up to a maximum. Further statements are sent as text each time. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #max: number
  #isDisabled = false
  #generation = 0

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Reacts to a stale prepared statement. If a pooler loses them, stops naming statements. If a table has changed,
   * prepares all of them again under new names.
   */
  replace(error: unknown): void {
    if (isStatementLost(error)) this.#isDisabled = true
    else this.#generation += 1
  }

  apply(query: PostgresQuery): PostgresQuery {
    if (query.name === undefined) return query
    if (this.#isDisabled) return { ...query, name: undefined }
    return this.#generation === 0 ? query : { ...query, name: `${query.name}_${this.#generation}` }
  }

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= this.#max) return known
    const name = `portico_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
