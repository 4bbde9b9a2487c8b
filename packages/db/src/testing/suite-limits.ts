/** Numbers near the maximum: no input may block the inserts of others, or make a record unreadable. */
import assert from 'node:assert/strict'
import { type AnyTable, type ColumnDefinition, defineTable } from '@portico/schema/runtime'
import type { Database } from '../database.ts'
import { DbError } from '../errors.ts'
import { type AdapterCase, expectCode } from './suite-case.ts'
import { Counted, CountedHigh } from './suite-limits.portico.ts'

export const limitsTables: readonly AnyTable[] = [Counted, CountedHigh]

const MAX = Number.MAX_SAFE_INTEGER
/** The highest explicit value that every engine accepts: 2^31 − 2^28, the limit of the narrowest key. */
const NARROW_CEILING = 2 ** 31 - 2 ** 28
const VERSION_CEILING = 2 ** 53 - 2 ** 40

interface Raw {
  id: number
  label: string
  version: number
  createdAt: number
  updatedAt: number
}

const real = (path: string): ColumnDefinition => ({ path, name: path, type: 'number', storage: 'real' })

/** The same table for a program without auto-increment and versions, to store values past their limits. */
const RawCounted = defineTable<Raw, Raw, Raw, number, Raw>({
  name: 'RawCounted',
  table: 'counted',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'label', name: 'label', type: 'string', storage: 'text' },
    ...['version', 'createdAt', 'updatedAt'].map(real),
  ],
  jsonSchema: {},
  check: () => {},
})

const raw = { createdAt: 1, updatedAt: 1, version: 1 }

/** Stores a record with the maximum key, which is beyond the limit for callers. */
async function insertLast(db: Database, label: string): Promise<number> {
  for (const id of [MAX, 2 ** 31 - 1]) {
    try {
      return (await db.table(RawCounted).insertOne({ ...raw, id, label })).id
    } catch (error) {
      if (!(error instanceof DbError) || error.code !== 'CONSTRAINT_VIOLATION') throw error
    }
  }
  throw new Error('the key can store neither maximum')
}

