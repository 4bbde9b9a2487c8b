import assert from 'node:assert/strict'
import type { Where } from '../query/query-types.ts'
import { Person, Team, Thing } from './suite.portico.ts'
import { type AdapterCase, type CaseContext, expectCode, makeThing } from './suite-case.ts'
import { comparePoints, fillPeople, names } from './suite-people.ts'

/** The names of the matching people, in the order of `names`. */
async function namesWhere({ db }: CaseContext, where: Where<Person>): Promise<string[]> {
  const found = await db.table(Person).findMany({ where })
  return names.filter((name) => found.some((it) => it.name === name))
}

type FilterCase = [where: Where<Person>, fits: (name: string, age: number | undefined) => boolean]

const filters: readonly FilterCase[] = [
  [{}, () => true],
  [{ name: 'c' }, (name) => name === 'c'],
  [{ name: { $eq: 'c' } }, (name) => name === 'c'],
  [{ age: 4 }, (_, age) => age === 4],
  [{ age: null }, (_, age) => age === undefined],
  [{ age: { $eq: null } }, (_, age) => age === undefined],
  [{ age: { $ne: null } }, (_, age) => age !== undefined],
  [{ age: { $null: true } }, (_, age) => age === undefined],
  [{ age: { $null: false } }, (_, age) => age !== undefined],
  [{ age: { $ne: 4 } }, (_, age) => age !== 4],
  [{ name: { $ne: 'c' } }, (name) => name !== 'c'],
  [{ age: { $gt: 4 } }, (_, age) => age !== undefined && age > 4],
  [{ age: { $gte: 4, $lt: 8 } }, (_, age) => age !== undefined && age >= 4 && age < 8],
  [{ age: { $lte: 4 } }, (_, age) => age !== undefined && age <= 4],
  [{ name: { $gt: 'c' } }, (name) => comparePoints(name, 'c') > 0],
  [{ name: { $lt: 'é' } }, (name) => comparePoints(name, 'é') < 0],
  [{ age: { $in: [1, 4, 99] } }, (_, age) => age === 1 || age === 4],
  [{ age: { $in: [1, null] } }, (_, age) => age === 1 || age === undefined],
  [{ age: { $in: [] } }, () => false],
  [{ age: { $nin: [1, 4] } }, (_, age) => age !== 1 && age !== 4],
  [{ age: { $nin: [1, null] } }, (_, age) => age !== 1 && age !== undefined],
  [{ age: { $nin: [] } }, () => true],
  [{ name: { $in: ['a', 'é', '🙂'] } }, (name) => ['a', 'é', '🙂'].includes(name)],
  [{ name: { $like: 'z%' } }, (name) => name.startsWith('z')],
  [{ name: { $like: 'Z\\%' } }, (name) => name === 'Z%'],
  [{ name: { $like: 'z\\_y' } }, (name) => name === 'z_y'],
  [{ name: { $like: '_' } }, (name) => Array.from(name).length === 1],
  [{ name: { $like: '[x]*?' } }, (name) => name === '[x]*?'],
  [{ name: { $like: '%\\\\%' } }, (name) => name.includes('\\')],
  [{ name: { $ilike: 'Z%' } }, (name) => /^z/i.test(name)],
  [{ name: { $ilike: 'K' } }, (name) => name === 'k' || name === 'K'],
  [{ name: { $ilike: 'É' } }, () => false],
  [{ name: { $ilike: 'BACK\\\\SLASH' } }, (name) => name === 'back\\slash'],
  [{ $and: [{ age: { $gt: 1 } }, { name: { $like: 'z%' } }] }, (name, age) => (age ?? 0) > 1 && name.startsWith('z')],
  [{ $or: [{ age: 1 }, { name: 'a' }] }, (name, age) => age === 1 || name === 'a'],
  [{ $or: [{ age: 1 }, {}] }, () => true],
  [{ $or: [] }, () => false],
  [{ $and: [] }, () => true],
  [{ $not: {} }, () => false],
  [{ $not: { age: 4 } }, (_, age) => age !== 4],
  [{ $not: { age: { $gt: 4 } } }, (_, age) => !(age !== undefined && age > 4)],
  [{ $not: { $not: { age: { $gt: 4 } } } }, (_, age) => age !== undefined && age > 4],
  [
    { $not: { $or: [{ age: { $lt: 5 } }, { name: 'é' }] } },
    (name, age) => !((age !== undefined && age < 5) || name === 'é'),
  ],
  [
    { age: { $gt: 1 }, $or: [{ name: 'c' }, { name: 'z' }] },
    (name, age) => (age ?? 0) > 1 && (name === 'c' || name === 'z'),
  ],
]

