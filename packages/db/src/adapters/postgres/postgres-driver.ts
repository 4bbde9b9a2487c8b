import { setTimeout as sleep } from 'node:timers/promises'
import { DbError } from '../../errors.ts'
import type { TablePlan } from '../../table-plan.ts'
import {
  isSerializationFailure,
  isStaleStatement,
  isStatementLost,
  isUnusable,
  toConnectError,
  toDbError,
} from './postgres-errors.ts'

type Done<T> = (error: Error | undefined, value: T) => void

/** What we ask of a pg pool; a ready one may be handed in. */
export interface PostgresPool {
  connect(done: Done<PostgresClient | undefined>): void
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export interface PostgresClient {
  query(query: PostgresQuery, done: Done<PostgresResult>): void
  /** `true` closes the connection instead of keeping it for others. */
  release(destroy?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** A connection of the pool that somebody has for himself. */
type Connection = Pick<PostgresClient, 'query' | 'release'>

export interface PostgresQuery {
  readonly text: string
  readonly values?: unknown[]
  readonly name?: string | undefined
  readonly rowMode?: 'array'
  readonly queryMode?: 'extended'
  /** Instead of the pool's own. */
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
    // The server ends a statement that takes too long; when not even its refusal arrives, we give up a little later.
    query_timeout: options.statementTimeoutMs + 1000,
    // Poolers refuse connections that set parameters of their own.
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

/** Without a listener, a connection that breaks while nobody uses it would end the program. */
export const ignore = (): void => {}

/** Runs statements somewhere: on any connection of a pool, or on the one of a transaction. Fails with `DbError`s. */
export interface Executor {
  execute(query: PostgresQuery, plan?: TablePlan): Promise<PostgresResult>
}

/** How often one statement is run again when concurrent transactions got in its way: nothing of it was kept. */
const MOST_RETRIES = 10

/** Statements that stand alone, each on whatever connection is free. */
export class PoolExecutor implements Executor {
  readonly #pool: PostgresPool
  readonly #names: StatementNames
  /** Host and port, as errors tell them. */
  readonly #address: string | undefined
  /** How many calls have a connection, wait for one, or will ask for one again. */
  #underWay = 0
  #whenIdle = (): void => {}

  constructor(pool: PostgresPool, names: StatementNames, address: string | undefined) {
    this.#pool = pool
    this.#names = names
    this.#address = address
  }

  connect(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.#take((error, client) => {
        if (!client) return reject(toConnectError(error, this.#address))
        const release = (destroy = false): void => this.#give(client, destroy)
        resolve({ query: (query, done) => client.query(query, done), release })
      })
    })
  }

  /** Waits for all that is under way: a pool that is ended forgets those that wait for a connection. */
  async close(end: () => Promise<void>): Promise<void> {
    while (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
      // The answer to one statement may be followed by another of the same call.
      await new Promise(setImmediate)
    }
    await end()
  }

  #take(done: Done<PostgresClient | undefined>): void {
    this.#underWay += 1
    const take: Done<PostgresClient | undefined> = (error, client) => {
      // One that breaks between two statements is told of at the next.
      if (client) client.on('error', ignore)
      else this.#finish()
      done(error, client)
    }
    try {
      this.#pool.connect(take)
    } catch (error) {
      // An address that cannot be one is thrown at once, not told later.
      take(error as Error, undefined)
    }
  }

  #give(client: PostgresClient, destroy: boolean): void {
    client.release(destroy)
    client.off('error', ignore)
    this.#finish()
  }

  #finish(): void {
    this.#underWay -= 1
    if (this.#underWay === 0) this.#whenIdle()
  }

