/** Sync and the values of existing rows. */
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { tableOf } from './support/statements.ts'
import { models, notes, onEachEngine, onEachSqlEngine, run, syncWhole } from './support/sync.ts'

const of = (fields: string): TableModel[] => notes(fields)

describe('sync and existing rows', () => {
  onEachEngine(({ open, name }) => {
    const stored = async (before: readonly TableModel[], ...rows: Record<string, unknown>[]) => {
      const db = await open()
      await db.sync(before)
      await db.table(tableOf(before[0]!)).insertMany(rows)
      return db
    }

    it.each(['number.int', 'number.timestamp'])('refuses a %s if a number has a fraction', async (type) => {
      await using db = await stored(of('a: number'), { id: 1, a: 1 }, { id: 2, a: 1.5 })
      await expect(db.sync(of(`a: ${type}`))).rejects.toThrow(
        'column `a` is declared as an integer, but has 1 value with a fraction',
      )
      await db.table(tableOf(of('a: number')[0]!)).updateOne({ id: 2, a: 2 } as never)
      expect(await syncWhole(db, of(`a: ${type}`))).toEqual([])
      expect(await db.table(tableOf(of(`a: ${type}`)[0]!)).findMany({ orderBy: { id: 'asc' } as never })).toEqual([
        { id: 1, a: 1 },
        { id: 2, a: 2 },
      ])
    })

    it('refuses integers if text or decimals have a fraction', async () => {
      await using db = await stored(of('a: string\n b: decimal'), { id: 1, a: '1.5', b: '2.5' })
      const refused = db.sync(of('a: number.int\n b: number.int'), { allow: ['narrow notes.a', 'narrow notes.b'] })
      const error = await refused.then(
        () => undefined,
        (it: Error) => it.message,
      )
      expect(error).toContain('column `a` is declared as an integer, but has 1 value with a fraction')
      expect(error).toContain('column `b` is declared as an integer, but has 1 value with a fraction')
    })

    it('reads the other rows of a table in which a number has a fraction', async () => {
      await using db = await stored(of('a: number'), { id: 1, a: 1.5 })
      const read = db.table(tableOf(of('a: number.int')[0]!)).findMany()
      await expect(read).rejects.toThrow('holds a number that is not whole')
    })

    it.each([
      ['another list of values', "a: 'x' | 'y' | 'z'", "a: 'x' | 'y'", ['x', 'z', 'z'], 2],
      ['an e-mail', 'a: string', 'a: string.email', ['a@example.com', 'b'], 1],
      ['a pattern', 'a: string', "@expect.pattern '^[a-z]+$'\n a: string", ['abc', 'ABC'], 1],
      ['a length', 'a: string', '@expect.maxLength 2\n a: string', ['ab', 'abc'], 1],
      ['bounds', 'a: number', '@expect.min 2\n a: number', [1, 2], 1],
      ['elements', 'a: string[]', 'a: number[]', [['x'], []], 1],
    ])('counts rows that no longer fit, and goes on: %s', async (_, before, after, values, count) => {
      const rows = (values as unknown[]).map((a, index) => ({ id: index + 1, a }))
      await using db = await stored(of(before), ...rows)
      const { warnings, problems, steps } = await db.planSync(of(after))
      expect({ problems, steps }).toEqual({ problems: [], steps: [] })
      expect(warnings).toMatchObject([{ table: 'notes', column: 'a', rows: count }])
      expect(await syncWhole(db, of(after))).toEqual([])
      // Recorded, so that the next start does not check again.
      expect((await db.planSync(of(after))).warnings).toEqual([])
    })

    it('converts text to an array only if it is one, with the right elements', async () => {
      const texts = ['["x"]', '[]', '1', '{"x":1}', 'true', 'x', '[1]', 'null']
      await using db = await stored(of('a?: string'), ...texts.map((a, index) => ({ id: index + 1, a })))
      const allow = ['narrow notes.a']
      const { problems } = await db.planSync(of('a?: string[]'), { allow })
      expect(problems).toMatchObject([{ message: expect.stringContaining('column `a` has 6 values') }])
      await expect(db.sync(of('a?: string[]'), { allow })).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      const table = db.table(tableOf(of('a?: string')[0]!))
      await table.deleteMany({ id: { $gt: 2 } } as never)
      await syncWhole(db, of('a?: string[]'), { allow })
      const found = await db.table(tableOf(of('a?: string[]')[0]!)).findMany({ orderBy: { id: 'asc' } as never })
      expect(found).toEqual([
        { id: 1, a: ['x'] },
        { id: 2, a: [] },
      ])
    })

    it('finds orphans among values that are converted to the type of the key', async () => {
      const teams = "@db.table 'teams' export interface Team { @meta.id id: number }"
      const note = (field: string) =>
        models(`${teams}\n@db.table 'notes' export interface Note { @meta.id id: number\n ${field} }`)
      await using db = await open()
      await db.sync(note('a?: number'))
      await db.table(tableOf(note('a?: number')[0]!)).insertOne({ id: 1 })
      const table = db.table(tableOf(note('a?: number')[1]!))
      await table.insertMany([{ id: 1, a: 1 }, { id: 2, a: 9 }, { id: 3 }])
      const allow = ['narrow notes.a']
      const { problems } = await db.planSync(note('@db.rel.FK\n a?: Team.id'), { allow })
      expect(problems).toMatchObject([{ message: expect.stringContaining('1 row refers to a missing row of `teams`') }])
      await expect(db.sync(note('@db.rel.FK\n a?: Team.id'), { allow })).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      // Nothing was changed.
      expect((await db.planSync(note('a?: number'))).steps).toEqual([])
      await table.deleteOne({ id: 2 } as never)
      await syncWhole(db, note('@db.rel.FK\n a?: Team.id'), { allow })
    })

    it('fills required times and UUIDs of existing rows', async () => {
      await using db = await stored(of('a: string'), { id: 1, a: 'x' }, { id: 2, a: 'y' })
      const after = of(
        'a: string\n createdAt: number.timestamp.created\n updatedAt: number.timestamp.updated\n @db.default.now\n seen: number.timestamp\n @db.default.uuid\n @db.index.unique\n code: string',
      )
      const start = Date.now()
      const steps = await syncWhole(db, after)
      expect(steps.filter((it) => it.includes('code')).join()).toContain('existing rows get a UUID each')
      expect(steps.join()).toContain('existing rows get the time of the sync')
      const rows = await db.table(tableOf(after[0]!)).findMany({ orderBy: { id: 'asc' } as never })
      for (const row of rows) {
        for (const stamp of ['createdAt', 'updatedAt', 'seen']) expect(row[stamp]).toBeGreaterThanOrEqual(start)
        expect(row['code']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }
      expect(new Set(rows.map((it) => it['code'])).size).toBe(2)
      expect(rows.map((it) => it['a'])).toEqual(['x', 'y'])
    })

    it('finds duplicates that a default would create in a unique index', async () => {
      await using db = await stored(of('a?: string'), { id: 1 }, { id: 2 }, { id: 3, a: 'x' })
      const allow = ['require notes.a']
      const after = of("@db.default 'n'\n @db.index.unique\n a: string")
      const { problems } = await db.planSync(after, { allow })
      expect(problems.map((it) => it.message).join()).toContain('the unique index `notes__a`')
      await expect(db.sync(after, { allow })).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      expect((await db.planSync(of('a?: string'))).steps).toEqual([])
    })

    it('asks about a table that looks renamed and has other changes', async () => {
      const note = (table: string, fields: string) =>
        models(`@db.table '${table}' export interface Note { @meta.id id: number\n ${fields} }`)
      await using db = await stored(note('notes', 'a: string\n b?: string'), { id: 1, a: 'x' })
      const memos = note('memos', "a: string\n @db.column.renamed 'b'\n c?: string\n d?: number")
      await expect(db.sync(memos)).rejects.toThrow("allow 'create memos' (1 row would stay in `notes`")
      const [step] = (await db.planSync(note('memos', 'a: string'))).steps
      expect(step).toMatchObject({ isAllowed: false, suspected: 'rename' })
      await syncWhole(db, memos, { allow: ['create memos'] })
      if (name === 'MongoDB') return
      expect(await run(db, 'select a from notes')).toEqual([{ a: 'x' }])
    })

    it('asks about an interface of another name that has most columns of an undeclared table', async () => {
      const other = "@db.table 'tags' export interface Tag { @meta.id id: number }"
      const note = (names: string, fields: string) =>
        models(`${other}\n@db.table '${names}s' export interface ${names} { @meta.id id: number\n ${fields} }`)
      await using db = await open()
      await db.sync(note('Note', 'a: string\n b: string\n c?: string'))
      await db
        .table(tableOf(note('Note', 'a: string\n b: string\n c?: string')[1]!))
        .insertOne({ id: 1, a: 'x', b: 'y' })
      const [step] = (await db.planSync(note('Memo', 'a: string\n b: string\n d?: string'))).steps
      expect(step).toMatchObject({ kind: 'createTable', consent: 'create Memos', isAllowed: false })
      const [unlike] = (await db.planSync(note('Memo', 'a: string\n x: string\n y?: string'))).steps
      expect(unlike).toMatchObject({ kind: 'createTable', isAllowed: true })
    })

    it('lets two programs use the same interface name', async () => {
      const user = (table: string, more: string) =>
        models(
          `@db.table '${table}' export interface User { @meta.id id: number\n email: string }\n@db.table '${more}s' export interface ${more} { @meta.id id: number }\n@db.table '${more}2s' export interface ${more}2 { @meta.id id: number }`,
        )
      await using db = await open()
      await db.sync(user('users', 'Order'))
      await db.table(tableOf(user('users', 'Order')[0]!)).insertOne({ id: 1, email: 'x' })
      await syncWhole(db, user('members', 'Letter'))
      await syncWhole(db, user('users', 'Order'))
    })

    it('asks about a renamed column only if it has values, and only once', async () => {
      await using db = await stored(of('a?: string\n x?: number'), { id: 1, a: 'v' })
      const after = of('b?: string\n x?: number')
      await expect(db.sync(after)).rejects.toThrow("allow 'add notes.b' (did you mean `@db.column.renamed 'a'` on `b`")
      expect((await db.planSync(after)).steps).toMatchObject([{ suspected: 'rename', consent: 'add notes.b' }])
      expect((await db.planSync(of('a?: string\n y?: number'))).steps).toMatchObject([{ isAllowed: true }])
      await syncWhole(db, after, { allow: ['add notes.b'] })
      // A column that was kept before is not asked about again.
      await syncWhole(db, of('b?: string\n x?: number\n c?: string'))
    })
  })

  onEachSqlEngine(({ open, name }) => {
    it.skipIf(name === 'SQLite')('accepts a JSON column with a quote in its name', async () => {
      await using db = await open()
      await syncWhole(
        db,
        models(`@db.table 'q' export interface Q { @meta.id id: number\n @db.column 'a"b'\n a: string[] }`),
      )
    })
  })
})
