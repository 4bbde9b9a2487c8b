import { type Database, openDatabase } from '@portico/db'
import { Group, Membership, Person, suiteTables } from '@portico/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './support/engines.ts'

describe.each(engines.filter((it) => it.name !== 'mongo'))('raw SQL on $name', ({ name, isThere, use }) => {
  describe.skipIf(!isThere)('', () => {
    const open = use()
    const db = behaves(async () => openDatabase(await open()))

    it('a violated foreign key names its fields, if the engine reports them', async () => {
      const personId = '00000000-0000-7000-8000-000000000000'
      await db().table(Person).insertOne({ id: personId, name: 'p' })
      const lost = db().table(Membership).insertOne({ personId, region: 'no', code: 1 })
      const fields = name === 'sqlite' ? [] : ['region', 'code']
      await expect(lost).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION', fields })
    })

    it('an unknown table or column: the error says to sync first', async () => {
      await using fresh = await openDatabase(await open())
      const refused = { code: 'QUERY_FAILED', message: expect.stringContaining('sync it first') }
      await expect(fresh.table(Group).insertOne({ region: 'eu', code: 1, title: 't' })).rejects.toMatchObject(refused)
      await fresh.sync([Group])
      await fresh.sql`alter table groups rename column title to other`
      await expect(fresh.table(Group).findMany()).rejects.toMatchObject(refused)
      await expect(fresh.table(Group).insertOne({ region: 'eu', code: 1, title: 't' })).rejects.toMatchObject(refused)
    })
  })
})

function behaves(open: () => Promise<Database>): () => Database {
  let db: Database
  beforeAll(async () => {
    db = await open()
    await db.sync(suiteTables)
    await db.table(Group).insertOne({ region: 'eu', code: 1, title: 't' })
  })
  afterAll(() => db.close())

  it('returns integers as numbers', async () => {
    expect(await db.sql`select count(*) as n, max(code) as code from groups`).toEqual([{ n: 1, code: 1 }])
  })

  it('cannot begin a transaction: later writes are kept', async () => {
    const misuse = { code: 'TRANSACTION_MISUSE', message: 'use db.transaction to begin a transaction' }
    await expect(db.sql`begin`).rejects.toMatchObject(misuse)
    await db.table(Group).insertOne({ region: 'us', code: 1, title: 't' })
    // Where that had been part of a transaction, this would take it back.
    await db.sql`rollback`.catch(() => {})
    expect(await db.table(Group).deleteMany({ region: 'us' })).toEqual({ deletedCount: 1 })
  })

  it('never rounds an integer', async () => {
    const rows = db.sql`select 9007199254740993 as wide`
    await expect(rows).rejects.toMatchObject({ code: 'NUMBER_UNSAFE', message: expect.stringContaining('`wide`') })
  })

  it.each(['', ' where title = '])('refuses several statements, and runs none of them%s', async (condition) => {
    const text = [`update groups set title = 'x'${condition}`, `${condition && ' or 1=1'}; delete from groups`]
    const parts = Object.assign(condition ? text : [text.join('')], { raw: [] as string[] })
    await expect(db.sql(parts, ...(condition ? ['t'] : []))).rejects.toMatchObject({ code: 'QUERY_FAILED' })
    expect(await db.table(Group).findMany()).toEqual([{ region: 'eu', code: 1, title: 't' }])
  })

  it('refuses values that no database supports', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    for (const value of [undefined, () => 1, Symbol('x')]) {
      await expect(db.sql`select ${value} as it`).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    for (const value of [circular, [circular], { wide: 1n }]) {
      await expect(db.sql`select ${value} as it`).rejects.toMatchObject({ code: 'QUERY_FAILED' })
    }
    await expect(db.sql`selekt 1`).rejects.toMatchObject({ code: 'QUERY_FAILED' })
  })

  return () => db
}