export const limitCases: readonly AdapterCase[] = [
  {
    name: 'limits > an explicit auto-increment value near the maximum is refused before anything is sent',
    async run({ db }) {
      const counted = db.table(Counted)
      const first = await counted.insertOne({ label: 'first' })
      for (const id of [MAX, VERSION_CEILING + 1]) {
        for (const refused of [
          counted.insertOne({ id, label: 'x' }),
          counted.insertMany([{ label: 'y' }, { id, label: 'x' }]),
          counted.upsertOne({ id, label: 'x' }),
        ]) {
          const { issues } = await expectCode('VALIDATION_FAILED', refused)
          assert.deepEqual([issues[0]!.path.at(-1), issues[0]!.code], ['id', 'maximum'])
        }
      }
      assert.equal((await counted.insertOne({ label: 'second' })).id, first.id + 1)
    },
  },
  {
    name: 'limits > after the highest explicit value, more values can be generated',
    async run({ db }) {
      const counted = db.table(CountedHigh)
      assert.equal((await counted.insertOne({ id: NARROW_CEILING })).id, NARROW_CEILING)
      const id = NARROW_CEILING + 1
      assert.equal((await counted.insertOne({})).id, id)
      const many = await counted.insertMany(Array.from({ length: 50 }, () => ({})))
      assert.equal(many.at(-1)!.id, id + 50)
      // The limit applies to explicit values only: a generated key can be used in every operation.
      assert.deepEqual(await counted.updateOne({ id, label: 'a' }), { matchedCount: 1, modifiedCount: 1 })
      assert.deepEqual(await counted.replaceOne({ id, label: 'b' }), { matchedCount: 1, modifiedCount: 1 })
      assert.deepEqual(await counted.upsertOne({ id, label: 'c' }), { id, label: 'c' })
      assert.deepEqual(await counted.findById(id), { id, label: 'c' })
    },
  },
  {
    name: 'limits > inserts are refused while the maximum is stored, and continue once it is deleted',
    async run({ db }) {
      const counted = db.table(Counted)
      const { id } = await counted.insertOne({ label: 'first' })
      const last = await insertLast(db, 'last')
      // Some engines continue after the highest stored number, others after the last generated one.
      const next = await counted.insertOne({ label: 'second' }).catch((error: unknown) => error)
      if (next instanceof Error) {
        assert.ok(next instanceof DbError)
        assert.deepEqual([next.code, next.fields], ['NUMBER_UNSAFE', ['id']])
        await expectCode('NUMBER_UNSAFE', counted.insertMany([{ label: 'a' }, { label: 'b' }]))
        assert.equal(await counted.count(), 2)
      }
      await counted.deleteOne(last)
      await counted.deleteMany({ label: 'second' })
      const third = await counted.insertOne({ label: 'third' })
      assert.ok(third.id > id && third.id <= id + 2, `${third.id} after ${id}`)
      const [fourth, fifth] = await counted.insertMany([{ label: 'fourth' }, { label: 'fifth' }])
      assert.deepEqual([fourth!.id, fifth!.id], [third.id + 1, third.id + 2])
    },
  },
  {
    name: 'limits > a refused insert does not advance the sequence to its explicit value',
    async run({ db }) {
      const counted = db.table(Counted)
      const { id } = await counted.insertOne({ label: 'taken' })
      const high = id + 1_000_000
      await expectCode('UNIQUE_VIOLATION', counted.insertOne({ id: high, label: 'taken' }))
      await expectCode('UNIQUE_VIOLATION', counted.upsertOne({ id: high, label: 'taken' }))
      assert.ok((await counted.insertOne({ label: 'next' })).id < high)
    },
  },
  {
    name: 'limits > an explicit version is limited; a write that would increment one past the maximum is refused as a whole',
    async run({ db }) {
      const counted = db.table(Counted)
      for (const version of [MAX, VERSION_CEILING + 1]) {
        await expectCode('VALIDATION_FAILED', counted.insertOne({ label: 'x', version }))
        await expectCode('VALIDATION_FAILED', counted.upsertOne({ id: 7, label: 'x', version }))
      }
      const { id } = await counted.insertOne({ label: 'high', version: VERSION_CEILING })
      await counted.updateOne({ id, label: 'higher', version: VERSION_CEILING })
      assert.equal((await counted.findById(id))?.version, VERSION_CEILING + 1)
      // A version that does not match is a conflict, however high it is.
      await expectCode('VERSION_CONFLICT', counted.updateOne({ id, label: 'x', version: MAX }))
      const last = id + 1
      await db.table(RawCounted).insertOne({ ...raw, id: last, label: 'last', version: MAX })
      const before = await counted.findMany({ orderBy: { id: 'asc' } })
      const stored = before.at(-1)!
      for (const refused of [
        () => counted.updateOne({ id: last, label: 'x' }),
        () => counted.updateOne({ id: last, label: 'x', version: MAX }),
        () => counted.replaceOne({ id: last, label: 'x' }),
        () => counted.updateMany({}, { at: 1 }),
        () => counted.upsertOne({ id: last, label: 'x' }),
      ]) {
        assert.deepEqual((await expectCode('NUMBER_UNSAFE', refused())).fields, ['version'])
      }
      assert.deepEqual(await counted.findMany({ orderBy: { id: 'asc' } }), before)
      assert.equal(stored.version, MAX)
      assert.deepEqual(await counted.updateMany({ id }, { at: 1 }), { matchedCount: 1, modifiedCount: 1 })
      assert.deepEqual(await counted.deleteOne(last), { deletedCount: 1 })
    },
  },
  {
    name: 'limits > the lowest and highest timestamps are stored, read and overwritten',
    async run({ db, clock }) {
      const counted = db.table(Counted)
      const stamps = [
        { label: 'far', createdAt: MAX, updatedAt: MAX, at: MAX },
        { label: 'past', createdAt: -MAX, updatedAt: -MAX, at: -MAX },
      ]
      const stored = await counted.insertMany(stamps)
      clock.ms = 5000
      for (const [index, { id }] of stored.entries()) {
        assert.deepEqual(await counted.findById(id), { ...stamps[index], id, version: 1 })
        await counted.updateOne({ id, at: 1 })
        assert.deepEqual(await counted.findById(id), { ...stamps[index], id, at: 1, updatedAt: 5000, version: 2 })
      }
    },
  },
  {
    name: 'limits > an unreadable record is reported with its key, and the others can still be read',
    async run({ db }) {
      const counted = db.table(Counted)
      const good = await counted.insertOne({ label: 'good' })
      const id = good.id + 1
      await db.table(RawCounted).insertOne({ ...raw, id, label: 'bad', version: 2 ** 53 + 2 })
      for (const read of [
        () => counted.findMany(),
        () => counted.findById(id),
        () => counted.findOne({ where: { label: 'bad' } }),
        () => counted.findMany({ select: ['id', 'version'] }),
        () => counted.stream({ select: ['version', 'id'] }).next(),
      ]) {
        const error = await expectCode('NUMBER_UNSAFE', read())
        assert.deepEqual([error.key, error.fields], [{ id }, ['version']])
        assert.match(
          error.message,
          new RegExp(`table \`Counted\`: the record \\{"id":${id}\\} cannot be read: \`version\``),
        )
      }
      assert.deepEqual(await counted.findMany({ where: { id: { $ne: id } } }), [good])
      assert.deepEqual(await counted.findById(id, { select: ['label'] }), { label: 'bad' })
      assert.equal(await counted.count(), 2)
      await counted.deleteOne(id)
      assert.deepEqual(await counted.findMany(), [good])
    },
  },
]
