import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { describe, expect, it } from 'vitest'
import { models, notes, run, syncWhole } from './support/sync.ts'

const open = (): Promise<Database> => openDatabase(sqlite({ file: ':memory:' }))

describe('rebuilding a table on SQLite', () => {
  const family = (extra: string) =>
    models(`@db.table 'parents' export interface Parent { @meta.id id: number\n ${extra} }
@db.table 'children' export interface Child { @meta.id id: number\n @db.rel.FK @db.rel.onDelete 'cascade' parentId: Parent.id }`)

  it('keeps the rows that refer to it with a cascade', async () => {
    await using db = await open()
    await db.sync(family('a: string'))
    await db.sql`insert into parents (id, a) values (1, 'x')`
    await db.sql`insert into children (id, "parentId") values (1, 1), (2, 1)`
    await syncWhole(db, family('a?: string'))
    expect(await db.sql`select id from children order by id`).toEqual([{ id: 1 }, { id: 2 }])
    // Afterwards it cascades as before.
    await db.sql`delete from parents`
    expect(await db.sql`select id from children`).toEqual([])
  })

  it('keeps triggers, views, and indexes that sync did not create', async () => {
    await using db = await open()
    await db.sync(notes('a: string', '@db.index.plain b?: string'))
    await db.sql`create table log (text text)`
    await run(db, "create trigger audit after insert on notes begin insert into log values ('new ' || new.a); end")
    await run(db, 'create trigger elsewhere after delete on log begin update notes set b = old.text; end')
    await db.sql`create view seen as select a from notes where a <> ''`
    await db.sql`create index mine on notes (a) where b is null`
    await db.sql`insert into notes (id, a) values (1, 'x')`
    await syncWhole(db, notes('a?: string', '@db.index.plain b?: string'))
    await db.sql`insert into notes (id, a) values (2, 'y')`
    expect(await db.sql`select text from log order by text`).toEqual([{ text: 'new x' }, { text: 'new y' }])
    expect(await db.sql`select a from seen order by a`).toEqual([{ a: 'x' }, { a: 'y' }])
    await db.sql`delete from log where text = 'new x'`
    expect(await db.sql`select b from notes`).toEqual([{ b: 'new x' }, { b: 'new x' }])
    const kept =
      await db.sql`select name from sqlite_master where type = 'index' and tbl_name = 'notes' and sql is not null order by name`
    expect(kept).toEqual([{ name: 'mine' }, { name: 'notes__b' }])
  })

  it('renames a column in triggers, views and referring tables too', async () => {
    await using db = await open()
    await db.sync(notes('a: string'))
    await db.sql`create view seen as select a from notes`
    await syncWhole(db, notes("@db.column.renamed 'a' b?: string"))
    await db.sql`insert into notes (id, b) values (1, 'x')`
    expect(await db.sql`select * from seen`).toMatchObject([{}])
  })

  it.each([
    ['view', 'create view seen as select a from notes', 'view `seen`'],
    ['trigger', 'create trigger audit after insert on notes begin update notes set b = new.a; end', 'trigger `audit`'],
  ])('refuses to break a %s', async (_, text, broken) => {
    await using db = await open()
    await db.sync(notes('a?: string', 'b?: string'))
    await run(db, text)
    const refused = db.sync(notes('b?: string'), { allow: ['drop notes.a'] })
    await expect(refused).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: expect.stringContaining(`${broken} would no longer work`),
    })
    expect((await db.sync(notes('a?: string', 'b?: string'))).steps).toEqual([])
  })

  it('refuses a table with constraints that it does not know', async () => {
    await using db = await open()
    await db.sql`create table notes (id integer primary key not null, a text not null check (a <> ''))`
    await expect(db.sync(notes('a?: string'), { allow: ['adopt notes'] })).rejects.toThrow('a constraint (CHECK)')
  })

  it('reports progress while it copies, and yields to others', async () => {
    await using db = await open()
    await db.sync(notes('a: number'))
    await run(
      db,
      'insert into notes (id, a) with recursive n(i) as (select 1 union all select i + 1 from n where i < 120000) select i, i from n',
    )
    const seen: (number | undefined)[] = []
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    await db.sync(notes('a?: number'), {
      onProgress: ({ copied, rows, table }) => seen.push(table === 'notes' && rows === 120_000 ? copied : -1),
    })
    clearInterval(timer)
    expect(seen).toEqual([undefined, 50_000, 100_000, 120_000])
    expect(turns).toBeGreaterThan(0)
  })

  it('copies a table that has a column named rowid, and negative numbers', async () => {
    await using db = await open()
    const table = (type: string) =>
      models(`@db.table 'notes' export interface Note { @meta.id key: string\n rowid${type}: number }`)
    await db.sync(table(''))
    await db.sql`insert into notes (key, rowid) values ('a', -5), ('b', -5), ('c', 7)`
    await syncWhole(db, table('?'))
    expect(await db.sql`select key, "rowid" as r from notes order by key`).toEqual([
      { key: 'a', r: -5 },
      { key: 'b', r: -5 },
      { key: 'c', r: 7 },
    ])
  })

  it('renames a table to a name that differs only in case', async () => {
    await using db = await open()
    await db.sync(models("@db.table 'Notes' export interface Note { @meta.id id: number }"))
    await db.sql`insert into Notes (id) values (1)`
    await syncWhole(
      db,
      models("@db.table 'notes' @db.table.renamed 'Notes' export interface Note { @meta.id id: number }"),
    )
    expect(await db.sql`select name from sqlite_master where name like 'notes'`).toEqual([{ name: 'notes' }])
    expect(await db.sql`select id from notes`).toEqual([{ id: 1 }])
  })
})

describe('text that becomes a number on SQLite', () => {
  it.each([
    ['a?: number', '9007199254740993'],
    ['a?: decimal', '9007199254740993'],
    ['a?: number', '-9223372036854775808'],
  ])('%s: %s is refused, not rounded', async (after, late) => {
    await using db = await open()
    await db.sync(notes('a?: string'))
    await db.sql`insert into notes (id, a) values (1, '9007199254740991'), (2, ${late})`
    const sync = db.sync(notes(after), { allow: ['narrow notes.a'] })
    await expect(sync).rejects.toThrow('has 1 value that cannot be kept exactly')
    await db.sql`delete from notes where id = 2`
    await syncWhole(db, notes(after), { allow: ['narrow notes.a'] })
    expect(await db.sql`select cast(a as integer) as a from notes`).toEqual([{ a: Number.MAX_SAFE_INTEGER }])
  })
})
