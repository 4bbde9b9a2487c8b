import assert from 'node:assert/strict'
import { Group, Membership, Person, Team, Thing } from './suite.portico.ts'
import { type AdapterCase, expectCode, makeThing } from './suite-case.ts'

const full = makeThing({
  ratio: 0.1,
  whole: -7,
  flag: false,
  amount: '123456.789',
  note: 'naïve ✓ 🙂 "quoted" \'single\' \\ back; -- not a comment',
  score: 1e-7,
  checked: false,
  at: 1_700_000_000_000,
  day: '2026-02-28',
  tags: ['a', 'ü', ''],
  extra: { a: 1.5, b: ['x'] },
  address: { city: 'Köln', geo: { lat: 50.9, lng: -6.9 } },
})

export const recordCases: readonly AdapterCase[] = [
  {
    name: 'insert > returns the stored record',
    async run({ db, clock }) {
      clock.ms = 1000
      const stored = await db.table(Thing).insertOne(full)
      assert.deepEqual(stored, { ...full, id: stored.id, state: 'new', rank: 3, createdAt: 1000, updatedAt: 1000 })
      assert.deepEqual(await db.table(Thing).findById(stored.id), stored)
    },
  },
  {
    name: 'insert > omits missing fields, treats null as missing, drops ignored fields',
    async run({ db }) {
      const input = makeThing({ note: null, extra: null, rank: null, address: { city: 'x', geo: null }, shownAs: 'y' })
      const stored = await db.table(Thing).insertOne(input)
      assert.deepEqual(await db.table(Thing).findById(stored.id), stored)
      assert.deepEqual(stored.address, { city: 'x' })
      for (const name of ['note', 'extra', 'rank', 'shownAs', 'score']) assert.ok(!Object.hasOwn(stored, name), name)
    },
  },
  {
    name: 'insert > generates auto-increment keys, time-ordered UUIDs and the version',
    async run({ db }) {
      const [first, second] = await db.table(Team).insertMany([{ name: 'a' }, { name: 'b' }])
      assert.ok(first!.id >= 100)
      assert.equal(second!.id, first!.id + 1)
      const people = await db.table(Person).insertMany(Array.from({ length: 50 }, (_, i) => ({ name: `p${i}` })))
      assert.match(people[0]!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepEqual(
        people.map((it) => it.id).toSorted(),
        people.map((it) => it.id),
      )
      assert.equal(people[0]!.version, 1)
    },
  },
  {
    name: 'insert > explicit values replace defaults, and generated numbers continue after explicit ones',
    async run({ db }) {
      const things = db.table(Thing)
      const given = await things.insertOne(makeThing({ id: 5_000_000, state: 'old', createdAt: 1, updatedAt: 2 }))
      assert.deepEqual([given.id, given.state, given.createdAt, given.updatedAt], [5_000_000, 'old', 1, 2])
      assert.equal((await things.insertOne(makeThing({ name: 'next' }))).id, 5_000_001)
    },
  },
  {
    name: 'insertMany > keeps the order, mixes explicit and generated keys, accepts an empty list',
    async run({ db }) {
      const things = db.table(Thing)
      const names = ['c', 'a', 'b']
      const stored = await things.insertMany(
        names.map((name, i) => makeThing({ name, ...(i === 1 && { id: 6_000_000 }) })),
      )
      assert.deepEqual(
        stored.map((it) => it.name),
        names,
      )
      assert.equal(stored[1]!.id, 6_000_000)
      for (const thing of stored) assert.deepEqual(await things.findById(thing.id), thing)
      assert.deepEqual(await things.insertMany([]), [])
    },
  },
  {
    name: 'insertMany > stores all or none',
    async run({ db }) {
      const things = db.table(Thing)
      const input = [makeThing({ name: 'x' }), makeThing({ name: 'y' }), makeThing({ name: 'x' })]
      const error = await expectCode('UNIQUE_VIOLATION', things.insertMany(input))
      assert.deepEqual(error.fields, ['name'])
      assert.equal(await things.count(), 0)
      const invalid = [makeThing(), { ...makeThing({ name: 'z' }), whole: 1.5 }]
      const { issues } = await expectCode('VALIDATION_FAILED', things.insertMany(invalid))
      assert.deepEqual(issues[0]?.path, [1, 'whole'])
      assert.equal(await things.count(), 0)
    },
  },
  {
    name: 'insertMany > stores all or none, even if explicit and generated keys alternate',
    async run({ db }) {
      const things = db.table(Thing)
      await things.insertOne(makeThing({ name: 'taken' }))
      const input = [makeThing({ name: 'a' }), makeThing({ name: 'b', id: 6_500_000 }), makeThing({ name: 'taken' })]
      await expectCode('UNIQUE_VIOLATION', things.insertMany(input))
      assert.equal(await things.count(), 1)
    },
  },
  {
    name: 'insertMany > a duplicate does not change the existing record',
    async run({ db }) {
      const things = db.table(Thing)
      const there = await things.insertMany([makeThing({ name: 'a', id: 1 }), makeThing({ name: 'b', id: 2 })])
      const input = [makeThing({ name: 'c', id: 3 }), makeThing({ name: 'd', id: 2 }), makeThing({ name: 'e', id: 1 })]
      await expectCode('UNIQUE_VIOLATION', things.insertMany(input))
      assert.deepEqual(await things.findMany({ orderBy: { id: 'asc' } }), there)
    },
  },
  {
    name: 'validation > refuses invalid input, names the path, and stores nothing',
    async run({ db }) {
      const things = db.table(Thing)
      const wrong: [object, string][] = [
        [{ whole: '1' }, 'whole'],
        [{ whole: 2 ** 53 }, 'whole'],
        [{ ratio: Number.NaN }, 'ratio'],
        [{ kind: 'huge' }, 'kind'],
        [{ name: undefined }, 'name'],
        [{ flag: null }, 'flag'],
        [{ unknown: 1 }, 'unknown'],
        [{ tags: ['a', 1] }, 'tags.1'],
        [{ price: '1.234' }, 'price'],
        [{ price: 1.1 }, 'price'],
        [{ address: { city: 'x', geo: { lat: 1 } } }, 'address.geo.lng'],
        [{ name: 'a\0b' }, 'name'],
        [{ tags: ['a\0b'] }, 'tags'],
        [{ name: '\ud800' }, 'name'],
        [{ extra: { a: 1, b: ['\udfff'] } }, 'extra'],
      ]
      for (const [change, path] of wrong) {
        const input = { ...makeThing(), ...change } as never
        const error = await expectCode('VALIDATION_FAILED', things.insertOne(input))
        assert.equal(error.issues[0]?.path.join('.'), path)
      }
      assert.equal(await things.count(), 0)
    },
  },
  {
    name: 'values > an escaped backslash before u0000 is text like any other',
    async run({ db }) {
      const { id } = await db.table(Thing).insertOne(makeThing({ tags: ['\\u0000', '\\\\ud800'], note: '\\u0000' }))
      const stored = await db.table(Thing).findById(id)
      assert.deepEqual([stored?.tags, stored?.note], [['\\u0000', '\\\\ud800'], '\\u0000'])
    },
  },
  {
    name: 'decimals > keep their value exactly, at the declared scale or without trailing zeros',
    async run({ db }) {
      const things = db.table(Thing)
      const cases: [string, string, string, string][] = [
        ['1.1', '1.10', '1.10', '1.1'],
        ['-0', '0.00', '-0.000', '0'],
        ['1234567890.12', '1234567890.12', '123456.123456789', '123456.123456789'],
        ['-0.01', '-0.01', '0.000000001', '0.000000001'],
        ['100', '100.00', '100', '100'],
      ]
      for (const [index, [price, storedPrice, amount, storedAmount]] of cases.entries()) {
        const { id } = await things.insertOne(makeThing({ name: `d${index}`, price, amount }))
        const found = await things.findById(id)
        assert.deepEqual([found?.price, found?.amount], [storedPrice, storedAmount])
      }
    },
  },
  {
    name: 'keys > a single key is a bare value or an object, a composite key an object with all fields',
    async run({ db }) {
      const groups = db.table(Group)
      const group = await groups.insertOne({ region: 'eu', code: 1, title: 't' })
      assert.deepEqual(await groups.findById({ region: 'eu', code: 1 }), group)
      const thing = await db.table(Thing).insertOne(makeThing())
      assert.deepEqual(await db.table(Thing).findById({ id: thing.id }), thing)
      assert.equal(await db.table(Thing).findById(thing.id + 1), undefined)
      const partial = await expectCode('KEY_INCOMPLETE', groups.findById({ region: 'eu' } as never))
      assert.deepEqual(partial.fields, ['code'])
      const foreign = await expectCode('KEY_INCOMPLETE', groups.updateOne({ where: {}, data: {} } as never))
      assert.match(foreign.message, /the key lacks `region`, `\w+`, and not known as fields are `where`, `data`$/)
      await expectCode('KEY_INCOMPLETE', groups.deleteOne('eu' as never))
      await expectCode('KEY_INCOMPLETE', groups.updateOne({ region: 'eu', title: 'x' } as never))
      await expectCode('KEY_UNKNOWN', groups.findById({ region: 'eu', code: 1, title: 't' } as never))
      await expectCode('VALIDATION_FAILED', db.table(Thing).findById('1' as never))
      await expectCode('KEY_INCOMPLETE', db.table(Thing).findById(undefined as never))
      assert.equal(await groups.count(), 1)
    },
  },
  {
    name: 'updateOne > writes only the given fields; null clears; nested objects are replaced as a whole',
    async run({ db, clock }) {
      const things = db.table(Thing)
      clock.ms = 1000
      const stored = await things.insertOne(full)
      clock.ms = 2000
      const change = { id: stored.id, note: null, whole: 8, address: { city: 'Bonn' }, createdAt: 5, shownAs: 'x' }
      assert.deepEqual(await things.updateOne(change), { matchedCount: 1, modifiedCount: 1 })
      const { note: _, ...rest } = stored
      assert.deepEqual(await things.findById(stored.id), {
        ...rest,
        whole: 8,
        address: { city: 'Bonn' },
        updatedAt: 2000,
      })
    },
  },
  {
    name: 'updateOne > reports a missing record, and an update without changes',
    async run({ db }) {
      const things = db.table(Thing)
      const { id } = await things.insertOne(makeThing())
      assert.deepEqual(await things.updateOne({ id: id + 1, whole: 2 }), { matchedCount: 0, modifiedCount: 0 })
      assert.deepEqual(await things.updateOne({ id }), { matchedCount: 1, modifiedCount: 0 })
      await expectCode('VALIDATION_FAILED', things.updateOne({ id, whole: 'x' } as never))
    },
  },
  {
    name: 'replaceOne > writes every field, clears omitted ones, keeps the creation time',
    async run({ db, clock }) {
      const things = db.table(Thing)
      clock.ms = 1000
      const { id } = await things.insertOne(full)
      clock.ms = 3000
      const next = { ...makeThing({ name: 'other', price: '2.00' }), id, state: 'used' }
      assert.deepEqual(await things.replaceOne(next), { matchedCount: 1, modifiedCount: 1 })
      assert.deepEqual(await things.findById(id), { ...next, createdAt: 1000, updatedAt: 3000 })
      assert.deepEqual(await things.replaceOne({ ...next, id: id + 1 }), { matchedCount: 0, modifiedCount: 0 })
      const { whole: _, ...incomplete } = next
      await expectCode('VALIDATION_FAILED', things.replaceOne(incomplete as never))
    },
  },
  {
    name: 'version > is incremented by every write; a write with an outdated version is refused',
    async run({ db }) {
      const people = db.table(Person)
      const seen = await people.insertOne({ name: 'a' })
      await people.updateOne({ ...seen, name: 'b' })
      assert.deepEqual(await people.findById(seen.id), { ...seen, name: 'b', version: 2 })
      await expectCode('VERSION_CONFLICT', people.updateOne({ ...seen, name: 'c' }))
      await expectCode('VERSION_CONFLICT', people.replaceOne({ ...seen, name: 'c' }))
      await expectCode('VERSION_CONFLICT', people.upsertOne({ ...seen, name: 'c' }))
      assert.equal((await people.findById(seen.id))?.name, 'b')
      await people.updateOne({ id: seen.id, name: 'd' })
      await people.updateMany({ name: 'd' }, { name: 'e' })
      const many = await expectCode('VALIDATION_FAILED', people.updateMany({}, { name: 'x', version: 3 } as never))
      assert.match(many.message, /`version` is the version, of which each record has its own/)
      await people.replaceOne({ id: seen.id, name: 'f', version: 4 })
      assert.deepEqual(await people.findById(seen.id), { id: seen.id, name: 'f', version: 5 })
      const gone = { id: '00000000-0000-7000-8000-000000000000', version: 1, name: 'x' }
      assert.deepEqual(await people.updateOne(gone), { matchedCount: 0, modifiedCount: 0 })
    },
  },
  {
    name: 'deleteOne, deleteMany, updateMany > count what they did, and never take nothing for all',
    async run({ db }) {
      const groups = db.table(Group)
      await groups.insertMany([1, 2, 3, 4].map((code) => ({ region: code > 2 ? 'us' : 'eu', code, title: 't' })))
      assert.deepEqual(await groups.deleteOne({ region: 'eu', code: 1 }), { deletedCount: 1 })
      assert.deepEqual(await groups.deleteOne({ region: 'eu', code: 1 }), { deletedCount: 0 })
      const updated = await groups.updateMany({ region: 'us' }, { title: 'u' })
      assert.deepEqual(updated, { matchedCount: 2, modifiedCount: 2 })
      assert.deepEqual(await groups.updateMany({ region: 'us' }, {}), { matchedCount: 2, modifiedCount: 0 })
      await expectCode('VALIDATION_FAILED', groups.updateMany({}, { code: 9 } as never))
      await expectCode('VALIDATION_FAILED', groups.updateMany(undefined as never, { title: 'x' }))
      await expectCode('VALIDATION_FAILED', groups.deleteMany(undefined as never))
      assert.deepEqual(await groups.deleteMany({ title: 'u' }), { deletedCount: 2 })
      assert.deepEqual(await groups.deleteMany({}), { deletedCount: 1 })
    },
  },
  {
    name: 'foreign keys > cascade, set NULL and restrict as declared',
    async run({ db }) {
      const team = await db.table(Team).insertOne({ name: 't' })
      const person = await db.table(Person).insertOne({ name: 'p', teamId: team.id })
      await db.table(Group).insertOne({ region: 'eu', code: 1, title: 'g' })
      await db.table(Membership).insertOne({ personId: person.id, region: 'eu', code: 1 })
      await db.table(Team).deleteOne(team.id)
      assert.equal((await db.table(Person).findById(person.id))?.teamId, undefined)
      await db.table(Person).deleteOne(person.id)
      assert.equal(await db.table(Membership).count(), 0)
    },
  },
]
