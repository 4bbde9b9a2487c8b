import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { mongo } from '@portico/db/mongo'
import { type PostgresPool, postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { after, allow, before, expected, fill } from './programs/sync-scenario.mjs'
import { command, hasPostgres, mysqlEngine, quietPool, temporaryFolder, usePostgres } from './support/engines.ts'
import { hasMongo, useMongo, withMongo } from './support/mongo-databases.ts'
import { runStatement } from './support/statements.ts'
import { run } from './support/sync.ts'

const program = fileURLToPath(new URL('programs/sync-and-die.mjs', import.meta.url))

/** Runs a sync that kills itself at a statement. Returns the signal, or the output of a sync that ended normally. */
function syncAndDie(...args: readonly (string | number)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args.map(String)], (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim())
      if (error.signal === 'SIGKILL') return resolve('killed')
      reject(new Error(stderr))
    })
  })
}

async function expectWhole(db: Database, read = run): Promise<void> {
  await db.sync(after, { allow, concurrentRows: 1 })
  for (const [table, rows] of Object.entries(expected)) {
    expect(await read(db, `select * from ${table} order by id`)).toEqual(rows)
  }
  expect(await db.planSync(after)).toEqual({ steps: [], problems: [], warnings: [], kept: [], leftovers: [] })
}

/** Places spread over all statements, before and after each in turn. */
function* places(statements: number, kills: number): Generator<[position: number, moment: 'before' | 'after']> {
  for (let kill = 0; kill < kills; kill++) {
    const position = kills >= statements * 2 ? (kill >> 1) % statements : Math.floor((kill * statements) / kills)
    yield [position + 1, kill % 2 === 0 ? 'before' : 'after']
  }
}

/** Two at a time, since most of the time is spent on starting up. */
async function inPairs<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all([worker(), worker()])
}

const slow = { timeout: 900_000 }

describe('the next sync completes one that was killed, and no row is lost', () => {
  it(`on SQLite, ${heavy(200)} times`, slow, async () => {
    await using folder = await temporaryFolder({ inMemory: true })
    const origin = folder.file('origin.db')
    const first = await openDatabase(sqlite({ file: origin }))
    await first.sync(before)
    await fill((text) => run(first, text))
    await first.close()
    const probe = folder.file('probe.db')
    copyFileSync(origin, probe)
    const statements = Number(/^done after (\d+)$/.exec(await syncAndDie('sqlite', probe, 0, 'never'))?.[1])
    expect(statements).toBeGreaterThan(25)

    await inPairs(places(statements, heavy(200)), async ([position, moment]) => {
      const file = folder.file(`${moment}-${position}-${Math.random()}.db`)
      copyFileSync(origin, file)
      expect(await syncAndDie('sqlite', file, position, moment)).toBe('killed')
      await using db = await openDatabase(sqlite({ file }))
      await expectWhole(db)
      expect(await db.sql`select * from pragma_foreign_key_check`).toEqual([])
      expect(await db.sql`pragma foreign_keys`).toEqual([{ foreign_keys: 1 }])
      expect(await db.sql`pragma integrity_check`).toEqual([{ integrity_check: 'ok' }])
    })
  })

  describe.skipIf(!mysqlEngine.isThere)('on a server', () => {
    const databases = mysqlEngine.use()

    async function createOrigin(): Promise<string> {
      const url = await databases.create()
      await using db = await openDatabase(mysqlEngine.adapter({ url }))
      await db.sync(before)
      await fill((text) => run(db, text))
      return url
    }

    it(`on MySQL, ${heavy(100)} times`, slow, async () => {
      const printed = await syncAndDie('mysql', await createOrigin(), 0, 'never')
      const statements = Number(/^done after (\d+)$/.exec(printed)?.[1])
      expect(statements).toBeGreaterThan(60)
      await inPairs(places(statements, heavy(100)), async ([position, moment]) => {
        const url = await createOrigin()
        expect(await syncAndDie('mysql', url, position, moment)).toBe('killed')
        await using db = await openDatabase(mysqlEngine.adapter({ url }))
        await expectWhole(db)
        expect(await db.sql`select * from portico__journal`).toEqual([])
      })
    })
  })

  describe.skipIf(!hasMongo)('on MongoDB', () => {
    const databases = useMongo()

    async function createOrigin(): Promise<string> {
      const url = databases.create()
      await using db = await openDatabase(mongo({ url }))
      await db.sync(before)
      await fill((text) => runStatement(db, before, text))
      return url
    }

    it(`${heavy(100)} times`, slow, async () => {
      const printed = await syncAndDie('mongo', await createOrigin(), 0, 'never')
      const statements = Number(/^done after (\d+)$/.exec(printed)?.[1])
      expect(statements).toBeGreaterThan(70)
      await inPairs(places(statements, heavy(100)), async ([position, moment]) => {
        const url = await createOrigin()
        expect(await syncAndDie('mongo', url, position, moment)).toBe('killed')
        // A lease of a minute, so that heartbeats do not count as statements.
        await withMongo(url, (client) =>
          client
            .db()
            .collection('portico__lease')
            .updateOne({}, { $set: { leaseMs: 200 } }),
        )
        await using db = await openDatabase(mongo({ url, leaseMs: 200 }))
        await expectWhole(db, (_, text) => runStatement(db, after, text))
      })
    })
  })

  describe.skipIf(!hasPostgres)('on a server', () => {
    const databases = usePostgres()

    /** A database as it is before the sync, from which others are copied. */
    async function createOrigin(): Promise<{ copy(): Promise<string> }> {
      const url = await databases.create()
      const db = await openDatabase(postgres({ url }))
      await db.sync(before)
      await fill((text) => run(db, text))
      await db.close()
      const origin = new URL(url).pathname.slice(1)
      return {
        copy: () => databases.create(origin),
      }
    }

    async function expectWholeAt(url: string, wrap = (adapter: Adapter): Adapter => adapter): Promise<void> {
      await using db = await openDatabase(wrap(postgres({ url, maxConnections: 2 })))
      await expectWhole(db)
      expect(await db.sql`select relname from pg_index join pg_class on oid = indexrelid where not indisvalid`).toEqual(
        [],
      )
      expect(await db.sql`select * from portico__journal`).toEqual([])
    }

    it(`on PostgreSQL, ${heavy(50)} times`, slow, async () => {
      const origin = await createOrigin()
      const printed = await syncAndDie('postgres', await origin.copy(), 0, 'never')
      const statements = Number(/^done after (\d+)$/.exec(printed)?.[1])
      expect(statements).toBeGreaterThan(40)
      for (const [position, moment] of places(statements, heavy(50))) {
        const url = await origin.copy()
        expect(await syncAndDie('postgres', url, position, moment)).toBe('killed')
        await expectWholeAt(url)
      }
    })

    it(`on PostgreSQL by cutting the connection, ${heavy(50)} times`, slow, async () => {
      const origin = await createOrigin()
      const statements = await cutAt(await origin.copy(), 0, 'before')
      for (const [position, moment] of places(statements, heavy(50))) {
        const url = await origin.copy()
        await cutAt(url, position, moment)
        await expectWholeAt(url)
      }
    })

    it(`step by step with a journal, cut off ${heavy(60)} times`, slow, async () => {
      const origin = await createOrigin()
      const statements = await cutAt(await origin.copy(), 0, 'before', withoutTransactions)
      for (const [position, moment] of places(statements, heavy(60))) {
        const url = await origin.copy()
        await cutAt(url, position, moment, withoutTransactions)
        await expectWholeAt(url, withoutTransactions)
      }
    })
  })
})

