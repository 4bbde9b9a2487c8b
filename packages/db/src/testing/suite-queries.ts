import assert from 'node:assert/strict'
import { Group, Person, Thing } from './suite.portico.ts'
import { type AdapterCase, expectCode, makeThing } from './suite-case.ts'
import { comparePoints, fillPeople, names } from './suite-people.ts'

export const queryCases: readonly AdapterCase[] = [
  {
    name: 'findMany > refuses a query that is not an object, as do findOne, findById and stream',
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
    name: 'queries > explain why a name cannot be used',
    async run({ db }) {
      const people = db.table(Person)
      const things = db.table(Thing)
      const refused: [Promise<unknown>, RegExp][] = [
        [people.findMany({ where: { 'team.name': 'x' } as never }), /`team.name` is a relation: load it with `with`/],
        [people.findMany({ select: ['team'] as never }), /`team` is a relation/],
        [people.findMany({ orderBy: { team: 'asc' } as never }), /`team` is a relation/],
        [things.findMany({ where: { shownAs: 'x' } }), /`shownAs` is ignored by storage/],
        [things.findMany({ select: ['shownAs'] }), /`shownAs` is ignored by storage/],
        [things.findMany({ where: { 'extra.a': 1 } }), /`extra.a` is inside a JSON column/],
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
    name: 'order > sorts by code point, NULL first, by several fields, and by the key on pages',
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
    name: 'select > reads only the named fields',
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
    name: 'stream > returns every record once, in the order of the key, during concurrent writes',
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
