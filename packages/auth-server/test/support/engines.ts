import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { postgresFound, startPostgres } from '../../../../test/support/postgres.ts'
import type { ServerProcess } from '../../../../test/support/server-process.ts'

/** A database that any number of connections share. */
export interface SharedDatabase extends AsyncDisposable {
  open(): Promise<Database>
}

async function shareSqlite(): Promise<SharedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-auth-'))
  return share(
    () => openDatabase(sqlite({ file: join(folder, 'auth.db') })),
    () => rm(folder, { recursive: true, force: true }),
  )
}

async function sharePostgres(): Promise<SharedDatabase> {
  const server: ServerProcess = await startPostgres()
  return share(
    () => openDatabase(postgres({ url: server.url })),
    async () => server[Symbol.asyncDispose](),
  )
}

function share(connect: () => Promise<Database>, dispose: () => Promise<void>): SharedDatabase {
  const opened: Database[] = []
  return {
    async open() {
      const db = await connect()
      opened.push(db)
      return db
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((db) => db.close()))
      await dispose()
    },
  }
}

/** The engines that instances share here; PostgreSQL where it is installed. */
export const engines: readonly (readonly [name: string, share: () => Promise<SharedDatabase>])[] = [
  ['a SQLite file', shareSqlite],
  ...(postgresFound ? [['PostgreSQL', sharePostgres] as const] : []),
]
