import assert from 'node:assert/strict'
import { Group, Membership, Person, Team } from './suite.portico.ts'
import { type AdapterCase, type CaseContext, expectCode } from './suite-case.ts'

async function fill({ db }: CaseContext) {
  const [red, blue] = await db.table(Team).insertMany([{ name: 'red' }, { name: 'blue' }])
  const people = await db
    .table(Person)
    .insertMany([{ name: 'ann', teamId: red!.id }, { name: 'ben', teamId: red!.id }, { name: 'cid' }])
  const groups = await db.table(Group).insertMany([
    { region: 'eu', code: 1, title: 'one' },
    { region: 'us', code: 1, title: 'two' },
  ])
  const [ann, ben] = people
  await db.table(Membership).insertMany([
    { personId: ann!.id, region: 'eu', code: 1, role: 'chair' },
    { personId: ann!.id, region: 'us', code: 1 },
    { personId: ben!.id, region: 'eu', code: 1 },
  ])
  return { red: red!, blue: blue!, people, groups }
}

export const relationCases: readonly AdapterCase[] = [
  {
    name: 'with > loads the record of a foreign key; without one, the relation stays unset',
    async run(context) {
      const { red, people } = await fill(context)
      const found = await context.db.table(Person).findMany({ orderBy: { name: 'asc' }, with: { team: true } })
      assert.deepEqual(found, [{ ...people[0], team: red }, { ...people[1], team: red }, people[2]])
    },
  },
  {
    name: 'with > loads referring records, filtered and sorted; an empty list if there are none',
    async run(context) {
      const { red, blue, people } = await fill(context)
      const teams = context.db.table(Team)
      assert.deepEqual(
        await teams.findMany({ orderBy: { name: 'desc' }, with: { members: { orderBy: { name: 'desc' } } } }),
        [
          { ...red, members: [people[1], people[0]] },
          { ...blue, members: [] },
        ],
      )
      const some = await teams.findById(red.id, { with: { members: { where: { name: 'ben' }, select: ['name'] } } })
      assert.deepEqual(some, { ...red, members: [{ name: 'ben' }] })
    },
  },
  {
    name: 'with > loads through a junction table, in both directions, with composite keys',
    async run(context) {
      const { people, groups } = await fill(context)
      const found = await context.db.table(Person).findMany({ orderBy: { name: 'asc' }, with: { groups: true } })
      assert.deepEqual(
        found.map((it) => it.groups),
        [groups, [groups[0]], []],
      )
      const back = await context.db
        .table(Group)
        .findMany({ orderBy: { title: 'asc' }, with: { people: { orderBy: { name: 'asc' } } } })
      assert.deepEqual(
        back.map((it) => it.people),
        [[people[0], people[1]], [people[0]]],
      )
    },
  },
  {
    name: 'with > nests, and does not return linking columns that were not selected',
    async run(context) {
      const { groups } = await fill(context)
      const found = await context.db.table(Group).findById(
        { region: 'eu', code: 1 },
        {
          select: ['title'],
          with: {
            people: {
              select: ['name'],
              orderBy: { name: 'asc' },
              with: { team: { select: ['name'] }, groups: { select: ['title'] } },
            },
          },
        },
      )
      assert.deepEqual(found, {
        title: groups[0]!.title,
        people: [
          { name: 'ann', team: { name: 'red' }, groups: [{ title: 'one' }, { title: 'two' }] },
          { name: 'ben', team: { name: 'red' }, groups: [{ title: 'one' }] },
        ],
      })
    },
  },
  {
    name: 'with > works with stream',
    async run(context) {
      await fill(context)
      const teams = new Map<string, string | undefined>()
      for await (const { name, team } of context.db
        .table(Person)
        .stream({ batchSize: 2, select: ['name'], with: { team: true } })) {
        teams.set(name, team?.name)
      }
      assert.deepEqual(
        teams,
        new Map([
          ['ann', 'red'],
          ['ben', 'red'],
          ['cid', undefined],
        ]),
      )
    },
  },
  {
    name: 'with > refuses to write loaded relations back',
    async run(context) {
      const { red } = await fill(context)
      const teams = context.db.table(Team)
      const [team] = await teams.findMany({ where: { id: red.id }, with: { members: true } })
      for (const written of [
        teams.updateOne(team as never),
        teams.replaceOne(team as never),
        teams.upsertOne(team as never),
        teams.insertMany([team as never]),
        teams.updateMany({}, { members: [] } as never),
      ]) {
        assert.match((await expectCode('VALIDATION_FAILED', written)).message, /members` is a relation: leave it out/)
      }
    },
  },
  {
    name: 'with > refuses unknown relations and invalid queries',
    async run({ db }) {
      const wrong = [{ nope: true }, { name: true }, { team: 1 }, { team: { limit: 1 } }, true]
      const deep = [{ team: { where: { x: 1 } } }, { groups: { with: { people: { orderBy: { x: 'asc' } } } } }]
      for (const wanted of [...wrong, ...deep]) {
        await expectCode('VALIDATION_FAILED', db.table(Person).findMany({ with: wanted as never }))
      }
    },
  },
]
