/** Database servers for tests that run the same on all of them, each server with any number of databases. */
import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { mongo } from '@portico/db/mongo'
import { mysql } from '@portico/db/mysql'
import { postgres } from '@portico/db/postgres'
import { mariadbFound, startMariadb } from './mariadb.ts'
import { mongoFound, startMongo } from './mongo.ts'
import { postgresFound, startPostgres } from './postgres.ts'

export interface DatabaseServer extends AsyncDisposable {
  /** The URL of a new, empty database. */
  create(): Promise<string>
}

export interface DatabaseServerKind {
  readonly name: 'PostgreSQL' | 'MariaDB' | 'MongoDB'
  /** True if it is installed. */
  readonly isThere: boolean
  readonly adapter: (url: string) => Adapter
  readonly start: () => Promise<DatabaseServer>
}

export const databaseServers: readonly DatabaseServerKind[] = [
  {
    name: 'PostgreSQL',
    isThere: postgresFound !== undefined,
    adapter: (url) => postgres({ url }),
    start: () =>
      serve(
        startPostgres,
        createBySql((url) => postgres({ url })),
      ),
  },
  {
    name: 'MariaDB',
    isThere: mariadbFound !== undefined,
    adapter: (url) => mysql({ url }),
    start: () =>
      serve(
        startMariadb,
        createBySql((url) => mysql({ url })),
      ),
  },
  {
    name: 'MongoDB',
    isThere: mongoFound !== undefined,
    adapter: (url) => mongo({ url }),
    // A database is created by the first write.
    start: () => serve(startMongo, async () => {}),
  },
]

type Create = (serverUrl: string, name: string) => Promise<void>

async function serve(
  start: () => Promise<AsyncDisposable & { readonly url: string }>,
  create: Create,
): Promise<DatabaseServer> {
  const server = await start()
  let count = 0
  return {
    async create() {
      const name = `portico_${++count}`
      await create(server.url, name)
      return new URL(`/${name}`, server.url).href
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function createBySql(adapter: (url: string) => Adapter): Create {
  return async (url, name) => {
    await using db: Database = await openDatabase(adapter(url))
    const text = `create database ${name}`
    await db.sql(Object.assign([text], { raw: [text] }))
  }
}
