import { join } from 'node:path'
import type { Adapter } from '@portico/db/adapter'
import { sqlite } from '@portico/db/sqlite'
import { DemoError } from './errors.ts'

const engines: Readonly<Record<string, (url: string) => Promise<Adapter>>> = {
  postgres: async (url) => (await import('@portico/db/postgres')).postgres({ url }),
  mysql: async (url) => (await import('@portico/db/mysql')).mysql({ url }),
  mongodb: async (url) => (await import('@portico/db/mongo')).mongo({ url }),
}

/** Other URL schemes for the same engine. */
const aliases: Readonly<Record<string, string>> = { postgresql: 'postgres', mariadb: 'mysql', 'mongodb+srv': 'mongodb' }

/** The adapter for the scheme of a URL. Without a URL: SQLite in the data folder. */
export async function chooseAdapter(url: string | undefined, folder: string): Promise<Adapter> {
  if (url === undefined || url === '') return sqlite({ file: join(folder, 'tracker.db') })
  const [, scheme] = url.match(/^([a-z][a-z0-9+.-]*):\/\//i) ?? []
  // The URL may contain a password, so messages show only its scheme.
  if (scheme === undefined) {
    throw new DemoError(
      'DATABASE_URL_INVALID',
      `PORTICO_DATABASE_URL is not a URL such as postgres://localhost/tracker`,
    )
  }
  const name = scheme.toLowerCase()
  const engine = aliases[name] ?? name
  if (!Object.hasOwn(engines, engine)) {
    const known = Object.keys(engines).map((it) => `${it}://`)
    throw new DemoError(
      'DATABASE_UNSUPPORTED',
      `PORTICO_DATABASE_URL starts with ${name}://, which no adapter supports. Use ${known.join(', ')}, or unset it to run on SQLite`,
    )
  }
  return engines[engine]!(url)
}
