import assert from 'node:assert/strict'
import type { Operators, Where } from '../query/query-types.ts'
import { Group, Person, Team, Thing } from './suite.portico.ts'
import { type AdapterCase, type CaseContext, expectCode, makeThing } from './suite-case.ts'

const names = ['a', 'B', 'c', 'é', 'z', 'Z%', 'z_y', 'K', '[x]*?', 'back\\slash', '🙂', 'ü']

async function fillPeople({ db }: CaseContext): Promise<void> {
  await db.table(Person).insertMany(names.map((name, index) => ({ name, ...(index % 3 !== 0 && { age: index }) })))
}

/** The names of those that fit, in the order of the list above. */
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

function comparePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

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

/** Patterns of the greatest length, with many places to begin again at, and whether they fit `abab…abxa`. */
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

export const queryCases: readonly AdapterCase[] = [
  {
    name: 'where > a pattern with many wildcards has its answer, and holds nobody up',
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
    name: 'where > decimals of a list fit as they are: neither rounded nor too great',
    async run({ db }) {
      const things = db.table(Thing)
      await things.insertOne(makeThing({ price: '1.10', amount: '0.123456789' }))
      assert.equal(await things.count({ amount: { $in: ['0.1234567891', '0.1234567889'] } }), 0)
      assert.equal(await things.count({ amount: { $in: ['0.1234567890', '7'] } }), 1)
      assert.equal(await things.count({ price: { $in: ['99999999999999.00', '1.1'] } }), 1)
    },
  },
  {
    name: 'where > decimals compare with ones that have more digits than any engine keeps',
    async run({ db }) {
      const things = db.table(Thing)
      const amounts = ['-123456789012345', '0.123456789', '123456789012345']
      await things.insertMany(amounts.map((amount) => makeThing({ name: amount, amount })))
      for (const [where, count] of [
        [{ $lt: '123456789012345.5' }, 3],
        [{ $lte: '123456789012344.999999999' }, 2],
        [{ $gt: '123456789012344.5' }, 1],
        [{ $gte: '123456789012345.000000001' }, 0],
        [{ $gt: '-123456789012345.5' }, 3],
        [{ $gte: '-123456789012344.5' }, 2],
        [{ $lt: '-123456789012344.5' }, 1],
        [{ $eq: '123456789012345.5' }, 0],
        [{ $ne: '123456789012345.5' }, 3],
        [{ $in: ['123456789012345.5', '0.123456789'] }, 1],
        [{ $lt: '12345678901234567890' }, 3],
        [{ $gt: '-12345678901234567890.5' }, 3],
        [{ $gt: '1000000000000000000' }, 0],
      ] as const) {
        assert.equal(await things.count({ amount: where }), count, JSON.stringify(where))
      }
    },
  },
  {
    name: 'where > a filter has up to 30,000 values, in lists and conditions alike; with more it is refused',
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
    name: 'findMany > a query that is no object is refused, as with findOne, findById and stream',
    async run({ db }) {
      const things = db.table(Thing)
      for (const query of [null, 'all', 1] as unknown as object[]) {
        await expectCode('VALIDATION_FAILED', things.findMany(query))
        await expectCode('VALIDATION_FAILED', things.findOne(query))
        await expectCode('VALIDATION_FAILED', things.findById(1, query))
        await expectCode('VALIDATION_FAILED', things.stream(query)[Symbol.asyncIterator]().next())
      }
    },
  },
  {
    name: 'where > a decimal of any length is read, or refused, at once',
    async run({ db }) {
      const things = db.table(Thing)
      const started = performance.now()
      for (const price of [`${'0'.repeat(200_000)}x`, `1.${'0'.repeat(200_000)}x`, '1'.repeat(200_000)]) {
        await expectCode('VALIDATION_FAILED', things.count({ price }))
      }
      assert.ok(performance.now() - started < 2000)
      await things.insertOne(makeThing({ price: '12.50' }))
      assert.equal(await things.count({ price: `${'0'.repeat(500)}12.5${'0'.repeat(400)}` }), 1)
    },
  },
  {
    name: 'filters > every operator, absent values and negation',
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
    // In UTF-16, as strings of JavaScript and Java compare, it is the other way round.
    name: 'text > a character beyond the first 65,536 compares and sorts behind all of those',
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
    name: 'filters > what is unknown or of another type is refused',
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
    name: 'filters > reach into nested objects, compare decimals as numbers, take booleans',
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
    name: 'filters > compare decimals with finer and greater ones than the field can hold',
    async run({ db }) {
      const things = db.table(Thing)
      const prices = ['-1.51', '-1.50', '0.00', '1.50', '1.51']
      await things.insertMany(prices.map((price) => makeThing({ name: price, price })))
      const expected: [Operators<string>, string[]][] = [
        [{ $gt: '1.505' }, ['1.51']],
        [{ $gte: '1.505' }, ['1.51']],
        [{ $lt: '1.505' }, prices.slice(0, 4)],
        [{ $lte: '-1.505' }, ['-1.51']],
        [{ $lt: '-1.505' }, ['-1.51']],
        [{ $gt: '-1.505' }, prices.slice(1)],
        [{ $gt: '-0.001' }, prices.slice(2)],
        [{ $lt: '0.001' }, prices.slice(0, 3)],
        [{ $eq: '1.505' }, []],
        [{ $ne: '1.505' }, prices],
        [{ $in: ['1.505', '1.5000'] }, ['1.50']],
        [{ $nin: ['1.505', '1.51'] }, prices.slice(0, 4)],
        [{ $in: ['99999999999999', '1.51'] }, ['1.51']],
        [{ $lt: '99999999999999' }, prices],
      ]
      for (const [price, names] of expected) {
        const found = await things.findMany({ where: { price }, orderBy: { price: 'asc' } })
        assert.deepEqual(
          found.map((it) => it.name),
          names,
          JSON.stringify(price),
        )
      }
      await things.insertOne(makeThing({ name: 'fine', amount: '0.123456789' }))
      assert.equal(await things.count({ amount: { $in: ['0.1234567891'] } }), 0)
      assert.equal(await things.count({ amount: { $lt: '0.1234567891' } }), 1)
      assert.equal(await things.count({ amount: { $ne: '0.1234567891' } }), 6)
      await expectCode('VALIDATION_FAILED', things.count({ price: { $gt: '1.5.5' } }))
    },
  },
  {
    name: 'filters > ask whether a nested object is there',
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
  {
    name: 'queries > say what a name is that they cannot take',
    async run({ db }) {
      const people = db.table(Person)
      const things = db.table(Thing)
      const refused: [Promise<unknown>, RegExp][] = [
        [people.findMany({ where: { 'team.name': 'x' } as never }), /`team.name` is a relation: load it with `with`/],
        [people.findMany({ select: ['team'] as never }), /`team` is a relation/],
        [people.findMany({ orderBy: { team: 'asc' } as never }), /`team` is a relation/],
        [things.findMany({ where: { shownAs: 'x' } }), /`shownAs` is ignored by storage/],
        [things.findMany({ select: ['shownAs'] }), /`shownAs` is ignored by storage/],
        [things.findMany({ where: { 'extra.a': 1 } }), /`extra.a` is kept as JSON/],
        [things.findMany({ orderBy: { address: 'asc' } as never }), /`address` is an object: order by its fields/],
        [
          things.findMany({ select: ['address.city'] as never }),
          /`address.city` is part of an object: select `address`/,
        ],
        [things.findMany({ where: { nope: 1 } as never }), /`nope` is not a known field/],
        [things.findOne({ limit: 2 } as never), /`limit` is not known here/],
        [things.findById(1, { where: { name: 'x' } } as never), /`where` is not known here; known are select, with$/],
        [
          people.findMany({ include: {} } as never),
          /`include` is not known here; known are where, orderBy, limit, offset, select, with$/,
        ],
        [people.findOne({ take: 1 } as never), /`take` .*; known are where, orderBy, offset, select, with$/],
        [people.stream({ take: 1 } as never).next(), /`take` .*; known are where, select, with, batchSize$/],
        [
          people.findMany({ where: { name: { contains: 'x' } } as never }),
          /; known are \$eq, .* text \$like, \$ilike$/,
        ],
        [people.findMany({ where: { $nor: [] } as never }), /`\$nor` .*; known are \$and, \$or, \$not$/],
        [people.findMany({ with: { tags: true } as never }), /`tags` is not a relation; known are .*\bteam\b/],
        [people.findMany({ with: { team: { limit: 1 } } as never }), /; known are where, orderBy, select, with$/],
        [things.findMany({ with: { tags: true } as never }), /`tags` is not a relation; /],
      ]
      for (const [promise, message] of refused) {
        assert.match((await expectCode('VALIDATION_FAILED', promise)).message, message)
      }
    },
  },
  {
    name: 'order > by code point, NULL below all values, several fields, the key last on pages',
    async run(context) {
      await fillPeople(context)
      const people = context.db.table(Person)
      const byName = await people.findMany({ orderBy: { name: 'asc' } })
      assert.deepEqual(
        byName.map((it) => it.name),
        names.toSorted(comparePoints),
      )
      const ages = (await people.findMany({ orderBy: { age: 'asc', name: 'desc' } })).map((it) => it.age)
      assert.deepEqual(ages, [undefined, undefined, undefined, undefined, 1, 2, 4, 5, 7, 8, 10, 11])
      const down = (await people.findMany({ orderBy: { age: 'desc' } })).map((it) => it.age)
      assert.deepEqual(down, [11, 10, 8, 7, 5, 4, 2, 1, undefined, undefined, undefined, undefined])
      const pages = []
      for (let offset = 0; offset < 12; offset += 5)
        pages.push(...(await people.findMany({ orderBy: { age: 'asc' }, limit: 5, offset })))
      assert.equal(new Set(pages.map((it) => it.id)).size, 12)
      assert.equal((await people.findMany({ offset: 10 })).length, 2)
      assert.deepEqual(await people.findMany({ limit: 0 }), [])
      assert.deepEqual(await people.findOne({ orderBy: { name: 'desc' } }), byName.at(-1))
      for (const orderBy of [{ nope: 'asc' }, { name: 'up' }, ['name'], 'name', { 'name desc; --': 'asc' }]) {
        await expectCode('VALIDATION_FAILED', people.findMany({ orderBy: orderBy as never }))
      }
      await expectCode('VALIDATION_FAILED', people.findMany({ wher: { name: 'x' } } as never))
      for (const limit of [-1, 1.5, '1', Number.NaN])
        await expectCode('VALIDATION_FAILED', people.findMany({ limit: limit as never }))
    },
  },
  {
    name: 'select > reads the named fields alone',
    async run({ db }) {
      const things = db.table(Thing)
      const { id } = await things.insertOne(makeThing({ note: 'n' }))
      assert.deepEqual(await things.findMany({ select: ['name', 'address'] }), [
        { name: 'thing', address: { city: 'Bern' } },
      ])
      assert.deepEqual(await things.findById(id, { select: ['note', 'score'] }), { note: 'n' })
      for (const select of [['nope'], ['shownAs'], 'name', [1], ['address.city'], ['*']]) {
        await expectCode('VALIDATION_FAILED', things.findMany({ select: select as never }))
      }
    },
  },
  {
    name: 'stream > gives every record once in the order of the key, also when others write meanwhile',
    async run({ db }) {
      const groups = db.table(Group)
      const all = Array.from({ length: 25 }, (_, i) => ({ region: ['b', 'a'][i % 2]!, code: i, title: `t${i}` }))
      await groups.insertMany(all)
      const seen: string[] = []
      for await (const group of groups.stream({ batchSize: 4, where: { code: { $lt: 20 } } })) {
        seen.push(`${group.region}${group.code}`)
        await groups.updateOne({ ...group, title: 'seen' })
      }
      const expected = all.slice(0, 20).toSorted((a, b) => comparePoints(a.region, b.region) || a.code - b.code)
      assert.deepEqual(
        seen,
        expected.map((it) => `${it.region}${it.code}`),
      )
      assert.equal(await groups.count({ title: 'seen' }), 20)
      const titles = []
      for await (const { title } of groups.stream({ batchSize: 7, select: ['title'] })) titles.push(title)
      assert.equal(titles.length, 25)
      for await (const _ of groups.stream()) break
      for (const wrong of [{ orderBy: { title: 'asc' } }, { offset: 1 }, { limit: 5 }, { batchSize: 0 }]) {
        await expectCode('VALIDATION_FAILED', groups.stream(wrong as never).next())
      }
    },
  },
]
