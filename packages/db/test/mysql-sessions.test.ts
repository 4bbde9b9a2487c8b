import { type Database, openDatabase } from '@portico/db'
import { type MysqlPool, mysql } from '@portico/db/mysql'
import { Group, Person, suiteTables } from '@portico/db/testing'
import { createPool, type PoolConnection } from 'mysql2'
import { describe, expect, it } from 'vitest'
import { mysqlEngine } from './support/engines.ts'
import { tableOf } from './support/statements.ts'
import { models, syncWhole } from './support/sync.ts'
import { startProxy } from './support/tcp-proxy.ts'

const { command } = mysqlEngine
const group = (code: number) => ({ region: 'eu', code, title: 't' })

/** One connection has to do for all: what a statement leaves on it meets the next. */
describe.skipIf(!mysqlEngine.isThere)('session state of MySQL connections', () => {
  const databases = mysqlEngine.use()

  async function open(): Promise<{ db: Database; stored: () => Promise<unknown> } & AsyncDisposable> {
    const url = await databases.create()
    const db = await openDatabase(mysql({ url, maxConnections: 1 }))
    await db.sync(suiteTables)
    const stored = async () =>
      (await command(url, 'select code from "groups" order by code')).map((it) => (it as { code: number }).code)
    return { db, stored, [Symbol.asyncDispose]: () => db.close() }
  }

  it('writes are committed even if the server’s autocommit is off', async () => {
    const url = await databases.create()
    await command(url, 'set global autocommit = 0')
    try {
      await using db = await openDatabase(mysql({ url, maxConnections: 1 }))
      await db.sync(suiteTables)
      await db.table(Group).insertOne(group(1))
    } finally {
      await command(url, 'set global autocommit = 1')
    }
    expect(await command(url, 'select code from "groups"')).toEqual([{ code: 1 }])
  })

  describe('is the same whatever the server’s defaults', () => {
    const counted = models(
      `@db.table 'notes' export interface Note { @meta.id @db.default.increment id: number\n @db.index.unique a: string }`,
    )
    const notes = tableOf(counted[0]!)
    const cases: [setting: string, check: (db: Database) => Promise<void>][] = [
      ['sql_select_limit = 1', async (db) => expect(await db.table(notes).findMany({})).toHaveLength(2)],
      ['sql_safe_updates = 1', async (db) => expect(await db.table(notes).deleteMany({})).toEqual({ deletedCount: 2 })],
      [
        'sql_auto_is_null = 1',
        async (db) => expect(await db.table(notes).deleteMany({ id: null })).toEqual({ deletedCount: 0 }),
      ],
      [
        'foreign_key_checks = 0',
        async (db) => {
          const lost = db.table(Person).insertOne({ name: 'p', teamId: 7 })
          await expect(lost).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION' })
        },
      ],
      [
        'completion_type = 2',
        async (db) => {
          for (const code of [1, 2]) await db.transaction((tx) => tx.table(Group).insertOne(group(code)))
          expect(await db.table(Group).count()).toBe(2)
        },
      ],
      [
        "lc_messages = 'de_DE'",
        async (db) => {
          const twice = db.table(notes).insertOne({ a: 'x' })
          await expect(twice).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION', fields: ['a'] })
          const person = await db.table(Person).insertOne({ name: 'p' })
          const late = db.table(Person).upsertOne({ ...person, version: 7 })
          await expect(late).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
        },
      ],
      [
        'group_concat_max_len = 4',
        async (db) => {
          await db.table(notes).insertOne({ a: 'x ' })
          expect(await db.table(notes).count({ a: 'x' } as never)).toBe(1)
        },
      ],
      [
        "sql_mode = 'ORACLE,EMPTY_STRING_IS_NULL'",
        async (db) => {
          const { columns, ...rest } = counted[0]!
          const preset = { kind: 'value', value: '' } as const
          const filled = { ...rest, columns: columns.map((it) => (it.name === 'a' ? { ...it, default: preset } : it)) }
          await syncWhole(db, [filled])
          await db.sql`insert into notes (id) values (7)`
          expect(await db.table(notes).count({ a: '' } as never)).toBe(1)
        },
      ],
      [
        'innodb_default_row_format = compact',
        async (db) => expect(await db.planSync(counted)).toMatchObject({ steps: [] }),
      ],
      [
        "sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'",
        async (db) => {
          await db.sql`create table pads (id int primary key, a char(5))`
          await db.sql`insert into pads values (1, '7')`
          const pads = models(`@db.table 'pads' export interface Pad { @meta.id id: number\n a?: number }`)
          await db.sync(pads, { allow: ['adopt pads', 'narrow pads.a'] })
          expect(await db.sql`select * from pads`).toEqual([{ id: 1, a: 7 }])
        },
      ],
    ]

    it.each(cases)('%s', async (setting, check) => {
      const url = await databases.create()
      await command(url, `set global ${setting}`)
      try {
        await using db = await openDatabase(mysql({ url, maxConnections: 1 }))
        await db.sync([...suiteTables, ...counted])
        await db.table(notes).insertOne({ a: 'y' })
        await db.table(notes).insertOne({ a: 'x' })
        await check(db)
      } finally {
        await command(url, `set global ${setting.split(' ')[0]} = default`)
      }
    })
  })

  it('a connection that hangs during setup is dropped, and its place in the pool is free again', async () => {
    const url = new URL(await databases.create())
    await using proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    await using db = await openDatabase(mysql({ url: url.href, maxConnections: 1, connectTimeoutMs: 500 }))
    proxy.down(true)
    await expect(db.sql`select 1`).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    proxy.down(false)
    proxy.arm(/SET SESSION autocommit/, 'hold')
    await expect(db.sql`select 1`).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(proxy.isSprung).toBe(true)
    await expect.poll(() => db.sql`select 1 as one`.catch(() => []), { timeout: 20_000 }).toEqual([{ one: 1 }])
  })

  it('a raw BEGIN is refused, and later writes are kept', async () => {
    await using setup = await open()
    const { db } = setup
    const misuse = { code: 'TRANSACTION_MISUSE', message: expect.stringMatching(/db\.transaction/) }
    await expect(db.sql`start transaction`).rejects.toMatchObject(misuse)
    await db.table(Group).insertOne(group(1))
    await expect(db.sql`set autocommit = 0`).rejects.toMatchObject(misuse)
    await db.table(Group).insertOne(group(2))
    await db.transaction(async (tx) => {
      await tx.sql`set autocommit = 0`
      await tx.table(Group).insertOne(group(3))
    })
    await db.table(Group).insertOne(group(4))
    expect(await setup.stored()).toEqual([1, 2, 3, 4])
  })

  it('a statement that returns rows and commits ends the transaction too', async () => {
    await using setup = await open()
    const { db } = setup
    await db.sql`create procedure keep() begin select 1 as one; commit; end`
    await db.sql`create procedure chain() begin commit and chain; end`
    await db.sql`create procedure again() begin rollback; start transaction; select 1 as one; end`
    const ending = [
      () => ['analyze table "groups"'],
      () => ['call keep()'],
      () => ['call chain()'],
      () => ['/*! commit */ and chain'],
      () => ['# here\ncall again()'],
    ]
    for (const [index, text] of ending.entries()) {
      const running = db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(index))
        await tx.sql(Object.assign(text(), { raw: text() })).catch(() => {})
        await tx.table(Group).insertOne(group(10 + index))
      })
      await expect(running).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    }
    expect(await setup.stored()).toEqual([0, 1, 2, 3])
  })

  it('concurrent raw statements that end nothing leave the transaction open', async () => {
    await using setup = await open()
    const { db } = setup
    await db.sql`create procedure store(code int) insert into "groups" (region, code, title) values ('eu', code, 't')`
    await db.transaction((tx) => Promise.all([1, 2, 3].map((code) => tx.sql`call store(${code})`)))
    expect(await setup.stored()).toEqual([1, 2, 3])
  })

  it('a procedure returns its first row set', async () => {
    await using setup = await open()
    const { db } = setup
    await db.sql`create procedure two() begin select 1 as one, 9007199254740991 as wide; select 2 as two; end`
    const rows = [{ one: 1, wide: Number.MAX_SAFE_INTEGER }]
    expect(await db.sql`call two()`).toEqual(rows)
    expect(await db.transaction((tx) => tx.sql`call two()`)).toEqual(rows)
  })

  it('works on a server that keeps few prepared statements', async () => {
    await using setup = await open()
    const { db } = setup
    const url = await databases.create()
    await command(url, 'set global max_prepared_stmt_count = 10')
    try {
      const shapes = Array.from({ length: 25 }, (_, index) =>
        Array.from({ length: index + 1 }, (_, at) => ({ code: { $ne: at } })),
      )
      for (const $and of shapes) expect(await db.table(Group).count({ $and })).toBe(0)
      await db.transaction(async (tx) => {
        for (const $or of shapes.slice(0, 8)) expect(await tx.table(Group).count({ $or })).toBe(0)
      })
    } finally {
      await command(url, 'set global max_prepared_stmt_count = default')
    }
  })

  /** A pool whose connections call `before` ahead of each statement, and may answer as another server. */
  function hookedPool(uri: string, before: (text: string) => unknown, version?: string): MysqlPool & AsyncDisposable {
    const pool = createPool({ uri, connectionLimit: 2 })
    const hook = (client: PoolConnection) =>
      new Proxy(client, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          if (name !== 'query' && name !== 'execute') return value.bind(target) as unknown
          return async (options: { sql: string }, done: (error: unknown, rows?: unknown, fields?: unknown) => void) => {
            await before(options.sql)
            const answer = (error: unknown, rows?: unknown, fields?: unknown): void => {
              if (version !== undefined && options.sql.startsWith('SELECT version()'))
                (rows as unknown[][])[0]![0] = version
              done(error, rows, fields)
            }
            ;(value as (...args: unknown[]) => void).call(target, options, answer)
          }
        },
      })
    return {
      getConnection: (done: (error: unknown, client?: unknown) => void) =>
        pool.getConnection((error, client) => (error ? done(error) : done(null, hook(client)))),
      end: (done: () => void) => pool.end(done),
      [Symbol.asyncDispose]: () => new Promise<void>((resolve) => pool.end(() => resolve())),
    } as unknown as MysqlPool & AsyncDisposable
  }

  it('a sync continues if another program without a shared lock makes the same change', async () => {
    const url = await databases.create()
    const raced: string[] = []
    await using pool = hookedPool(url, async (text) => {
      const name = /^CREATE TABLE (`portico__\w+`)/.exec(text)?.[1]
      if (name === undefined || raced.includes(name)) return
      raced.push(name)
      await command(url, text)
    })
    await using db = await openDatabase(mysql({ pool }))
    await db.sync(suiteTables)
    expect(raced.length).toBeGreaterThan(0)
    expect(await db.sync(suiteTables)).toEqual({ steps: [] })
  })

  it('servers other than MariaDB get limits as integers in the text', async () => {
    const url = await databases.create()
    {
      await using direct = await openDatabase(mysql({ url }))
      await direct.sync(suiteTables)
      await direct.table(Group).insertMany([1, 2, 3, 4].map(group))
    }
    const texts: string[] = []
    await using pool = hookedPool(url, (text) => texts.push(text), '8.0.36')
    await using db = await openDatabase(mysql({ pool }))
    const codesOf = async (query: object) => (await db.table(Group).findMany(query)).map((it) => it.code)
    const orderBy = { code: 'asc' }
    expect(await codesOf({ orderBy, limit: 2 })).toEqual([1, 2])
    expect(await codesOf({ orderBy, limit: 2, offset: 1, where: { code: { $gt: 1 } } })).toEqual([3, 4])
    expect(await codesOf({ orderBy, offset: 3 })).toEqual([4])
    expect(await db.table(Group).exists({ code: 3 })).toBe(true)
    const limited = texts.filter((it) => it.includes('LIMIT') && it.includes('groups'))
    expect(limited.map((it) => it.slice(it.indexOf('LIMIT')))).toEqual([
      'LIMIT 2',
      'LIMIT 2 OFFSET 1',
      'LIMIT 18446744073709551615 OFFSET 3',
      'LIMIT 1',
    ])
  })

  it.each(['latin1', 'utf8'])('a pool with the incomplete charset %s is refused', async (charset) => {
    const pool = createPool({ uri: await databases.create(), charset })
    const opening = openDatabase(mysql({ pool: pool as unknown as MysqlPool }))
    await expect(opening).rejects.toMatchObject({ code: 'OPTIONS_INVALID', message: expect.stringMatching(/utf8mb4/) })
    await new Promise<void>((resolve) => pool.end(() => resolve()))
  })
})
