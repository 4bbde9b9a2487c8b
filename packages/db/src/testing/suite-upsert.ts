import assert from 'node:assert/strict'
import { Group, Membership, Person, Thing } from './suite.portico.ts'
import { type AdapterCase, expectCode, makeThing } from './suite-case.ts'

const id = 7_000_000
const filled = { state: 'new', rank: 3, createdAt: 1000, updatedAt: 1000 }
const rich = makeThing({
  amount: '12.5',
  note: 'note',
  tags: ['a'],
  extra: { a: 1.5 },
  address: { city: 'Bern', geo: { lat: 1, lng: 2 } },
})

export const upsertCases: readonly AdapterCase[] = [
  {
    name: 'upsertOne > inserts a missing record, with its defaults',
    async run({ db, clock }) {
      const things = db.table(Thing)
      clock.ms = 1000
      assert.deepEqual(await things.upsertOne({ ...rich, id }), { ...rich, ...filled, id })
      assert.deepEqual(await things.findMany(), [{ ...rich, ...filled, id }])
      const counted = await things.upsertOne(makeThing({ name: 'counted' }))
      assert.ok(counted.id > id)
      assert.deepEqual(await things.findById(counted.id), counted)
    },
  },
  {
    name: 'upsertOne > updates an existing record with the given fields and keeps omitted ones',
    async run({ db, clock }) {
      const things = db.table(Thing)
      clock.ms = 1000
      await things.insertOne({ ...rich, id, state: 'changed', rank: 9 })
      clock.ms = 2000
      const input = { ...makeThing({ name: 'other', price: '2.00' }), id }
      const expected = { ...rich, ...filled, ...input, state: 'changed', rank: 9, updatedAt: 2000 }
      assert.deepEqual(await things.upsertOne(input), expected)
      assert.deepEqual(await things.findById(id), expected)
      // `null` clears, and a nested object is written as a whole.
      const { note: _, extra: _extra, rank: _rank, ...rest } = expected
      clock.ms = 3000
      assert.deepEqual(await things.upsertOne({ ...input, note: null, extra: null, rank: null, state: 'again' }), {
        ...rest,
        state: 'again',
        updatedAt: 3000,
      })
      // Writing back a record that was read ignores its timestamps.
      clock.ms = 4000
      const again = await things.upsertOne({ ...(await things.findById(id))!, createdAt: 5, name: 'again' })
      assert.deepEqual([again.createdAt, again.updatedAt], [1000, 4000])
      const { id: _id, name: _name, ...nameless } = input
      await expectCode('VALIDATION_FAILED', things.upsertOne({ ...nameless, id } as never))
      assert.equal(await things.count(), 1)
    },
  },
  {
    name: 'upsertOne > compares a version like updateOne, and increments it',
    async run({ db }) {
      const people = db.table(Person)
      const { id: key } = await people.insertOne({ name: 'a', age: 7 })
      assert.deepEqual(await people.upsertOne({ id: key, name: 'b', version: 1 }), {
        id: key,
        name: 'b',
        age: 7,
        version: 2,
      })
      await expectCode('VERSION_CONFLICT', people.upsertOne({ id: key, name: 'c', version: 1 }))
      assert.equal((await people.upsertOne({ id: key, name: 'd' })).version, 3)
      assert.deepEqual(await people.findById(key), { id: key, name: 'd', age: 7, version: 3 })
    },
  },
  {
    name: 'upsertOne > matches only on the primary key: a duplicate in another unique field is a violation',
    async run({ db }) {
      const things = db.table(Thing)
      await things.insertOne(makeThing({ name: 'taken' }))
      await expectCode('UNIQUE_VIOLATION', things.upsertOne(makeThing({ name: 'taken', id: 9_000_000 })))
      const group = await db.table(Group).insertOne({ region: 'eu', code: 1, title: 'g' })
      const { id: personId } = await db.table(Person).insertOne({ name: 'a' })
      const memberships = db.table(Membership)
      const key = { personId, region: group.region, code: group.code }
      assert.deepEqual(await memberships.upsertOne(key), { ...key, role: 'guest' })
      assert.deepEqual(await memberships.upsertOne({ ...key, role: 'chair' }), { ...key, role: 'chair' })
      // A key without other fields changes nothing.
      assert.deepEqual(await memberships.upsertOne(key), { ...key, role: 'chair' })
    },
  },
  {
    name: 'upsertOne > of concurrent calls one inserts, the others update, and none clears the fields of another',
    async run({ db }) {
      const people = db.table(Person)
      const key = '00000000-0000-7000-8000-000000000001'
      const stored = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          people.upsertOne({ id: key, name: `n${index}`, ...(index === 0 && { age: 30 }) }),
        ),
      )
      assert.deepEqual(
        stored.map((it) => it.version).toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, i) => i + 1),
      )
      assert.equal((await people.findById(key))?.age, 30)
      assert.equal(await people.count(), 1)
    },
  },
]
