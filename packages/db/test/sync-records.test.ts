/** The records of sync are JSON text in the database. Databases of earlier versions have them, so the format is fixed. */
import { openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import { sqlite } from '@portico/db/sqlite'
import { describe, expect, it } from 'vitest'
import { hasMongo, useRawMongo } from './support/mongo-databases.ts'
import { models } from './support/sync.ts'

const teams = "@db.table 'teams' export interface Team { @meta.id @db.default.increment id: number }"
const people = (field = '') =>
  models(`${teams}
@db.table 'people' export interface Person { @meta.id id: number\n ${field}\n @db.rel.FK teamId?: Team.id }`)

const column = { name: 'id', type: 'INTEGER', storage: 'integer', nullable: false, counted: false }
const foreignKey = {
  name: 'people__teamId__fk',
  columns: ['teamId'],
  place: { table: 'teams' },
  references: ['id'],
  onDelete: 'restrict',
  onUpdate: 'restrict',
}

describe('records of sync', () => {
  it('have a fixed format, and are read again', async () => {
    await using db = await openDatabase(sqlite({ file: ':memory:' }))
    await db.sync(people('bio?: string'))
    const rows = await db.sql<{
      name: string
      content: string
    }>`select name, content from portico__tables order by name`
    expect(rows.map(({ name, content }) => [name, JSON.parse(content)])).toEqual([
      [
        'people',
        {
          declaration: 'Person',
          table: 'people',
          snapshot: {
            place: { table: 'people' },
            columns: [
              column,
              { ...column, name: 'bio', type: 'TEXT', storage: 'text', nullable: true },
              { ...column, name: 'teamId', nullable: true },
            ],
            key: ['id'],
            indexes: [],
            foreignKeys: [foreignKey],
          },
          facts: { groups: [], rules: { id: { integer: true }, bio: {}, teamId: { integer: true } }, kept: [] },
          program: 'teams',
        },
      ],
      [
        'teams',
        {
          declaration: 'Team',
          table: 'teams',
          snapshot: {
            place: { table: 'teams' },
            columns: [{ ...column, counted: true }],
            key: ['id'],
            indexes: [],
            foreignKeys: [],
          },
          facts: { groups: [], rules: { id: { integer: true } }, kept: [] },
          program: 'teams',
        },
      ],
    ])
    expect(await db.planSync(people())).toMatchObject({ steps: [], kept: [{ name: 'people.bio' }] })
  })

  describe.skipIf(!hasMongo)('on MongoDB', () => {
    const createRaw = useRawMongo()

    it('have a fixed format in the catalog too', async () => {
      const raw = createRaw()
      await using db = await openDatabase(mongo({ db: raw as unknown as MongoDatabase }))
      await db.sync(people())
      const catalog = raw.collection<{ _id: string; entry: string }>('portico__catalog')
      const [person, team] = await catalog
        .find({ _id: { $in: ['people', 'teams'] } })
        .sort({ _id: 1 })
        .toArray()
      const { columns, foreignKeys } = JSON.parse(person!.entry) as Record<string, unknown>
      const own = { name: 'id', type: 'number', storage: 'integer', nullable: false, counted: false, at: '_id' }
      expect(columns).toEqual([own, { ...own, name: 'teamId', nullable: true, at: 'teamId' }])
      expect(foreignKeys).toEqual([foreignKey])
      expect(JSON.parse(team!.entry)).toMatchObject({ columns: [{ ...own, counted: true }] })
      expect(await db.planSync(people())).toMatchObject({ steps: [] })
    })
  })
})
