import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authTables } from '@portico/auth-server'
import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import SqliteHandle from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { type DatabaseServerKind, databaseServers } from '../../../test/support/database-servers.ts'
import { titleOf } from './support/browser.ts'
import { startServer, type TestServer } from './support/server.ts'

/** Every request fails here, which would fill the output. */
const silent = { logger: { level: 'silent' } }

/** A database with the tables, which answers until `fail` is called. */
interface Outage extends AsyncDisposable {
  readonly db: Database
  fail(): Promise<void>
}

/** Another program takes the lock of the file and keeps it. */
async function lockSqlite(): Promise<Outage> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-auth-'))
  const file = join(folder, 'auth.db')
  const db = await openDatabase(sqlite({ file, busyTimeoutMs: 10 }))
  await db.sync(authTables)
  const other = new SqliteHandle(file)
  return {
    db,
    fail: async () => void other.exec('begin exclusive'),
    async [Symbol.asyncDispose]() {
      other.close()
      await db.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function stopServer({ start, adapter }: DatabaseServerKind): Promise<Outage> {
  const server = await start()
  const db = await openDatabase(adapter(await server.create()))
  await db.sync(authTables)
  return {
    db,
    fail: async () => server[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await db.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const outages: readonly (readonly [string, () => Promise<Outage>])[] = [
  ['SQLite, locked by another program', lockSqlite],
  ...databaseServers.filter((it) => it.isThere).map((it) => [`${it.name}, stopped`, () => stopServer(it)] as const),
]

function sendAnything({ app }: TestServer, method: string, path: string, payload = 'grant_type=x&token=y') {
  return app.inject({
    method: method as 'GET',
    url: path.replace(':provider', 'work'),
    ...(method === 'POST' && { payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  })
}

describe.each(outages)('while the database cannot answer (%s)', (_, open) => {
  it('every page and endpoint answers 503, with the time to try again', async () => {
    await using outage = await open()
    await using it = await startServer({ db: outage.db, rateLimits: {}, app: silent })
    await outage.fail()
    const routes = it.server.routes.routes.filter(
      ({ method, path }) => !path.startsWith('/.well-known/') && method !== 'OPTIONS',
    )
    const answers = await Promise.all(
      routes.map(async ({ method, path, metadata }) => {
        const answer = await sendAnything(it, method, path)
        const isPage = metadata['specExclude'] === true
        const says = isPage ? titleOf(answer) : (answer.json().error ?? answer.json().code)
        return [`${method} ${path}`, answer.statusCode, answer.headers['retry-after'], says]
      }),
    )
    const words = (path: string) => {
      if (path === '/auth/jwks') return 'UNAVAILABLE'
      return ['/auth/token', '/auth/revoke', '/auth/status', '/auth/userinfo'].includes(path)
        ? 'temporarily_unavailable'
        : 'We cannot answer right now'
    }
    expect(answers).toEqual(routes.map(({ method, path }) => [`${method} ${path}`, 503, '1', words(path)]))
  }, 60_000)

  it('the keys and the metadata stay available, so that tokens can be verified', async () => {
    await using outage = await open()
    await using it = await startServer({ db: outage.db, app: silent })
    const before = (await it.app.inject('/auth/jwks')).json()
    expect(before.keys).toHaveLength(1)
    await outage.fail()
    for (const seconds of [0, 60, 600, 86_400]) {
      it.clock.pass(seconds)
      const answer = await it.app.inject('/auth/jwks')
      expect([answer.statusCode, answer.json()]).toEqual([200, before])
    }
    for (const name of ['openid-configuration', 'oauth-authorization-server'])
      expect((await it.app.inject(`/.well-known/${name}`)).statusCode).toBe(200)
  }, 60_000)
})

it('a malformed request that cannot be audited gets 503 too', async () => {
  await using outage = await lockSqlite()
  await using it = await startServer({ db: outage.db, app: silent })
  expect(titleOf(await sendAnything(it, 'POST', '/auth/consent', '%zz'))).toBe('This request is not valid')
  await outage.fail()
  const page = await sendAnything(it, 'POST', '/auth/consent', '%zz')
  expect([page.statusCode, titleOf(page)]).toEqual([503, 'We cannot answer right now'])
  const refusal = await sendAnything(it, 'POST', '/auth/token', '%zz')
  expect([refusal.statusCode, refusal.json().error]).toEqual([503, 'temporarily_unavailable'])
})
