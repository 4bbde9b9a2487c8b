import { type Database, openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import { Group, Person, suiteTables, Team, Thing } from '@portico/db/testing'
import type { AnyTable } from '@portico/schema/runtime'
import fc from 'fast-check'
import type { Db, Document, IndexSpecification } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { decimal, declareTable, integer, optional, text } from './support/declare.ts'
import { hasMongo, useRawMongo } from './support/mongo-databases.ts'

const thing = {
  name: 'n',
  kind: 'small' as const,
  ratio: 0.5,
  whole: 3,
  flag: true,
  price: '1.5',
  tags: ['a'],
  extra: { a: 1, b: ['x'] },
  address: { city: 'Bern', geo: { lat: 1, lng: 2 } },
}

describe.skipIf(!hasMongo)('documents on MongoDB', () => {
  const createRaw = useRawMongo()

  interface Opened extends AsyncDisposable {
    readonly db: Database
    readonly raw: Db
    documents(collection: string): Promise<Document[]>
  }

  /** A new database, with the tables, and past them. */
  async function open(tables: readonly AnyTable[] = suiteTables): Promise<Opened> {
    const raw = createRaw()
    const db = await openDatabase(mongo({ db: raw as unknown as MongoDatabase }), { clock: { now: () => 5 } })
    await db.sync(tables)
    return {
      db,
      raw,
      documents: (collection) => raw.collection(collection).find().toArray(),
      [Symbol.asyncDispose]: () => db.close(),
    }
  }

  it('store native arrays and objects, decimals as text, no field for absent values, and the key as _id', async () => {
    await using opened = await open()
    const { id } = await opened.db.table(Thing).insertOne(thing)
    const { name: thing_name, extra, address, ...rest } = thing
    const stored = { _id: id, thing_name, ...rest, price: '1.50', extra, address, state: 'new', rank: 3 }
    expect(await opened.documents('things')).toEqual([{ ...stored, createdAt: 5, updatedAt: 5 }])
    await opened.db.table(Thing).updateOne({ id, address: { city: 'Basel' }, extra: null, rank: null })
    const [changed] = await opened.documents('things')
    expect(changed).toMatchObject({ address: { city: 'Basel' } })
    expect(changed!['address']).toEqual({ city: 'Basel' })
    expect(changed).not.toHaveProperty('extra')
    expect(changed).not.toHaveProperty('rank')
    await opened.db.table(Thing).upsertOne({ ...thing, id, address: { city: 'Genf' } })
    expect((await opened.documents('things'))[0]).toMatchObject({ _id: id, createdAt: 5, address: { city: 'Genf' } })
  })

  it('store a composite key twice: in _id in key order, and in fields with a unique index', async () => {
    await using opened = await open()
    await opened.db.table(Group).insertOne({ code: 1, title: 't', region: 'eu' })
    await opened.db.table(Group).upsertOne({ code: 2, title: 'u', region: 'eu' })
    const documents = await opened.documents('groups')
    expect(documents).toEqual([
      { _id: { region: 'eu', code: 1 }, region: 'eu', code: 1, title: 't' },
      { _id: { region: 'eu', code: 2 }, region: 'eu', code: 2, title: 'u' },
    ])
    expect(documents.map((it) => Object.keys(it['_id'] as object))).toEqual([
      ['region', 'code'],
      ['region', 'code'],
    ])
    const indexes = await opened.raw.collection('groups').indexes()
    expect(indexes).toContainEqual(expect.objectContaining({ key: { region: 1, code: 1 }, unique: true }))
  })

  it('use the schema as a prefix, and a separate counter that starts after existing numbers', async () => {
    await using opened = await open()
    await opened.db.table(Team).insertOne({ name: 'a' })
    expect(await opened.documents('org__teams')).toEqual([{ _id: 100, name: 'a' }])
    expect(await opened.documents('portico__counters')).toEqual([{ _id: 'org__teams', last: 100 }])
    // As after a collection was restored without its counter.
    await opened.raw.collection('portico__counters').deleteMany({})
    await opened.raw.collection('org__teams').insertOne({ _id: 500 as never, name: 'restored' })
    expect((await opened.db.table(Team).insertOne({ name: 'b' })).id).toBe(501)
    await opened.raw.collection('portico__counters').deleteMany({})
    await opened.db.table(Team).insertOne({ id: 200, name: 'c' })
    expect((await opened.db.table(Team).insertOne({ name: 'd' })).id).toBe(502)
  })

  it('auto-increment ignores values that are not numbers', async () => {
    await using opened = await open()
    const teams = opened.raw.collection('org__teams')
    await teams.insertMany([{ name: 'a' }, { _id: 'x' as never, name: 'b' }])
    expect((await opened.db.table(Team).insertOne({ name: 'd' })).id).toBe(100)
    await opened.raw.collection('portico__counters').deleteMany({})
    expect((await opened.db.table(Team).insertOne({ name: 'e' })).id).toBe(101)
  })

  it('an explicit number advances the counter before the record is stored, and restores it if the record is refused', async () => {
    await using opened = await open()
    const things = opened.db.table(Thing)
    await things.insertOne({ ...thing, id: 300 })
    // Refused for its name.
    await expect(things.insertOne({ ...thing, id: 400 })).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
    expect((await things.insertOne({ ...thing, name: 'other' })).id).toBe(301)
  })

  it('store no negative zero', async () => {
    await using opened = await open()
    await opened.db.table(Thing).insertOne({ ...thing, id: -0, ratio: -0, whole: -0 })
    const [stored] = await opened.documents('things')
    expect([stored!['_id'], stored!['ratio'], stored!['whole']]).toEqual([0, 0, 0])
  })

  it('concurrent inserts get distinct numbers, also the very first ones', async () => {
    await using opened = await open()
    const teams = opened.db.table(Team)
    const made = await Promise.all(Array.from({ length: 40 }, (_, index) => teams.insertOne({ name: `team ${index}` })))
    const numbers = made.map((it) => it.id).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => 100 + index))
  })

  it('an insert that races the creation of the counter continues after it', async () => {
    await using opened = await open()
    const { raw } = opened
    await opened.db.table(Team).insertOne({ name: 'a' })
    const counters = raw.collection('portico__counters')
    vi.spyOn(counters, 'findOneAndUpdate').mockResolvedValueOnce(null as never)
    const handle = new Proxy(raw, {
      get(target, name) {
        if (name === 'collection')
          return (called: string) => (called === 'portico__counters' ? counters : target.collection(called))
        return Reflect.get(target, name, target) as unknown
      },
    })
    await using late = await openDatabase(mongo({ db: handle as unknown as MongoDatabase }))
    expect((await late.table(Team).insertOne({ name: 'b' })).id).toBe(101)
  })

  it('auto-increment stops at 2^53 − 1, and nothing is stored', async () => {
    await using opened = await open()
    const teams = opened.db.table(Team)
    await opened.raw.collection('org__teams').insertOne({ _id: Number.MAX_SAFE_INTEGER as never, name: 'last' })
    await expect(teams.insertOne({ name: 'one' })).rejects.toMatchObject({ code: 'NUMBER_UNSAFE', fields: ['id'] })
    expect(await teams.count()).toBe(1)
  })

  it('an exhausted counter continues after the highest stored number, also for concurrent inserts', async () => {
    await using opened = await open()
    const teams = opened.db.table(Team)
    await teams.insertOne({ id: 150, name: 'stored' })
    const counter = { _id: 'org__teams' as never }
    const last = Number.MAX_SAFE_INTEGER
    await opened.raw.collection('portico__counters').updateOne(counter, { $set: { last } })
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => teams.insertOne({ name: `${index}` })))
    expect(many.map((it) => it.id).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => 151 + i))
    await teams.deleteMany({})
    await opened.raw.collection('portico__counters').updateOne(counter, { $set: { last } })
    expect((await teams.insertMany([{ name: 'a' }, { name: 'b' }])).map((it) => it.id)).toEqual([100, 101])
  })

  it('a refused list restores the counter', async () => {
    await using opened = await open()
    const teams = opened.db.table(Team)
    const { id } = await teams.insertOne({ name: 'taken' })
    const refused = teams.insertMany([
      { id: 5_000_000, name: 'x' },
      { id: 5_000_001, name: 'taken' },
    ])
    await expect(refused).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
    expect((await teams.insertOne({ name: 'next' })).id).toBe(id + 1)
  })

  it('null reads as absent; unsafe numbers and other types are refused', async () => {
    await using opened = await open()
    const people = opened.raw.collection('people')
    const { Long } = await import('mongodb')
    await people.insertOne({ _id: 'a' as never, name: 'n', age: null, teamId: null, version: 1 })
    await people.insertOne({ _id: 'b' as never, name: 7, version: 1 })
    await people.insertOne({ _id: 'c' as never, name: 'n', age: Long.MAX_VALUE, version: 1 })
    await people.insertOne({ _id: 'd' as never, name: 'n', age: 'old', version: 1 })
    const table = opened.db.table(Person)
    expect(await table.findOne({ where: { id: 'a' } })).toEqual({ id: 'a', name: 'n', version: 1 })
    expect(await table.count({ age: null })).toBe(2)
    await expect(table.findOne({ where: { id: 'b' } })).rejects.toMatchObject({ code: 'DATABASE_INVALID' })
    await expect(table.findOne({ where: { id: 'c' } })).rejects.toMatchObject({ code: 'NUMBER_UNSAFE' })
    await expect(table.findOne({ where: { id: 'd' } })).rejects.toMatchObject({ code: 'DATABASE_INVALID' })
  })

  it('a duplicate error names its fields, also in a table of a schema', async () => {
    const Card = declareTable('cards', [integer('id', { key: true }), text('code')], {
      schema: 'org',
      indexes: [{ name: 'cards__code', unique: true, columns: [{ path: 'code', column: 'code', order: 'asc' }] }],
    })
    await using opened = await open([Card])
    const cards = opened.db.table(Card)
    await cards.insertOne({ id: 1, code: 'x' })
    await expect(cards.insertOne({ id: 2, code: 'x' })).rejects.toMatchObject({ fields: ['code'] })
    await expect(cards.insertOne({ id: 1, code: 'y' })).rejects.toMatchObject({ fields: ['id'] })
  })

  it('insertMany stores nothing if the last record is refused, even if the keys do not fit into one command', async () => {
    const Page = declareTable('pages', [text('id', { key: true })])
    await using opened = await open([Page])
    const pages = opened.db.table(Page)
    const ids = Array.from({ length: 1200 }, (_, index) => `${index}${'x'.repeat(15_000)}`)
    await pages.insertOne({ id: ids[0] })
    const inserted = pages.insertMany([...ids.slice(1), ids[0]].map((id) => ({ id })))
    await expect(inserted).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
    expect(await pages.count()).toBe(1)
  })

  it('absent values in a unique index are not duplicates', async () => {
    const Card = declareTable('cards', [integer('id', { key: true }), text('code', optional)], {
      indexes: [{ name: 'cards_code', unique: true, columns: [{ path: 'code', column: 'code', order: 'asc' }] }],
    })
    await using opened = await open([Card])
    const cards = opened.db.table(Card)
    await cards.insertMany([{ id: 1 }, { id: 2 }, { id: 3, code: 'x' }])
    await expect(cards.insertOne({ id: 4, code: 'x' })).rejects.toMatchObject({ fields: ['code'] })
    await cards.updateOne({ id: 3, code: null })
    await cards.insertOne({ id: 4, code: 'x' })
    expect(await cards.count({ code: null })).toBe(3)
  })

  it('documents that lack an optional column are not in a unique index over several columns', async () => {
    const Seat = declareTable(
      'seats',
      [integer('id', { key: true }), text('row', optional), integer('place.number', optional)],
      {
        groups: [{ path: 'place', optional: true, presence: 'place__number' }],
        indexes: [
          {
            name: 'seats_place',
            unique: true,
            columns: [
              { path: 'row', column: 'row', order: 'asc' },
              { path: 'place.number', column: 'place__number', order: 'desc' },
            ],
          },
        ],
      },
    )
    const asked: unknown[] = []
    const raw = createRaw()
    const handle = new Proxy(raw, {
      get(target, property) {
        if (property !== 'collection') return Reflect.get(target, property, target) as unknown
        return (name: string) => {
          const collection = target.collection(name)
          const createIndex = (keys: IndexSpecification, { partialFilterExpression, ...options }: Document) => {
            asked.push([name, keys, { ...options, partialFilterExpression }])
            // The server of the tests has no such indexes.
            return target.collection(name).createIndex(keys, options)
          }
          return Object.assign(collection, { createIndex })
        }
      },
    })
    const db = await openDatabase(mongo({ db: handle as unknown as MongoDatabase }))
    await db.sync([Seat])
    expect(asked).toEqual([
      [
        'seats',
        { row: 1, 'place.number': -1 },
        {
          name: 'seats_place',
          unique: true,
          partialFilterExpression: { row: { $exists: true }, 'place.number': { $exists: true } },
        },
      ],
    ])
    await db.close()
  })

  it('a column whose path would be inside another column keeps its flat name', async () => {
    const Odd = declareTable('odds', [
      integer('id', { key: true }),
      text('plain', { name: 'box' }),
      text('box.lid', { name: 'box__lid' }),
      text('big.lid', { name: 'big__old__lid' }),
    ])
    await using opened = await open([Odd])
    const record = { id: 1, plain: 'p', box: { lid: 'l' }, big: { lid: 'b' } }
    await opened.db.table(Odd).insertOne(record)
    expect(await opened.documents('odds')).toEqual([{ _id: 1, box: 'p', box__lid: 'l', big: { old: { lid: 'b' } } }])
    expect(await opened.db.table(Odd).findById({ id: 1 })).toEqual(record)
  })

  it.each(['$where', 'a.b', '_id'])('a column named %s is refused', async (name) => {
    const Bad = declareTable('bads', [integer('id', { key: true }), text('field', { name })])
    await using opened = await open([])
    await expect(opened.db.sync([Bad])).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
    expect(await opened.raw.listCollections().toArray()).toEqual([])
  })

  it('an array that contains null is present, and an absent one is not', async () => {
    const list = { path: 'list', name: 'list', type: 'json', storage: 'json', shape: 'array', ...optional } as const
    const Box = declareTable('boxes', [integer('id', { key: true }), list])
    await using opened = await open([Box])
    const boxes = opened.db.table(Box)
    await boxes.insertMany([{ id: 1, list: [null] }, { id: 2, list: [] }, { id: 3 }])
    expect(await boxes.count({ list: { $null: true } })).toBe(1)
    expect(await boxes.count({ list: { $null: false } })).toBe(2)
    expect(await boxes.findById({ id: 1 })).toEqual({ id: 1, list: [null] })
  })

  it('a table without a key', async () => {
    const Line = declareTable('lines', [text('text')])
    await using opened = await open([Line])
    const lines = opened.db.table(Line)
    await lines.insertMany([{ text: 'a' }, { text: 'b' }, { text: 'b' }])
    expect(await lines.updateMany({ text: 'b' } as never, { text: 'c' })).toEqual({ matchedCount: 2, modifiedCount: 2 })
    expect(await lines.findMany({ orderBy: { text: 'asc' } })).toEqual([{ text: 'a' }, { text: 'c' }, { text: 'c' }])
    expect(await lines.deleteMany({ text: 'c' } as never)).toEqual({ deletedCount: 2 })
  })

  it('db.transaction fails on a server without transactions, before anything is written', async () => {
    await using opened = await open()
    let calls = 0
    const running = opened.db.transaction(async () => {
      calls += 1
    })
    await expect(running).rejects.toMatchObject({ code: 'TRANSACTIONS_UNSUPPORTED' })
    expect(calls).toBe(0)
    await expect(opened.db.sql`select 1`).rejects.toMatchObject({ code: 'SQL_UNSUPPORTED' })
  })

  describe('decimals', () => {
    const Sum = declareTable('sums', [integer('id', { key: true }), decimal('amount', { ...optional })])
    const ByAmount = declareTable('amounts', [decimal('amount', { key: true })])
    let opened: Opened
    beforeAll(async () => {
      opened = await open([Sum, ByAmount])
    })
    afterAll(() => opened?.[Symbol.asyncDispose]())

    const digits = (most: number) =>
      fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: most })
    /** Up to 38 digits, more than a decimal of 128 bits has. */
    const amount = fc
      .tuple(fc.constantFrom('', '', '-'), digits(29), fc.option(digits(9)))
      .map(([sign, whole, fraction]) => `${sign}${BigInt(whole)}${fraction === null ? '' : `.${fraction}`}`)
    const near = fc.constantFrom(
      '9',
      '10',
      '-9',
      '-10',
      '9.9',
      '0.1',
      '-0.1',
      '0',
      '99999999999999999999999999999.999999999',
    )
    const amounts = fc.array(fc.oneof(amount, near), { minLength: 2, maxLength: 12 })

    /** In units of the ninth digit after the point. */
    const units = (value: string): bigint => {
      const [whole = '', fraction = ''] = value.replace('-', '').split('.')
      const all = BigInt(whole + fraction.padEnd(9, '0'))
      return value.startsWith('-') ? -all : all
    }
    const compare = (a: string, b: string): number => (units(a) < units(b) ? -1 : Number(units(a) > units(b)))

    it('sort and compare as numbers, however many digits they have', { timeout: 120_000 }, async () => {
      const sums = opened.db.table(Sum)
      await fc.assert(
        fc.asyncProperty(amounts, async (values) => {
          await sums.deleteMany({})
          await sums.insertMany([{ id: 0 }, ...values.map((it, index) => ({ id: index + 1, amount: it }))])
          const read = async (query: object): Promise<unknown[]> =>
            (await sums.findMany(query)).map((it) => it['amount'])
          const spelt = (list: readonly string[]): bigint[] => list.map(units)
          const sorted = values.toSorted(compare)
          const ascending = await read({ orderBy: { amount: 'asc' } })
          expect(ascending[0]).toBeUndefined()
          expect(spelt(ascending.slice(1) as string[])).toEqual(spelt(sorted))
          const descending = await read({ orderBy: { amount: 'desc' }, limit: values.length })
          expect(spelt(descending as string[])).toEqual(spelt(sorted.toReversed()))
          const [pivot] = values
          const conditions = { $lt: -1, $gt: 1 } as const
          for (const [operator, sign] of Object.entries(conditions)) {
            const beyond = values.filter((it) => compare(it, pivot!) === sign)
            expect(await sums.count({ amount: { [operator]: pivot } } as never)).toBe(beyond.length)
            const equal = values.filter((it) => compare(it, pivot!) === 0).length
            expect(await sums.count({ amount: { [`${operator}e`]: pivot } } as never)).toBe(beyond.length + equal)
          }
        }),
        { numRuns: heavy(300) },
      )
    })

    it('a stream can follow a decimal key', async () => {
      const table = opened.db.table(ByAmount)
      await table.insertMany(['10', '9', '-1', '-10', '9.5'].map((it) => ({ amount: it })))
      const seen: unknown[] = []
      for await (const { amount: it } of table.stream({ batchSize: 2 })) seen.push(it)
      expect(seen).toEqual(['-10', '-1', '9', '9.5', '10'])
    })
  })
})
