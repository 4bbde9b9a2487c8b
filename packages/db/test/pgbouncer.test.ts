import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '@portico/db'
import { type PostgresOptions, postgres } from '@portico/db/postgres'
import { Group, suiteTables, testAdapter } from '@portico/db/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPgbouncer } from '../../../scripts/environment.mjs'
import { type ServerProcess, startServer } from '../../../test/support/server-process.ts'
import { postgresEngine } from './support/engines.ts'

const found = findPgbouncer()

/** A pooler in transaction mode in front of a server, with its ordinary settings. */
async function startPgbouncer(target: URL): Promise<ServerProcess> {
  return startServer('pgbouncer', (folder, port) => {
    const users = join(folder, 'users.txt')
    writeFileSync(users, `"${target.username}" ""\n`)
    const settings = join(folder, 'pgbouncer.ini')
    const lines = [
      '[databases]',
      `* = host=${target.hostname} port=${target.port} user=${target.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'default_pool_size = 10',
    ]
    writeFileSync(settings, lines.join('\n'))
    const url = new URL(target)
    url.port = String(port)
    return {
      file: found!.path,
      args: [settings],
      url: url.href,
      async isReady() {
        const client = new Client({ connectionString: url.href })
        return client.connect().then(
          () => client.end().then(() => true),
          () => false,
        )
      },
      stopSignal: 'SIGINT',
    }
  })
}

describe.skipIf(!found || !postgresEngine.isThere)('behind PgBouncer', () => {
  const databases = postgresEngine.use()
  let pooler: ServerProcess | undefined

  beforeAll(async () => {
    pooler = await startPgbouncer(new URL(await databases.create()))
  })
  afterAll(() => pooler?.[Symbol.asyncDispose]())

  async function pooled(options: Partial<PostgresOptions> = {}) {
    const url = new URL(await databases.create())
    url.port = String(pooler!.port)
    return postgres({ ...options, url: url.href })
  }

  describe('with pooler: true', () => {
    testAdapter({
      name: 'postgres',
      runner: { describe, it, after: afterAll },
      open: () => pooled({ pooler: true }),
    })
  })

  it('is detected at opening', async () => {
    await using db = await openDatabase(await pooled())
    await db.sync(suiteTables)
    await Promise.all(
      Array.from({ length: 30 }, (_, code) => db.table(Group).insertOne({ region: 'eu', code, title: 't' })),
    )
    const counts = await Promise.all(Array.from({ length: 30 }, () => db.transaction((tx) => tx.table(Group).count())))
    expect(new Set(counts)).toEqual(new Set([30]))
    expect(await db.sql`select count(*)::int as n from pg_prepared_statements`).toEqual([{ n: 0 }])
  })

  it('the server cancels a slow statement in a transaction', async () => {
    await using db = await openDatabase(await pooled({ statementTimeoutMs: 300 }))
    const running = db.transaction((tx) => tx.sql`select pg_sleep(5)`)
    await expect(running).rejects.toMatchObject({ code: 'TIMEOUT', cause: { code: '57014' } })
    // The limit is the transaction's, and stays on no connection.
    expect(await db.sql`show statement_timeout`).toEqual([{ statement_timeout: '0' }])
  })
})
