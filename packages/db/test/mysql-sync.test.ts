/** Sync on MySQL and MariaDB, whose DDL cannot be rolled back. */
import { type Database, openDatabase } from '@portico/db'
import { type MysqlPool, mysql } from '@portico/db/mysql'
import type { TableModel } from '@portico/schema/model'
import { createPool, type PoolConnection } from 'mysql2'
import { describe, expect, it } from 'vitest'
import { mysqlEngine } from './support/engines.ts'
import { recordMysql } from './support/recording.ts'
import { tableOf } from './support/statements.ts'
import { models, notes, run, syncWhole } from './support/sync.ts'

const { command } = mysqlEngine

type Send = (options: { sql: string }, done: (...args: unknown[]) => void) => void

/** A database on a pool of which every statement passes by: `pass` sends it on, and `refuse` answers it with an error. */
async function openWatched(
  url: string,
  watch: (
    text: string,
    pass: () => void,
    client: PoolConnection,
    refuse: (errno: number) => void,
  ) => (() => void) | undefined,
): Promise<Database> {
  const real = createPool({ uri: url, connectionLimit: 2 })
  const known = new WeakSet<PoolConnection>()
  const wrap = (client: PoolConnection): PoolConnection => {
    if (known.has(client)) return client
    known.add(client)
    for (const name of ['query', 'execute'] as const) {
      const send = client[name].bind(client) as Send
      client[name] = ((options: { sql: string }, done: (...args: unknown[]) => void) => {
        let after: (() => void) | undefined
        // The driver's answer to it is one that must not be waited for.
        const pass = (): void => {
          send(options, (...args) => {
            after?.()
            done(...args)
          })
        }
        const refuse = (errno: number): void =>
          done(Object.assign(new Error('refused'), { errno, sqlMessage: 'refused' }))
        after = watch(options.sql, pass, client, refuse)
      }) as never
    }
    return client
  }
  const pool = {
    getConnection: (done: (error: Error | null, client?: PoolConnection) => void) =>
      real.getConnection((error, client) => done(error, client && wrap(client))),
  } as unknown as MysqlPool
  const db = await openDatabase(mysql({ pool }))
  const close = db.close.bind(db)
  return Object.assign(db, {
    async [Symbol.asyncDispose]() {
      await close()
      await new Promise<void>((resolve) => real.end(() => resolve()))
    },
  })
}