  /** One promise for the whole way: on a network as near as the same machine each further one would show. */
  execute(query: PostgresQuery, plan?: TablePlan): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (isStaleStatement(error) && query.name !== undefined) {
          // It was not run, so it can be sent again, this time whole.
          this.#names.replace(error)
          resolve(this.execute({ ...query, name: undefined }, plan))
        } else if (isSerializationFailure(error)) resolve(this.#retry(query, plan))
        else reject(toDbError(error, plan))
      }
      this.#send(query, resolve, fail)
    })
  }

  #send(query: PostgresQuery, resolve: (result: PostgresResult) => void, fail: (error: unknown) => void): void {
    this.#take((refused, client) => {
      if (!client) return fail(toConnectError(refused, this.#address))
      client.query(this.#names.apply(query), (error, result) => {
        // After any failure but a plain refusal by the server nobody knows what this connection would say next.
        this.#give(client, error ? isStaleStatement(error) || isUnusable(error) : false)
        if (error) fail(error)
        else resolve(result)
      })
    })
  }

  async #retry(query: PostgresQuery, plan: TablePlan | undefined): Promise<PostgresResult> {
    this.#underWay += 1
    try {
      for (let attempt = 1; ; attempt++) {
        await sleep(Math.random() * Math.min(2 ** attempt * 5, 500))
        try {
          return await new Promise<PostgresResult>((resolve, reject) => this.#send(query, resolve, reject))
        } catch (error) {
          if (attempt >= MOST_RETRIES || !isSerializationFailure(error)) throw toDbError(error, plan)
        }
      }
    } finally {
      this.#finish()
    }
  }
}

/** The statements of one transaction, on its own connection. */
export class ClientExecutor implements Executor {
  readonly #client: Connection
  readonly #names: StatementNames
  /** Statements of one connection go one after the other; those that come meanwhile wait here. */
  readonly #waiting: (() => void)[] = []
  #isBusy = false
  #isUnusable = false
  #isEnded = false

  constructor(client: Connection, names: StatementNames) {
    this.#client = client
    this.#names = names
  }

  async execute(query: PostgresQuery, plan?: TablePlan): Promise<PostgresResult> {
    // The connection may be another's by now.
    if (this.#isEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    return this.#send(query, plan)
  }

  #send(query: PostgresQuery, plan?: TablePlan): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.#client.query(this.#names.apply(query), (error, result) => {
          if (error) reject(this.#explain(error, plan, query.name !== undefined))
          else resolve(result)
          this.#startNext()
        })
      }
      if (this.#isBusy) this.#waiting.push(() => (this.#isUnusable ? this.#refuse(reject) : start()))
      else {
        this.#isBusy = true
        start()
      }
    })
  }

  #startNext(): void {
    const start = this.#waiting.shift()
    if (start) start()
    else this.#isBusy = false
  }

  #refuse(reject: (error: DbError) => void): void {
    reject(new DbError('TRANSACTION_ABORTED', 'an operation of this transaction failed before'))
    this.#startNext()
  }

  #explain(error: Error, plan: TablePlan | undefined, isPrepared: boolean): unknown {
    const isStale = isPrepared && isStaleStatement(error)
    this.#isUnusable ||= isStale || isUnusable(error)
    if (!isStale) return toDbError(error, plan)
    this.#names.replace(error)
    // The transaction is lost, but the same again will do better.
    return new DbError('SERIALIZATION_FAILED', 'a prepared statement had to be made again', { cause: error })
  }

  /** Runs a last statement and gives the connection back, or closes it when its state is not known. */
  async end(last: string): Promise<PostgresResult | undefined> {
    if (this.#isEnded) return undefined
    this.#isEnded = true
    let result: PostgresResult | undefined
    try {
      if (!this.#isUnusable) result = await this.#send({ text: last })
    } catch (error) {
      this.#client.release(true)
      throw error
    }
    this.#client.release(this.#isUnusable)
    return result
  }
}

/** Names for prepared statements, up to a bound: what comes after that is sent whole each time. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #most: number
  #isGivenUp = false
  #generation = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * After a prepared statement was found stale. Where something between us and the server loses them there are no more
   * of them; where a table has changed, all are made again under other names.
   */
  replace(error: unknown): void {
    if (isStatementLost(error)) this.#isGivenUp = true
    else this.#generation += 1
  }

  apply(query: PostgresQuery): PostgresQuery {
    if (query.name === undefined) return query
    if (this.#isGivenUp) return { ...query, name: undefined }
    return this.#generation === 0 ? query : { ...query, name: `${query.name}_${this.#generation}` }
  }

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= this.#most) return known
    const name = `portico_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