const wrongFilters: readonly unknown[] = [
  { nope: 1 },
  { name: { $regex: 'a' } },
  { $where: '1' },
  { name: undefined },
  { name: {} },
  { age: '1' },
  { age: { $gt: null } },
  { age: { $in: 1 } },
  { age: { $in: ['x'] } },
  { age: { $null: 1 } },
  { age: { $like: '1' } },
  { name: { $like: 'a\\' } },
  { name: { $like: '%'.repeat(1001) } },
  { name: { $ilike: 'a'.repeat(1001) } },
  { name: 'a\0b' },
  { name: ['a'] },
  { $or: { name: 'a' } },
  { $not: 1 },
  [],
  null,
  'name',
  JSON.parse('{ "__proto__": { "a": 1 } }'),
  { constructor: 'x' },
  { 'name"; drop table people; --': 'x' },
]

/** Patterns of the maximum length that invite backtracking, and whether they match `abab…abxa`. */
const longPatterns: readonly (readonly [pattern: string, fits: boolean])[] = [
  [`${'%'.repeat(999)}x`, false],
  [`${'%'.repeat(999)}a`, true],
  [`${'%_'.repeat(40)}x`, false],
  [`${'%a%b'.repeat(50)}%x`, false],
  [`${'%a%b'.repeat(50)}%a`, true],
  [`${'%ab'.repeat(60)}%ab%`, false],
  [`${'%ab'.repeat(60)}%xa`, true],
  [`${'_'.repeat(1000)}`, false],
]