describe.skipIf(!mysqlEngine.isThere)('sync on MySQL and MariaDB', () => {
  const databases = mysqlEngine.use()
  const open = async (): Promise<Database & { url: string }> => {
    const url = await databases.create()
    return Object.assign(await openDatabase(mysql({ url, maxConnections: 2 })), { url })
  }

  describe('changes tables in the way that blocks others least', () => {
    const changesOf = async (before: readonly TableModel[], after: readonly TableModel[], allow: string[] = []) => {
      await using recording = await recordMysql(await databases.create())
      await recording.db.sync(before)
      await run(recording.db, "insert into notes (id, a) values (1, '7')")
      recording.take()
      await syncWhole(recording.db, after, { allow })
      const texts = recording.take().map((it) => it.text)
      return texts.filter((it) => /^(ALTER TABLE|CREATE (UNIQUE )?INDEX)/.test(it))
    }

    it('a column is added instantly', async () => {
      const texts = await changesOf(notes('a?: string'), notes('a?: string', '@db.default 5\n b: number'))
      expect(texts).toEqual([expect.stringMatching(/ADD COLUMN `b` .*, ALGORITHM = INSTANT$/)])
    })

    it('an index is built while others write', async () => {
      const texts = await changesOf(notes('a?: number'), notes('@db.index.plain\n a?: number'))
      expect(texts).toEqual([expect.stringMatching(/^CREATE INDEX .* ALGORITHM = INPLACE LOCK = NONE$/)])
    })

    it('NULL is forbidden while others write', async () => {
      const texts = await changesOf(notes('a?: number'), notes('a: number'))
      expect(texts.map((it) => /ALGORITHM.*/.exec(it)?.[0])).toEqual([
        'ALGORITHM = INSTANT',
        'ALGORITHM = INPLACE, LOCK = NONE',
      ])
    })

    it('a change that needs a table copy is done too', async () => {
      const texts = await changesOf(notes('a?: string'), notes('a?: number'), ['narrow notes.a'])
      expect(texts.map((it) => /, ALGORITHM.*/.exec(it)?.[0])).toEqual([
        ', ALGORITHM = INSTANT',
        ', ALGORITHM = INPLACE, LOCK = NONE',
        undefined,
      ])
    })

    // No server of the tests can be made to answer so at will: these are its words, and then the server itself.
    it.each([
      [1799, 'others write more than it keeps for later', ' LOCK = SHARED'],
      [1800, 'it does not know the way', ''],
      [4092, 'it has come to an end of quick changes', ''],
    ])('falls back when the server refuses with %i, since %s', async (errno, _, way) => {
      const url = await databases.create()
      await using plain = await openDatabase(mysql({ url, maxConnections: 1 }))
      await plain.sync(notes('a?: number'))
      await run(plain, 'insert into notes (id, a) values (1, 7)')
      const texts: string[] = []
      await using db = await openWatched(url, (text, pass, __, refuse) => {
        if (/^(ALTER TABLE|CREATE INDEX)/.test(text)) texts.push(text)
        queueMicrotask(/ALGORITHM/.test(text) ? () => refuse(errno) : pass)
        return undefined
      })
      await syncWhole(db, notes('@db.index.plain\n a: number'))
      const last = texts.filter((it) => !it.includes('ALGORITHM'))
      expect(last.map((it) => /^\w+ \w+/.exec(it)?.[0])).toEqual(['ALTER TABLE', 'CREATE INDEX'])
      expect(last.map((it) => /,? LOCK = \w+$/.exec(it)?.[0].replace(',', '') ?? '')).toEqual([way, way])
      expect(await db.sql`select * from notes`).toEqual([{ id: 1, a: 7 }])
    })

    it('a concurrent writer loses nothing while an index is built and a column is converted', async () => {
      await using db = await open()
      await db.sync(notes('a: boolean', 'b?: number'))
      let isOver = false
      const writer = async (): Promise<number> => {
        let written = 0
        while (!isOver) {
          await db.sql`insert into notes (id, a, b) values (${written}, 1, ${written})`
          written += 1
        }
        return written
      }
      const writing = writer()
      await expect.poll(() => db.sql`select 1 from notes`).not.toHaveLength(0)
      await using other = await openDatabase(mysql({ url: db.url }))
      await other.sync(notes('a: string', '@db.index.plain\n b?: number'), { allow: ['convert notes.a'] })
      isOver = true
      const written = await writing
      const rows = await db.sql`select id, a from notes order by id`
      expect(rows.map((it) => it['id'])).toEqual(Array.from({ length: written }, (_, id) => id))
      // A number written into the converted column is text.
      expect(rows.every((it) => it['a'] === 'true' || it['a'] === '1')).toBe(true)
    })
  })

  describe('refuses a value that was written after the check, and changes nothing', () => {
    const cases: [what: string, before: string, after: string, first: string, late: string][] = [
      ['text that is not a number', 'a?: string', 'a?: number', "'7'", "'many'"],
      ['a number with zeros in front', 'a?: string', 'a?: number', "'7'", "'007'"],
      ['a number with a line break behind it', 'a?: string', 'a?: number', "'7'", "'7\n'"],
      ['a decimal with more digits', 'a?: number', '@db.column.precision 8, 1\n a?: decimal', '1.5', '1.25'],
      ['a number next to nothing', 'a?: number', 'a?: decimal', '1.5', '1e-40'],
      ['a number that is not a boolean', 'a?: number', 'a?: boolean', '1', '2'],
      ['a number that is not a boolean', 'a?: boolean', 'a?: string', '1', '2'],
      ['text that is not a boolean', 'a?: string', 'a?: boolean', "'true'", "'TRUE'"],
      ['text that is not JSON', 'a?: string', 'a?: string[]', `'["x", "1."]'`, "'[x]'"],
      ['a number that is JSON to MariaDB alone', 'a?: string', 'a?: number[]', "'[1.5, -1e-7]'", "'[1.]'"],
      ['an escape that is JSON to MariaDB alone', 'a?: string', 'a?: string[]', `'["\\\\\\\\x"]'`, `'["\\\\x"]'`],
      ['text that an index cannot hold', 'a?: string', '@db.index.plain\n a?: string', "'x'", `'${'x'.repeat(256)}'`],
      [
        'spaces that an index cannot hold',
        'a?: string',
        '@db.index.plain\n a?: string',
        "'x'",
        `'x${' '.repeat(255)}'`,
      ],
    ]

    it.each(cases)('%s', async (_, before, after, first, late) => {
      const url = await databases.create()
      await using plain = await openDatabase(mysql({ url, maxConnections: 1 }))
      await plain.sync(notes(before))
      await run(plain, `insert into notes (id, a) values (1, ${first})`)
      const allow = ['narrow notes.a', 'convert notes.a']
      await using db = await openWatched(url, (text, pass) => {
        const isLate = text.startsWith('LOCK TABLES')
        void (isLate ? run(plain, `insert ignore into notes (id, a) values (2, ${late})`) : Promise.resolve()).then(
          pass,
        )
        return undefined
      })
      const rows = async () => (await db.sql`select a from notes order by id`).map((it) => it['a'])
      await expect(db.sync(notes(after), { allow })).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringContaining('column `a` has values by now that cannot be kept exactly'),
      })
      expect(await rows()).toHaveLength(2)
      expect((await plain.planSync(notes(before))).steps).toEqual([])
      // And at the next look, before anything is done.
      await expect(plain.sync(notes(after), { allow })).rejects.toThrow('has 1 value that cannot be kept exactly')
      await db.sql`delete from notes where id = 2`
      await syncWhole(plain, notes(after), { allow })
      expect(await rows()).toHaveLength(1)
    })

    it.each(['b: string', 'b: number', 'b: boolean', 'b: decimal', 'b: string[]'])(
      'a row that would have no value in a new column, %s: none is invented',
      async (added) => {
        const url = await databases.create()
        await using plain = await openDatabase(mysql({ url, maxConnections: 1 }))
        await plain.sync(notes('a?: number'))
        let hasCome = false
        await using db = await openWatched(url, (text, pass) => {
          const isLate = !hasCome && /^(LOCK TABLES|ALTER TABLE)/.test(text)
          hasCome ||= isLate
          void (isLate ? run(plain, 'insert into notes (id, a) values (1, 7)') : Promise.resolve()).then(pass)
          return undefined
        })
        await expect(db.sync(notes('a?: number', added))).rejects.toMatchObject({
          code: 'SYNC_REFUSED',
          message: expect.stringContaining('has rows by now that would have no value in column'),
        })
        expect(await db.sql`select * from notes`).toEqual([{ id: 1, a: 7 }])
        await db.sql`delete from notes`
        await syncWhole(plain, notes('a?: number', added))
      },
    )

    it('an integer that an INT cannot hold', async () => {
      await using db = await open()
      const keyed = (type: string) => models(`@db.table 'notes' export interface Note { @meta.id id: ${type} }`)
      await db.sync(keyed('number.int'))
      await db.sql`insert into notes (id) values (2147483647), (2147483648)`
      const allow = ['narrow notes.id']
      await expect(db.sync(keyed('number'), { allow })).rejects.toThrow('has 1 value that cannot be kept exactly')
      await db.sql`delete from notes where id > 2147483647`
      await expect(db.sync(keyed('number'))).rejects.toThrow("allow 'narrow notes.id'")
      await syncWhole(db, keyed('number'), { allow })
    })

    it.each(["'7\n'", "'1e3'", "'07'", "'9007199254740992'", "''"])(
      'a key that is not an integer: %s',
      async (late) => {
        await using db = await open()
        const keyed = (type: string) => models(`@db.table 'notes' export interface Note { @meta.id id: ${type} }`)
        await db.sync(keyed('string'))
        await run(db, `insert into notes (id) values ('0'), ('-7'), ('9007199254740991'), (${late})`)
        const allow = ['narrow notes.id']
        await expect(db.sync(keyed('number.int'), { allow })).rejects.toThrow('has 1 value that cannot be kept exactly')
        await run(db, `delete from notes where id = ${late}`)
        await syncWhole(db, keyed('number.int'), { allow })
        expect((await db.sql`select id from notes order by id`).map((it) => it['id'])).toEqual([
          -7, 0, 9007199254740991,
        ])
      },
    )
  })

  it.each(['[1.]', '[1e]', '[-]', String.raw`["\x"]`])(
    'invalid JSON that MariaDB accepts is refused: %s',
    async (text) => {
      await using db = await open()
      const tables = notes('a?: string[]')
      await db.sync(tables)
      await db.sql`insert into notes values (1, ${text})`
      const read = db.table(tableOf(tables[0]!)).findById(1 as never)
      await expect(read).rejects.toMatchObject({ code: 'DATABASE_INVALID' })
    },
  )

  it('a missing LOCK TABLES privilege is reported, and the column is unchanged', async () => {
    await using db = await open()
    await db.sync(notes('a: boolean'))
    await db.sql`insert into notes values (1, 1)`
    const url = new URL(db.url)
    const rights = 'select, insert, update, delete, create, alter, drop, index, references'
    const user = `"${url.pathname.slice(1)}"@"%"`
    await command(
      db.url,
      `create user ${user} identified by 'x'`,
      `grant ${rights} on ${url.pathname.slice(1)}.* to ${user}`,
    )
    url.username = url.pathname.slice(1)
    url.password = 'x'
    await using other = await openDatabase(mysql({ url: url.href, maxConnections: 1 }))
    const failure = {
      code: 'SYNC_REFUSED',
      message: expect.stringMatching(/^table `notes`: the privilege LOCK TABLES is missing/),
    }
    await expect(other.sync(notes('a: string'), { allow: ['convert notes.a'] })).rejects.toMatchObject(failure)
    expect(await db.sql`select * from notes`).toEqual([{ id: 1, a: 1 }])
    expect((await db.planSync(notes('a: boolean'))).steps).toEqual([])
    await syncWhole(other, notes('a: boolean'))
    await command(db.url, `drop user ${user}`)
  })

  it('converts numbers and decimals to text as they are read, and back', async () => {
    await using db = await open()
    await db.sync(notes('a?: number', '@db.column.precision 12, 2\n b?: decimal'))
    await db.sql`insert into notes values (1, 9007199254740991, 1.5), (2, -0.1, 100), (3, 1.7976931348623157e308, 0), (4, null, null), (5, 123456789012345680000, -7)`
    const allow = ['convert notes.a', 'convert notes.b', 'narrow notes.a', 'narrow notes.b']
    const numbers = await db.sql`select * from notes order by id`
    await syncWhole(db, notes('a?: string', 'b?: string'), { allow })
    expect((await db.sql`select a, b from notes order by id`).map((it) => [it['a'], it['b']])).toEqual([
      ['9007199254740991', '1.50'],
      ['-0.1', '100.00'],
      ['1.7976931348623157e308', '0.00'],
      [null, null],
      ['123456789012345680000', '-7.00'],
    ])
    await db.sql`update notes set a = '1e21' where id = 3`
    await syncWhole(db, notes('a?: number', '@db.column.precision 12, 2\n b?: decimal'), { allow })
    expect(await db.sql`select * from notes order by id`).toEqual(
      numbers.map((it) => (it['id'] === 3 ? { ...it, a: 1e21 } : it)),
    )
  })

  describe('reports objects in advance that would be dropped or broken', () => {
    const dropA = { after: notes('b?: string', 'c?: string'), allow: ['drop notes.a'] }
    const renameA = { after: notes("@db.column.renamed 'a'\n d?: string", 'b?: string', 'c?: string'), allow: [] }
    const convertA = { after: notes('a?: boolean', 'b?: string', 'c?: string'), allow: ['narrow notes.a'] }
    const requireA = { after: notes("@db.default ''\n a: string", 'b?: string', 'c?: string'), allow: [] }
    const rekey = {
      after: models("@db.table 'notes' export interface Note { @meta.id id: string\n a?: string\n b?: string }"),
      allow: ['convert notes.id'],
    }
    const cases: [what: string, setUp: string, change: { after: TableModel[]; allow: string[] }, problem: string][] = [
      ['an index of parts of columns', 'create index mine on notes (b(5), a(5))', dropA, 'index `mine`'],
      ['an index of words', 'create fulltext index mine on notes (a)', dropA, 'index `mine`'],
      ['a rule about one column', "alter table notes add constraint one check (a <> '')", dropA, 'constraint `one`'],
      [
        'a trigger',
        'create trigger problem before insert on notes for each row set new.b = new.a',
        dropA,
        'trigger `problem`',
      ],
      [
        'a trigger',
        'create trigger problem before insert on notes for each row set new.b = new.a',
        renameA,
        'trigger `problem`',
      ],
      ['a view', 'create view seen as select * from notes', dropA, 'view `seen`'],
      ['a view', 'create view seen as select n.a from notes n', renameA, 'view `seen`'],
      ['a computed column', 'alter table notes add column up text as (upper(a))', dropA, 'column `up`'],
      ['an index of parts of a column', 'create index mine on notes (a(5))', convertA, 'index `mine`'],
      ['a rule', 'alter table notes add constraint one check (a <> b)', convertA, 'constraint `one`'],
      [
        'what a trigger does',
        'create trigger problem before update on notes for each row set new.b = 1',
        convertA,
        'trigger `problem`',
      ],
      [
        'a rule of the column itself',
        "alter table notes modify a longtext collate utf8mb4_nopad_bin check (a <> '')",
        requireA,
        'constraint `a`',
      ],
      ['a foreign key', 'create table mine (note int references notes (id))', rekey, 'of `mine`'],
    ]

    it.each(cases)('%s: %s', async (_, setUp, { after, allow }, problem) => {
      await using db = await open()
      const before = notes('a?: string', 'b?: string')
      await db.sync(before)
      await run(db, setUp)
      const failure = await db.sync(after, { allow }).catch((it: Error) => it)
      expect(failure).toMatchObject({ code: 'SYNC_REFUSED', message: expect.stringContaining(problem) })
      // Nor was `c` added, which is in nobody's way.
      expect((await db.planSync(before)).steps).toEqual([])
      expect(await db.sql`show columns from notes like 'c'`).toEqual([])
    })

    const elsewhere = (what: string) => `create ${what.replace('DB', 'portico_elsewhere')}`
    const far: [what: string, setUp: (home: string) => string, change: typeof dropA, problem: string][] = [
      [
        'a view',
        (home) => elsewhere(`view DB.seen as select a from ${home}.notes`),
        dropA,
        'view `portico_elsewhere.seen`',
      ],
      [
        'a foreign key',
        (home) => elsewhere(`table DB.mine (note int references ${home}.notes (id))`),
        rekey,
        'of `portico_elsewhere.mine`',
      ],
    ]

    it.each(far)('%s of another database', async (_, setUp, { after, allow }, problem) => {
      await using db = await open()
      await db.sync(notes('a?: string', 'b?: string'))
      await run(db, 'create database portico_elsewhere')
      try {
        await run(db, setUp(new URL(db.url).pathname.slice(1)))
        const failure = await db.sync(after, { allow }).catch((it: Error) => it)
        expect(failure).toMatchObject({ code: 'SYNC_REFUSED', message: expect.stringContaining(problem) })
        expect((await db.planSync(notes('a?: string', 'b?: string'))).steps).toEqual([])
      } finally {
        await run(db, 'drop database portico_elsewhere')
      }
      await syncWhole(db, after, { allow })
    })

    it.each(['engine = MyISAM', 'partition by hash (id) partitions 2'])(
      'a foreign key of or to a table that does not support it: %s',
      async (kind) => {
        await using db = await open()
        await run(db, `create table notes (id int primary key not null) ${kind}`)
        const own = notes('c?: string', '@db.rel.FK of?: Note.id')
        await expect(db.sync(own, { allow: ['adopt notes'] })).rejects.toThrow('which allows no foreign keys')
        const link = `export interface Link { @meta.id id: number\n @db.rel.FK of?: Note.id }`
        const other = models(
          `@db.table 'notes' export interface Note { @meta.id id: number }\n@db.table 'links' ${link}`,
        )
        await expect(db.sync(other)).rejects.toThrow('which allows no foreign keys')
        expect((await db.sql`show tables`).map((it) => Object.values(it)[0])).toEqual(['notes'])
        expect(await db.sql`show columns from notes`).toHaveLength(1)
      },
    )

    it('a view of a renamed table, and a trigger of a table that moves to another schema', async () => {
      await using db = await open()
      await db.sync(notes('a?: string'))
      const elsewhere = (names: string) => models(`${names} export interface Note { @meta.id id: number\n a?: string }`)
      await run(db, 'create view seen as select id from notes')
      const renamed = db.sync(elsewhere("@db.table 'texts' @db.table.renamed 'notes'"))
      await expect(renamed).rejects.toThrow('view `seen` would no longer work')
      await run(db, 'drop view seen')
      await run(db, 'create trigger problem before insert on notes for each row set new.a = 1')
      const moved = elsewhere("@db.table 'notes' @db.schema 'one'")
      await expect(db.sync(moved, { allow: ['move notes'] })).rejects.toThrow('trigger `problem`')
      await syncWhole(db, elsewhere("@db.table 'texts' @db.table.renamed 'notes'"))
      await db.sql`insert into texts (id) values (1)`
      expect(await db.sql`select a from texts`).toEqual([{ a: '1' }])
    })

    it('an index for which an adopted column would be too long', async () => {
      await using db = await open()
      await db.sql`create table notes (id int primary key not null, a varchar(50))`
      await db.sql`create index mine on notes (a)`
      const adopt = { allow: ['adopt notes'] }
      await expect(db.sync(notes('a?: string'), adopt)).rejects.toThrow('the index `mine`, which sync did not create')
      await syncWhole(db, notes("@db.index.plain 'mine'\n a?: string"), adopt)
    })

    it('a key that is too long, and an unsupported foreign key action', async () => {
      await using db = await open()
      const fields = ['a', 'b', 'c', 'd'].map((it) => `@meta.id ${it}: string`).join('\n')
      const long = `@db.table 'long' export interface Long { ${fields} }`
      const own = `@db.table 'own' export interface Own { @meta.id id: number\n @db.rel.FK @db.rel.onDelete 'setDefault' @db.default 1 of: Own.id }`
      const refused = db.sync(models(`@db.table 'fine' export interface Fine { @meta.id id: number }\n${long}\n${own}`))
      const problem = await refused.catch((it: Error) => it.message)
      expect(problem).toContain('table `long`: the key would take 4080 bytes, more than the limit of 3072')
      expect(problem).toContain('does not support `setDefault`')
      expect(await db.sql`show tables`).toEqual([])
    })
  })

  describe('takes over existing tables', () => {
    it('with text of other lengths and collations, and smaller integers', async () => {
      await using db = await open()
      await db.sql`create table notes (id smallint unsigned primary key not null, a tinytext, b varchar(20) collate latin1_swedish_ci, c char(3) collate utf8mb4_general_ci, d longtext collate utf8mb4_general_ci)`
      await db.sql`insert into notes values (65535, 'ä', 'ö', 'x', 'X')`
      const fields = ['a?: string', '@db.index.unique\n b?: string', 'c?: string', 'd?: string']
      await expect(db.sync(notes(...fields))).rejects.toThrow('sync did not create this table')
      await syncWhole(db, notes(...fields), { allow: ['adopt notes'] })
      expect(await db.sql`select * from notes where d = 'X' and c = 'x'`).toEqual([
        { id: 65535, a: 'ä', b: 'ö', c: 'x', d: 'X' },
      ])
      expect(await db.sql`select * from notes where d = 'x'`).toEqual([])
      await db.sql`insert into notes (id, b) values (1, 'Ö'), (2, 'o')`
    })
  })

  it('recognizes indexes that the server made for foreign keys and auto-increment', async () => {
    await using db = await open()
    const table = (...fields: string[]) =>
      models(`@db.table 'notes' export interface Note { @meta.id id: number\n ${fields.join('\n ')} }`)
    await db.sync(table('@db.rel.FK of?: Note.id', '@db.default.increment n: number'))
    await db.sql`insert into notes (id) values (1)`
    await syncWhole(db, table('of?: Note.id', '@db.default.increment n: number'), { allow: ['drop notes__of__fk'] })
    expect((await db.sql`show index from notes`).map((it) => it['Column_name'])).toEqual(['id', 'n'])
    await syncWhole(db, table(), { allow: ['drop notes.of', 'drop notes.n'] })
    await syncWhole(db, table('@db.rel.FK of?: Note.id'))
    await syncWhole(db, table(), { allow: ['drop notes.of'] })
    expect(await db.sql`select * from notes`).toEqual([{ id: 1 }])
  })

  it('leaves ON UPDATE timestamps alone', async () => {
    await using db = await open()
    await db.sync(notes('a?: boolean', 'b?: number'))
    await db.sql`alter table notes add column seen timestamp default '2001-01-01' on update current_timestamp`
    await db.sql`insert into notes (id, a) values (1, 1)`
    const allow = ['convert notes.a', 'require notes.b']
    await syncWhole(db, notes('a?: string', '@db.default 5\n b: number'), { allow })
    expect(await db.sql`select a, b, cast(seen as char) as seen from notes`).toEqual([
      { a: 'true', b: 5, seen: '2001-01-01 00:00:00' },
    ])
  })

  it('keeps column comments', async () => {
    await using db = await open()
    await db.sync(notes('a: boolean', 'b?: number'))
    await run(
      db,
      `alter table notes modify a tinyint(1) not null comment 'it''s \\\\ "a"', modify b double comment 'é'`,
    )
    await syncWhole(db, notes('a: string', '@db.default 5\n b: number'), { allow: ['convert notes.a'] })
    const comments =
      await db.sql`select column_comment as c from information_schema.columns where table_schema = database() and table_name = 'notes' and column_name <> 'id'`
    expect(comments).toEqual([{ c: `it's \\ "a"` }, { c: 'é' }])
  })

  it('keeps column comments after an interruption', async () => {
    const url = await databases.create()
    await using plain = await openDatabase(mysql({ url, maxConnections: 1 }))
    await plain.sync(notes('a?: number'))
    await run(plain, `alter table notes modify a double comment 'mine'`)
    let isCut = false
    const db = await openWatched(url, (text, pass, client) => {
      if (text.startsWith('UPDATE `notes` SET `a`')) {
        isCut = true
        ;(client as unknown as { stream: { destroy(): void } }).stream.destroy()
      }
      queueMicrotask(pass)
      return undefined
    })
    await db.sync(notes('@db.default 5\n a: number')).catch(() => {})
    await db[Symbol.asyncDispose]()
    expect(isCut).toBe(true)
    expect(await run(plain, `show full columns from notes like 'a'`)).toMatchObject([{ Comment: 'mine' }])
  })

  it('keeps columns named like its own temporary ones', async () => {
    await using db = await open()
    await db.sql`create table mine (id int primary key, portico__new int)`
    await db.sql`insert into mine values (1, 42)`
    await syncWhole(db, notes('a: boolean', 'portico__new: number'))
    await db.sql`insert into notes values (1, 1, 42)`
    await syncWhole(db, notes('a: string', 'portico__new: number'), { allow: ['convert notes.a'] })
    expect(await db.sql`select * from notes`).toEqual([{ id: 1, a: 'true', portico__new: 42 }])
    expect(await db.sql`select * from mine`).toEqual([{ id: 1, portico__new: 42 }])
  })

  it('keeps the position of columns, and their indexes and keys', async () => {
    await using db = await open()
    const table = (type: string) =>
      models(
        `@db.table 'notes' export interface Note { @meta.id a: ${type}\n @meta.id id: number\n @db.index.unique 'both' b: ${type}\n @db.index.unique 'both' c: number }`,
      )
    await db.sync(table('decimal'))
    await db.sql`insert into notes values (1.5, 1, 2.5, 3)`
    await syncWhole(db, table('string'), { allow: ['convert notes.a', 'convert notes.b'] })
    expect((await db.sql`show columns from notes`).map((it) => it['Field'])).toEqual(['a', 'id', 'b', 'c'])
    expect(await db.sql`select * from notes`).toEqual([{ a: '1.5', id: 1, b: '2.5', c: 3 }])
    const twice = db.sql`insert into notes values ('1', 1, '2.5', 3)`
    await expect(twice).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
  })

  describe('whose connection is lost', () => {
    const before = notes('a: boolean', 'b?: number')
    const after = notes('a: string', '@db.default 5\n b: number')
    const allow = ['convert notes.a', 'require notes.b']

    const prepare = async (): Promise<string> => {
      await using db = await open()
      await db.sync(before)
      await db.sql`insert into notes values (1, 1, null), (2, 0, 7)`
      return db.url
    }

    /** Syncs, and cuts the connection at one of the statements that change anything. Answers them all. */
    const cutAt = async (url: string, position: number, moment: 'before' | 'after'): Promise<string[]> => {
      const texts: string[] = []
      let isOpen = false
      const db = await openWatched(url, (text, pass, client) => {
        const isHere = isOpen && !/^\s*SELECT/.test(text) && texts.push(text) - 1 === position
        const { stream } = client as unknown as { stream: { destroy(): void } }
        const destroy = (): void => stream.destroy()
        if (isHere && moment === 'before') destroy()
        queueMicrotask(pass)
        return isHere && moment === 'after' ? destroy : undefined
      })
      isOpen = true
      const outcome = await db.sync(after, { allow }).catch((it: { code: string }) => it.code)
      await db[Symbol.asyncDispose]()
      // With its last words a sync gives back its locks, which a lost connection has done already.
      const isDone = texts[position] === 'UNLOCK TABLES' || texts[position]?.startsWith('DO RELEASE')
      if (position >= 0 && moment === 'before' && !isDone) expect(outcome).toBe('UNAVAILABLE')
      return texts
    }

    it('at any statement: nothing stays locked, and the next sync finishes it with every row', {
      timeout: 300_000,
    }, async () => {
      const texts = await cutAt(await prepare(), -1, 'before')
      expect(texts.map((it) => it.split(' ')[0])).toEqual(
        expect.arrayContaining(['LOCK', 'ALTER', 'UPDATE', 'UNLOCK', 'INSERT']),
      )
      for (const position of texts.keys()) {
        const url = await prepare()
        await cutAt(url, position, position % 2 === 0 ? 'before' : 'after')
        await command(url, 'set lock_wait_timeout = 20', 'insert into notes (id, a, b) values (3, 1, 8)')
        await using db = await openDatabase(mysql({ url, maxConnections: 2 }))
        await syncWhole(db, after, { allow })
        const rows = await db.sql`select id, b from notes order by id`
        expect(rows.map((it) => [it['id'], it['b']])).toEqual([
          [1, 5],
          [2, 7],
          [3, 8],
        ])
        expect(await db.sql`select a from notes where id < 3 order by id`).toEqual([{ a: 'true' }, { a: 'false' }])
        expect(await db.sql`select * from portico__journal`).toEqual([])
      }
    })

    it.each(['', "@db.schema 'one'"])(
      'leaves nothing behind in a table that no longer needs a change: %s',
      async (schema) => {
        const table = (type: string) =>
          models(`@db.table 'notes' ${schema} export interface Note { @meta.id id: number\n a: ${type} }`)
        const place = schema ? 'one.notes' : 'notes'
        const url = await databases.create()
        await using plain = await openDatabase(mysql({ url, maxConnections: 2 }))
        await plain.sync(table('boolean'))
        await run(plain, `insert into ${place} values (1, 1)`)
        let isCut = false
        const db = await openWatched(url, (text, pass, client) => {
          if (/^UPDATE .* SET `portico__new`/.test(text)) {
            isCut = true
            ;(client as unknown as { stream: { destroy(): void } }).stream.destroy()
          }
          queueMicrotask(pass)
          return undefined
        })
        await db.sync(table('string'), { allow: [`convert ${place}.a`] }).catch(() => {})
        await db[Symbol.asyncDispose]()
        expect(isCut).toBe(true)
        expect(await run(plain, `show columns from ${place} like 'portico__new'`)).toHaveLength(1)
        await plain.sync(table('boolean'))
        expect((await run(plain, `show columns from ${place}`)).map((it) => it['Field'])).toEqual(['id', 'a'])
      },
    )
  })
})
