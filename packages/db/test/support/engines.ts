import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { mongo } from '@portico/db/mongo'
import { type MysqlOptions, type MysqlPool, mysql } from '@portico/db/mysql'
import { type PostgresOptions, postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { createConnection, createPool } from 'mysql2/promise'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { mariadbFound, startMariadb } from '../../../../test/support/mariadb.ts'
import { postgresFound, startPostgres } from '../../../../test/support/postgres.ts'
import { hasMongo, useMongo } from './mongo-databases.ts'

export interface Databases {
  /** The address of a new database: empty, or, on PostgreSQL, a copy of another, which nobody may be using. */
  create(template?: string): Promise<string>
  /** Where a test makes so many that they would be in each other's way. */
  drop(url: string): Promise<void>
}

/** A database server that tests run on where it is found: one that they start, or the one that the environment names. */
export interface ServerEngine {
  readonly name: 'postgres' | 'mysql'
  readonly isThere: boolean
  /** A server for the tests of one file. Call it at the top of a `describe`. */
  readonly use: () => Databases
  readonly adapter: (options: ServerOptions) => Adapter
  /** Runs statements on a separate connection, and returns the rows of the last. Names may be in double quotes. */
  readonly command: (url: string, ...texts: string[]) => Promise<unknown[]>
  /** A ready pool of the driver's own, to be handed in. */
  readonly openPool: (url: string, most: number) => ReadyPool
  /** Statements that engines spell differently. */
  readonly texts: ServerTexts
}

interface ReadyPool {
  readonly adapter: Adapter
  /** Makes it open a connection. */
  touch(): Promise<void>
  /** Counts the error listeners of the pool, and of its only connection. */
  countListeners(): Promise<number[]>
  end(): Promise<void>
}

interface ServerTexts {
  readonly sleep: string
  /** Takes long enough for others to need connections of their own. */
  readonly nap: string
  /** Finds the connections of others to the same database that sleep. */
  readonly sleepers: string
  /** The number of this connection, as `id`. */
  readonly connectionId: string
  readonly kill: (id: number) => string
  /** Statements that change the session of a connection, or leave something on it, each without harm to others. */
  readonly lasting: readonly string[]
  /** Statements that leave nothing. */
  readonly passing: readonly string[]
}

/** Options that all server adapters share. */
export type ServerOptions = Pick<
  PostgresOptions & MysqlOptions,
  'url' | 'maxConnections' | 'connectTimeoutMs' | 'statementTimeoutMs'
>

const postgresUrl = process.env['PORTICO_TEST_POSTGRES_URL']
const mysqlUrl = process.env['PORTICO_TEST_MYSQL_URL']

export const postgresEngine: ServerEngine = {
  name: 'postgres',
  isThere: postgresFound !== undefined || postgresUrl !== undefined,
  use: () =>
    useServer({ given: postgresUrl, start: startPostgres, command, create: copyPostgres, drop: (it) => [dropped(it)] }),
  adapter: postgres,
  openPool(url, max) {
    const pool = new Pool({ connectionString: url, max })
    return {
      adapter: postgres({ pool }),
      touch: async () => void (await pool.query('select 1')),
      async countListeners() {
        const client = await pool.connect()
        client.release()
        return [pool, client].map((it) => it.listenerCount('error'))
      },
      end: () => pool.end(),
    }
  },
  command,
  texts: {
    sleep: 'select pg_sleep(5)',
    nap: 'select pg_sleep(0.2)',
    sleepers:
      "select 1 from pg_stat_activity where query like '%pg_sleep(5)%' and state = 'active' and datname = current_database() and pid <> pg_backend_pid()",
    connectionId: 'select pg_backend_pid() as id',
    kill: (id) => `select pg_terminate_backend(${id})`,
    lasting: [
      'set search_path to nowhere',
      '/* why */ SET SESSION default_transaction_read_only = on',
      "select set_config('search_path', 'nowhere', false)",
      'create temporary table groups (x int)',
      'select 1 as x into temp groups',
      'select pg_advisory_lock(7)',
      'prepare mine as select 1',
      "do $$ begin perform set_config('search_path', 'nowhere', false); end $$",
    ],
    passing: ["select set_config('search_path', 'nowhere', true)", 'set local search_path to nowhere'],
  },
}

export const mysqlEngine: ServerEngine = {
  name: 'mysql',
  isThere: mariadbFound !== undefined || mysqlUrl !== undefined,
  use: () =>
    useServer({
      given: mysqlUrl,
      start: startMariadb,
      command: commandMysql,
      create: createMysqlDatabase,
      drop: (name) => [UNHELD, dropped(name)],
      reserve: reserveMysql,
    }),
  adapter: mysql,
  openPool(uri, connectionLimit) {
    const pool = createPool({ uri, connectionLimit })
    return {
      adapter: mysql({ pool: pool as unknown as MysqlPool }),
      touch: async () => void (await pool.query('select 1')),
      async countListeners() {
        const client = await pool.getConnection()
        client.release()
        return [pool, client.connection].map((it) => it.listenerCount('error'))
      },
      end: () => pool.end(),
    }
  },
  command: commandMysql,
  texts: {
    sleep: 'select sleep(5)',
    nap: 'select sleep(0.2)',
    sleepers:
      "select 1 from information_schema.processlist where info like '%sleep(5)%' and command <> 'Sleep' and db = database() and id <> connection_id()",
    connectionId: 'select connection_id() as id',
    kill: (id) => `kill ${id}`,
    lasting: [
      'set foreign_key_checks = 0',
      '# why\nSET SESSION sql_select_limit = 0',
      'set @mine = 1',
      'use mysql',
      'create temporary table "groups" (x int)',
      "select get_lock('mine', 0)",
      'select @mine := 1',
      'select 1 into @mine',
      'lock tables "groups" write',
    ],
    passing: ["select 'set' as a", 'select @@foreign_key_checks'],
  },
}

function copyPostgres(name: string, template?: string): string[] {
  return [`CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`]
}

export const servers: readonly ServerEngine[] = [postgresEngine, mysqlEngine]

export const hasPostgres: boolean = postgresEngine.isThere
export const usePostgres = (): Databases => postgresEngine.use()

/** Runs a statement whose text was put together. */
export function runText(db: Queryable, text: string): Promise<Record<string, unknown>[]> {
  return db.sql(Object.assign([text], { raw: [text] }))
}

/** All engines, SQLite in memory first and MongoDB last, each with what opens a new, empty database. */
export const engines: readonly { name: string; isThere: boolean; use: () => () => Promise<Adapter> }[] = [
  { name: 'sqlite', isThere: true, use: () => async () => sqlite({ file: ':memory:' }) },
  ...servers.map(({ name, isThere, use, adapter }) => ({
    name,
    isThere,
    use() {
      const databases = use()
      return async () => adapter({ url: await databases.create() })
    },
  })),
  {
    name: 'mongo',
    isThere: hasMongo,
    use() {
      const databases = useMongo()
      return async () => mongo({ url: databases.create() })
    },
  },
]

interface ServerUse {
  readonly given: string | undefined
  readonly start: () => Promise<AsyncDisposable & { readonly url: string }>
  readonly command: (url: string, ...texts: string[]) => Promise<unknown[]>
  readonly create: (name: string, template?: string) => string[]
  readonly drop: (name: string) => string[]
  /** Keeps a server that others use too to the tests of one file at a time. */
  readonly reserve?: (url: string) => Promise<() => Promise<void>>
}

function useServer({ given, start, command: run, create, drop, reserve }: ServerUse): Databases {
  let server: Awaited<ReturnType<ServerUse['start']>> | undefined
  const created: string[] = []
  const base = (): string => given ?? server!.url
  let release: (() => Promise<void>) | undefined
  beforeAll(async () => {
    if (given === undefined) server = await start()
    else release = await reserve?.(given)
  }, 600_000)
  afterAll(async () => {
    if (server) return server[Symbol.asyncDispose]()
    for (const name of created) await run(base(), ...drop(name))
    await release?.()
  })
  return {
    async drop(url) {
      await run(base(), ...drop(new URL(url).pathname.slice(1)))
    },
    async create(template) {
      const name = `portico_${process.pid}_${Math.random().toString(36).slice(2)}`
      created.push(name)
      await run(base(), ...create(name, template))
      const url = new URL(base())
      url.pathname = `/${name}`
      return url.href
    },
  }
}

/** A pool of the tests' own, which does not mind a server that ends before its connections are closed. */
export function quietPool(url: string, max: number): Pool {
  const pool = new Pool({ connectionString: url, max })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Runs statements on a connection of PostgreSQL's, and gives the rows of the last. */
export async function command(url: string, ...texts: string[]): Promise<unknown[]> {
  const pool = quietPool(url, 1)
  try {
    let rows: unknown[] = []
    for (const text of texts) ({ rows } = await pool.query(text))
    return rows
  } finally {
    await pool.end()
  }
}

const dropped = (name: string): string => `DROP DATABASE IF EXISTS ${name}`

/** Tables of one database may refer to those of another, which would keep it. */
const UNHELD = 'SET foreign_key_checks = 0'

/** A schema is a database beside the others here: those of the tests are gone with each new database. */
function createMysqlDatabase(name: string): string[] {
  return [UNHELD, ...['org', 'hr', 'one', 'two'].map(dropped), `CREATE DATABASE ${name}`]
}

async function reserveMysql(url: string): Promise<() => Promise<void>> {
  const connection = await createConnection(url)
  await connection.query("SELECT GET_LOCK('portico tests', 600)")
  return () => connection.end()
}

async function commandMysql(url: string, ...texts: string[]): Promise<unknown[]> {
  const connection = await createConnection(url)
  try {
    let rows: unknown
    for (const text of ["SET sql_mode = 'ANSI_QUOTES'", ...texts]) [rows] = await connection.query(text)
    return rows as unknown[]
  } finally {
    await connection.end()
  }
}

/** Where files are kept in memory, so that the speed of a disk plays no part. */
const memoryFiles = '/dev/shm'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
  file(name: string): string
}

/** A folder that is gone when the block ends. */
export async function temporaryFolder({ inMemory = false } = {}): Promise<TemporaryFolder> {
  const parent = inMemory && existsSync(memoryFiles) ? memoryFiles : tmpdir()
  const path = await mkdtemp(join(parent, 'portico-db-'))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
