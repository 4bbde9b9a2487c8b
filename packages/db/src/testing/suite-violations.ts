import assert from 'node:assert/strict'
import { Membership, Person, Thing } from './suite.portico.ts'
import { type AdapterCase, expectCode, makeThing } from './suite-case.ts'
import { Reply } from './suite-names.portico.ts'

export const violationCases: readonly AdapterCase[] = [
  {
    name: 'violations > name the fields if the engine reports them, and change nothing',
    async run({ db }) {
      const things = db.table(Thing)
      const [a, b] = await things.insertMany([makeThing({ name: 'a' }), makeThing({ name: 'b' })])
      for (const taken of [
        () => things.insertOne(makeThing({ name: 'a' })),
        () => things.insertMany([makeThing({ name: 'c' }), makeThing({ name: 'a' })]),
        () => things.updateOne({ id: b!.id, name: 'a' }),
        () => things.upsertOne({ ...makeThing({ name: 'a' }), id: b!.id }),
      ]) {
        const { fields, message } = await expectCode('UNIQUE_VIOLATION', taken())
        assert.deepEqual(fields, ['name'])
        assert.equal(message, 'table `Thing`: another record has the same `name`')
      }
      const given = things.insertOne({ ...makeThing({ name: 'c' }), id: a!.id })
      const { fields, message } = await expectCode('UNIQUE_VIOLATION', given)
      assert.deepEqual(fields, ['id'])
      assert.equal(message, 'table `Thing`: a record with this key already exists: `id`')
      assert.equal(await things.count(), 2)
    },
  },
  {
    name: 'violations > a missing target and a deleted target have different messages',
    async run({ db }) {
      const people = db.table(Person)
      const { id } = await people.insertOne({ name: 'p' })
      for (const missing of [
        () => people.insertOne({ name: 'x', teamId: 1 }),
        () => people.insertMany([{ name: 'x' }, { name: 'y', teamId: 1 }]),
        () => people.updateOne({ id, teamId: 1 }),
        () => people.updateMany({}, { teamId: 1 }),
        () => people.upsertOne({ id, name: 'x', teamId: 1 }),
      ]) {
        const { fields, message } = await expectCode('FOREIGN_KEY_VIOLATION', missing())
        assert.deepEqual(fields, ['teamId'])
        assert.match(message, /^table `Person`: the record that `teamId` refers to is missing/)
      }
      const membership = { personId: id, region: 'no', code: 1 }
      const both = await expectCode('FOREIGN_KEY_VIOLATION', db.table(Membership).insertOne(membership))
      assert.match(both.message, /refers? to is missing/)
      const replies = db.table(Reply)
      await replies.insertMany([{ id: 1 }, { id: 2, parentId: 1 }])
      for (const referred of [() => replies.deleteOne(1), () => replies.deleteMany({ parentId: null })]) {
        const { fields, message } = await expectCode('FOREIGN_KEY_VIOLATION', referred())
        assert.deepEqual(fields, [])
        assert.match(message, /^table `Reply`: other records refer to it/)
      }
      assert.deepEqual([await people.count(), await replies.count()], [1, 2])
      await replies.deleteOne(2)
      await replies.deleteOne(1)
    },
  },
]
