import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '@portico/db/adapter'
import { type MysqlOptions, mysql } from '@portico/db/mysql'
import { type PostgresOptions, postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { createConnection } from 'mysql2/promise'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { mariadbFound, startMariadb } from '../../../../test/support/mariadb.ts'
import { postgresFound, startPostgres } from '../../../../test/support/postgres.ts'

export interface Databases {
  /** The address of a new, empty database. */
  create(): Promise<string>
}

/** A database server that tests run on where it is found: one that they start, or the one that the environment names. */
export interface ServerEngine {
  readonly name: 'postgres' | 'mysql'
  readonly isThere: boolean
  /** A server for the tests of one file. Call it at the top of a `describe`. */
  readonly use: () => Databases
  readonly adapter: (options: ServerOptions) => Adapter
  /** Runs one statement on a connection of its own. Its text may ask for names in double quotes. */
  readonly command: (url: string, text: string) => Promise<unknown[]>
}

/** What the options of all server adapters have in common. */
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
    useServer({ given: postgresUrl, start: startPostgres, command, create: (name) => `CREATE DATABASE ${name}` }),
  adapter: postgres,
  command,
}

export const mysqlEngine: ServerEngine = {
  name: 'mysql',
  isThere: mariadbFound !== undefined || mysqlUrl !== undefined,
  use: () => useServer({ given: mysqlUrl, start: startMariadb, command: commandMysql, create: createMysqlDatabase }),
  adapter: mysql,
  command: commandMysql,
}

export const servers: readonly ServerEngine[] = [postgresEngine, mysqlEngine]

export const hasPostgres: boolean = postgresEngine.isThere
export const usePostgres = (): Databases => postgresEngine.use()

/** All engines, SQLite in memory first, each with what opens a new, empty database. */
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
]

interface ServerUse {
  readonly given: string | undefined
  readonly start: () => Promise<AsyncDisposable & { readonly url: string }>
  readonly command: (url: string, text: string) => Promise<unknown[]>
  readonly create: (name: string) => string
}

function useServer({ given, start, command: run, create }: ServerUse): Databases {
  let server: Awaited<ReturnType<ServerUse['start']>> | undefined
  const created: string[] = []
  const base = (): string => given ?? server!.url
  beforeAll(async () => {
    if (given === undefined) server = await start()
  })
  afterAll(async () => {
    if (server) return server[Symbol.asyncDispose]()
    for (const name of created) await run(base(), `DROP DATABASE IF EXISTS ${name}`)
  })
  return {
    async create() {
      const name = `portico_${process.pid}_${Math.random().toString(36).slice(2)}`
      created.push(name)
      for (const text of create(name).split(';')) await run(base(), text)
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

/** Runs one statement on a connection of its own. */
export async function command(url: string, text: string): Promise<unknown[]> {
  const pool = quietPool(url, 1)
  try {
    return (await pool.query(text)).rows
  } finally {
    await pool.end()
  }
}

/** A schema is a database beside the others here: the suite's own is made anew with each database. */
function createMysqlDatabase(name: string): string {
  return `SET foreign_key_checks = 0; DROP DATABASE IF EXISTS org; CREATE DATABASE ${name}`
}

async function commandMysql(url: string, text: string): Promise<unknown[]> {
  const connection = await createConnection(url)
  try {
    const [rows] = await connection.query(text)
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
