import { printPlan } from '@portico/db'
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { models, notes, onEachEngine, syncWhole } from './support/sync.ts'

interface Refusal {
  readonly name: string
  readonly before: readonly TableModel[]
  readonly after: readonly TableModel[]
  readonly allow?: readonly string[]
  readonly fill?: readonly string[]
  readonly reasons: readonly string[]
}

const one = "insert into notes (id, a) values (1, 'x')"

const refusals: readonly Refusal[] = [
  {
    name: 'to drop a column without consent, and asks whether it was renamed',
    before: notes('a: string'),
    after: notes('b: string'),
    reasons: ["allow 'drop notes.a'", "did you mean `@db.column.renamed 'a'` on `b` of `Note`?"],
  },
  {
    name: 'to narrow a type without consent',
    before: notes('a: number'),
    after: notes('@db.column.precision 5, 1 a: decimal'),
    reasons: ["allow 'narrow notes.a'"],
  },
  {
    name: 'to rewrite values without consent',
    before: notes('a: number'),
    after: notes('a: string'),
    reasons: ["allow 'convert notes.a'"],
  },
  {
    name: 'to change the primary key without consent',
    before: models("@db.table 'k' export interface K { @meta.id a: string\n b: string }"),
    after: models("@db.table 'k' export interface K { a: string\n @meta.id b: string }"),
    reasons: ["allow 'rekey k'"],
  },
  {
    name: 'to replace NULL by a default without consent',
    before: notes('a?: string'),
    after: notes("@db.default 'new' a: string"),
    fill: ['insert into notes (id) values (1)'],
    reasons: ['sets 1 NULL to the default', "allow 'require notes.a'"],
  },
  {
    name: 'a required column with NULLs and no default, even with consent',
    before: notes('a?: string'),
    after: notes('a: string'),
    allow: ['require notes.a'],
    fill: [one, 'insert into notes (id) values (2)'],
    reasons: ['column `a` is required, but NULL in 1 of 2 rows: fill in the values, declare it optional, or declare'],
  },
  {
    name: 'a new required column without a default if there are rows',
    before: notes('a: string'),
    after: notes('a: string', 'b: string'),
    fill: [one],
    reasons: [
      'column `b` is required and has no default, but the table has 1 row',
      'Declare it optional, sync, fill it in',
    ],
  },
  {
    name: 'values that do not fit, even with consent',
    before: notes('a: string', 'b: number', 'c: number'),
    after: notes('a: number', '@db.column.precision 4, 1 b: decimal', 'c: boolean'),
    allow: ['narrow notes.a', 'narrow notes.b', 'narrow notes.c'],
    fill: [
      "insert into notes (id, a, b, c) values (1, 'x', 1.25, 2), (2, '1', 1.5, 1), (3, '1e', 5000, 0)",
      "insert into notes (id, a, b, c) values (4, '9007199254740993', 1.5, 1)",
    ],
    reasons: [
      '`a` has 3 values that cannot be kept',
      '`b` has 2 values that cannot be kept',
      '`c` has 1 value that cannot',
    ],
  },
  {
    name: 'a unique index over duplicates',
    before: notes('a: string'),
    after: notes('@db.index.unique a: string'),
    fill: ["insert into notes (id, a) values (1, 'x'), (2, 'x'), (3, 'x'), (4, 'y')"],
    reasons: ['cannot create the unique index `notes__a`: 2 rows duplicate the values of another row'],
  },
  {
    name: 'a unique index over a new column that would be the same everywhere',
    before: notes('a: string'),
    after: notes('a: string', "@db.default 'same' @db.index.unique b: string"),
    fill: ["insert into notes (id, a) values (1, 'x'), (2, 'x')"],
    reasons: ['cannot create the unique index `notes__b`: 1 row duplicates the values of another row'],
  },
  {
    name: 'a foreign key with orphans',
    before: models(
      "@db.table 'teams' export interface Team { @meta.id id: number }\n@db.table 'notes' export interface Note { @meta.id id: number\n a?: Team.id }",
    ),
    after: models(
      "@db.table 'teams' export interface Team { @meta.id id: number }\n@db.table 'notes' export interface Note { @meta.id id: number\n @db.rel.FK a?: Team.id }",
    ),
    fill: ['insert into teams (id) values (1)', 'insert into notes (id, a) values (1, 1), (2, 9), (3, null)'],
    reasons: ['cannot add foreign key `notes__a__fk`: 1 row refers to a missing row of `teams`'],
  },
  {
    name: 'a foreign key from existing rows to a new table',
    before: models("@db.table 'notes' export interface Note { @meta.id id: number\n a?: number }"),
    after: models(
      "@db.table 'teams' export interface Team { @meta.id id: number }\n@db.table 'notes' export interface Note { @meta.id id: number\n @db.rel.FK a?: Team.id }",
    ),
    allow: ['narrow notes.a'],
    fill: ['insert into notes (id, a) values (1, 1)'],
    reasons: ['1 row refers to a missing row'],
  },
  {
    name: 'a type change without a conversion',
    before: notes('a: string[]'),
    after: notes('a: number'),
    reasons: ['column `a` cannot change from', 'Declare a new column instead'],
  },
  {
    name: 'a renamed column if the former one still exists',
    before: notes('a: string', 'b: string'),
    after: notes("@db.column.renamed 'a' b: string"),
    reasons: ['column `b` was renamed from `a`, but both columns exist, each with its own values'],
  },
  {
    name: 'a renamed table if the former one still exists',
    before: models(
      "@db.table 'a' export interface A { @meta.id id: number }\n@db.table 'b' export interface B { @meta.id id: number }",
    ),
    after: models("@db.table 'b' @db.table.renamed 'a' export interface B { @meta.id id: number }"),
    reasons: ['table `b`: it was renamed from `a`, but both tables exist, each with its own rows'],
  },
  {
    name: 'a foreign key to a table that neither exists nor is part of the sync',
    before: [],
    after: models(
      "@db.table 'teams' export interface Team { @meta.id id: number }\n@db.table 'notes' export interface Note { @meta.id id: number\n @db.rel.FK a?: Team.id }",
    ).slice(1),
    reasons: [
      'table `notes`: foreign key `notes__a__fk` refers to table `teams`, which neither exists in the database nor is part of this sync: add it to `db.sync([…])`',
    ],
  },
]

