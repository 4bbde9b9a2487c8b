import { type Database, openDatabase } from '@portico/db'
import { type MysqlPool, mysql } from '@portico/db/mysql'
import { type PostgresPool, postgres } from '@portico/db/postgres'
import { type SqliteHandle, sqlite } from '@portico/db/sqlite'
import BetterSqlite from 'better-sqlite3'
import { createPool, type PoolConnection } from 'mysql2'
import { mysqlEngine, postgresEngine, quietPool } from './engines.ts'

/** A database on a real engine that writes down each statement and its parameters. */
export interface Recording extends AsyncDisposable {
  readonly db: Database
  /** The statements since the last call. */
  take(): { text: string; params: unknown[] }[]
}

export async function recordSqlite(): Promise<Recording> {
  const real = new BetterSqlite(':memory:')
  const log: { text: string; params: unknown[] }[] = []
  const handle = new Proxy(real, {
    get(target, name) {
      if (name === 'exec') {
        return (text: string) => {
          log.push({ text, params: [] })
          return target.exec(text)
        }
      }
      if (name === 'prepare') return (text: string) => recordStatement(target.prepare(text), text, log)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as unknown as SqliteHandle
  const db = await openDatabase(sqlite({ handle }), { clock: { now: () => 1000 } })
  return {
    db,
    take: () => log.splice(0),
    async [Symbol.asyncDispose]() {
      await db.close()
      real.close()
    },
  }
}

function recordStatement<T extends object>(statement: T, text: string, log: { text: string; params: unknown[] }[]): T {
  return new Proxy(statement, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'get' || name === 'all' || name === 'run') log.push({ text, params: args })
        const result: unknown = value.apply(target, args)
        return result === target ? receiver : result
      }
    },
  })
}

export async function recordPostgres(url: string): Promise<Recording> {
  const real = quietPool(url, 2)
  const log: { text: string; params: unknown[] }[] = []
  const pool = {
    connect(done: (error: Error | undefined, client?: object) => void) {
      real.connect((error, client) => {
        if (!client) return done(error)
        const query = (config: { text: string; values?: unknown[] }, answer: () => void): void => {
          log.push({ text: config.text, params: [...(config.values ?? [])] })
          client.query(config as { text: string; values: unknown[] }, answer)
        }
        const release = (destroy?: boolean): void => client.release(destroy)
        done(undefined, { query, release, on: () => {}, off: () => {} })
      })
    },
    end: () => real.end(),
    on: () => {},
    off: () => {},
  } as unknown as PostgresPool
  const db = await openDatabase(postgres({ pool }), { clock: { now: () => 1000 } })
  return {
    db,
    take: () => log.splice(0),
    async [Symbol.asyncDispose]() {
      await db.close()
      await real.end()
    },
  }
}

export async function recordMysql(url: string): Promise<Recording> {
  const real = createPool({ uri: url, connectionLimit: 2 })
  const log: { text: string; params: unknown[] }[] = []
  const watched = new WeakSet<PoolConnection>()
  const watch = (client: PoolConnection): void => {
    if (watched.has(client)) return
    watched.add(client)
    for (const name of ['query', 'execute'] as const) {
      const send = client[name].bind(client) as (options: { sql: string; values?: unknown[] }, done: unknown) => void
      client[name] = ((options: { sql: string; values?: unknown[] }, done: unknown) => {
        log.push({ text: options.sql, params: [...(options.values ?? [])] })
        send(options, done)
      }) as never
    }
  }
  const pool = {
    getConnection(done: (error: Error | null, client?: PoolConnection) => void) {
      real.getConnection((error, client) => {
        if (client) watch(client)
        done(error, client)
      })
    },
  } as unknown as MysqlPool
  const db = await openDatabase(mysql({ pool }), { clock: { now: () => 1000 } })
  return {
    db,
    take: () => log.splice(0),
    async [Symbol.asyncDispose]() {
      await db.close()
      await new Promise<void>((resolve) => real.end(() => resolve()))
    },
  }
}

/** All engines, each with a function that opens an empty database and records its statements. */
export const recordings: readonly {
  name: 'sqlite' | 'postgres' | 'mysql'
  isThere: boolean
  use: () => () => Promise<Recording>
}[] = [
  { name: 'sqlite', isThere: true, use: () => recordSqlite },
  ...[
    { server: postgresEngine, record: recordPostgres },
    { server: mysqlEngine, record: recordMysql },
  ].map(({ server, record }) => ({
    name: server.name,
    isThere: server.isThere,
    use() {
      const databases = server.use()
      return async () => record(await databases.create())
    },
  })),
]
