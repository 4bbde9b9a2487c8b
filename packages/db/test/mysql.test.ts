import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '@portico/db'
import { type MysqlPool, mysql } from '@portico/db/mysql'
import { Group, Person, suiteTables, Team, Thing, type ThingInsert, testAdapter } from '@portico/db/testing'
import { defineTable, type TableDefinition } from '@portico/schema/runtime'
import { createPool, type PoolConnection, type PoolOptions } from 'mysql2'
import { afterAll, describe, expect, it } from 'vitest'
import { mysqlEngine } from './support/engines.ts'

const { command } = mysqlEngine
const group = (code: number, title = 't') => ({ region: 'eu', code, title })

function thing(name: string, changes: Partial<ThingInsert> = {}): ThingInsert {
  const rest = {
    kind: 'small',
    ratio: 1,
    whole: 1,
    flag: true,
    price: '1.00',
    tags: [],
    address: { city: 'x' },
  } as const
  return { ...rest, tags: [], name, ...changes }
}

type Fields = Record<string, unknown>
type Columns = TableDefinition['columns']
const idColumn: Columns[number] = {
  path: 'id',
  name: 'id',
  type: 'number',
  storage: 'integer',
  integer: true,
  key: true,
}

function declare(columns: Columns, changes: Partial<TableDefinition> = {}) {
  return defineTable<Fields, Fields, Fields, number | Fields, Fields>({
    name: 'Note',
    table: 'notes',
    key: ['id'],
    columns,
    jsonSchema: {},
    check: () => {},
    ...changes,
  })
}

