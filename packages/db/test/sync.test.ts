import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { models, notes, onEachEngine, syncWhole } from './support/sync.ts'

interface ChangeCase {
  readonly name: string
  readonly before: readonly TableModel[]
  readonly after: readonly TableModel[]
  readonly allow?: readonly string[]
  /** Statements that run between the two syncs. */
  readonly fill?: readonly string[]
  readonly steps: readonly (string | RegExp)[]
  /** A query and its result afterwards. */
  readonly rows?: readonly [query: string, rows: readonly object[]]
}

const two = "insert into notes (id, a) values (1, 'x'), (2, null)"
const teams = (extra = '') => `@db.table 'teams' export interface Team { @meta.id id: number\n ${extra} }`
const people = (annotations: string, name = 'people') =>
  `@db.table '${name}' export interface Person { @meta.id id: number\n @db.rel.FK ${annotations} teamId?: Team.id }`
const linked = ['insert into teams (id) values (1)', 'insert into people (id, "teamId") values (1, 1), (2, null)']

const cases: readonly ChangeCase[] = [
  {
    name: 'creates tables, indexes and foreign keys',
    before: [],
    after: models(`${teams()}\n${people('')}`),
    steps: ['additive: create table teams', 'additive: create table people'],
  },
  {
    name: 'adds an optional column',
    before: notes('a?: string'),
    after: notes('a?: string', 'b?: number'),
    fill: [two],
    steps: [/^additive: add column notes\.b /],
    rows: [
      'select id, b from notes order by id',
      [
        { id: 1, b: null },
        { id: 2, b: null },
      ],
    ],
  },
  {
    name: 'adds a required column with a default, which existing rows get',
    before: notes('a?: string'),
    after: notes('a?: string', "@db.default 'new' b: string"),
    fill: [two],
    steps: [/^additive: add column notes\.b /],
    rows: ['select b from notes order by id', [{ b: 'new' }, { b: 'new' }]],
  },
  {
    name: 'adds a version, which begins at 1',
    before: notes('a?: string'),
    after: notes('a?: string', '@db.column.version v: number.int'),
    fill: [two],
    steps: [/^additive: add column notes\.v /],
    rows: ['select v from notes order by id', [{ v: 1 }, { v: 1 }]],
  },
  {
    name: 'adds a required column without a default if there are no rows',
    before: notes('a?: string'),
    after: notes('a?: string', 'b: boolean'),
    steps: [/^additive: add column notes\.b /],
  },
  {
    name: 'renames a column and changes its type, default and nullability',
    before: notes('a?: string'),
    after: notes("@db.column.renamed 'a' @db.default 7 b: number"),
    allow: ['narrow notes.b', 'require notes.b'],
    fill: ["insert into notes (id, a) values (1, '1.5'), (2, null)"],
    steps: [
      'rename: rename column notes.a to b',
      /^destructive: change the type of notes\.b from (LONG)?(TEXT|string)/,
      'destructive: make notes.b required',
      'widening: add a default to notes.b',
    ],
    rows: ['select b from notes order by id', [{ b: 1.5 }, { b: 7 }]],
  },
  {
    name: 'renames a table, its indexes and its columns together',
    before: models("@db.table 'a' export interface A { @meta.id id: number\n @db.index.unique x: string }"),
    after: models(
      "@db.table 'b' @db.table.renamed 'a' export interface A { @meta.id id: number\n @db.column.renamed 'x' @db.index.unique y: string }",
    ),
    fill: ["insert into a (id, x) values (1, 'k')"],
    steps: ['rename: rename table a to b', 'rename: rename column b.x to y', /index/, /index|$/],
    rows: ['select y from b', [{ y: 'k' }]],
  },
  {
    name: 'renames the prefix of a nested object',
    before: notes('address: { city: string, geo?: { lat: number } }'),
    after: notes("@db.column.renamed 'address' place: { city: string, geo?: { lat: number } }"),
    fill: [`insert into notes (id, address__city, address__geo__lat) values (1, 'Bern', 46.9)`],
    steps: [
      'rename: rename column notes.address__city to place__city',
      'rename: rename column notes.address__geo__lat to place__geo__lat',
    ],
    rows: ['select place__city as c, place__geo__lat as l from notes', [{ c: 'Bern', l: 46.9 }]],
  },
  {
    name: 'moves a table into a schema together with references to it',
    before: models(`${teams()}\n${people('')}`),
    after: models(`@db.schema 'org' ${teams()}\n${people('')}`),
    allow: ['move teams'],
    fill: linked,
    steps: [/create schema org|rename table teams/, /rename table teams to org\.teams|$/],
  },
  {
    name: 'moves a table out of its schema',
    before: models(`@db.schema 'org' ${teams()}`),
    after: models(teams()),
    allow: ['move org.teams'],
    steps: [/^rename: rename table org(\.|__)teams to teams$/],
  },
  {
    name: 'moves a table that is renamed as well',
    before: models(`@db.schema 'org' ${teams()}`),
    after: models(
      `@db.schema 'hr' @db.table 'groups' @db.table.renamed 'teams' export interface Team { @meta.id id: number }`,
    ),
    allow: ['move org.teams'],
    steps: [/create schema hr|rename table org/, /rename table org(\.|__)teams to hr\.groups|$/],
  },
  {
    name: 'drops a column',
    before: notes('a?: string', 'b?: string'),
    after: notes('b?: string'),
    allow: ['drop notes.a'],
    fill: ["insert into notes (id, a, b) values (1, 'x', 'y')"],
    steps: ['destructive: drop column notes.a'],
    rows: ['select * from notes', [{ id: 1, b: 'y' }]],
  },
  {
    name: 'drops tables with circular references',
    before: models(`@db.table 'a' export interface A { @meta.id id: number\n @db.rel.FK b?: B.id }
@db.table 'b' export interface B { @meta.id id: number\n @db.rel.FK a?: A.id }`),
    after: [],
    allow: ['drop a', 'drop b'],
    fill: ['insert into a (id) values (1)'],
    steps: ['destructive: drop table a', 'destructive: drop table b'],
  },
  {
    name: 'makes an optional column required without consent if there are no NULLs',
    before: notes('a?: string'),
    after: notes('a: string'),
    fill: ["insert into notes (id, a) values (1, 'x')"],
    steps: ['additive: make notes.a required'],
    rows: ['select a from notes', [{ a: 'x' }]],
  },
  {
    name: 'makes a required column optional',
    before: notes('a: string'),
    after: notes('a?: string'),
    steps: ['widening: make notes.a optional'],
  },
  {
    name: 'changes and removes defaults, and inserts use them',
    before: notes("@db.default 'x' a: string", '@db.default 1.5 b: number', '@db.default true c: boolean'),
    after: notes(`@db.default "it's" a: string`, 'b: number', '@db.default false c: boolean'),
    steps: [
      'widening: change the default of notes.a',
      'widening: remove the default of notes.b',
      'widening: change the default of notes.c',
    ],
  },
  {
    name: 'widens an integer to a number, and the precision of a decimal',
    before: models(
      `${teams()}\n@db.table 'notes' export interface Note { @meta.id id: number\n @db.rel.FK a?: Team.id\n @db.column.precision 6, 2 b: decimal }`,
    ),
    after: models(
      `${teams()}\n@db.table 'notes' export interface Note { @meta.id id: number\n a?: number\n @db.column.precision 12, 4 b: decimal }`,
    ),
    fill: ['insert into teams (id) values (7)', 'insert into notes (id, a, b) values (1, 7, 1.25)'],
    steps: [
      /^widening: drop foreign key/,
      /^widening: change the type of notes\.a /,
      /^widening: change the type of notes\.b /,
    ],
    rows: ['select a from notes', [{ a: 7 }]],
  },
  {
    name: 'converts values that keep their meaning',
    before: notes('a: boolean', 'b: number', '@db.column.precision 6, 2 c: decimal', 'd: boolean', 'e: string'),
    after: notes('a: string', 'b: string', 'c: string', 'd: number', 'e: boolean'),
    allow: ['convert notes.a', 'convert notes.b', 'convert notes.c', 'convert notes.d', 'narrow notes.e'],
    fill: [
      "insert into notes (id, a, b, c, d, e) values (1, '1', 2.5, 1.1, '0', 'true'), (2, '0', 3, 2, '1', 'false')",
    ],
    steps: [/^data: /, /^data: /, /^data: /, /^data: /, /^destructive: /],
    rows: [
      'select a, b, c, d from notes order by id',
      [
        { a: 'true', b: '2.5', c: '1.10', d: 0 },
        { a: 'false', b: '3', c: '2.00', d: 1 },
      ],
    ],
  },
  {
    name: 'narrows numbers that fit',
    before: notes('a: number', 'b: number', 'c: string', 'd: string'),
    after: models(
      `${teams()}\n@db.table 'notes' export interface Note { @meta.id id: number\n a: Team.id\n @db.column.precision 5, 1 b: decimal\n c: number\n d: decimal }`,
    ),
    allow: ['narrow notes.a', 'narrow notes.b', 'narrow notes.c', 'narrow notes.d'],
    fill: ["insert into notes (id, a, b, c, d) values (1, 5, 1.5, '2.5', '3.25')"],
    steps: [/create table teams/, /^destructive: change the type of notes\.a/, /notes\.b/, /notes\.c/, /notes\.d/],
    rows: ['select a, c from notes', [{ a: 5, c: 2.5 }]],
  },
  {
    name: 'turns text into JSON and back',
    before: notes('a: string', 'b: string[]'),
    after: notes('a: string[]', 'b: string'),
    allow: ['narrow notes.a', 'convert notes.b'],
    fill: [`insert into notes (id, a, b) values (1, '["x"]', '["y"]')`],
    steps: [/^destructive: change the type of notes\.a/, /^data: change the type of notes\.b/],
    rows: ['select b from notes', [{ b: '["y"]' }]],
  },
  {
    name: 'changes the type of a key that other tables refer to',
    before: models(`${teams()}\n${people('')}`),
    after: models(
      `@db.table 'teams' export interface Team { @meta.id id: string }\n@db.table 'people' export interface Person { @meta.id id: number\n @db.rel.FK teamId?: Team.id }`,
    ),
    allow: ['convert teams.id', 'convert people.teamId'],
    fill: linked,
    steps: [/^data: change the type of teams\.id/, /^data: change the type of people\.teamId/],
    rows: ['select "teamId" as t from people order by id', [{ t: '1' }, { t: null }]],
  },
  {
    name: 'changes the primary key',
    before: models("@db.table 'k' export interface K { @meta.id a: number\n b: number.int }"),
    after: models("@db.table 'k' export interface K { @meta.id a: number\n @meta.id b: number }"),
    allow: ['rekey k', 'narrow k.b'],
    fill: ['insert into k (a, b) values (1, 2)'],
    steps: [/^destructive: change the type of k\.b/, 'data: change the primary key of k to (a, b)'],
    rows: ['select a, b from k', [{ a: 1, b: 2 }]],
  },
  {
    name: 'adds auto-increment after existing values',
    before: notes('a?: string'),
    after: models(
      "@db.table 'notes' export interface Note { @meta.id @db.default.increment 5 id: number\n a?: string }",
    ),
    fill: [
      "insert into notes (id, a) values (40, 'x')",
      "insert into notes (id, a) values (41, 'x')",
      'delete from notes where id = 41',
    ],
    steps: ['widening: add auto-increment to notes.id'],
  },
  {
    name: 'creates, changes and drops plain, unique and composite indexes',
    before: notes('@db.index.plain a: string', "@db.index.plain 'both' b: string", "@db.index.plain 'both' c: string"),
    after: notes(
      '@db.index.unique a: string',
      "@db.index.plain 'both', 'desc' b: string",
      'c: string',
      '@db.index.plain d?: number',
    ),
    fill: ["insert into notes (id, a, b, c) values (1, 'x', 'y', 'z')"],
    steps: [
      /add column notes\.d/,
      'widening: drop index notes__a',
      'additive: create unique index on notes (a)',
      'widening: drop index notes__both',
      'additive: create index on notes (b)',
      'additive: create index on notes (d)',
    ],
  },
  {
    name: 'adds, changes and drops foreign keys',
    before: models(`${teams()}\n${people("@db.rel.onDelete 'cascade'")}`),
    after: models(`${teams('@db.rel.FK leader?: Person.id')}\n${people("@db.rel.onDelete 'setNull'")}`),
    fill: linked,
    steps: [
      /add column teams\.leader/,
      /add foreign key from teams/,
      /^widening: drop foreign key/,
      /add foreign key from people/,
    ],
  },
]

