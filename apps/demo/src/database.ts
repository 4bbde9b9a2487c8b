import { join } from 'node:path'
import type { Adapter } from '@portico/db/adapter'
import { sqlite } from '@portico/db/sqlite'
import { DemoError } from './errors.ts'

const engines: Readonly<Record<string, (url: string) => Promise<Adapter>>> = {
  postgres: async (url) => (await import('@portico/db/postgres')).postgres({ url }),
  mysql: async (url) => (await import('@portico/db/mysql')).mysql({ url }),
  mongodb: async (url) => (await import('@portico/db/mongo')).mongo({ url }),
}

/** Spellings of a scheme that mean the same engine. */
const aliases: Readonly<Record<string, string>> = { postgresql: 'postgres', mariadb: 'mysql', 'mongodb+srv': 'mongodb' }

/** The engine that an address names by its scheme; without one, SQLite in the data folder. */
export async function chooseAdapter(url: string | undefined, folder: string): Promise<Adapter> {
  if (url === undefined || url === '') return sqlite({ file: join(folder, 'tracker.db') })
  const [, scheme] = url.match(/^([a-z][a-z0-9+.-]*):\/\//i) ?? []
  // The address may hold a password, so that no message shows more of it than the scheme.
  if (scheme === undefined) {
    throw new DemoError(
      'DATABASE_URL_INVALID',
      `PORTICO_DATABASE_URL is not an address such as postgres://localhost/tracker`,
    )
  }
  const name = scheme.toLowerCase()
  const engine = aliases[name] ?? name
  if (!Object.hasOwn(engines, engine)) {
    const known = Object.keys(engines).map((it) => `${it}://`)
    throw new DemoError(
      'DATABASE_UNSUPPORTED',
      `PORTICO_DATABASE_URL begins with ${name}://, for which there is no adapter. It may begin with ${known.join(', ')}; without it the app runs on SQLite`,
    )
  }
  return engines[engine]!(url)
}
