/** Values that MongoDB supports and JSON does not, and the other way around. */
import { type Database, openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { Binary, type Collection, Double, Long, MongoClient, ObjectId, Timestamp } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declareTable, integer, optional, text } from './support/declare.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'

const real = { path: 'real', name: 'real', type: 'number', storage: 'real', ...optional } as const
const json = { path: 'json', name: 'json', type: 'json', storage: 'json', ...optional } as const
const Box = declareTable('boxes', [integer('id', { key: true }), text('text', optional), real, json])

describe.skipIf(!hasMongo)('values on MongoDB', () => {
  const databases = useMongo()
  let db: Database
  let client: MongoClient
  let stored: Collection
  let last = 0
  beforeAll(async () => {
    const url = databases.create()
    client = new MongoClient(url)
    stored = client.db().collection('boxes')
    db = await openDatabase(mongo({ url }))
    await db.sync([Box])
  })
  afterAll(async () => {
    await db?.close()
    await client?.close()
  })

  it.each([
    ['names that begin like operators', { $set: { $where: 1 }, a: [{ $in: [] }] }],
    ['names with points', { 'a.b': { '.': 1 }, '': { ' ': 2 } }],
    ['what the driver takes for a reference', { $ref: 'a', $id: { b: [{ $ref: 'c', $id: 'd', $db: 'e', more: 1 }] } }],
    ['references with a point', { $ref: 'a.b', $id: 1 }],
    [
      'references in another order',
      [
        { $id: 1, $ref: 'p.q', z: 'z', $db: 'd' },
        { $db: 'x', $ref: 'y', $id: null },
      ],
    ],
    [
      'references in references',
      { $id: { $ref: 'a.b', $id: [{ $ref: 'c', $id: '\u0001ref' }] }, $ref: '$ref', '\u0001ref': 1 },
    ],
    ['references with inherited names', JSON.parse('{"$ref": "a.b", "$id": 1, "__proto__": {"a": 1}, "toString": []}')],
    ['names of the language itself', JSON.parse('{"__proto__": {"constructor": 1}, "toString": 2, "_id": 3}')],
    ['numbers of all sizes', [0, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300, 5e-324, 1.5]],
    ['null and empty things', [null, {}, [], '', { a: null }]],
  ])('JSON is returned as it was stored: %s', async (_, value) => {
    const boxes = db.table(Box)
    const written = [++last, ++last, ++last] as const
    await boxes.insertOne({ id: written[0], json: value })
    await boxes.insertOne({ id: written[1] })
    await boxes.updateOne({ id: written[1], json: value })
    await boxes.upsertOne({ id: written[2], json: value })
    for (const id of written) {
      const stored = (await boxes.findById({ id }))!['json']
      expect(stored).toStrictEqual(value)
      expect(JSON.stringify(stored)).toBe(JSON.stringify(value))
    }
    expect((await boxes.upsertOne({ id: written[0], json: value }))['json']).toStrictEqual(value)
  })

  it('negative zero is stored as zero, in keys, numbers and JSON', async () => {
    const boxes = db.table(Box)
    await boxes.insertOne({ id: -0, real: -0, json: [-0] })
    expect(await boxes.findById({ id: 0 })).toStrictEqual({ id: 0, real: 0, json: [0] })
    const [document] = await stored.find({ _id: 0 as never }, { promoteValues: false }).toArray()
    expect(document!['_id']).toMatchObject({ _bsontype: 'Int32', value: 0 })
  })

  it.each([
    ['`_bsontype`', { a: [{ _bsontype: 'ObjectId' }] }, 'a field named `_bsontype`'],
    ['too many levels', JSON.parse(`${'['.repeat(91)}${']'.repeat(91)}`), 'nested more than 90 levels'],
  ])('JSON with %s is refused before anything is sent', async (_, value, message) => {
    const boxes = db.table(Box)
    const id = ++last
    const refused = { code: 'VALIDATION_FAILED', message: expect.stringContaining(message) }
    await expect(boxes.insertOne({ id, json: value })).rejects.toMatchObject(refused)
    expect(await boxes.findById({ id })).toBeUndefined()
  })

  it('90 levels of JSON are stored', async () => {
    const id = ++last
    const value: unknown = JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`)
    expect(await db.table(Box).insertOne({ id, json: value })).toEqual({ id, json: value })
  })

  it('a record over 16 MB is refused as too large, and leaves nothing behind', async () => {
    const boxes = db.table(Box)
    const id = ++last
    await boxes.insertOne({ id, text: 'small' })
    const large = { text: 'x'.repeat(17 * 2 ** 20) }
    const refused = { code: 'CONSTRAINT_VIOLATION', message: expect.stringContaining('larger than 16 MB') }
    await expect(boxes.insertOne({ id: ++last, ...large })).rejects.toMatchObject(refused)
    await expect(boxes.insertMany([{ id: ++last }, { id: ++last, ...large }])).rejects.toMatchObject(refused)
    await expect(boxes.updateOne({ id, ...large })).rejects.toMatchObject(refused)
    await expect(boxes.upsertOne({ id, ...large })).rejects.toMatchObject(refused)
    expect(await boxes.findMany({ where: { id: { $gte: id } } as never })).toEqual([{ id, text: 'small' }])
  })

  it.each([
    ['a date', { json: { a: new Date(0) } }],
    ['a key of the server’s own', { json: [new ObjectId()] }],
    ['bytes', { json: { a: new Binary(Buffer.from('x')) } }],
    ['a number that JavaScript would round', { json: { a: Long.MAX_VALUE } }],
    ['a pattern', { json: /x/ }],
    ['a time of the server’s own', { json: [[new Timestamp(1n)]] }],
    ['no number', { real: new Double(Number.NaN) }],
    ['an endless number', { real: new Double(Number.POSITIVE_INFINITY) }],
    ['an array in the place of text', { text: ['x'] }],
  ])('an unsupported stored value is an error: %s', async (_, fields) => {
    const id = ++last
    await stored.insertOne({ _id: id as never, ...fields })
    await expect(db.table(Box).findById({ id })).rejects.toMatchObject({ code: 'DATABASE_INVALID' })
  })

  it('integers of every server type are read as numbers', async () => {
    const id = ++last
    await stored.insertOne({ _id: Long.fromNumber(id) as never, real: Long.fromNumber(2 ** 40), json: Long.fromInt(3) })
    expect(await db.table(Box).findById({ id })).toEqual({ id, real: 2 ** 40, json: 3 })
  })

  it.each(['a$b', 'system.users', '.a', 'a.', 'a..b'])('a table named %s is refused', async (name) => {
    const Bad = declareTable(name, [integer('id', { key: true })])
    await expect(db.sync([Bad])).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  })

  it.each(['0', '42'])('a column named %s, which would be an array position, is refused', async (name) => {
    const Bad = declareTable('bads', [integer('id', { key: true }), text('field', { name })])
    await expect(db.sync([Bad])).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
    const Worse = declareTable('boxes', [...Box.columns, text('field', { name, ...optional })])
    await expect(db.planSync([Worse])).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  })
})