describe('sync', () => {
  onEachEngine(({ name, open, run }) => {
    it.each(cases.map((it) => [it.name, it] as const))(
      '%s',
      async (_, { before, after, allow = [], fill = [], steps, rows }) => {
        await using db = await open()
        await syncWhole(db, before)
        for (const text of fill) await run(db, before, text)
        // MySQL limits the length of indexed text.
        const done = (await syncWhole(db, after, { allow })).filter((it) => !/VARCHAR.* to LONGTEXT/.test(it))
        for (const [index, step] of done.entries()) expect(step).toMatch(steps[index] ?? /no such step/)
        expect(done.length).toBeGreaterThanOrEqual(steps.filter((it) => !String(it).endsWith('|$/')).length)
        if (rows) expect(await run(db, after, rows[0])).toEqual(rows[1])
      },
    )

    if (name === 'MongoDB') return

    it('never repeats an auto-increment value after a rebuild', async () => {
      await using db = await open()
      const counted = (extra: string) =>
        models(`@db.table 'notes' export interface Note { @meta.id @db.default.increment id: number\n ${extra} }`)
      await db.sync(counted('a: string'))
      for (const name of ['x', 'y']) await db.sql`insert into notes (a) values (${name})`
      await db.sql`delete from notes where id = 2`
      await syncWhole(db, counted('a?: string'))
      await db.sql`insert into notes (a) values ('z')`
      expect(await db.sql`select id from notes order by id`).toEqual([{ id: 1 }, { id: 3 }])
    })

    it('syncs many models in turn, and back', async () => {
      await using db = await open()
      const rounds = [
        notes('a: string'),
        notes('a?: string', '@db.index.plain b?: number'),
        notes("@db.column.renamed 'a' c?: string", '@db.index.plain b?: number'),
        notes('c?: string'),
      ]
      for (const round of rounds) await syncWhole(db, round, { allow: ['drop notes.b'] })
      await db.sql`insert into notes (id, c) values (1, 'x')`
      await syncWhole(db, notes("@db.column.renamed 'c' a?: string"))
      expect(await db.sql`select * from notes`).toEqual([{ id: 1, a: 'x' }])
    })
  })
})