/** An adapter without transactional DDL: a sync is then a series of steps with a journal. */
function withoutTransactions(adapter: Adapter): Adapter {
  return { ...adapter, supports: { ...adapter.supports, transactionalDdl: false } }
}

/** Syncs over a pool whose connection is cut at one statement. Returns the number of statements. */
async function cutAt(
  url: string,
  position: number,
  moment: 'before' | 'after',
  wrap: (adapter: Adapter) => Adapter = (it) => it,
): Promise<number> {
  const real = quietPool(url, 2)
  let count = 0
  let isOpen = false
  let cut = ''
  const pool = {
    connect(done: (error: Error | undefined, client?: object) => void) {
      real.connect((error, client) => {
        if (!client) return done(error)
        const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
        const query = (config: { text: string; values: unknown[] }, answer: (...args: unknown[]) => void): void => {
          if (isOpen) count += 1
          const isHere = isOpen && count === position
          if (isHere) cut = config.text
          if (isHere && moment === 'before') stream.destroy()
          client.query(config, (...args: unknown[]) => {
            if (isHere && moment === 'after') stream.destroy()
            answer(...args)
          })
        }
        done(undefined, { query, release: (destroy?: boolean) => client.release(destroy), on: () => {}, off: () => {} })
      })
    },
    end: () => real.end(),
    on: () => {},
    off: () => {},
  } as unknown as PostgresPool
  const db = await openDatabase(wrap(postgres({ pool })))
  isOpen = true
  const outcome = await db.sync(after, { allow, concurrentRows: 1 }).catch((error: { code: string }) => error.code)
  // A cut connection never counts as success, and only reads are retried.
  if (position > 0 && moment === 'before' && outcome !== 'UNAVAILABLE') {
    expect(outcome).toMatchObject({ steps: expect.anything() })
    expect(cut).toMatch(/^(?:select|begin)\b/i)
  }
  const ran = count
  await db.close()
  await real.end()
  await command(
    url,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return ran
}
