/** Limits of MongoDB and of its driver, and settings that tables cannot work with. */
import { openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import { sqlite } from '@portico/db/sqlite'
import { MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { declareTable, integer, optional, refer, text } from './support/declare.ts'
import { hasFerret, hasMongo, useMongo } from './support/mongo-databases.ts'

const id = integer('id', { key: true })
const Page = declareTable('pages', [id, text('text', optional), integer('size', optional)])
const Team = declareTable('teams', [id])
const Member = declareTable('members', [id, integer('team'), { ...integer('version'), generated: 'version' }], {
  foreignKeys: [refer('members', ['team'], 'teams', ['id'], 'restrict')],
})

const servers = [
  { kind: 'mongo', isThere: hasMongo },
  { kind: 'ferret', isThere: hasFerret },
] as const

describe.each(servers)('limits on $kind', ({ kind, isThere }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = useMongo(kind)

    const nestings: readonly (readonly [name: string, nest: (inner: object, level: number) => object])[] = [
      ['negations', (inner) => ({ $not: inner })],
      ['lists of one', (inner) => ({ $and: [inner] })],
      ['lists of the same kind', (inner) => ({ $or: [inner, { id: 1 }] })],
      ['negations and lists of one', (inner, level) => (level % 2 === 0 ? { $not: inner } : { $or: [inner] })],
      ['negations of lists', (inner, level) => (level % 2 === 0 ? { $not: inner } : { $not: { $or: [inner] } })],
    ]

    it.each(nestings)('a deeply nested filter is flattened: %s', async (_, nest) => {
      await using db = await openDatabase(mongo({ url: databases.create() }))
      await using oracle = await openDatabase(sqlite({ file: ':memory:' }))
      for (const it of [db, oracle]) {
        await it.sync([Page])
        await it.table(Page).insertMany([{ id: 1 }, { id: 2, size: 5 }, { id: 3, size: 9 }])
      }
      for (const levels of [1, 2, 48, 49]) {
        let where: object = { size: { $gt: 5 } }
        for (let level = 0; level < levels; level++) where = nest(where, level)
        const query = { where, orderBy: { id: 'asc' } } as never
        expect(await db.table(Page).findMany(query)).toEqual(await oracle.table(Page).findMany(query))
      }
    })

    it('a filter that stays too deep is refused before it is sent', async () => {
      await using db = await openDatabase(mongo({ url: databases.create() }))
      await db.sync([Page])
      const nest = (levels: number): object => {
        let where: object = { size: 5 }
        for (let level = 0; level < levels; level++) {
          where = level % 2 === 0 ? { $or: [where, { id: 1 }] } : { $and: [where, { id: 1 }] }
        }
        return where
      }
      expect(await db.table(Page).count(nest(40) as never)).toBe(0)
      const refused = {
        code: 'VALIDATION_FAILED',
        message: expect.stringContaining('is nested deeper than the 90 levels'),
      }
      await expect(db.table(Page).count(nest(60) as never)).rejects.toMatchObject(refused)
      await expect(db.table(Page).deleteMany(nest(60) as never)).rejects.toMatchObject(refused)
    })
  })
})

describe.skipIf(!hasMongo)('on MongoDB', () => {
  const databases = useMongo()

  // FerretDB takes larger ones.
  it.each([16.5, 16.9, 17.5])(
    'a value over 16 MB is reported as too large, not as a lost connection: %d MB',
    async (size) => {
      await using db = await openDatabase(mongo({ url: databases.create() }))
      await db.sync([Page])
      const pages = db.table(Page)
      const large = 'x'.repeat(size * 2 ** 20)
      const refused = { code: 'CONSTRAINT_VIOLATION', message: expect.stringContaining('larger than 16 MB') }
      await pages.insertOne({ id: 1 })
      await expect(pages.insertOne({ id: 2, text: large }).then(({ id: stored }) => stored)).rejects.toMatchObject(
        refused,
      )
      await expect(pages.insertMany([{ id: 3 }, { id: 4, text: large }])).rejects.toMatchObject(refused)
      await expect(pages.updateOne({ id: 1, text: large })).rejects.toMatchObject(refused)
      await expect(pages.upsertOne({ id: 1, text: large })).rejects.toMatchObject(refused)
      expect(await pages.findMany()).toEqual([{ id: 1 }])
    },
  )

  it.each([{ promoteValues: false }, { raw: true }, { promoteLongs: false }, { useBigInt64: true }])(
    'a handle with %j is refused when it is opened',
    async (options) => {
      const client = new MongoClient(databases.create(), options)
      try {
        const opening = openDatabase(mongo({ db: client.db() as unknown as MongoDatabase }))
        const [name] = Object.keys(options)
        const refused = { code: 'OPTIONS_INVALID', message: expect.stringContaining(`\`${name}: `) }
        await expect(opening).rejects.toMatchObject(refused)
      } finally {
        await client.close()
      }
    },
  )

  it('a version conflict is reported before a missing reference, as on SQLite', async () => {
    await using db = await openDatabase(mongo({ url: databases.create() }))
    await using oracle = await openDatabase(sqlite({ file: ':memory:' }))
    for (const it of [db, oracle]) {
      await it.sync([Team, Member])
      await it.table(Team).insertOne({ id: 1 })
      await it.table(Member).insertOne({ id: 1, team: 1 })
      const member = it.table(Member)
      await expect(member.upsertOne({ id: 1, team: 9, version: 7 })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
      const missing = { code: 'FOREIGN_KEY_VIOLATION' }
      await expect(member.upsertOne({ id: 1, team: 9, version: 1 })).rejects.toMatchObject(missing)
      await expect(member.upsertOne({ id: 2, team: 9, version: 1 })).rejects.toMatchObject(missing)
      expect(await member.findMany()).toEqual([{ id: 1, team: 1, version: 1 }])
    }
  })
})