export const filterCases: readonly AdapterCase[] = [
  {
    name: 'filters > match a pattern with many wildcards without blocking',
    async run({ db }) {
      const people = db.table(Person)
      await people.insertOne({ name: `${'ab'.repeat(60)}xa` })
      for (const [pattern, fits] of longPatterns) {
        assert.equal(await people.count({ name: { $like: pattern } }), fits ? 1 : 0, pattern)
        assert.equal(await people.count({ name: { $ilike: pattern.toUpperCase() } }), fits ? 1 : 0, pattern)
      }
    },
  },
  {
    name: 'filters > accept up to 30,000 values, including those in lists, and refuse more',
    async run(context) {
      await fillPeople(context)
      const { db } = context
      const people = db.table(Person)
      const list = (length: number): number[] => Array.from({ length }, (_, index) => index)
      const lists = (count: number, length: number): Where<Person> => ({
        $and: list(count).map(() => ({ age: { $in: list(length) } })),
      })
      const withAge = await people.count({ age: { $null: false } })
      assert.equal(await people.count(lists(1, 30_000)), withAge)
      assert.equal(await people.count(lists(4, 7500)), withAge)
      assert.equal(await people.count(lists(3300, 9)), await people.count({ age: { $lt: 9 } }))
      assert.equal(await people.count({ $or: list(3000).map((age) => ({ age })) }), withAge)
      const teams = await db.table(Team).insertMany(list(3000).map((index) => ({ name: `team ${index}` })))
      await people.updateMany({}, { teamId: teams.at(-1)!.id })
      const found = await db.table(Team).findMany({ with: { members: { where: lists(1, 30_000) } } })
      assert.equal(found.flatMap((it) => it.members ?? []).length, withAge)
      for (const where of [lists(4, 7501), lists(4, 30_000), { ...lists(1, 30_000), name: 'a' }]) {
        const { message } = await expectCode('VALIDATION_FAILED', people.count(where))
        assert.match(message, /has more than 30000 values in all/)
      }
      await expectCode('VALIDATION_FAILED', people.count(lists(1, 30_001)))
    },
  },
  {
    name: 'filters > support every operator, missing values and negation',
    async run(context) {
      await fillPeople(context)
      for (const [where, fits] of filters) {
        const expected = names.filter((name, index) => fits(name, index % 3 === 0 ? undefined : index))
        assert.deepEqual(await namesWhere(context, where), expected, JSON.stringify(where))
        assert.equal(await context.db.table(Person).count(where), expected.length)
        assert.equal(await context.db.table(Person).exists(where), expected.length > 0)
      }
    },
  },
  {
    // In UTF-16 order, in which JavaScript and Java compare strings, it is the other way round.
    name: 'text > characters outside the Basic Multilingual Plane sort after all others',
    async run({ db }) {
      const people = db.table(Person)
      await people.insertMany([{ name: '🙂' }, { name: '\uffee' }])
      assert.deepEqual(
        (await people.findMany({ orderBy: { name: 'asc' } })).map((it) => it.name),
        ['\uffee', '🙂'],
      )
      assert.equal(await people.count({ name: { $lt: '\uffff' } }), 1)
      assert.equal(await people.count({ name: { $gt: '\uffff' } }), 1)
    },
  },
  {
    name: 'filters > refuse unknown names and values of another type',
    async run({ db }) {
      const person = await db.table(Person).insertOne({ name: 'a' })
      for (const where of wrongFilters) {
        await expectCode('VALIDATION_FAILED', db.table(Person).findMany({ where: where as never }))
        await expectCode('VALIDATION_FAILED', db.table(Person).deleteMany(where as never))
      }
      assert.deepEqual(await db.table(Person).findMany(), [person])
      assert.equal(({} as { a?: unknown }).a, undefined)
    },
  },
  {
    name: 'filters > support nested objects, decimals as numbers, and booleans',
    async run({ db }) {
      const things = db.table(Thing)
      const prices = ['9.00', '10.00', '-1.50']
      await things.insertMany(
        prices.map((price, i) =>
          makeThing({
            name: price,
            price,
            flag: i === 0,
            address: { city: 'x', ...(i > 0 && { geo: { lat: i, lng: 0 } }) },
          }),
        ),
      )
      const found = async (where: Parameters<typeof things.count>[0]): Promise<string[]> =>
        (await things.findMany({ where: where!, orderBy: { price: 'asc' } })).map((it) => it.name)
      assert.deepEqual(await found({ price: { $gt: '8.9' } }), ['9.00', '10.00'])
      assert.deepEqual(await found({ price: { $in: ['10', '-1.5'] } }), ['-1.50', '10.00'])
      assert.deepEqual(await found({ 'address.geo.lat': { $gte: 1 } }), ['-1.50', '10.00'])
      assert.deepEqual(await found({ 'address.geo.lat': null }), ['9.00'])
      assert.deepEqual(await found({ flag: true }), ['9.00'])
      assert.deepEqual(await found({ flag: { $ne: true } }), ['-1.50', '10.00'])
      assert.deepEqual(await found({ extra: null }), ['-1.50', '9.00', '10.00'])
      await expectCode('VALIDATION_FAILED', things.count({ tags: ['a'] } as never))
      await expectCode('VALIDATION_FAILED', things.count({ address: { city: 'x' } } as never))
    },
  },
  {
    name: 'filters > match missing and present nested objects',
    async run({ db }) {
      const things = db.table(Thing)
      await things.insertOne(makeThing({ name: 'here', address: { city: 'Bern', geo: { lat: 0, lng: 0 } } }))
      await things.insertOne(makeThing({ name: 'nowhere' }))
      const expected: [Where<Thing>, string[]][] = [
        [{ 'address.geo': null }, ['nowhere']],
        [{ 'address.geo': { $null: true } }, ['nowhere']],
        [{ 'address.geo': { $null: false } }, ['here']],
        [{ $not: { 'address.geo': null } }, ['here']],
        [{ address: null }, []],
        [{ address: { $null: false } }, ['here', 'nowhere']],
      ]
      for (const [where, names] of expected) {
        const found = await things.findMany({ where, orderBy: { name: 'asc' } })
        assert.deepEqual(
          found.map((it) => it.name),
          names,
          JSON.stringify(where),
        )
      }
      for (const geo of [{ lat: 0 }, {}, { $null: 1 }, { $null: true, $eq: null }, { $eq: null }, 1]) {
        await expectCode('VALIDATION_FAILED', things.findMany({ where: { 'address.geo': geo } as never }))
      }
    },
  },
]