describe.skipIf(!mysqlEngine.isThere)('MySQL and MariaDB', () => {
  const databases = mysqlEngine.use()

  async function open(
    options: { maxConnections?: number } = {},
  ): Promise<{ db: Database; url: string } & AsyncDisposable> {
    const url = await databases.create()
    const db = await openDatabase(mysql({ url, ...options }))
    await db.sync(suiteTables)
    return { db, url, [Symbol.asyncDispose]: () => db.close() }
  }

  describe('text', () => {
    it('that differs in trailing spaces or case is different: in a unique index, a filter and an order', async () => {
      await using setup = await open()
      const things = setup.db.table(Thing)
      const names = ['a', 'a ', 'A', 'á']
      await things.insertMany(names.map((name) => thing(name)))
      for (const name of names) expect(await things.count({ name })).toBe(1)
      const ordered = await things.findMany({ orderBy: { name: 'asc' } })
      expect(ordered.map((it) => it.name)).toEqual(['A', 'a', 'a ', 'á'])
    })

    it('ignores the case of A to Z only in $ilike', async () => {
      await using setup = await open()
      const people = setup.db.table(Person)
      await people.insertMany(['É', 'é', '\u212a', 'k', 'K', 'ſ', 's'].map((name) => ({ name })))
      const found = async ($ilike: string): Promise<string[]> =>
        (await people.findMany({ where: { name: { $ilike } }, orderBy: { name: 'asc' } })).map((it) => it.name)
      expect(await found('é')).toEqual(['é'])
      expect(await found('É')).toEqual(['É'])
      expect(await found('k')).toEqual(['K', 'k'])
      expect(await found('S')).toEqual(['s'])
    })

    it('has no length limit without an index, and is refused if too long for one: never truncated', async () => {
      await using setup = await open()
      const { db } = setup
      const long = '🙂'.repeat(100_000)
      await db.table(Group).insertOne(group(1, long))
      expect((await db.table(Group).findById({ region: 'eu', code: 1 }))?.title).toBe(long)
      const refused = db.table(Thing).insertOne(thing('x'.repeat(256)))
      const message = expect.stringMatching(/^table `Thing`: a text is too long for its column/)
      await expect(refused).rejects.toMatchObject({ code: 'CONSTRAINT_VIOLATION', fields: ['name'], message })
      expect(await db.table(Thing).count()).toBe(0)
      expect(await db.table(Thing).count({ name: 'x'.repeat(256) })).toBe(0)
    })

    it('that is too long only by spaces is refused too, and finds nothing', async () => {
      await using setup = await open()
      const things = setup.db.table(Thing)
      const refused = { code: 'CONSTRAINT_VIOLATION', fields: ['name'] }
      const long = `x${' '.repeat(255)}`
      await expect(things.insertOne(thing(long))).rejects.toMatchObject(refused)
      await things.insertMany([thing('x'), thing(long.slice(0, 255)), thing(`${'🙂'.repeat(254)} `)])
      await expect(things.updateMany({ name: 'x' }, { name: long })).rejects.toMatchObject(refused)
      expect(await things.count({ name: long })).toBe(0)
      expect(await things.count({ name: { $lt: long } })).toBe(2)
      const names = (await things.findMany({ orderBy: { name: 'asc' } })).map((it) => it.name)
      expect(names).toEqual(['x', long.slice(0, 255), `${'🙂'.repeat(254)} `])
    })

    it('that makes a record too large for the server is refused, and later calls work', async () => {
      await using setup = await open()
      const { db } = setup
      const [{ most }] = (await db.sql`select @@max_allowed_packet as most`) as [{ most: number }]
      await expect(db.table(Group).insertOne(group(1, 'x'.repeat(most + 1)))).rejects.toMatchObject({
        code: 'CONSTRAINT_VIOLATION',
        message: 'table `Group`: a record, or a filter, is larger than the server’s max_allowed_packet',
      })
      expect(await db.table(Group).count()).toBe(0)
    })

    it.each(['a\nb\r\t\b\u001a', 'é', '🙂', "it's \\n", ' '])(
      'a default may have any characters: %j',
      async (value) => {
        const url = await databases.create()
        await using db = await openDatabase(mysql({ url }))
        const preset = { kind: 'value', value } as const
        const columns = ['long', 'short'].map((name): Columns[number] => ({
          path: name,
          name,
          type: 'string',
          storage: 'text',
          default: preset,
        }))
        const part = [{ path: 'short', column: 'short', order: 'asc' as const }]
        const notes = declare([idColumn, ...columns], {
          indexes: [{ name: 'notes__short', unique: false, columns: part }],
        })
        await db.sync([notes])
        expect((await db.planSync([notes])).steps).toEqual([])
        await db.sql`insert into notes (id) values (1)`
        expect(await db.table(notes).findById(1)).toEqual({ id: 1, long: value, short: value })
      },
    )

    it('escapes in patterns and defaults mean the same in every SQL mode', async () => {
      const url = await databases.create()
      const name: Columns[number] = {
        path: 'name',
        name: 'name',
        type: 'string',
        storage: 'text',
        default: { kind: 'value', value: "it\\'s" },
      }
      const notes = declare([idColumn, name])
      for (const mode of ['', 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT']) {
        await command(url, 'drop table if exists notes', `set global sql_mode = '${mode}'`)
        try {
          await using db = await openDatabase(mysql({ url }))
          await db.sync([notes])
          await db.sql`insert into notes (id) values (1)`
          await db.table(notes).insertOne({ id: 2, name: 'a|b\\c%' } as never)
          expect(await db.table(notes).findById(1)).toEqual({ id: 1, name: "it\\'s" })
          const patterns = [{ $like: 'a|b\\\\c\\%' }, { $like: 'a\\|b\\\\c_' }, { $ilike: 'A|B\\\\C\\%' }]
          for (const name of patterns) expect(await db.table(notes).count({ name } as never)).toBe(1)
        } finally {
          await command(url, 'set global sql_mode = default')
        }
      }
    })
  })

  it('decimals compare with all their digits, alone and in lists', async () => {
    await using setup = await open()
    const things = setup.db.table(Thing)
    const amounts = ['12345678901234567890.123456788', '12345678901234567890.123456789']
    await things.insertMany(amounts.map((amount) => thing(amount, { amount })))
    for (const amount of amounts) {
      expect(await things.count({ amount })).toBe(1)
      expect(await things.count({ amount: { $in: [amount, '1'] } })).toBe(1)
    }
    expect(await things.count({ amount: { $lt: amounts[1]! } })).toBe(1)
    expect(await things.count({ amount: { $lt: `1${'0'.repeat(70)}` } })).toBe(2)
    expect(await things.deleteMany({ amount: { $gt: `-1${'0'.repeat(70)}` } })).toEqual({ deletedCount: 2 })
  })

  describe('a value that does not fit', () => {
    it('is refused, even if the server would truncate it or fill it in', async () => {
      const url = await databases.create()
      await command(url, "set global sql_mode = ''")
      try {
        await using db = await openDatabase(mysql({ url }))
        await db.sync(suiteTables)
        const tooGreat = { code: 'CONSTRAINT_VIOLATION', fields: ['teamId'] }
        await expect(db.table(Person).insertOne({ name: 'x', teamId: 2 ** 31 })).rejects.toMatchObject(tooGreat)
        await expect(db.sql`insert into org.teams (id) values (1)`).rejects.toMatchObject({
          code: 'CONSTRAINT_VIOLATION',
        })
        expect(await db.table(Team).findById(2 ** 31)).toBeUndefined()
        expect(await db.table(Team).count()).toBe(0)
      } finally {
        await command(url, 'set global sql_mode = default')
      }
    })

    it('an index of more than 3072 bytes is refused with the reason', async () => {
      await using setup = await open()
      const names = ['a', 'b', 'c', 'd']
      const columns = names.map((name): Columns[number] => ({ path: name, name, type: 'string', storage: 'text' }))
      const index = {
        name: 'notes__all',
        unique: false,
        columns: names.map((name) => ({ path: name, column: name, order: 'asc' as const })),
      }
      const sync = setup.db.sync([declare([idColumn, ...columns], { indexes: [index] })])
      await expect(sync).rejects.toThrow('would take 4080 bytes, more than the limit of 3072')
    })

    it('a foreign key with setDefault is refused before anything is created', async () => {
      await using setup = await open()
      const parent: Columns[number] = {
        ...idColumn,
        path: 'parent',
        name: 'parent',
        key: false,
        nullable: true,
        optional: true,
      }
      const foreignKey = {
        name: 'parent',
        constraint: 'notes__parent__fk',
        paths: ['parent'],
        columns: ['parent'],
        references: { declaration: 'Note', table: 'notes', paths: ['id'], columns: ['id'] },
        onDelete: 'setDefault',
        onUpdate: 'restrict',
      } as const
      const sync = setup.db.sync([declare([idColumn, parent], { foreignKeys: [foreignKey] })])
      await expect(sync).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringMatching(/does not support `setDefault`/),
      })
      expect(await setup.db.sql`show tables like 'notes'`).toEqual([])
    })
  })

  describe('auto-increment', () => {
    it('an explicit key of 0 is kept', async () => {
      await using setup = await open()
      const stored = await setup.db.table(Team).insertOne({ id: 0, name: 'zero' })
      expect(await setup.db.table(Team).findById(0)).toEqual(stored)
    })

    it('numbers are returned in the order of the rows, for any number of rows and any increment', async () => {
      const url = await databases.create()
      await command(url, 'set global auto_increment_increment = 3')
      try {
        for (const db of [await openDatabase(mysql({ url })), await openDatabase(mysql({ pool: pretendMysql(url) }))]) {
          await db.sync(suiteTables)
          const names = Array.from({ length: 3000 }, (_, index) => `team ${Math.random()} ${index}`)
          const stored = await db.table(Team).insertMany(names.map((name) => ({ name })))
          const found = await db.table(Team).findMany({ where: { name: { $in: names } }, orderBy: { id: 'asc' } })
          expect(found).toEqual(stored)
          expect(stored.map((it) => it.name)).toEqual(names)
          await db.close()
        }
      } finally {
        await command(url, 'set global auto_increment_increment = 1')
      }
    })

    it('stops at 2^31 − 1 for a number and at 2^53 − 1 for a number.int, and nothing is stored', async () => {
      await using setup = await open()
      const { db } = setup
      const teams = db.table(Team)
      await db.sql`insert into org.teams (id, name) values (${2 ** 31 - 1}, 'last')`
      const last = { id: 2 ** 31 - 1, name: 'last' }
      const refused = { code: 'NUMBER_UNSAFE', fields: ['id'], message: expect.stringMatching(/beyond 2\^31 − 1/) }
      await expect(teams.insertOne({ name: 'one' })).rejects.toMatchObject(refused)
      await expect(teams.insertMany([{ name: 'one' }, { name: 'two' }])).rejects.toMatchObject(refused)
      expect(await teams.findMany()).toEqual([last])
      await expect(teams.insertOne({ id: 2 ** 31 - 2 ** 28 + 1, name: 'x' })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: expect.stringContaining('must be at most 1879048192'),
      })

      const insert = () => db.transaction((tx) => tx.table(Team).insertMany([{ name: 'x' }, { name: 'y' }]))
      await expect(insert()).rejects.toMatchObject(refused)
      await teams.deleteOne(last.id)
      expect((await insert()).map((it) => it.id)).toEqual([100, 101])

      await expectWideEnd(db)
      const pool = pretendMysql(setup.url)
      await using other = await openDatabase(mysql({ pool }))
      await expectWideEnd(other)
    })

    async function expectWideEnd(db: Database): Promise<void> {
      const wide = declare([{ ...idColumn, subtype: 'int', default: { kind: 'increment', start: 1 } }])
      await db.sql`drop table if exists notes`
      await db.sync([wide])
      await db.sql`insert into notes (id) values (${Number.MAX_SAFE_INTEGER})`
      // A row of others, which we cannot read but must not touch.
      await db.sql`insert into notes (id) values (9007199254741992)`
      const unsafe = { code: 'NUMBER_UNSAFE', fields: ['id'], message: expect.stringMatching(/beyond 2\^53 − 1/) }
      await expect(db.table(wide).insertOne({})).rejects.toMatchObject(unsafe)
      await expect(db.table(wide).insertMany([{}, {}])).rejects.toMatchObject(unsafe)
      expect(await db.sql`select count(*) as n, cast(max(id) as char) as most from notes`).toEqual([
        { n: 2, most: '9007199254741992' },
      ])
      // Once they are gone, the counter alone is too high.
      await db.sql`delete from notes`
      expect(await db.table(wide).insertOne({})).toEqual({ id: 1 })
      expect(await db.table(wide).insertMany([{}, {}])).toEqual([{ id: 2 }, { id: 3 }])
    }

    it('may be any column of a key', async () => {
      await using setup = await open()
      const { db } = setup
      const region: Columns[number] = { path: 'region', name: 'region', type: 'string', storage: 'text', key: true }
      const counted = declare([region, { ...idColumn, default: { kind: 'increment', start: 7 } }], {
        key: ['region', 'id'],
      })
      await db.sync([counted])
      await db.table(counted).insertMany([{ region: 'a' }, { region: 'b' }] as never)
      expect(await db.table(counted).findMany({ orderBy: { id: 'asc' } as never })).toEqual([
        { region: 'a', id: 7 },
        { region: 'b', id: 8 },
      ])
    })
  })

  describe('transactions', () => {
    it('a statement with an implicit commit ends one, and later statements are not run', async () => {
      await using setup = await open()
      const { db } = setup
      const running = db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(1))
        const outcomes = await Promise.allSettled([
          tx.sql`create table mine (id int)`,
          tx.table(Group).insertOne(group(2)),
        ])
        expect(outcomes.map((it) => it.status)).toEqual(['rejected', 'rejected'])
        await tx.table(Group).insertOne(group(3))
      })
      await expect(running).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
      expect((await db.table(Group).findMany()).map((it) => it.code)).toEqual([1])
    })

    it('after a deadlock no statement runs, not even waiting ones: the server has rolled back', async () => {
      await using setup = await open()
      const { db, url } = setup
      await db.table(Group).insertMany([group(1), group(2)])
      const [bothHold, signalBothHold] = createSignal()
      let holding = 0
      const swap = (first: number, second: number) =>
        db.transaction(
          async (tx) => {
            const groups = tx.table(Group)
            await groups.updateOne({ region: 'eu', code: first, title: 'held' })
            if (++holding === 2) signalBothHold()
            await bothHold
            await Promise.all([
              groups.updateOne({ region: 'eu', code: second, title: 'swapped' }),
              groups.insertOne(group(10 + first)),
            ])
          },
          { retries: 0 },
        )
      const outcomes = await Promise.allSettled([swap(1, 2), swap(2, 1)])
      const lost = outcomes.filter((it) => it.status === 'rejected')
      expect(lost).toHaveLength(1)
      expect(lost[0]!.reason).toMatchObject({ code: 'SERIALIZATION_FAILED' })
      expect(await command(url, 'select code from "groups" where code > 2')).toHaveLength(1)
    })

    it('a lock timeout is retried as often as `retries` says', async () => {
      await using setup = await open()
      const { db, url } = setup
      await db.table(Group).insertOne(group(1))
      await command(url, 'set global innodb_lock_wait_timeout = 1')
      try {
        const other = await openDatabase(mysql({ url }))
        const [released, release] = createSignal()
        const [held, signalHeld] = createSignal()
        const holder = db.transaction(async (tx) => {
          await tx.table(Group).updateOne({ ...group(1), title: 'held' })
          signalHeld()
          await released
        })
        await held
        const change = { ...group(1), title: 'after' }
        const given = other.transaction((tx) => tx.table(Group).updateOne(change), { retries: 0 })
        await expect(given).rejects.toMatchObject({ code: 'SERIALIZATION_FAILED' })
        await expectLost(url)
        const waiting = other.table(Group).updateOne(change)
        await sleep(1200)
        release()
        await Promise.all([holder, waiting])
        expect((await db.table(Group).findById({ region: 'eu', code: 1 }))?.title).toBe('after')
        await other.close()
      } finally {
        await command(url, 'set global innodb_lock_wait_timeout = default')
      }
    })

    /** The server took the statement back, and left the transaction open. */
    async function expectLost(url: string): Promise<void> {
      const engine = await mysql({ url }).open()
      const transaction = await engine.begin({ isolation: 'default', purpose: 'work' })
      await transaction.sql([`insert into "groups" (region, code, title) values ('eu', 2, 't')`], [])
      const late = async () => transaction.sql([`update "groups" set title = 'late' where code = 1`], [])
      await expect(late()).rejects.toMatchObject({ code: 'SERIALIZATION_FAILED' })
      await expect(transaction.commit()).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
      await engine.close()
      expect(await command(url, 'select code from "groups" where code = 2')).toEqual([])
    }

    it.each(['REPEATABLE READ', 'READ COMMITTED'])(
      'twenty concurrent upserts of one record store it once, and lose none: %s',
      async (level) => {
        const url = await databases.create()
        await command(url, `set global transaction isolation level ${level}`)
        try {
          await using db = await openDatabase(mysql({ url }))
          await db.sync(suiteTables)
          const people = db.table(Person)
          const id = '00000000-0000-7000-8000-000000000000'
          const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
          const stored = await Promise.all(names.map((name) => people.upsertOne({ id, name })))
          expect(stored.map((it) => it.version).toSorted((a, b) => a - b)).toEqual(names.map((_, index) => index + 1))
          expect(await people.count()).toBe(1)
        } finally {
          await command(url, 'set global transaction isolation level repeatable read')
        }
      },
    )
  })

  describe('large inputs', () => {
    it('long lists in filters leave no prepared statements behind', async () => {
      await using setup = await open({ maxConnections: 1 })
      const { db } = setup
      await db.table(Group).insertMany(Array.from({ length: 5000 }, (_, code) => group(code)))
      const prepared = () => command(setup.url, "show global status like 'Prepared_stmt_count'")
      const before = await prepared()
      const code = { $in: Array.from({ length: 30_000 }, (_, index) => index - 1000) }
      expect(await db.table(Group).count({ code })).toBe(5000)
      // The server does not acknowledge that it closed a statement.
      await expect.poll(prepared).toEqual(before)
    })

    it('rows are stored together even if the server accepts only small packets', async () => {
      const url = await databases.create()
      await command(url, 'set global max_allowed_packet = 65536')
      try {
        await using db = await openDatabase(mysql({ url }))
        await db.sync(suiteTables)
        const records = Array.from({ length: 200 }, (_, code) => group(code, 'é'.repeat(1000)))
        await db.table(Group).insertMany([...records, group(200, 'x'.repeat(65_000))])
        expect(await db.table(Group).count()).toBe(201)
        await command(url, 'set global max_allowed_packet = 16384')
        await using other = await openDatabase(mysql({ url }))
        const names = ['a', 'b', 'c']
        const columns = names.map((name): Columns[number] => ({ path: name, name, type: 'number', storage: 'real' }))
        const numbers = declare([idColumn, ...columns])
        await other.sync([numbers])
        await other.table(numbers).insertMany(Array.from({ length: 2000 }, (_, id) => ({ id, a: id, b: id, c: id })))
        expect(await other.table(numbers).count()).toBe(2000)
      } finally {
        await command(url, 'set global max_allowed_packet = default')
      }
    })

    it('more text than fits into one statement is stored all or nothing', async () => {
      await using setup = await open()
      const { db } = setup
      const much = 'x'.repeat(1_500_000)
      const records = Array.from({ length: 30 }, (_, code) => group(code, much))
      await db.table(Group).insertMany(records)
      expect(await db.table(Group).count()).toBe(30)
      await db.table(Group).deleteMany({})
      await expect(db.table(Group).insertMany([...records, group(0)])).rejects.toMatchObject({
        code: 'UNIQUE_VIOLATION',
      })
      expect(await db.table(Group).count()).toBe(0)
    })
  })

  it('raw SQL uses double quotes for names and single ones for text, as on other engines', async () => {
    await using setup = await open()
    await setup.db.table(Person).insertOne({ name: 'p' })
    expect(await setup.db.sql`select "teamId" as team, 'x' as x from people`).toEqual([{ team: null, x: 'x' }])
    await expect(setup.db.sql`select "no such column" from people`).rejects.toMatchObject({ code: 'QUERY_FAILED' })
  })

  it('a missing database is distinguished from a refused connection', async () => {
    const url = await databases.create()
    await using db = await openDatabase(mysql({ url }))
    await expect(db.table(Team).count()).rejects.toMatchObject({ code: 'QUERY_FAILED' })
    const expected = { code: 'QUERY_FAILED', message: expect.stringMatching(/Unknown database 'nowhere'/) }
    await expect(db.sql`create table nowhere.notes (id int)`).rejects.toMatchObject(expected)
    await expect(openDatabase(mysql({ url: `${url}_none` }))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  describe('a pool that is passed in', () => {
    it('may return values in other forms: decimals, JSON and BIGINT still arrive exactly', async () => {
      const url = await databases.create()
      const settings: PoolOptions = {
        decimalNumbers: true,
        bigNumberStrings: true,
        supportBigNumbers: true,
        typeCast: () => 0,
      }
      const pool = createPool({ uri: url, ...settings })
      const db = await openDatabase(mysql({ pool }))
      await db.sync(suiteTables)
      const amount = '12345678901234567890.123456789'
      const stored = await db.table(Thing).insertOne(thing('a', { amount, tags: ['"1"', 'null'], extra: { a: 1 } }))
      expect(await db.table(Thing).findById(stored.id)).toEqual(stored)
      expect(stored).toMatchObject({ amount, tags: ['"1"', 'null'], extra: { a: 1 }, flag: true })
      await db.close()
      await new Promise<void>((resolve) => pool.end(() => resolve()))
    })

    it('that counts changed rows instead of found rows is refused', async () => {
      const pool = createPool({ uri: await databases.create(), flags: ['-FOUND_ROWS'] })
      const opening = openDatabase(mysql({ pool }))
      await expect(opening).rejects.toMatchObject({
        code: 'OPTIONS_INVALID',
        message: expect.stringMatching(/FOUND_ROWS/),
      })
      await new Promise<void>((resolve) => pool.end(() => resolve()))
    })

    it('without a database is refused', async () => {
      const pool = createPool({ uri: new URL('/', await databases.create()).href })
      await expect(openDatabase(mysql({ pool }))).rejects.toMatchObject({
        code: 'OPTIONS_INVALID',
        message: 'expected a pool whose connections name a database',
      })
      await new Promise<void>((resolve) => pool.end(() => resolve()))
    })
  })

  it('a sync that lacks a privilege half-way says which, and that the finished steps stay', async () => {
    const url = await databases.create()
    const message = "Access denied for user 'me'@'%' to database 'far'"
    const denied = { errno: 1044, message, sqlMessage: message }
    const pool = pretendMysql(url, (sql) => /CREATE (?:DATABASE|SCHEMA).*far/.test(sql) && denied)
    await using db = await openDatabase(mysql({ pool }))
    const far = declare([idColumn], { name: 'Far', table: 'far_notes', schema: 'far' })
    await expect(db.sync([far])).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: `schema \`far\`: the database refused to create schema: ${message}`,
    })
    const late = pretendMysql(url, (sql) => /CREATE TABLE.*late/s.test(sql) && { ...denied, errno: 1142 })
    await using other = await openDatabase(mysql({ pool: late }))
    const tables = [declare([idColumn]), declare([idColumn], { name: 'Late', table: 'late' })]
    const rest = 'The change before it was applied, and the next sync continues from there'
    await expect(other.sync(tables)).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: `table \`late\`: the database refused to create table: ${message}. ${rest}`,
    })
    await using allowed = await openDatabase(mysql({ url }))
    expect((await allowed.sync(tables)).steps.map((it) => it.description)).toEqual(['create table late'])
  })

  it.each([
    ['mysql://localhost', /names a database/],
    ['postgres://localhost/x', /begins with mysql/],
    ['mysql://me:secret@localhost/app?multipleStatements=true', /without parameters except `ssl`/],
    ['mysql://me:secret%zz@localhost/app', /`%` written as %25/],
    ['mysql://me:secret@localhost/app?ssl=secret', /`ssl` is true, or an object of options as JSON/],
  ])('refuses the URL %s without repeating it', (url, message) => {
    expect(() => mysql({ url })).toThrow(message)
    expect(() => mysql({ url })).not.toThrow(/secret/)
  })

  describe('a server without INSERT … RETURNING', () => {
    testAdapter({
      name: 'the suite',
      runner: { describe, it, after: afterAll },
      open: async () => mysql({ pool: pretendMysql(await databases.create()) }),
    })
  })
})

