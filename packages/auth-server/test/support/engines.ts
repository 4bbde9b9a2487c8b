import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { type DatabaseServerKind, databaseServers } from '../../../../test/support/database-servers.ts'

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

async function shareServer({ start, adapter }: DatabaseServerKind): Promise<SharedDatabase> {
  const server = await start()
  const url = await server.create()
  return share(
    () => openDatabase(adapter(url)),
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

/** The engines that instances share here, as far as they are installed. */
export const engines: readonly (readonly [name: string, share: () => Promise<SharedDatabase>])[] = [
  ['a SQLite file', shareSqlite],
  ...databaseServers.filter((it) => it.isThere).map((it) => [it.name, () => shareServer(it)] as const),
]
