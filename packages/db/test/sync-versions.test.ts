/** Two versions of one program on one database: each starts, restarts and rolls back after the other. */
import type { Database } from '@portico/db'
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { tableOf } from './support/statements.ts'
import { models, onEachEngine } from './support/sync.ts'

const first = models(`
@db.table 'teams'
export interface Team { @meta.id id: number }

@db.table 'products'
export interface Product {
  @meta.id id: number
  name: string
  teamId?: Team.id
  place?: { city: string }
}`)

/** Only adds: columns, an index, a unique index, a foreign key, a leaf of an object, a table. */
const second = models(`
@db.table 'teams'
export interface Team { @meta.id id: number }

@db.table 'products'
export interface Product {
  @meta.id id: number
  @db.index.plain
  name: string
  @db.rel.FK
  teamId?: Team.id
  place?: { city: string
    zip?: string }
  @db.index.unique
  barcode?: string
  @db.default 'new'
  state: string
}

@db.table 'stocks'
export interface Stock {
  @meta.id id: number
  @db.rel.FK
  productId?: Product.id
}`)

const products = (db: Database, version: readonly TableModel[]) =>
  db.table(tableOf(version.find((it) => it.table === 'products')!))

/** Starts a version like a program, and returns the number of steps. */
async function start(db: Database, version: readonly TableModel[]): Promise<number> {
  return (await db.sync(version)).steps.length
}

describe('the previous version of a program', () => {
  onEachEngine(({ open }) => {
    it('starts, writes and reads on a database that the next version has extended', async () => {
      await using db = await open()
      await start(db, first)
      await products(db, first).insertOne({ id: 1, name: 'a', place: { city: 'x' } })
      expect(await start(db, second)).toBeGreaterThan(0)
      await products(db, second).insertOne({ id: 2, name: 'b', barcode: '22', place: { city: 'y', zip: '1' } })

      // Restarted in turn, neither has anything to do.
      for (const version of [first, second, first, first, second]) {
        expect(await start(db, version)).toBe(0)
        expect((await db.planSync(version)).steps).toEqual([])
      }
      await start(db, first)
      await products(db, first).insertOne({ id: 3, name: 'c' })
      await products(db, first).updateOne({ id: 1, name: 'A' } as never)
      const found = await products(db, first).findMany({ orderBy: { id: 'asc' } as never })
      expect(found).toEqual([
        { id: 1, name: 'A', place: { city: 'x' } },
        { id: 2, name: 'b', place: { city: 'y' } },
        { id: 3, name: 'c' },
      ])

      expect(await start(db, second)).toBe(0)
      expect(await products(db, second).findMany({ orderBy: { id: 'asc' } as never })).toEqual([
        { id: 1, name: 'A', place: { city: 'x' }, state: 'new' },
        { id: 2, name: 'b', barcode: '22', place: { city: 'y', zip: '1' }, state: 'new' },
        { id: 3, name: 'c', state: 'new' },
      ])
    })

    it('lists kept objects, drops those that are allowed by name, and has no drift', async () => {
      await using db = await open()
      await start(db, second)
      await products(db, second).insertOne({ id: 1, name: 'a', barcode: '1' })
      const { kept, steps, problems, leftovers } = await db.planSync(first)
      expect({ steps, problems, leftovers }).toEqual({ steps: [], problems: [], leftovers: ['stocks'] })
      expect(kept.map((it) => it.consent).toSorted()).toEqual([
        'drop products.barcode',
        'drop products.place__zip',
        'drop products.state',
        'drop products__barcode',
        'drop products__name',
        'drop products__teamId__fk',
        'drop stocks',
      ])
      const allow = kept.map((it) => it.consent)
      await db.sync(first, { allow })
      expect((await db.planSync(first)).kept).toEqual([])
      expect(await products(db, first).findMany()).toEqual([{ id: 1, name: 'a' }])
      expect((await db.sync(first)).steps).toEqual([])
    })

    it('changes other things while it keeps undeclared ones', async () => {
      await using db = await open()
      await start(db, second)
      await products(db, second).insertOne({ id: 1, name: 'a', barcode: '1', place: { city: 'x', zip: '9' } })
      const third = models(`
@db.table 'teams'
export interface Team { @meta.id id: number }
@db.table 'products'
export interface Product { @meta.id id: number
  @db.column.renamed 'name'
  title?: string
  teamId?: Team.id
  place?: { city: string } }`)
      await db.sync(third)
      expect((await db.planSync(third)).steps).toEqual([])
      const kept = (await db.planSync(third)).kept.map((it) => it.name)
      expect(kept).toEqual(expect.arrayContaining(['products.barcode', 'products__barcode', 'products.place__zip']))
      expect(await products(db, third).findMany()).toEqual([{ id: 1, title: 'a', place: { city: 'x' } }])
      const back = models(`
@db.table 'products'
export interface Product { @meta.id id: number
  @db.column.renamed 'title'
  name: string
  @db.index.unique
  barcode?: string }`)
      await db.sync(back)
      expect(await products(db, back).findMany()).toEqual([{ id: 1, name: 'a', barcode: '1' }])
      await expect(products(db, back).insertOne({ id: 2, name: 'b', barcode: '1' })).rejects.toMatchObject({
        code: 'UNIQUE_VIOLATION',
      })
    })

    it('is refused if inserts would fail because of an undeclared column', async () => {
      await using db = await open()
      await db.sync(models(`@db.table 'notes'\nexport interface Note { @meta.id id: number\n a: string\n b?: string }`))
      const without = models(`@db.table 'notes'\nexport interface Note { @meta.id id: number\n b?: string }`)
      await expect(db.sync(without)).rejects.toThrow(
        'it is required but no longer declared, so every insert would fail',
      )
      await db.sync(without, { allow: ['drop notes.a'] })
    })
  })
})
