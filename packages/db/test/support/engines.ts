import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, postgresFound, startPostgres } from '../../../../test/support/postgres.ts'

/** Whether there is a PostgreSQL to test on: one that the tests start, or the one that the environment names. */
export const hasPostgres: boolean =
  postgresFound !== undefined || process.env['PORTICO_TEST_POSTGRES_URL'] !== undefined

export interface Databases {
  /** The address of a new database: empty, or a copy of another, which nobody may be using. */
  create(template?: string): Promise<string>
  /** The tests' own server; `undefined` when the environment names another. */
  readonly server: PostgresServer | undefined
}

/** A PostgreSQL server for the tests of one file. Call it at the top of a `describe`. */
export function usePostgres(): Databases {
  let server: PostgresServer | undefined
  const created: string[] = []
  const base = (): string => process.env['PORTICO_TEST_POSTGRES_URL'] ?? server!.url
  beforeAll(async () => {
    if (process.env['PORTICO_TEST_POSTGRES_URL'] === undefined) server = await startPostgres()
  })
  afterAll(async () => {
    if (server) return server[Symbol.asyncDispose]()
    for (const name of created) await command(base(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
  return {
    get server() {
      return server
    },
    async create(template) {
      const name = `portico_${process.pid}_${Math.random().toString(36).slice(2)}`
      created.push(name)
      await command(base(), `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`)
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
