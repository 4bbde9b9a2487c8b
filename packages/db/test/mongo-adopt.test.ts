/** Collections, indexes and rules that others made. */
import { type Database, openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import type { TableModel } from '@portico/schema/model'
import { Binary, type Db, Decimal128, type Document, Long, ObjectId } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { hasMongo, useRawMongo } from './support/mongo-databases.ts'
import { runStatement, tableOf } from './support/statements.ts'
import { models, notes, syncWhole } from './support/sync.ts'

describe.skipIf(!hasMongo)('existing collections and indexes on MongoDB', () => {
  const createRaw = useRawMongo()

  interface Opened extends AsyncDisposable {
    readonly db: Database
    readonly raw: Db
    /** Properties of the collection that the test server does not store, and the test adds to its answers. */
    listed: Document
    /** The options of created collections. */
    readonly made: [name: string, options: Document | undefined][]
    documents(): Promise<Document[]>
  }

  async function open(tables: readonly TableModel[] = [], ...stored: Document[]): Promise<Opened> {
    const raw = createRaw()
    const handle = new Proxy(raw, {
      get(target, name) {
        if (name === 'listCollections') {
          return (...args: [Document]) => ({
            toArray: async () =>
              (await target.listCollections(...args).toArray()).map((it) =>
                it.name === 'notes' ? { ...it, ...opened.listed } : it,
              ),
          })
        }
        if (name === 'createCollection') {
          return (collection: string, options?: Document) => {
            opened.made.push([collection, options])
            return target.createCollection(collection)
          }
        }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const db = await openDatabase(mongo({ db: handle as unknown as MongoDatabase }))
    const opened: Opened = {
      db,
      raw,
      listed: {},
      made: [],
      documents: () => raw.collection('notes').find().sort({ _id: 1 }).toArray(),
      [Symbol.asyncDispose]: () => db.close(),
    }
    await db.sync(tables)
    if (stored.length > 0) await raw.collection('notes').insertMany(stored)
    return opened
  }

  const adopt = { allow: ['adopt notes'] }
  const indexed = notes('@db.index.plain\n a: string', 'b?: number')

  describe('a collection', () => {
    it('is taken over if its documents match the declaration; everything else in it stays', async () => {
      await using opened = await open([], { _id: 1, a: 'x', theirs: new Date(0) }, { _id: 2, a: 'y', b: 1.5 })
      await opened.raw.collection('notes').createIndex({ theirs: 1 }, { name: 'mine', unique: true, sparse: true })
      await expect(opened.db.sync(indexed)).rejects.toThrow('sync did not create this table and does not change it')
      expect(await syncWhole(opened.db, indexed, adopt)).toEqual([
        'data: adopt table notes',
        expect.stringContaining('additive: create index'),
      ])
      expect(await opened.documents()).toEqual([
        { _id: 1, a: 'x', theirs: new Date(0) },
        { _id: 2, a: 'y', b: 1.5 },
      ])
      const indexes = await opened.raw.collection('notes').indexes()
      expect(new Set(indexes.map((it) => it.name))).toEqual(new Set(['_id_', 'mine', 'notes__a']))
      // From now on it is sync's own.
      await syncWhole(opened.db, notes('c: string', 'b?: number').map(renamed), { allow: ['drop notes.a'] })
      expect(await opened.documents()).toEqual([
        { _id: 1, c: 'x', theirs: new Date(0) },
        { _id: 2, c: 'y', b: 1.5 },
      ])
    })

    it('that matches the declaration needs no consent, and is used as it is', async () => {
      await using opened = await open([], { _id: 1, a: 'x' })
      const tables = notes('a: string', 'b?: number')
      expect((await opened.db.sync(tables)).steps).toEqual([])
      expect(await runStatement(opened.db, tables, 'select * from notes')).toEqual([{ id: 1, a: 'x', b: null }])
    })

    it('with absent values in a required field is reported', async () => {
      await using opened = await open([], { _id: 1 }, { _id: 2, a: 'x' })
      await expect(opened.db.sync(indexed, adopt)).rejects.toThrow('`a` is required, but NULL in 1 of 2')
    })

    it('with nested fields is checked at their paths', async () => {
      const nested = notes('at: { city: string, zip: string }')
      await using opened = await open([], { _id: 1, at: { city: 'Bern', zip: 3000 } }, { _id: 2, at: { zip: 4000 } })
      const allow = ['adopt notes', 'convert notes.at__zip']
      await expect(opened.db.sync(nested, { allow })).rejects.toThrow('`at__city` is required, but NULL in 1')
      await opened.raw.collection('notes').updateOne({ _id: 2 as never }, { $set: { 'at.city': 'Basel' } })
      await syncWhole(opened.db, nested, { allow })
      expect((await opened.documents()).map((it) => it['at'])).toEqual([
        { city: 'Bern', zip: '3000' },
        { city: 'Basel', zip: '4000' },
      ])
    })

    it('with values of another type has them converted, with consent, if all of them fit', async () => {
      await using opened = await open([], { _id: 1, a: 1 }, { _id: 2, a: 2.5 })
      await expect(opened.db.sync(indexed, adopt)).rejects.toThrow("allow 'convert notes.a'")
      await syncWhole(opened.db, indexed, { allow: ['adopt notes', 'convert notes.a'] })
      expect(await opened.documents()).toEqual([
        { _id: 1, a: '1' },
        { _id: 2, a: '2.5' },
      ])
    })

    it.each([
      [
        'values of several kinds',
        'a: string',
        [{ a: 'x' }, { a: 1 }],
        'string in 1 document and number in 1 document to string',
      ],
      [
        'a type that no field has',
        'a: string',
        [{ a: new ObjectId() }],
        'ObjectId in 1 document to string: store its text',
      ],
      [
        'dates',
        'a: number.timestamp',
        [{ a: new Date(0) }, { a: new Date(1) }],
        'Date in 2 documents to number: store its milliseconds',
      ],
      [
        'bytes',
        'a: string',
        [{ a: new Binary(Buffer.from('x')) }],
        'Binary in 1 document to string: change or clear them first',
      ],
      [
        'decimals of the server among numbers',
        'a: number',
        [{ a: Decimal128.fromString('1') }],
        'decimal128 to number',
      ],
      [
        'an array among texts',
        'a: string',
        [{ a: 'x' }, { a: ['x'] }],
        'string in 1 document and array in 1 document to string',
      ],
    ])('with %s is refused', async (_, field, stored, found) => {
      await using opened = await open([], ...stored.map((it, index) => ({ _id: index, ...it })))
      const refused = {
        code: 'SYNC_REFUSED',
        message: expect.stringContaining(`column \`a\` cannot change from ${found}`),
      }
      await expect(opened.db.sync(notes(field), adopt)).rejects.toMatchObject(refused)
      expect((await opened.db.planSync(notes(field), adopt)).problems).toEqual([expect.anything()])
    })

    it('with ObjectId keys is refused, with advice', async () => {
      await using opened = await open([], { a: 'x' }, { a: 'y' })
      const message =
        'column `id` cannot change from ObjectId in 2 documents to number: copy the documents, with keys that are'
      await expect(opened.db.sync(indexed, adopt)).rejects.toThrow(message)
      await expect(opened.db.sync(notes('a: string'))).rejects.toThrow(message)
    })

    const box = 'o?: { a: string, b?: string }'

    it.each([
      [
        'a fraction in a whole number',
        'a: number.int',
        [{ a: 1.5 }, { a: 2 }],
        '1 document holds a number with a fraction',
      ],
      [
        'a whole number beyond the safe ones',
        'a: number.int',
        [{ a: 1e300 }],
        '1 document holds a number with a fraction',
      ],
      ['a wide number', 'a: number', [{ a: Long.fromString('9007199254740993') }], 'that JavaScript would round'],
      ['what is not a number', 'a: number', [{ a: Number.NaN }, { a: Number.NaN }], '2 documents hold a number that'],
      ['a date in an array', 'a: string[]', [{ a: ['x', { a: new Date(0) }] }], 'a value that JSON does not have'],
      ['a number in the place of an object', box, [{ o: 5 }], '`o` is not an object in some documents'],
      ['an array in the place of an object', box, [{ o: [{ a: 'z' }] }], '`o` is not an object in some documents'],
      [
        'an object without its required field',
        box,
        [{ o: { b: 'x' } }, { o: { a: 'x' } }],
        '`o` is an object without `a` in 1',
      ],
      ['an empty object', box, [{ o: {} }], '`o` is an object without `a` in 1 document'],
    ])('with %s is refused, although its types are as declared', async (_, field, stored, reason) => {
      await using opened = await open([], ...stored.map((it, index) => ({ _id: index, ...it })))
      const before = await opened.documents()
      for (const options of [{}, adopt]) {
        const refused = { code: 'SYNC_REFUSED', message: expect.stringContaining(reason) }
        await expect(opened.db.sync(notes(field), options)).rejects.toMatchObject(refused)
      }
      expect(await opened.documents()).toEqual(before)
    })

    it('with a key that auto-increment cannot continue from is refused', async () => {
      await using opened = await open([], { _id: 1e300 })
      const counted = models("@db.table 'notes' export interface Note { @meta.id @db.default.increment id: number }")
      await expect(opened.db.sync(counted)).rejects.toThrow('column `id`: 1 document holds a number')
    })

    it('with decimals in another spelling has them rewritten', async () => {
      await using opened = await open([], { _id: 1, a: '1.5' }, { _id: 2, a: '20' })
      const tables = notes('@db.column.precision 5, 2\n a: decimal')
      await expect(opened.db.sync(tables)).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      await syncWhole(opened.db, tables, { allow: ['adopt notes', 'narrow notes.a'] })
      expect((await opened.documents()).map((it) => it['a'])).toEqual(['1.50', '20.00'])
    })

    it('with the server’s own decimals has them converted to text', async () => {
      const amounts = ['1.5', '9007199254740993'].map((it) => Decimal128.fromString(it))
      await using opened = await open([], ...amounts.map((a, index) => ({ _id: index, a })))
      await syncWhole(opened.db, notes('a: decimal'), { allow: ['adopt notes', 'narrow notes.a'] })
      expect((await opened.documents()).map((it) => it['a'])).toEqual(['1.5', '9007199254740993'])
    })

    it('with a composite key is copied, with consent', async () => {
      const pairs = models("@db.table 'notes' export interface Note { @meta.id x: number\n @meta.id y: string }")
      const theirs = new ObjectId()
      await using opened = await open([], { _id: theirs, x: 1, y: 'a' })
      await syncWhole(opened.db, pairs, { allow: ['adopt notes', 'rekey notes'] })
      expect(await opened.documents()).toEqual([{ _id: { x: 1, y: 'a' }, x: 1, y: 'a' }])
    })

    it('has its foreign keys enforced from then on', async () => {
      const tables = models(
        "@db.table 'teams' export interface Team { @meta.id id: number }\n@db.table 'notes' export interface Note { @meta.id id: number\n @db.rel.FK\n team?: Team.id }",
      )
      const [teams] = tables
      await using opened = await open([teams!], { _id: 1, team: 1 })
      await expect(opened.db.sync(tables, adopt)).rejects.toThrow('1 row refers to a missing row of `teams`')
      await opened.db.table(tableOf(teams!)).insertOne({ id: 1 })
      await syncWhole(opened.db, tables, adopt)
      await expect(opened.db.table(tableOf(teams!)).deleteOne(1 as never)).rejects.toMatchObject({
        code: 'FOREIGN_KEY_VIOLATION',
      })
    })

    it.each([
      ['is a view, not a collection', { type: 'view' }],
      ['has a collation', { options: { collation: { locale: 'en' } } }],
      ['is capped', { options: { capped: true } }],
    ])('that %s is refused', async (message, more) => {
      await using opened = await open([], { _id: 1, a: 'x' })
      opened.listed = more
      await expect(opened.db.sync(indexed, adopt)).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringContaining(message),
      })
    })
  })

  describe('an undeclared field', () => {
    const one = notes('a?: string')

    it('is not overwritten by a column that is renamed to it', async () => {
      await using opened = await open(one, { _id: 1, a: 'x', c: { precious: 1 } }, { _id: 2, a: 'y' })
      const after = notes('c?: string').map(renamed)
      const message = '`c` has a value in 1 document that no column declares, where a renamed column will be stored'
      await expect(opened.db.sync(after)).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringContaining(message),
      })
      expect((await opened.db.planSync(after)).problems).toHaveLength(1)
      expect(await opened.documents()).toEqual([
        { _id: 1, a: 'x', c: { precious: 1 } },
        { _id: 2, a: 'y' },
      ])
      await opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $rename: { c: 'theirs' } })
      await syncWhole(opened.db, after)
      expect(await opened.documents()).toEqual([
        { _id: 1, c: 'x', theirs: { precious: 1 } },
        { _id: 2, c: 'y' },
      ])
    })

    it('is not overwritten, even if it was written after planning', async () => {
      await using opened = await open(one, { _id: 1, a: 'x' })
      const after = notes('c?: string').map(renamed)
      const inspected = opened.raw.listCollections.bind(opened.raw)
      let asked = 0
      opened.raw.listCollections = ((...args: [Document]) => {
        const cursor = inspected(...args)
        const toArray = cursor.toArray.bind(cursor)
        cursor.toArray = async () => {
          // The change itself lists the collections again, to know of validators.
          if (++asked > 1)
            await opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $set: { c: 'theirs' } })
          return toArray()
        }
        return cursor
      }) as never
      await expect(opened.db.sync(after)).rejects.toThrow('where a renamed column will be stored')
      expect(await opened.documents()).toEqual([{ _id: 1, a: 'x', c: 'theirs' }])
    })

    it.each([
      [
        'another type',
        'b?: string',
        { b: 5 },
        'column `b` cannot be added: documents have other values in its place, number in 1',
      ],
      ['a date', 'b?: number', { b: new Date(0) }, 'Date in 1 document: store its milliseconds'],
      ['a fraction', 'b?: number.int', { b: 0.5 }, '1 document holds a number with a fraction'],
      ['a date in JSON', 'b?: string[]', { b: [new Date(0)] }, 'a value that JSON does not have'],
      ['no object', 'b?: { x: string }', { b: 5 }, '`b` is not an object in some documents'],
      [
        'an object without the field that shows it',
        'b?: { x: string, y?: string }',
        { b: { y: 'z' } },
        '`b` is an object without `x`',
      ],
    ])('with %s refuses a column of its name', async (_, field, stored, reason) => {
      await using opened = await open(one, { _id: 1, a: 'x', ...stored })
      const after = notes('a?: string', field)
      await expect(opened.db.sync(after)).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringContaining(reason),
      })
      expect((await opened.db.planSync(one)).steps).toEqual([])
      expect(await opened.documents()).toEqual([{ _id: 1, a: 'x', ...stored }])
      await opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $unset: { b: '' } })
      await syncWhole(opened.db, after)
    })

    it('that fits becomes the column, and keeps its value', async () => {
      await using opened = await open(one, { _id: 1, b: 'theirs' }, { _id: 2 })
      const after = notes('a?: string', "@db.default 'ours'\n b: string")
      await syncWhole(opened.db, after)
      expect(await opened.documents()).toEqual([
        { _id: 1, b: 'theirs' },
        { _id: 2, b: 'ours' },
      ])
    })

    it('that is an array around a dropped column is refused, without an endless loop', async () => {
      await using opened = await open(notes('o: { a?: string, b?: string }'), { _id: 1, o: [{ a: 'x' }] })
      const dropped = opened.db.sync(notes('o: { b?: string }'), { allow: ['drop notes.o__a'] })
      await expect(dropped).rejects.toThrow('`o` is an array in 1 document, and a column has to be removed from it')
      expect(await opened.documents()).toEqual([{ _id: 1, o: [{ a: 'x' }] }])
    })
  })

  describe('an index', () => {
    const two = notes('a?: string', 'b?: string')

    it('over a dropped column is reported before anything is changed', async () => {
      await using opened = await open(two, { _id: 1, a: 'x', b: 'y' })
      await opened.raw.collection('notes').createIndex({ b: 1, a: 1 }, { name: 'mine' })
      const dropped = opened.db.sync(notes('b?: string', 'c?: string'), { allow: ['drop notes.a'] })
      await expect(dropped).rejects.toThrow('the index `mine`, which sync did not create, uses a column')
      expect((await opened.db.planSync(two)).steps).toEqual([])
      await opened.raw.collection('notes').dropIndex('mine')
      await syncWhole(opened.db, notes('b?: string'), { allow: ['drop notes.a'] })
    })

    it('that equals a declared one except for its name is refused', async () => {
      await using opened = await open(two, { _id: 1 })
      await opened.raw.collection('notes').createIndex({ a: 1 }, { name: 'mine' })
      const both = notes('@db.index.plain\n a?: string', 'b?: string', "@db.default 'x'\n c: string")
      await expect(opened.db.sync(both)).rejects.toThrow('`mine` is the same as `notes__a`')
      expect(await opened.documents()).toEqual([{ _id: 1 }])
      await opened.raw.collection('notes').dropIndex('mine')
      await syncWhole(opened.db, both)
    })

    it('that is declared twice is refused before anything is created', async () => {
      await using opened = await open()
      const twice = notes("@db.index.plain 'one'\n @db.index.plain 'two'\n a?: string")
      await expect(opened.db.sync(twice)).rejects.toThrow('`notes__one` is the same as `notes__two`')
      expect((await opened.raw.listCollections().toArray()).map((it) => it.name)).not.toContain('notes')
    })

    it('follows a renamed column, with all of its options', async () => {
      await using opened = await open(two, { _id: 1, a: 'x' })
      await opened.raw
        .collection('notes')
        .createIndex({ a: -1, _id: 1 }, { name: 'mine', unique: true, expireAfterSeconds: 9 })
      await opened.raw.collection('notes').createIndex({ a: 1 }, { name: 'ours', unique: true, sparse: true })
      await syncWhole(opened.db, notes('c?: string', 'b?: string').map(renamed))
      const indexes = await opened.raw.collection('notes').indexes()
      expect(indexes).toContainEqual(
        expect.objectContaining({ name: 'mine', key: { c: -1, _id: 1 }, unique: true, expireAfterSeconds: 9 }),
      )
      expect(indexes).toContainEqual(expect.objectContaining({ name: 'ours', key: { c: 1 }, sparse: true }))
    })

    it('is kept when the key changes, and so is the validator of the collection', async () => {
      const keyed = (a: string, b: string) =>
        models(`@db.table 'notes' export interface Note { ${a} a: number\n ${b} b: number }`)
      await using opened = await open(keyed('@meta.id', ''), { _id: 1, b: 2 })
      await opened.raw.collection('notes').createIndex({ theirs: 1 }, { name: 'mine', unique: true, sparse: true })
      opened.listed = { options: { validator: { theirs: { $exists: false } } } }
      await syncWhole(opened.db, keyed('', '@meta.id'), { allow: ['rekey notes', 'narrow notes.b'] })
      expect(await opened.documents()).toEqual([{ _id: 2, a: 1 }])
      expect(opened.made.at(-1)).toEqual([
        expect.stringMatching(/^portico__new__\d+__notes$/),
        expect.objectContaining(opened.listed['options']),
      ])
      expect(await opened.raw.collection('notes').indexes()).toContainEqual(
        expect.objectContaining({ name: 'mine', unique: true, sparse: true }),
      )
    })

    it('whose condition uses a moved column is refused', async () => {
      await using opened = await open(two)
      const partial = { name: 'mine', keys: { b: 1 }, partialFilterExpression: { a: { $gt: 'm' } } }
      const collection = opened.raw.collection.bind(opened.raw)
      // The server of the tests has no such indexes.
      opened.raw.collection = ((name: string) => {
        const found = collection(name)
        const message = {
          v: 2,
          name: partial.name,
          key: partial.keys,
          partialFilterExpression: partial.partialFilterExpression,
        }
        return name === 'notes'
          ? Object.assign(found, { listIndexes: () => ({ toArray: async () => [message] }) })
          : found
      }) as never
      const moved = opened.db.sync(notes('c?: string', 'b?: string').map(renamed))
      await expect(moved).rejects.toMatchObject({ code: 'SYNC_REFUSED', message: expect.stringContaining('`mine`') })
    })
  })

  it.each([
    ['goes', notes('b?: string'), ['drop notes.a']],
    ['gets another name', notes('c?: string', 'b?: string').map(renamed), []],
    ['gets another type', notes('a?: number', 'b?: string'), ['narrow notes.a']],
  ])('a validator that uses a column that %s is refused', async (_, after, allow) => {
    await using opened = await open(notes('a?: string', 'b?: string'), { _id: 1, a: '1' })
    opened.listed = { options: { validator: { $jsonSchema: { properties: { a: { bsonType: 'string' } } } } } }
    const message = 'the validator, which sync did not create, uses a column that changes'
    await expect(opened.db.sync(after, { allow })).rejects.toThrow(message)
    expect((await opened.db.planSync(after, { allow })).problems).toHaveLength(1)
    expect(await opened.documents()).toEqual([{ _id: 1, a: '1' }])
    opened.listed = { options: { validator: { $jsonSchema: { properties: { b: { bsonType: 'string' } } } } } }
    await syncWhole(opened.db, after, { allow })
  })
})

/** With the column `c` under its former name. */
function renamed(model: TableModel): TableModel {
  return { ...model, columns: model.columns.map((it) => (it.name === 'c' ? { ...it, renamedFrom: ['a'] } : it)) }
}