describe('sync refuses', () => {
  onEachEngine(({ open, name, run }) => {
    it.each(refusals.map((it) => [it.name, it] as const))(
      '%s',
      async (_, { before, after, allow = [], fill = [], reasons }) => {
        await using db = await open()
        await db.sync(before)
        for (const text of fill) await run(db, before, text)
        const other = models("@db.table 'others' export interface Other { @meta.id id: number }")
        const error = await db.sync([...other, ...after], { allow }).then(
          () => expect.unreachable('it was not refused'),
          (reason: Error & { code: string }) => reason,
        )
        expect(error.code).toBe('SYNC_REFUSED')
        for (const text of reasons) expect(error.message).toContain(text)
        // Nothing was changed, not even by steps without a problem.
        expect((await db.planSync([...other])).steps).toMatchObject([{ kind: 'createTable' }])
        expect((await db.sync(before)).steps).toEqual([])
      },
    )

    it('and reports all reasons at once', async () => {
      await using db = await open()
      await db.sync(notes('a: string', 'b: string', 'c: number'))
      const refused = db.sync(notes('c: string'))
      await expect(refused).rejects.toThrow(/drop notes\.a[\s\S]*drop notes\.b|convert notes\.c[\s\S]*drop notes\.b/)
    })

    it('no unknown names in `allow`, and ignores them', async () => {
      await using db = await open()
      expect((await db.sync(notes('a: string'), { allow: ['drop nothing', 'nonsense'] })).steps).toHaveLength(1)
      await expect(db.sync(notes('a: string'), { allow: 'drop x' as never })).rejects.toMatchObject({
        code: 'OPTIONS_INVALID',
      })
    })

    if (name === 'MongoDB') return
    const text = name === 'MySQL' ? 'longtext' : 'text'
    const id = name === 'MySQL' ? 'int' : 'bigint'

    it('nothing because of tables and indexes that it did not create, and leaves them alone', async () => {
      await using db = await open()
      await db.sync(notes('a: string'))
      await db.sql`create table strange (id integer, x text)`
      await db.sql`create index mine on notes (a)`
      await db.sql`alter table notes add column theirs text`
      await db.sql`insert into notes (id, a, theirs) values (1, 'x', 'kept')`
      expect((await db.sync(notes('a: string'))).steps).toEqual([])
      await syncWhole(db, notes('a?: string'), { allow: ['drop strange', 'drop mine', 'drop notes.theirs'] })
      expect(await db.sql`select a, theirs from notes`).toEqual([{ a: 'x', theirs: 'kept' }])
      expect(await db.sql`select * from strange`).toEqual([])
      const indexes = {
        SQLite: "select name from sqlite_master where name = 'mine'",
        PostgreSQL: "select indexname as name from pg_indexes where indexname = 'mine'",
        MySQL: "select index_name as name from information_schema.statistics where index_name = 'mine' limit 1",
      }
      expect(await run(db, [], indexes[name])).toEqual([{ name: 'mine' }])
    })

    it('to change a table that it did not create, until adopting it is allowed', async () => {
      await using db = await open()
      await run(db, [], `create table notes (id ${id} primary key not null, a ${text} not null, old ${text})`)
      await db.sql`insert into notes (id, a) values (1, 'x')`
      const after = notes('a?: string')
      await expect(db.sync(after)).rejects.toThrow('sync did not create this table and does not change it')
      const { kept } = await db.planSync(after, { allow: ['adopt notes'] })
      expect(kept).toMatchObject([{ kind: 'column', consent: 'drop notes.old' }])
      const done = await syncWhole(db, after, { allow: ['adopt notes', 'drop notes.old'] })
      expect(done[0]).toBe('data: adopt table notes')
      expect(await db.sql`select * from notes`).toEqual([{ id: 1, a: 'x' }])
      await syncWhole(db, notes('a?: string', 'b?: string'))
    })

    it('no table that it did not create and that matches its declaration', async () => {
      await using db = await open()
      await run(db, [], `create table notes (id ${id} primary key not null)`)
      expect((await db.sync(notes())).steps).toEqual([])
    })

    it('an undeclared required column that it did not create', async () => {
      await using db = await open()
      await db.sync(notes('a?: string'))
      await db.sql`drop table notes`
      await run(db, [], `create table notes (id ${id} primary key not null, a ${text}, theirs text not null)`)
      await expect(db.sync(notes('a?: string'))).rejects.toThrow(
        'column `theirs` is not declared, was not created by sync',
      )
    })

    it('no table that looks renamed, but gives a hint', async () => {
      await using db = await open()
      await db.sync(notes('a: string'))
      const renamed = (annotation: string) =>
        models(`@db.table 'memos' ${annotation} export interface Note { @meta.id id: number\n a: string }`)
      const plan = await db.planSync(renamed(''))
      const hint = "did you mean `@db.table.renamed 'notes'` on `Note`?"
      expect(plan).toMatchObject({ steps: [{ kind: 'createTable', hint }], leftovers: ['notes'] })
      expect(printPlan(plan)).toContain(`create table memos (${hint})\n`)
      expect((await db.planSync(renamed("@db.table.renamed 'notes'"))).steps).toMatchObject([{ kind: 'renameTable' }])
    })

    it('to create an empty table if its interface had another table with rows', async () => {
      await using db = await open()
      const note = (name: string, fields: string) =>
        models(`@db.table '${name}' export interface Note { @meta.id id: number\n ${fields} }`)
      await db.sync(note('notes', 'a: string'))
      await db.sql`insert into notes (id, a) values (1, 'x')`
      const memos = note('memos', 'a: string\n b?: string')
      await expect(db.sync(memos)).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message:
          "table `memos`: cannot create table memos without consent: allow 'create memos' (1 row would stay in `notes`: did you mean `@db.table.renamed 'notes'` on `Note`?)",
      })
      expect((await db.planSync(memos)).steps).toMatchObject([{ class: 'destructive', isAllowed: false }])
      // Another program may use that name for something else, or another name for the same.
      const [other] = (await db.planSync(note('memos', 'b: string'))).steps
      expect(other).toMatchObject({ isAllowed: true, hint: "did you mean `@db.table.renamed 'notes'` on `Note`?" })
      const same = "@db.table 'memos' export interface Memo { @meta.id id: number\n a: string }"
      const [renamed] = (await db.planSync(models(same))).steps
      expect(renamed).toMatchObject({ isAllowed: true, hint: "did you mean `@db.table.renamed 'notes'` on `Memo`?" })
      const more = "@db.table 'memos' export interface Memo { @meta.id id: number\n a: string\n b?: string }"
      expect((await db.planSync(models(more))).steps[0]).not.toHaveProperty('hint')
      await syncWhole(db, memos, { allow: ['create memos'] })
      expect(await db.sql`select a from notes`).toEqual([{ a: 'x' }])
    })

    it('to require a column with NULLs and no default, without asking for a useless consent', async () => {
      await using db = await open()
      await db.sync(notes('a?: string', 'b?: string'))
      await db.sql`insert into notes (id) values (1)`
      const { steps, problems } = await db.planSync(notes('a: string', 'b?: string'))
      expect(steps).toMatchObject([{ kind: 'requireColumn', isAllowed: true, precheck: [{ kind: 'nulls', found: 1 }] }])
      expect(problems).toMatchObject([{ message: expect.stringContaining('NULL in 1 of 1 row') }])
      const dropped = await db.planSync(notes('a?: string'))
      expect(printPlan(dropped)).toBe("column notes.b is no longer declared: allow 'drop notes.b' to drop it")
      const allowed = await db.planSync(notes('a?: string'), { allow: ['drop notes.b'] })
      expect(printPlan(allowed)).toContain('loses no value')
    })

    it('and describes how a foreign key differs', async () => {
      await using db = await open()
      const linked = (action: string) =>
        models(`@db.table 'teams' export interface Team { @meta.id id: number }
@db.table 'people' export interface Person { @meta.id id: number\n @db.rel.FK ${action} teamId: Team.id }`)
      await db.sync(linked(''))
      const { steps } = await db.planSync(linked("@db.rel.onDelete 'cascade'"))
      expect(steps.map((it) => it.description)).toEqual([
        expect.stringMatching(/^drop foreign key [^,]*$/),
        'add foreign key from people (teamId) to teams, on delete cascade',
      ])
    })

    it('to drop a table that it did not create, and leaves undeclared tables alone', async () => {
      await using db = await open()
      await db.sync(notes('a: string'))
      await db.sql`create table strange (id integer)`
      const plan = await db.planSync([], { allow: ['drop strange'] })
      expect(plan).toMatchObject({ steps: [], problems: [], kept: [{ name: 'notes' }], leftovers: ['notes'] })
      expect((await db.sync([], { allow: ['drop notes'] })).steps).toMatchObject([
        { kind: 'dropTable', consent: 'drop notes' },
      ])
      expect(await db.planSync([])).toEqual({ steps: [], problems: [], warnings: [], kept: [], leftovers: [] })
    })
  })
})
