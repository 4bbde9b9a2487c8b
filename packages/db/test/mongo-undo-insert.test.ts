/** An `insertMany` that is refused without transactions takes back its own records, and nothing that is others' by then. */
import { type Database, openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import type { Collection, Db } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { declareTable, integer, optional, refer, text } from './support/declare.ts'
import { hasMongo, useRawMongo } from './support/mongo-databases.ts'

const id = integer('id', { key: true })
const Parent = declareTable('parents', [id, text('name', optional), integer('up', optional)], {
  foreignKeys: [refer('parents', ['up'], 'parents', ['id'], 'restrict')],
})
const Child = declareTable('children', [id, integer('parent')], {
  foreignKeys: [refer('children', ['parent'], 'parents', ['id'], 'restrict')],
})
const Pair = declareTable('pairs', [integer('a', { key: true }), integer('b', { key: true }), text('name', optional)])
const Half = declareTable('halves', [id, integer('x'), integer('y')], {
  foreignKeys: [refer('halves', ['y', 'x'], 'pairs', ['b', 'a'], 'restrict')],
})
const Loose = declareTable('looses', [integer('n')], {
  indexes: [{ name: 'looses__n', unique: true, columns: [{ path: 'n', column: 'n', order: 'asc' }] }],
})

describe.skipIf(!hasMongo)('a refused insertMany on MongoDB', () => {
  const createRaw = useRawMongo()

  /** A database in which something happens after each refused `insertMany`, before the refusal is known. */
  async function open(meanwhile: (db: Database) => Promise<unknown>): Promise<Database & { readonly raw: Db }> {
    const raw = createRaw()
    const hook = <T extends Db | Collection>(target: T): T =>
      new Proxy(target, {
        get(inner, method) {
          const value: unknown = Reflect.get(inner, method)
          if (typeof value !== 'function') return value
          if (method === 'collection') return (...args: [string]) => hook(raw.collection(...args))
          if (method !== 'insertMany') return value.bind(inner) as unknown
          return async (...args: unknown[]) => {
            try {
              return (await value.apply(inner, args)) as unknown
            } catch (error) {
              await meanwhile(db)
              throw error
            }
          }
        },
      })
    const db = await openDatabase(mongo({ db: hook(raw) as unknown as MongoDatabase }))
    await db.sync([Parent, Child, Pair, Half, Loose])
    return Object.assign(db, { raw })
  }

  const taken = { code: 'UNIQUE_VIOLATION', fields: ['id'] }

  it('removes its records', async () => {
    await using db = await open(async () => {})
    await db.table(Parent).insertOne({ id: 9 })
    const many = [{ id: 1, name: 'x' }, { id: 2, up: 1 }, { id: 3, up: 3 }, { id: 4, up: 9 }, { id: 9 }]
    await expect(db.table(Parent).insertMany(many)).rejects.toMatchObject({
      ...taken,
      message: expect.not.stringContaining('meanwhile'),
    })
    expect(await db.table(Parent).findMany()).toEqual([{ id: 9 }])
    await expect(db.table(Loose).insertMany([{ n: 1 }, { n: 2 }, { n: 1 }])).rejects.toMatchObject({
      code: 'UNIQUE_VIOLATION',
    })
    expect(await db.table(Loose).count()).toBe(0)
  })

  it('keeps a record that another one refers to by then, and says so', async () => {
    await using db = await open((it) => it.table(Child).insertOne({ id: 1, parent: 2 }))
    await db.table(Parent).insertOne({ id: 9 })
    const many = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 9 }]
    await expect(db.table(Parent).insertMany(many)).rejects.toMatchObject({
      ...taken,
      message: expect.stringContaining('1 record of this call stays'),
    })
    expect(await db.table(Parent).findMany({ orderBy: { id: 'asc' } as never })).toEqual([{ id: 2 }, { id: 9 }])
    expect(await db.table(Child).findMany()).toEqual([{ id: 1, parent: 2 }])
  })

  it('keeps one with a composite key, whatever the order of the reference', async () => {
    await using db = await open((it) => it.table(Half).insertOne({ id: 1, x: 1, y: 2 }))
    await db.table(Pair).insertOne({ a: 9, b: 9 })
    const many = [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 9, b: 9 },
    ]
    await expect(db.table(Pair).insertMany(many)).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
    expect(await db.table(Pair).findMany({ orderBy: { a: 'asc' } as never })).toEqual([
      { a: 1, b: 2 },
      { a: 9, b: 9 },
    ])
  })

  it.each([
    ['changed', { id: 2, name: 'theirs' }],
    ['given a value that it lacked', { id: 3, name: 'theirs' }],
  ])('keeps a record that was %s by then, with the records it refers to', async (_, change) => {
    await using db = await open((it) => it.table(Parent).updateOne(change))
    await db.table(Parent).insertOne({ id: 9 })
    const many = [{ id: 1 }, { id: 2, name: 'ours', up: 1 }, { id: 3, up: 1 }, { id: 4, up: 2 }, { id: 9 }]
    await expect(db.table(Parent).insertMany(many)).rejects.toMatchObject({
      ...taken,
      message: expect.stringContaining('2 records of this call stay'),
    })
    const found = await db.table(Parent).findMany({ orderBy: { id: 'asc' } as never })
    expect(found).toEqual([{ id: 1 }, { ...change, up: 1 }, { id: 9 }])
  })

  it('keeps a record that is changed at the moment of its removal', async () => {
    await using db = await open(async (it) => {
      const { raw } = it as Database & { raw: Db }
      const collection = raw.collection.bind(raw)
      raw.collection = ((name: string) => {
        const found = collection(name)
        const bulkWrite = found.bulkWrite.bind(found)
        return Object.assign(found, {
          async bulkWrite(...args: Parameters<typeof bulkWrite>) {
            await collection('parents').updateOne({ _id: 1 as never }, { $set: { name: 'theirs' } })
            return bulkWrite(...args)
          },
        })
      }) as never
    })
    await db.table(Parent).insertOne({ id: 9 })
    await expect(db.table(Parent).insertMany([{ id: 1 }, { id: 2 }, { id: 9 }])).rejects.toMatchObject(taken)
    expect(await db.table(Parent).findMany({ orderBy: { id: 'asc' } as never })).toEqual([
      { id: 1, name: 'theirs' },
      { id: 9 },
    ])
  })
})
