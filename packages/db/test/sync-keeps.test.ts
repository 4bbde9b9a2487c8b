/** Data and objects that a sync must neither lose nor change. */
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { tableOf } from './support/statements.ts'
import { models, notes, onEachSqlEngine, run, syncWhole } from './support/sync.ts'

describe('sync keeps', () => {
  onEachSqlEngine(({ name, open }) => {
    it.each([
      ['zeros in front', '007'],
      ['zeros at the end that nobody declared', '1.10'],
    ])('text that looks like a number, with %s', async (_, text) => {
      await using db = await open()
      await db.sync(notes('a?: string'))
      await run(db, `insert into notes values (1, '${text}')`)
      for (const type of ['decimal', 'number']) {
        const refused = db.sync(notes(`a?: ${type}`), { allow: ['narrow notes.a'] })
        await expect(refused).rejects.toThrow('has 1 value that cannot be kept exactly')
      }
      expect(await db.sql`select a from notes`).toEqual([{ a: text }])
    })

    it('every digit of a number that becomes a decimal', async () => {
      await using db = await open()
      await db.sync(notes('a?: number'))
      await db.sql`insert into notes values (1, 9007199254740991), (2, 12345678.12345678)`
      await db.sync(notes('a?: decimal'), { allow: ['narrow notes.a'] })
      const reads = { SQLite: 'a', PostgreSQL: 'trim_scale(a)::double precision as a', MySQL: 'a + 0e0 as a' }
      const read = reads[name as keyof typeof reads]
      expect(await run(db, `select ${read} from notes order by id`)).toEqual([
        { a: 9007199254740991 },
        { a: 12345678.12345678 },
      ])
    })

    it('a decimal as it is read, when it becomes text', async () => {
      await using db = await open()
      await db.sync(notes('a?: decimal'))
      await db.sql`insert into notes values (1, 0.0000001), (2, 1.5), (3, 20), (4, null)`
      await syncWhole(db, notes('a?: string'), { allow: ['convert notes.a'] })
      const texts = [{ a: '0.0000001' }, { a: '1.5' }, { a: '20' }, { a: null }]
      expect(await db.sql`select a from notes order by id`).toEqual(texts)
    })

    it('indexes of a table that it adopts', async () => {
      await using db = await open()
      await db.sql`create table notes (id bigint primary key not null, a text)`
      await db.sql`create unique index mine on notes (a)`
      // A `number` key is an INT on MySQL.
      const allow = ['adopt notes', ...(name === 'MySQL' ? ['narrow notes.id'] : [])]
      await syncWhole(db, notes('a?: string', '@db.index.plain\n b?: string'), { allow })
      await db.sql`insert into notes values (1, 'x', null)`
      await expect(db.sql`insert into notes values (2, 'x', null)`).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
    })

    const indexes = [
      ['index', name === 'MySQL' ? 'create index mine on notes (b(9), a(9))' : 'create index mine on notes (b, a)'],
      ['index of some rows', 'create index mine on notes (b) where a is null'],
    ]
    // MySQL has no partial indexes.
    it.each(name === 'MySQL' ? indexes.slice(0, 1) : indexes)(
      'an %s of others that a column would take with it',
      async (_, text) => {
        await using db = await open()
        await db.sync(notes('a?: string', 'b?: string'))
        await run(db, text)
        await expect(db.sync(notes('b?: string'), { allow: ['drop notes.a'] })).rejects.toMatchObject({
          code: 'SYNC_REFUSED',
        })
        expect((await db.planSync(notes('a?: string', 'b?: string'))).steps).toEqual([])
        await run(db, `drop index mine${name === 'MySQL' ? ' on notes' : ''}`)
        await syncWhole(db, notes('b?: string'), { allow: ['drop notes.a'] })
      },
    )

    it.skipIf(name === 'SQLite')('a constraint of others on a column that is dropped', async () => {
      await using db = await open()
      await db.sync(notes('a?: string', 'b?: string'))
      await db.sql`alter table notes add constraint one check (a is null or b is null)`
      await expect(db.sync(notes('b?: string'), { allow: ['drop notes.a'] })).rejects.toThrow('constraint `one`')
    })

    if (name === 'PostgreSQL') {
      it('a foreign key of others on a column that is dropped', async () => {
        await using db = await open()
        await db.sync(notes('a?: string', 'b?: string'))
        await db.sql`create table theirs (a text, b text, unique (a, b))`
        await db.sql`alter table notes add constraint pair foreign key (a, b) references theirs (a, b)`
        await expect(db.sync(notes('b?: string'), { allow: ['drop notes.a'] })).rejects.toThrow('constraint `pair`')
      })

      it.each(['bigserial', 'serial', 'smallserial'])('the sequence of a %s column of others', async (type) => {
        await using db = await open()
        await run(db, `create table notes (id ${type} primary key, a text collate "C")`)
        await db.sql`insert into notes (a) values ('x'), ('y'), ('z')`
        await db.sql`delete from notes where id = 3`
        const counted = models(
          "@db.table 'notes' export interface Note { @meta.id @db.default.increment id: number\n a?: string }",
        )
        await syncWhole(db, counted, { allow: ['adopt notes'] })
        await db.sql`insert into notes (a) values ('new')`
        await db.table(tableOf(counted[0]!)).insertOne({ id: 9 })
        await db.sql`insert into notes (a) values ('last')`
        expect(await db.sql`select id from notes order by id`).toEqual([1, 2, 4, 9, 10].map((id) => ({ id })))
        expect(await db.sql`select last_value from notes_id_seq`).toEqual([{ last_value: 3 }])
      })

      it('the sequence of an adopted serial that gets auto-increment back later', async () => {
        await using db = await open()
        await db.sql`create table notes (id bigserial primary key, a text collate "C")`
        await db.sql`insert into notes (a) values ('x'), ('y')`
        const note = (counting: string) =>
          models(`@db.table 'notes' export interface Note { @meta.id ${counting} id: number\n a?: string }`)
        await syncWhole(db, note(''), { allow: ['adopt notes'] })
        const counted = note('@db.default.increment')
        await syncWhole(db, counted)
        const table = db.table(tableOf(counted[0]!))
        for (const record of [{}, { id: 9 }, {}]) await table.insertOne(record)
        expect(await db.sql`select id from notes order by id`).toEqual([1, 2, 3, 9, 10].map((id) => ({ id })))
      })
    }

    it.skipIf(name === 'SQLite')('a table in the default schema, declared with and without it', async () => {
      await using db = await open()
      const users = (schema: string, field = '') =>
        models(`@db.table 'users' ${schema} export interface User { @meta.id id: number\n ${field} }`)
      const home = name === 'MySQL' ? String((await db.sql`select database() as name`)[0]?.['name']) : 'public'
      await db.sync(users(`@db.schema '${home}'`))
      await db.sql`insert into users values (1)`
      expect(await db.planSync(users(''))).toEqual({ steps: [], problems: [], warnings: [], kept: [], leftovers: [] })
      await syncWhole(db, users('', 'a?: string'))
      expect(await db.sql`select name from portico__tables`).toEqual([{ name: 'users' }])
      await syncWhole(db, users(`@db.schema '${home}'`), { allow: [`drop ${home}.users.a`] })
      expect(await db.sql`select name from portico__tables`).toEqual([{ name: `${home}.users` }])
      expect(await db.sql`select * from users`).toEqual([{ id: 1 }])
    })

    it.skipIf(name === 'SQLite')('a table of others that has the name of a renamed primary key', async () => {
      await using db = await open()
      await db.sql`create table a_pkey (x bigint)`
      const table = (names: string) => models(`${names} export interface A { @meta.id id: number }`)
      await db.sync(table("@db.table 'a'"))
      await syncWhole(db, table("@db.table 'b' @db.table.renamed 'a'"))
      expect(await db.sql`select * from a_pkey`).toEqual([])
    })

    it.each([
      ['string', "'null'"],
      ['string', "''"],
      ['string', `"it's ::text"`],
      ['string', "'1.50'"],
      ['string', "'a\\\\b'"],
      ['number', '-1.5'],
      ['number', '0.0000001'],
      ['number', '123456789012345680000'],
      ['number', '1e21'],
      ['decimal', "'0.10'"],
      ['decimal', "'-100'"],
      ['decimal', "'0.0000001'"],
      ['boolean', 'false'],
    ])('a default of type %s as it was declared: %s', async (type, preset) => {
      await using db = await open()
      await syncWhole(db, notes(`@db.default ${preset}\n a: ${type}`))
      await syncWhole(db, notes(`a: ${type}`))
      await syncWhole(db, notes(`@db.default ${preset}\n a: ${type}`))
    })

    it('the tables of another program in the same database, and does not list them', async () => {
      await using db = await open()
      const one = models(`@db.table 'ones' export interface One { @meta.id id: number }`)
      const more = models(`@db.table 'ones' export interface One { @meta.id id: number }
        @db.table 'mores' export interface More { @meta.id id: number\n a: string }`)
      const other = models(`@db.table 'others' export interface Other { @meta.id id: number\n b: string }`)
      await db.sync(more)
      await db.sync(other)
      expect(await db.planSync(other)).toMatchObject({ kept: [], leftovers: [] })
      // Its own tables are listed.
      expect(await db.planSync(one)).toMatchObject({ kept: [{ name: 'mores' }], leftovers: ['mores'] })
    })

    it('the table of another program that declares the same interface name in its own schema', async () => {
      await using db = await open()
      const users = (schema: string) =>
        models(`@db.table 'users' @db.schema '${schema}' export interface User { @meta.id id: number }`)
      await db.sync(users('org'))
      await expect(db.sync(users('hr'))).rejects.toThrow(
        "without consent: allow 'move org.users' (if `org.users` belongs to another",
      )
      expect((await db.planSync(users('org'))).steps).toEqual([])
      await syncWhole(db, users('hr'), { allow: ['move org.users'] })
    })

    it('existing numbers when it adds auto-increment', async () => {
      await using db = await open()
      const keyed = (preset: string) =>
        models(`@db.table 'notes' export interface Note { @meta.id ${preset} id: number\n a?: string }`)
      await db.sync(keyed(''))
      await db.sql`insert into notes (id, a) values (7, 'x')`
      await syncWhole(db, keyed('@db.default.increment'))
      await db.sql`insert into notes (a) values ('y')`
      expect(await db.sql`select id from notes order by id`).toEqual([{ id: 7 }, { id: 8 }])
    })

    it('a table if its consent could also mean a column', async () => {
      await using db = await open()
      const one = (field: string) => `@db.table 'one' export interface One { @meta.id id: number\n ${field} }\n`
      const users = "@db.table 'users' @db.schema 'one' export interface User { @meta.id id: number }"
      await db.sync(models(one('users?: string') + users))
      const refused = db.sync(models(one('')), { allow: ['drop one.users'] })
      await expect(refused).rejects.toThrow("'drop one.users' would allow sync both to drop column one.users and to")
      expect((await db.planSync(models(one('users?: string') + users))).steps).toEqual([])
    })
  })

  describe('on SQLite alone', () => {
    const open = () => openDatabase(sqlite({ file: ':memory:' }))

    it('nothing if the result does not match the declaration', async () => {
      const handle = new BetterSqlite(':memory:')
      const exec = handle.exec.bind(handle)
      handle.exec = (text) => (text.includes('ADD COLUMN') ? handle : exec(text))
      await using db = await openDatabase(sqlite({ handle }))
      await db.sync(notes('a?: string'))
      const failed = db.sync(notes('a?: string', 'b?: string', '@db.index.plain\n c?: string'))
      await expect(failed).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      const silent = db.sync(notes('a?: string', 'b?: string'))
      await expect(silent).rejects.toMatchObject({
        code: 'SYNC_FAILED',
        message: expect.stringContaining('addColumn in `notes`'),
      })
      expect((await db.planSync(notes('a?: string'))).steps).toEqual([])
      handle.close()
    })

    it.each([
      ['trigger', 'create temp trigger audit after insert on notes begin select 1; end'],
      ['table', 'create temp table Notes (x text)'],
      ['view', 'create temp view notes as select 1 as x'],
    ])('a temporary %s of the connection, by refusing', async (type, text) => {
      const handle = new BetterSqlite(':memory:')
      await using db = await openDatabase(sqlite({ handle }))
      await db.sync(notes('a: string'))
      handle.exec(text)
      const reason = new RegExp(`table \`notes\`: this connection has a temporary ${type} \`(audit|Notes|notes)\``)
      await expect(db.sync(notes('a?: string'))).rejects.toThrow(reason)
      await expect(db.scriptSync(notes('a?: string'))).rejects.toThrow(reason)
      // A trigger does not prevent changes in place.
      const added = db.sync(notes('a: string', 'b?: string'))
      if (type === 'trigger') expect((await added).steps).toHaveLength(1)
      else await expect(added).rejects.toThrow(reason)
      handle.close()
    })

    it('references to a renamed table, on a connection with legacy_alter_table', async () => {
      const handle = new BetterSqlite(':memory:')
      handle.pragma('legacy_alter_table = ON')
      await using db = await openDatabase(sqlite({ handle }))
      const family = (names: string) =>
        models(`${names} export interface Parent { @meta.id id: number }
@db.table 'children' export interface Child { @meta.id id: number\n @db.rel.FK parentId: Parent.id }`)
      await db.sync(family("@db.table 'parents'"))
      handle.pragma('legacy_alter_table = ON')
      await syncWhole(db, family("@db.table 'elders' @db.table.renamed 'parents'"))
      await db.sql`insert into elders values (1)`
      await db.sql`insert into children values (1, 1)`
      handle.close()
    })

    it('the legacy_alter_table setting after a failed rebuild', async () => {
      const handle = new BetterSqlite(':memory:')
      const exec = handle.exec.bind(handle)
      handle.exec = (text) => {
        if (text.startsWith('ALTER TABLE "portico__new__notes"')) throw new Error('no more room')
        return exec(text)
      }
      await using db = await openDatabase(sqlite({ handle }))
      await db.sync(notes('a: string'))
      await expect(db.sync(notes('a?: string'))).rejects.toThrow('no more room')
      expect(handle.pragma('legacy_alter_table', { simple: true })).toBe(0)
      handle.close()
    })

    it('rows written through its own connection during a copy, by refusing', async () => {
      const handle = new BetterSqlite(':memory:')
      await using db = await openDatabase(sqlite({ handle }))
      await db.sync(notes('a: string'))
      await db.sql`insert into notes values (1, 'x'), (2, 'y')`
      const write = () => void setImmediate(() => handle.exec("update notes set a = 'late' where id = 1"))
      const syncing = db.sync(notes('a?: string'), { onProgress: ({ copied }) => copied !== undefined && write() })
      await expect(syncing).rejects.toMatchObject({ code: 'TRANSACTION_MISUSE' })
      await syncWhole(db, notes('a?: string'))
      handle.close()
    })

    it('a reference of others that does not name the referenced key', async () => {
      await using db = await open()
      await db.sync(notes('a: string'))
      await db.sql`create table theirs (id integer primary key)`
      await db.sql`alter table notes add column b integer references theirs on delete cascade`
      await db.sql`insert into theirs values (1)`
      await db.sql`insert into notes values (1, 'x', 1)`
      await syncWhole(db, notes('a?: string'))
      await db.sql`delete from theirs`
      expect(await db.sql`select * from notes`).toEqual([])
    })

    it('a virtual table, by refusing', async () => {
      await using db = await open()
      await db.sql`create virtual table notes using rtree(id, a, b)`
      const refused = db.sync(notes('a: number', 'b: number'), { allow: ['adopt notes', 'rekey notes'] })
      await expect(refused).rejects.toThrow('a constraint (VIRTUAL)')
    })

    it('rows of others without a key, by refusing', async () => {
      await using db = await open()
      await db.sql`create table notes (id bigint primary key, a text)`
      await db.sql`insert into notes values (null, 'x'), (3, 'y')`
      const refused = db.sync(notes('a: string'), { allow: ['adopt notes'] })
      await expect(refused).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      expect(await db.sql`select id from notes order by id`).toEqual([{ id: null }, { id: 3 }])
    })

    it('a trigger that counts the columns of its table, by refusing to add one', async () => {
      await using db = await open()
      await db.sync(notes('a: string'))
      await db.sql`create view seen as select id, a from notes`
      await run(
        db,
        'create trigger audit instead of insert on seen begin insert into notes values (new.id, new.a); end',
      )
      await expect(db.sync(notes('a: string', 'b?: string'))).rejects.toThrow('trigger `audit` would no longer work')
    })

    it('a trigger that spells the name of its table differently', async () => {
      await using db = await open()
      await db.sync(notes('a: string'))
      await run(db, 'create trigger audit after insert on NOTES begin update notes set a = upper(a); end')
      await syncWhole(db, notes('a?: string'))
      await db.sql`insert into notes values (1, 'x')`
      expect(await db.sql`select a from notes`).toEqual([{ a: 'X' }])
    })

    it.each([
      ['a computed column', 'alter table notes add column b text as (upper(a))', 'GENERATED'],
      [
        'an answer to conflicts',
        'alter table notes add column b text not null on conflict ignore default 1',
        'ON CONFLICT',
      ],
    ])('%s, by refusing', async (_, text, rule) => {
      await using db = await open()
      await db.sync(notes('a: string'))
      await run(db, text)
      await expect(db.sync(notes('a?: string'))).rejects.toThrow(`a constraint (${rule})`)
    })

    it('the rows with the lowest and the highest possible rowid', async () => {
      await using db = await open()
      const tags = (field: string) => models(`@db.table 'tags' export interface Tag { @meta.id id: string\n ${field} }`)
      await db.sync(tags('a: string'))
      await run(
        db,
        "insert into tags (rowid, id, a) values (-9223372036854775808, 'x', ''), (9223372036854775807, 'y', '')",
      )
      await syncWhole(db, tags('a?: string'))
      expect(await db.sql`select id from tags order by id`).toEqual([{ id: 'x' }, { id: 'y' }])
    })

    it('rowids, which full-text indexes refer to', async () => {
      await using db = await open()
      const tags = (field: string) => models(`@db.table 'tags' export interface Tag { @meta.id id: string\n ${field} }`)
      await db.sync(tags('a: string'))
      await db.sql`insert into tags (rowid, id, a) values (10, 'x', 'one'), (50, 'y', 'two')`
      await db.sql`create virtual table found using fts5(a, content='tags')`
      await db.sql`insert into found (rowid, a) select rowid, a from tags`
      await syncWhole(db, tags('a?: string'))
      const joined = await db.sql`select id from tags join found on found.rowid = tags.rowid where found match 'two'`
      expect(joined).toEqual([{ id: 'y' }])
    })

    it.each([
      ['an invalid boolean', 'boolean', '2', 'string'],
      ['text among booleans', 'boolean', "'abc'", 'number'],
      ['text among numbers', 'number', "'abc'", 'string'],
    ])('%s, by refusing', async (_, before, value, after) => {
      await using db = await open()
      await db.sync(notes(`a?: ${before}`))
      await run(db, `insert into notes values (1, ${value})`)
      const refused = db.sync(notes(`a?: ${after}`), { allow: ['convert notes.a', 'narrow notes.a'] })
      await expect(refused).rejects.toThrow('has 1 value that cannot be kept exactly')
    })
  })
})
