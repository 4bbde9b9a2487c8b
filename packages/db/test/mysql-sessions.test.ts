import { type Database, openDatabase } from '@portico/db'
import { type MysqlPool, mysql } from '@portico/db/mysql'
import { Group, suiteTables } from '@portico/db/testing'
import { createPool } from 'mysql2'
import { describe, expect, it } from 'vitest'
import { mysqlEngine } from './support/engines.ts'

const { command } = mysqlEngine
const group = (code: number) => ({ region: 'eu', code, title: 't' })

/** One connection has to do for all: what a statement leaves on it meets the next. */
describe.skipIf(!mysqlEngine.isThere)('what is left on a connection of MySQL', () => {
  const databases = mysqlEngine.use()

  async function open(): Promise<{ db: Database; stored: () => Promise<unknown> } & AsyncDisposable> {
    const url = await databases.create()
    const db = await openDatabase(mysql({ url, maxConnections: 1 }))
    await db.sync(suiteTables)
    const stored = async () =>
      (await command(url, 'select code from "groups" order by code')).map((it) => (it as { code: number }).code)
    return { db, stored, [Symbol.asyncDispose]: () => db.close() }
  }

  it('a server that commits nothing by itself keeps what is written all the same', async () => {
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

  it('a transaction begun by hand is refused, and what comes after is kept', async () => {
    await using setup = await open()
    const { db } = setup
    const misuse = { code: 'TRANSACTION_MISUSE', message: /db\.transaction/ }
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

  it('a statement that answers with rows and commits ends a transaction too', async () => {
    await using setup = await open()
    const { db } = setup
    await db.sql`create procedure keep() begin select 1 as one; commit; end`
    const ending = [() => ['analyze table "groups"'], () => ['call keep()']]
    for (const [index, text] of ending.entries()) {
      const running = db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(index))
        await tx.sql(Object.assign(text(), { raw: text() })).catch(() => {})
        await tx.table(Group).insertOne(group(10 + index))
      })
      await expect(running).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    }
    expect(await setup.stored()).toEqual([0, 1])
  })

  it('a procedure answers with its first rows', async () => {
    await using setup = await open()
    const { db } = setup
    await db.sql`create procedure two() begin select 1 as one, 9007199254740991 as wide; select 2 as two; end`
    const rows = [{ one: 1, wide: Number.MAX_SAFE_INTEGER }]
    expect(await db.sql`call two()`).toEqual(rows)
    expect(await db.transaction((tx) => tx.sql`call two()`)).toEqual(rows)
  })

  it('a server that keeps few prepared statements runs any number of them', async () => {
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

  it.each(['latin1', 'utf8'])('a ready pool whose charset %s lacks characters is refused', async (charset) => {
    const pool = createPool({ uri: await databases.create(), charset })
    const opening = openDatabase(mysql({ pool: pool as unknown as MysqlPool }))
    await expect(opening).rejects.toMatchObject({ code: 'OPTIONS_INVALID', message: /utf8mb4/ })
    await new Promise<void>((resolve) => pool.end(() => resolve()))
  })
})