const pretended: ReturnType<typeof createPool>[] = []
afterAll(async () => {
  for (const pool of pretended) await new Promise<void>((resolve) => pool.end(() => resolve()))
})

type Refuse = (sql: string) => object | false
const knowsNoReturning: Refuse = (sql) => sql.includes('RETURNING') && { message: 'this server knows no RETURNING' }

/** MySQL lacks RETURNING: this is MariaDB with MySQL's version, behind a proxy that refuses chosen statements. */
function pretendMysql(url: string, refuse: Refuse = knowsNoReturning): MysqlPool {
  const real = createPool({ uri: url })
  pretended.push(real)
  const pretend = (client: PoolConnection): PoolConnection =>
    new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'query' && name !== 'execute') return value.bind(target)
        return (options: { sql: string }, done: (error: Error | null, ...rest: unknown[]) => void) => {
          const refusal = refuse(options.sql)
          if (refusal) return done(Object.assign(new Error('refused'), refusal))
          const sql = options.sql.replace('version()', "'8.0.36'")
          return value.call(target, { ...options, sql }, done)
        }
      },
    })
  const known = new WeakMap<PoolConnection, PoolConnection>()
  return {
    getConnection(done: (error: Error | null, client?: PoolConnection) => void) {
      real.getConnection((error, client) => {
        if (!client) return done(error)
        if (!known.has(client)) known.set(client, pretend(client))
        done(null, known.get(client))
      })
    },
  } as unknown as MysqlPool
}

function createSignal(): [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [promise, resolve]
}
