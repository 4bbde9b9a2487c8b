/** Documents that a sync on MongoDB must not lose or change, read through the driver. */
import { type Database, openDatabase, type SyncOptions } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import type { TableModel } from '@portico/schema/model'
import { type Db, type Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { hasMongo, useRawMongo } from './support/mongo-databases.ts'
import { hookWrites, type Write } from './support/mongo-hooks.ts'
import { runStatement, tableOf } from './support/statements.ts'
import { models, notes, syncWhole } from './support/sync.ts'

describe.skipIf(!hasMongo)('a sync on MongoDB keeps', () => {
  const createRaw = useRawMongo()

  interface Opened extends AsyncDisposable {
    readonly db: Database
    readonly raw: Db
    /** Runs ahead of each write. */
    onWrite: (write: Write) => unknown
    documents(collection?: string): Promise<Document[]>
    insert(...documents: Document[]): Promise<void>
  }

  async function open(tables: readonly TableModel[] = []): Promise<Opened> {
    const raw = createRaw()
    const hooked = hookWrites(raw, (write) => opened.onWrite(write))
    const db = await openDatabase(mongo({ db: hooked }))
    const opened: Opened = {
      db,
      raw,
      onWrite: () => {},
      documents: (collection = 'notes') => raw.collection(collection).find().sort({ _id: 1 }).toArray(),
      insert: async (...documents) => void (await raw.collection('notes').insertMany(documents)),
      [Symbol.asyncDispose]: () => db.close(),
    }
    await db.sync(tables)
    return opened
  }

  const narrow: SyncOptions = { allow: ['narrow notes.a', 'convert notes.a'] }
  const unique = (type: string) => notes(`@db.index.unique\n a?: ${type}`)

  describe('values', () => {
    it.each([
      ['zeros in front', 'string', '007', 'number'],
      ['zeros in front', 'string', '007', 'decimal'],
      ['zeros at the end that nobody declared', 'string', '1.10', 'number'],
      ['zeros at the end that nobody declared', 'string', '1.10', 'decimal'],
      ['a sign of zero', 'string', '-0', 'number'],
      ['more digits than a number has', 'string', '0.1234567890123456789', 'number'],
      ['text among numbers', 'number', 'abc', 'string'],
      ['a number among booleans', 'boolean', 2, 'string'],
      ['a value that is not a number', 'number', Number.NaN, 'string'],
      ['text among decimals', 'decimal', 'x', 'string'],
      ['text that is not JSON', 'string', '{', 'string[]'],
      ['text that is other JSON', 'string', '{}', 'string[]'],
    ])('with %s, by refusing: %s %j as %s', async (_, before, value, after) => {
      await using opened = await open(notes(`a?: ${before}`))
      await opened.insert({ _id: 1, a: value }, { _id: 2 })
      const refused = opened.db.sync(notes(`a?: ${after}`), narrow)
      await expect(refused).rejects.toThrow('has 1 value that cannot be kept exactly')
      expect(await opened.documents()).toEqual([{ _id: 1, a: value }, { _id: 2 }])
    })

    it.each([
      ['number', 9007199254740991, 'decimal', '9007199254740991'],
      ['number', 12345678.12345678, 'decimal', '12345678.12345678'],
      ['number', 1e21, 'string', '1000000000000000000000'],
      ['string', '1.5', 'number', 1.5],
      ['string', '-7', 'number', -7],
      ['decimal', '0.0000001', 'string', '0.0000001'],
      ['decimal', '20', 'number', 20],
      ['decimal', '1', 'boolean', true],
      ['boolean', false, 'decimal', '0'],
      ['boolean', true, 'string', 'true'],
      ['string', 'false', 'boolean', false],
      ['string', '["x"]', 'string[]', ['x']],
      ['string[]', ['x'], 'string', '["x"]'],
    ])('exactly: %s %j as %s', async (before, value, after, converted) => {
      await using opened = await open(notes(`a?: ${before}`))
      await opened.insert({ _id: 1, a: value }, { _id: 2 })
      await syncWhole(opened.db, notes(`a?: ${after}`), narrow)
      expect(await opened.documents()).toEqual([{ _id: 1, a: converted }, { _id: 2 }])
    })

    it('arrays that contain null, which are not absent', async () => {
      await using opened = await open(notes('a?: string[]', 'b?: string[]', 'c?: string[]'))
      await opened.insert({ _id: 1, a: [null], b: [null], c: [null] }, { _id: 2, b: [] })
      const after = notes('a?: string', 'b: string[]')
      const { steps } = await opened.db.planSync(after, { allow: ['convert notes.a', 'drop notes.c'] })
      expect(steps.at(-1)).toMatchObject({ kind: 'dropColumn', touches: { values: 1 } })
      await syncWhole(opened.db, after, { allow: ['convert notes.a', 'drop notes.c'] })
      const kept = { _id: 1, a: '[null]', b: [null] }
      expect(await opened.documents()).toEqual([kept, { _id: 2, b: [] }])
      const preset = notes('a?: string', 'b: string[]', 'd?: string[]')
      await syncWhole(opened.db, preset)
      await opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $set: { d: [null] } })
      await syncWhole(opened.db, withDefault(preset, 'd', ['x']), { allow: ['require notes.d'] })
      expect(await opened.documents()).toEqual([
        { ...kept, d: [null] },
        { _id: 2, b: [], d: ['x'] },
      ])
    })

    it('that the driver reads as DBRef, when they become text or move with their records', async () => {
      const value = { $ref: 'a.b', $id: 1, $db: 'c' }
      const keyed = (a: string, b: string, type: string) =>
        models(`@db.table 'notes' export interface Note { ${a} a: number\n ${b} b: number\n @db.json j: ${type} }`)
      await using opened = await open(keyed('@meta.id', '', '{ x?: string }'))
      await opened.insert({ _id: 1, b: 2, j: value, theirs: [value] })
      await syncWhole(opened.db, keyed('', '@meta.id', '{ x?: string }'), { allow: ['rekey notes', 'narrow notes.b'] })
      const stored = await opened.raw.collection('notes').find({}, { raw: true }).toArray()
      for (const text of ['a.b', '$db'])
        expect(
          Buffer.from(stored[0] as never)
            .toString()
            .split(text),
        ).toHaveLength(3)
      const text = models(
        "@db.table 'notes' export interface Note { @db.column 'a' a: number\n @meta.id b: number\n j: string }",
      )
      await syncWhole(opened.db, text, { allow: ['convert notes.j'] })
      expect((await opened.documents())[0]!['j']).toBe(JSON.stringify(value))
    })

    it('that no update changes, by refusing instead of looping forever', async () => {
      await using opened = await open(notes('@db.json\n a?: { x?: string }'))
      // JavaScript lists such names by their size, so that the value is not equal to what is stored.
      const value = new Map([
        ['2', 'x'],
        ['1', 'y'],
      ])
      await opened.insert({ _id: 1, a: value })
      await expect(opened.db.sync(notes('a?: string'), narrow)).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringContaining('values that no update changes'),
      })
      expect(await opened.documents()).toEqual([{ _id: 1, a: { 1: 'y', 2: 'x' } }])
    })

    it('by refusing one that was written after the check: nothing is changed', async () => {
      await using opened = await open(unique('string'))
      await opened.insert({ _id: 1, a: '1' }, { _id: 2, a: '2' })
      opened.onWrite = async ({ method, collection }) => {
        if (method !== 'bulkWrite' || collection !== 'notes') return
        opened.onWrite = () => {}
        await opened.insert({ _id: 3, a: 'x' })
      }
      await expect(opened.db.sync(unique('number'), narrow)).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringContaining('`a` has a value that cannot be kept exactly'),
      })
      const kept = ['1', '2', 'x'].map((a, index) => ({ _id: index + 1, a }))
      expect(await opened.documents()).toEqual(kept)
      expect((await opened.db.planSync(unique('string'))).steps).toEqual([])
      await opened.raw.collection('notes').deleteOne({ _id: 3 as never })
      await syncWhole(opened.db, unique('number'), narrow)
    })

    it('of a key, by refusing one that was written after the check: no copy is left', async () => {
      const keyed = (type: string) => models(`@db.table 'notes' export interface Note { @meta.id id: ${type} }`)
      await using opened = await open(keyed('string'))
      await opened.insert({ _id: '1' })
      opened.onWrite = async ({ method, collection }) => {
        if (method !== 'createCollection' || !collection.includes('notes')) return
        await opened.insert({ _id: 'x' })
      }
      await expect(opened.db.sync(keyed('number'), { allow: ['narrow notes.id'] })).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
      })
      expect(await opened.documents()).toEqual([{ _id: '1' }, { _id: 'x' }])
      const names = (await opened.raw.listCollections().toArray()).map((it) => it.name)
      expect(names.filter((it) => it.includes('notes'))).toEqual(['notes'])
      expect((await opened.db.planSync(keyed('string'))).steps).toEqual([])
    })

    it('of other columns, by refusing duplicates that were written after the check', async () => {
      const keyed = (a: string, b: string) =>
        models(`@db.table 'notes' export interface Note { ${a} a: number\n ${b} b: number }`)
      await using opened = await open(keyed('@meta.id', ''))
      await opened.insert({ _id: 1, b: 1 })
      opened.onWrite = async ({ method }) => {
        if (method !== 'createCollection') return
        await opened.insert({ _id: 2, b: 1 })
      }
      const allow = ['rekey notes', 'narrow notes.b']
      const rekeyed = opened.db.sync(keyed('', '@meta.id'), { allow })
      await expect(rekeyed).rejects.toThrow(
        'cannot create the primary key: some rows duplicate the values of another row',
      )
      expect(await opened.documents()).toEqual([
        { _id: 1, b: 1 },
        { _id: 2, b: 1 },
      ])
      opened.onWrite = () => {}
      expect((await opened.db.planSync(keyed('@meta.id', ''))).steps).toEqual([])
      await opened.raw.collection('notes').deleteOne({ _id: 2 as never })
      await syncWhole(opened.db, keyed('', '@meta.id'), { allow })
    })

    it('that change while others are converted', async () => {
      await using opened = await open(notes('a?: string'))
      await opened.insert({ _id: 1, a: '1' }, { _id: 2, a: '2' }, { _id: 3, a: '3' })
      let conversions = 0
      opened.onWrite = async ({ method }) => {
        if (method !== 'bulkWrite' || ++conversions < 2) return
        opened.onWrite = () => {}
        await opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $set: { a: '10' } })
        await opened.raw.collection('notes').updateOne({ _id: 2 as never }, { $unset: { a: '' } })
      }
      await syncWhole(opened.db, notes('a?: number'), narrow)
      expect(await opened.documents()).toEqual([{ _id: 1, a: 10 }, { _id: 2 }, { _id: 3, a: 3 }])
    })

    it('that change to ones that do not fit while others are converted, until they fit', async () => {
      await using opened = await open(notes('a?: string'))
      await opened.insert({ _id: 1, a: '1' }, { _id: 2, a: '2' })
      const store = (a: string) => opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $set: { a } })
      let conversions = 0
      opened.onWrite = async ({ method, collection }) => {
        // When everything is prepared, and is written down to be so.
        if (method === 'bulkWrite') conversions += 1
        if (conversions === 1 && collection === 'portico__catalog') await store('x')
      }
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(opened.db.sync(notes('a?: number'), narrow)).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
        expect((await opened.documents())[0]).toMatchObject({ a: 'x' })
        opened.onWrite = () => {}
      }
      await store('7')
      await syncWhole(opened.db, notes('a?: number'), narrow)
      expect(await opened.documents()).toEqual([
        { _id: 1, a: 7 },
        { _id: 2, a: 2 },
      ])
    })

    it('that would become equal in a unique index, by refusing', async () => {
      await using opened = await open(unique('string'))
      await opened.insert({ _id: 1, a: '1.5' }, { _id: 2, a: '1.50' })
      const after = notes('@db.index.unique\n @db.column.precision 5, 2\n a?: decimal')
      await expect(opened.db.sync(after, narrow)).rejects.toThrow('would become equal')
      expect(await opened.documents()).toEqual([
        { _id: 1, a: '1.5' },
        { _id: 2, a: '1.50' },
      ])
    })

    it('a decimal that no longer fits, even if it was written after the check', async () => {
      const sums = (precision: string) => notes(`@db.column.precision ${precision}\n a?: decimal`)
      await using opened = await open(sums('8, 2'))
      await opened.insert({ _id: 1, a: '1.00' })
      opened.onWrite = async ({ collection }) => {
        if (collection !== 'portico__journal') return
        opened.onWrite = () => {}
        await opened.insert({ _id: 2, a: '12345.00' })
      }
      await expect(opened.db.sync(sums('5, 2'), narrow)).rejects.toMatchObject({ code: 'SYNC_REFUSED' })
      expect((await opened.db.planSync(sums('8, 2'))).steps).toEqual([])
    })
  })

  describe('values that trade places with objects', () => {
    const renamed = (name: string, former: string) =>
      notes(`@db.column '${name}'\n @db.column.renamed '${former}'\n lid?: string`)
    const both = notes('box?: { lid: string }', "@db.column 'box'\n plain?: string")
    const boxed = notes('box?: { lid: string }')
    const allow = ['drop notes.box', 'drop notes.box__lid']
    const inside = { box: { lid: 'x' } }

    it.each([
      [
        'one moves into an object of its own name',
        notes('box?: string'),
        renamed('box__lid', 'box'),
        { box: 'x' },
        inside,
      ],
      ['one takes the place of the object around it', boxed, renamed('box', 'box__lid'), inside, { box: 'x' }],
      ['one comes where an object is', boxed, both, inside, { box__lid: 'x' }],
      ['the one that blocks it is dropped', both, boxed, { box: 'y', box__lid: 'x' }, inside],
      [
        'an object replaces one',
        notes('box: string'),
        notes("box: { @db.default 'y'\n lid: string }"),
        { box: 'x' },
        { box: { lid: 'y' } },
      ],
      [
        'one replaces an object',
        notes('box: { lid: string }'),
        notes("@db.default 'y'\n box: string"),
        inside,
        { box: 'y' },
      ],
    ])('%s', async (_, before, after, stored, kept) => {
      await using opened = await open(before)
      await opened.insert({ _id: 1, ...stored, theirs: 1 })
      await syncWhole(opened.db, after, { allow })
      expect(await opened.documents()).toEqual([{ _id: 1, ...kept, theirs: 1 }])
    })

    it.each([['text'], [null], [[{}]]])('not inside an existing non-object: %j', async (theirs) => {
      await using opened = await open(notes('city?: string'))
      const stored = [
        { _id: 1, city: 'Bern', address: theirs },
        { _id: 2, city: 'Genf', address: { zip: 1200 } },
      ]
      await opened.insert(...stored)
      const after = notes("@db.column 'address__city'\n @db.column.renamed 'city'\n city?: string")
      await expect(opened.db.sync(after)).rejects.toThrow('`address` is not an object in some documents')
      expect(await opened.documents()).toEqual(stored)
      await opened.raw.collection('notes').updateOne({ _id: 1 as never }, { $unset: { address: '' } })
      await syncWhole(opened.db, after)
      expect(await opened.documents()).toEqual([
        { _id: 1, address: { city: 'Bern' } },
        { _id: 2, address: { zip: 1200, city: 'Genf' } },
      ])
    })
  })

  describe('references, by refusing orphans', () => {
    const text = (teams: string, fields: string) =>
      models(`${teams}\n@db.table 'notes' export interface Note { @meta.id id: number\n ${fields} }`)
    const teams = "@db.table 'teams' export interface Team { @meta.id id: number }"

    it('a foreign key that is added with a type change', async () => {
      const after = text(teams, '@db.rel.FK\n a?: Team.id')
      await using opened = await open(text(teams, 'a?: string'))
      await opened.raw.collection('teams').insertOne({ _id: 1 as never })
      await opened.insert({ _id: 1, a: '1' }, { _id: 2, a: '7' }, { _id: 3 })
      const before = await opened.documents()
      await expect(opened.db.sync(after, narrow)).rejects.toThrow('1 row refers to a missing row of `teams`')
      expect(await opened.documents()).toEqual(before)
      await opened.raw.collection('notes').deleteOne({ _id: 2 as never })
      await syncWhole(opened.db, after, narrow)
      await expect(opened.db.table(tableOf(after[0]!)).deleteOne(1 as never)).rejects.toMatchObject({
        code: 'FOREIGN_KEY_VIOLATION',
      })
    })

    it('a foreign key to a key that changes its type', async () => {
      const typed = (type: string) =>
        text(`@db.table 'teams' export interface Team { @meta.id id: ${type} }`, '@db.rel.FK\n a?: Team.id')
      await using opened = await open(typed('string'))
      await opened.raw.collection('teams').insertOne({ _id: '1' as never })
      await opened.insert({ _id: 1, a: '1' }, { _id: 2, a: '7' })
      const allow = ['narrow notes.a', 'narrow teams.id']
      const before = await opened.documents()
      await expect(opened.db.sync(typed('number'), { allow })).rejects.toThrow(
        '1 row refers to a missing row of `teams`',
      )
      expect(await opened.documents()).toEqual(before)
      await opened.raw.collection('notes').deleteOne({ _id: 2 as never })
      await syncWhole(opened.db, typed('number'), { allow })
    })

    it('deletes of referenced records, also after their key was renamed', async () => {
      const named = (id: string) =>
        text(
          `@db.table 'teams' export interface Team { @meta.id ${id}: number }`,
          `@db.rel.FK\n a?: Team.${id.split('\n').at(-1)}`,
        )
      await using opened = await open(named('id'))
      await opened.raw.collection('teams').insertOne({ _id: 1 as never })
      await opened.insert({ _id: 1, a: 1 })
      for (const id of ["@db.column.renamed 'id'\nno", "@db.column 'no'\nname"]) {
        const after = named(id)
        await syncWhole(opened.db, after)
        const deleted = opened.db.table(tableOf(after.find((it) => it.table === 'teams')!)).deleteMany({})
        await expect(deleted).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION' })
      }
    })

    it('a composite foreign key to a new table, before anything is created', async () => {
      const places = "@db.table 'places' export interface Place { @meta.id x: number\n @meta.id y: number }"
      const after = text(places, "@db.rel.FK 'at'\n x?: Place.x\n @db.rel.FK 'at'\n y?: Place.y")
      await using opened = await open(notes('x?: number.int', 'y?: number.int'))
      await opened.insert({ _id: 1, x: 1, y: 1 }, { _id: 2, x: 1 }, { _id: 3 })
      await expect(opened.db.sync(after)).rejects.toThrow('1 row refers to a missing row of `places`')
      expect(await opened.raw.listCollections({ name: 'places' }).toArray()).not.toContainEqual(
        expect.objectContaining({ name: 'places' }),
      )
      await opened.raw.collection('notes').deleteOne({ _id: 1 as never })
      await syncWhole(opened.db, after, { allow: ['narrow notes.x', 'narrow notes.y'] })
    })

    it('a foreign key of a column that is filled in all rows', async () => {
      const after = text(teams, '@db.rel.FK\n @db.default 7\n a: Team.id')
      await using opened = await open(text(teams, ''))
      await opened.insert({ _id: 1 })
      await expect(opened.db.sync(after)).rejects.toThrow('1 row refers to a missing row of `teams`')
      expect(await opened.documents()).toEqual([{ _id: 1 }])
      await opened.raw.collection('teams').insertOne({ _id: 7 as never })
      await syncWhole(opened.db, after)
    })

    it('a foreign key of columns and tables that are renamed and converted at once', async () => {
      const before = text(
        "@db.table 'groups' export interface Team { @meta.id no: string }",
        '@db.rel.FK\n old?: Team.no\n b: number.int',
      )
      const after = text(
        "@db.table 'teams' @db.table.renamed 'groups' export interface Team { @meta.id @db.column.renamed 'no' id: number }",
        "@db.rel.FK\n @db.column.renamed 'old'\n a?: Team.id\n @db.rel.FK\n b: Team.id",
      )
      await using opened = await open(before)
      await opened.raw.collection('groups').insertMany([{ _id: '1' as never }, { _id: '2' as never }])
      await opened.insert({ _id: 1, old: '1', b: 2 }, { _id: 2, b: 3 })
      const kept = await opened.documents()
      const allow = ['narrow notes.a', 'narrow notes.b', 'narrow teams.id']
      await expect(opened.db.sync(after, { allow })).rejects.toThrow('1 row refers to a missing row of `teams`')
      expect(await opened.documents()).toEqual(kept)
      await opened.raw.collection('notes').deleteOne({ _id: 2 as never })
      await syncWhole(opened.db, after, { allow })
      expect(await opened.documents()).toEqual([{ _id: 1, a: 1, b: 2 }])
    })

    it('a foreign key to a table that is not listed, before anything is created', async () => {
      const after = text(teams, '@db.rel.FK\n a?: Team.id')
      await using opened = await open(text(teams, 'a?: number.int\n b?: string'))
      await opened.insert({ _id: 1, a: 1 })
      const listed = after.filter((it) => it.table === 'notes')
      const refused = opened.db.sync(listed, { allow: ['narrow notes.a', 'drop notes.b'] })
      await expect(refused).rejects.toThrow('1 row refers to a missing row of `teams`')
    })

    it('a foreign key to a collection that sync did not create', async () => {
      const after = text(teams, '@db.rel.FK\n a?: Team.id')
      await using opened = await open(notes('a?: number.int'))
      await opened.raw.collection('teams').insertMany([{ _id: 1 as never }])
      await opened.insert({ _id: 1, a: 1 }, { _id: 2, a: 2 })
      await expect(opened.db.sync(after, narrow)).rejects.toThrow('1 row refers to a missing row of `teams`')
      await opened.raw.collection('notes').deleteOne({ _id: 2 as never })
      await syncWhole(opened.db, after, narrow)
    })
  })

  it('the table of another program that declares the same name in its own schema', async () => {
    const users = (schema: string) =>
      models(`@db.table 'users' @db.schema '${schema}' export interface User { @meta.id id: number }`)
    await using opened = await open(users('org'))
    await opened.raw.collection('org__users').insertOne({ _id: 1 as never })
    await expect(opened.db.sync(users('hr'))).rejects.toThrow(
      "without consent: allow 'move org.users' (if `org.users` belongs to another",
    )
    expect((await opened.db.planSync(users('org'))).steps).toEqual([])
    await syncWhole(opened.db, users('hr'), { allow: ['move org.users'] })
    expect(await runStatement(opened.db, users('hr'), 'select * from users')).toEqual([{ id: 1 }])
  })

  it('existing numbers from being generated again', async () => {
    const keyed = (preset: string) =>
      models(`@db.table 'notes' export interface Note { @meta.id ${preset} id: number\n a?: string }`)
    await using opened = await open(keyed(''))
    await opened.insert({ _id: 5 })
    const counted = keyed('@db.default.increment')
    await syncWhole(opened.db, counted)
    expect(await opened.db.table(tableOf(counted[0]!)).insertOne({ a: 'x' })).toMatchObject({ id: 6 })
  })
})

/** With a column that is required and has a default, which the language has for no array. */
function withDefault(tables: readonly TableModel[], name: string, value: unknown): TableModel[] {
  const preset = { nullable: false, optional: false, default: { kind: 'value', value } } as const
  return tables.map((it) => ({
    ...it,
    columns: it.columns.map((column) => (column.name === name ? { ...column, ...preset } : column)),
  })) as TableModel[]
}
