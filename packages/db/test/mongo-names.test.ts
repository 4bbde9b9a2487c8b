/** Fields named like what every object of JavaScript has, and names that belong to the driver or to sync. */
import { type Database, openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { sqlite } from '@portico/db/sqlite'
import { type Db, MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { declareTable, integer, text } from './support/declare.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'
import { tableOf } from './support/statements.ts'
import { models, notes } from './support/sync.ts'

const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString']

describe.skipIf(!hasMongo)('names on MongoDB', () => {
  const databases = useMongo()

  interface Opened extends AsyncDisposable {
    readonly db: Database
    readonly raw: Db
  }

  async function open(): Promise<Opened> {
    const url = databases.create()
    const client = new MongoClient(url)
    const db = await openDatabase(mongo({ url }))
    return {
      db,
      raw: client.db(),
      async [Symbol.asyncDispose]() {
        await db.close()
        await client.close()
      },
    }
  }

  it.each(inherited)('a field named %s is stored, read and found like any other', async (name) => {
    await using opened = await open()
    const { db, raw } = opened
    const tables = notes(`${name}?: string`, `o: { ${name}?: string, a: string }`)
    await db.sync(tables)
    const table = db.table(tableOf(tables[0]!))
    await table.insertMany([
      { id: 1, [name]: 'x', o: { [name]: 'y', a: 'a' } },
      { id: 2, o: { a: 'b' } },
    ])
    expect(await raw.collection('notes').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, [name]: 'x', o: { [name]: 'y', a: 'a' } },
      { _id: 2, o: { a: 'b' } },
    ])
    expect(await table.findMany({ orderBy: { id: 'asc' } as never })).toEqual([
      { id: 1, [name]: 'x', o: { [name]: 'y', a: 'a' } },
      { id: 2, o: { a: 'b' } },
    ])
    expect(await table.count({ [`o.${name}`]: 'y', [name]: 'x' } as never)).toBe(1)
    await table.updateOne({ id: 2, [name]: 'z' })
    await table.upsertOne({ id: 3, [name]: 'w', o: { a: 'c' } })
    expect(await table.findMany({ orderBy: { [name]: 'desc' } as never, select: ['id', name] as never })).toEqual([
      { id: 2, [name]: 'z' },
      { id: 1, [name]: 'x' },
      { id: 3, [name]: 'w' },
    ])
  })

  it.each(inherited)('an object named %s appears only in the record that has it', async (name) => {
    await using opened = await open()
    const tables = notes(`${name}?: { keys: string, name?: string }`)
    await opened.db.sync(tables)
    const table = opened.db.table(tableOf(tables[0]!))
    const keys = Object.keys
    await table.insertOne({ id: 1, [name]: { keys: 'k', name: 'n' } })
    await table.insertOne({ id: 2 })
    expect(Object.keys).toBe(keys)
    expect(await table.findMany({ orderBy: { id: 'asc' } as never })).toEqual([
      { id: 1, [name]: { keys: 'k', name: 'n' } },
      { id: 2 },
    ])
    expect(await table.count({ [`${name}.keys`]: 'k' } as never)).toBe(1)
  })

  it('sync renames such a field, converts it and puts it into a key', async () => {
    await using opened = await open()
    const before = notes('constructor?: number', 'toString?: { valueOf: string }')
    await opened.db.sync(before)
    await opened.db
      .table(tableOf(before[0]!))
      .insertMany([{ id: 1, constructor: 5, toString: { valueOf: 'a' } }, { id: 2 }])
    const after = models(`@db.table 'notes' export interface Note {
      @meta.id id: number
      constructor?: string
      @db.column.renamed 'toString' hasOwnProperty?: { valueOf: string } }`)
    await opened.db.sync(after, { allow: ['convert notes.constructor'] })
    const found = await opened.db.table(tableOf(after[0]!)).findMany({ orderBy: { id: 'asc' } as never })
    expect(found[0]).toEqual({ id: 1, constructor: '5', hasOwnProperty: { valueOf: 'a' } })
    expect(found.slice(1)).toEqual([{ id: 2 }])
  })

  it.each(['__proto__', '_bsontype', '$a', 'a.b', '0', ''])(
    'a column named %j is refused, and nothing is written',
    async (name) => {
      await using opened = await open()
      const Odd = declareTable('odds', [
        integer('id', { key: true }),
        text('f', { name, nullable: true, optional: true }),
        text('g'),
      ])
      const refused = { code: 'OPTIONS_INVALID' }
      await expect(opened.db.sync([Odd])).rejects.toMatchObject(refused)
      const insert = async (): Promise<unknown> => opened.db.table(Odd).insertOne({ id: 1, f: 'x', g: 'y' })
      await expect(insert()).rejects.toMatchObject(refused)
      await opened.raw.collection('odds').insertOne({ _id: 1 as never, g: 'y' })
      const remove = async (): Promise<unknown> => opened.db.table(Odd).deleteMany({ f: 'nomatch', g: 'y' } as never)
      await expect(remove()).rejects.toMatchObject(refused)
      expect(await opened.raw.collection('odds').countDocuments()).toBe(1)
    },
  )

  it.each([
    ['portico__catalog', undefined],
    ['portico__counters', undefined],
    ['portico__journal', undefined],
    ['portico__tables', undefined],
    ['portico__anything', undefined],
    ['lease', 'portico'],
    ['__proto__', undefined],
  ])('a table named %s in the schema %s is refused, by sync and by calls', async (table, schema) => {
    await using opened = await open()
    await opened.db.sync(notes('a?: string'))
    const Odd = declareTable(table, [integer('id', { key: true })], schema === undefined ? {} : { schema })
    const refused = { code: 'OPTIONS_INVALID', message: expect.stringContaining(table) }
    await expect(opened.db.sync([Odd])).rejects.toMatchObject(refused)
    const before = await opened.raw.collection('portico__lease').countDocuments()
    const remove = async (): Promise<unknown> => opened.db.table(Odd).deleteMany({})
    await expect(remove()).rejects.toMatchObject(refused)
    expect(await opened.raw.collection('portico__lease').countDocuments()).toBe(before)
    expect((await opened.db.planSync(notes('a?: string'))).steps).toEqual([])
  })

  it('a JSON value with inherited names is the same on SQLite', async () => {
    await using opened = await open()
    await using oracle = await openDatabase(sqlite({ file: ':memory:' }))
    const tables = notes('@db.json\n j: { a?: string }')
    const value: unknown = JSON.parse(
      '{"__proto__":{"x":1},"constructor":{"prototype":2},"toString":null,"$a":{".":[]}}',
    )
    for (const db of [opened.db, oracle]) {
      await db.sync(tables)
      const table = db.table(tableOf(tables[0]!))
      await table.insertOne({ id: 1, j: value })
      expect(JSON.stringify((await table.findById({ id: 1 }))!['j'])).toBe(JSON.stringify(value))
    }
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})
