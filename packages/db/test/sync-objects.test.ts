/** Optional objects, which are stored in columns: sync creates, hides or breaks none without consent. */
import type { Database } from '@portico/db'
import { compile } from '@portico/schema'
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { tableOf } from './support/statements.ts'
import { notes, onEachEngine } from './support/sync.ts'

type Fields = Record<string, unknown>

interface Case {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly rows: readonly Fields[]
  /** Part of the refusal, if it is refused. */
  readonly refused?: string
  readonly allow?: readonly string[]
  readonly found?: readonly Fields[]
}

const cases: readonly Case[] = [
  {
    name: 'fills a default only in rows that have the object',
    before: 'o?: { b: string }',
    after: "o?: { @db.default 'n' a: string\n b: string }",
    rows: [{ id: 1, o: { b: 'x' } }, { id: 2 }],
    found: [{ id: 1, o: { a: 'n', b: 'x' } }, { id: 2 }],
  },
  {
    name: 'refuses another required leaf that is empty, which would hide the object',
    before: 'o?: { a: string\n b?: string }',
    after: 'o?: { a?: string\n b: string }',
    rows: [{ id: 1, o: { a: 'x' } }],
    refused: 'column `o__b` is required in `o`, but NULL in 1 row',
  },
  {
    name: 'accepts another required leaf that has values everywhere',
    before: 'o?: { a: string\n b?: string }',
    after: 'o?: { a?: string\n b: string }',
    rows: [{ id: 1, o: { a: 'x', b: 'y' } }, { id: 2 }],
    found: [{ id: 1, o: { a: 'x', b: 'y' } }, { id: 2 }],
  },
  {
    name: 'refuses to require a leaf that is NULL in an existing object',
    before: 'o?: { a: string\n b?: string }',
    after: 'o?: { a: string\n b: string }',
    rows: [{ id: 1, o: { a: 'x' } }],
    refused: 'but NULL in 1 row',
  },
  {
    name: 'refuses to require a leaf that was nullable before',
    before: 'o?: { a: string\n b: string | null }',
    after: 'o?: { a: string\n b: string }',
    rows: [{ id: 1, o: { a: 'x', b: null } }],
    refused: 'but NULL in 1 row',
  },
  {
    name: 'requires a leaf with its default only with consent, and only in rows that have the object',
    before: 'o?: { a: string\n b?: string }',
    after: "o?: { a: string\n @db.default 'n' b: string }",
    rows: [{ id: 1, o: { a: 'x' } }, { id: 2 }],
    refused: "allow 'require notes.o__b'",
    allow: ['require notes.o__b'],
    found: [{ id: 1, o: { a: 'x', b: 'n' } }, { id: 2 }],
  },
  {
    name: 'refuses to lose an object together with the leaf that marks its presence',
    before: 'o?: { a: string\n b: string | null }',
    after: 'o?: { b: string }',
    rows: [{ id: 1, o: { a: 'x', b: null } }],
    refused: 'but NULL in 1 row',
    allow: ['drop notes.o__a'],
  },
  {
    name: 'refuses an object that becomes optional and requires a new leaf',
    before: 'o: { c?: string[]\n d?: decimal }',
    after: 'o?: { e: string\n c?: string[]\n d?: decimal }',
    rows: [{ id: 1, o: { c: [], d: '2' } }],
    refused: 'column `o__e` is required in `o` and has no default, but 1 row has that object',
  },
  {
    name: 'refuses a required leaf without a default',
    before: 'o?: { a: string }',
    after: 'o?: { a: string\n b: string }',
    rows: [{ id: 1, o: { a: 'x' } }],
    refused: 'is required in `o` and has no default',
  },
  {
    name: 'accepts a required leaf if no row has the object',
    before: 'o?: { a: string }',
    after: 'o?: { a: string\n b: string }',
    rows: [{ id: 1 }],
    found: [{ id: 1 }],
  },
  {
    name: 'asks before it creates an empty object in rows without it',
    before: 'o?: { a: string\n b?: string }',
    after: 'o: { a?: string\n b?: string }',
    rows: [{ id: 1 }, { id: 2, o: { a: 'x' } }],
    refused: "allow 'convert notes.o'",
    allow: ['convert notes.o'],
    found: [
      { id: 1, o: {} },
      { id: 2, o: { a: 'x' } },
    ],
  },
  {
    name: 'handles nested objects',
    before: 'o?: { x: string\n p?: { a: string } }',
    after: "o?: { x: string\n p?: { a: string\n @db.default 'n' b: string } }",
    rows: [{ id: 1, o: { x: 'x', p: { a: 'y' } } }, { id: 2, o: { x: 'x' } }, { id: 3 }],
    found: [{ id: 1, o: { x: 'x', p: { a: 'y', b: 'n' } } }, { id: 2, o: { x: 'x' } }, { id: 3 }],
  },
  {
    name: 'follows a renamed object',
    before: 'o?: { b: string }',
    after: "@db.column.renamed 'o'\n q?: { @db.default 'n' a: string\n b: string }",
    rows: [{ id: 1, o: { b: 'x' } }, { id: 2 }],
    found: [{ id: 1, q: { a: 'n', b: 'x' } }, { id: 2 }],
  },
  {
    name: 'recognizes the object by a leaf that is dropped in the same sync',
    before: 'o?: { p: string\n b?: string }',
    after: "o?: { @db.default 'n' a: string\n b?: string }",
    rows: [{ id: 1, o: { p: 'x', b: 'y' } }, { id: 2 }],
    allow: ['drop notes.o__p', 'add notes.o__a'],
    found: [{ id: 1, o: { a: 'n', b: 'y' } }, { id: 2 }],
  },
]

/** The records of a table, ordered by key. */
async function read(db: Database, model: readonly TableModel[]): Promise<unknown> {
  return db.table(tableOf(model[0]!)).findMany({ orderBy: { id: 'asc' } as never })
}

describe('an optional object', () => {
  onEachEngine(({ open }) => {
    it.each(cases)('$name', async ({ before, after, rows, refused, allow = [], found }) => {
      await using db = await open()
      await db.sync(notes(before))
      await db.table(tableOf(notes(before)[0]!)).insertMany(rows as never)
      const stored = await read(db, notes(before))
      if (refused !== undefined) {
        await expect(db.sync(notes(after), { allow: found ? [] : allow })).rejects.toThrow(refused)
        expect(await read(db, notes(before))).toEqual(stored)
      }
      if (!found) return
      await db.sync(notes(after), { allow })
      expect(await read(db, notes(after))).toEqual(found)
      expect(await db.planSync(notes(after))).toMatchObject({ steps: [], problems: [] })
      expect((await db.sync(notes(after))).steps).toEqual([])
    })

    it('is not created by the default of a leaf that an older program does not know', async () => {
      await using db = await open()
      await db.sync(notes("o?: { @db.default 'n' a: string\n b: string }"))
      await db.table(tableOf(notes()[0]!)).insertMany([{ id: 1 }])
      expect(await read(db, notes("o?: { @db.default 'n' a: string\n b: string }"))).toEqual([{ id: 1 }])
    })
  })

  it('has leaves that the compiler marks as nullable', () => {
    const { models } = compile([
      {
        path: 'a.portico',
        text: "@db.table 'n'\nexport interface N { @meta.id id: number\n o?: { a: string\n b: string | null } }",
      },
    ])
    const columns = models[0]!.declarations[0]!.table!.columns
    expect(columns.map((it) => [it.name, it.allowsNull])).toEqual([
      ['id', undefined],
      ['o__a', undefined],
      ['o__b', true],
    ])
  })
})
