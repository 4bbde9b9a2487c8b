/** Two versions of one program: the next one has more fields in optional objects. */
import type { Database } from '@portico/db'
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it } from 'vitest'
import { tableOf } from './support/statements.ts'
import { notes, onEachEngine } from './support/sync.ts'

const previous = notes('place?: { city: string, area?: string, geo?: { lat: number } }')

/** A required field with a default comes first, and must not be mistaken for the one that marks the object. */
const next = notes(`place?: {
    @db.default 'DE'
    country: string
    city: string
    area?: string
    zip?: string
    geo?: {
      @db.default 8.5
      height: number
      lat: number
      @db.default '1.5'
      @db.column.precision 6, 2
      scale: decimal
    } }`)

const table = (db: Database, version: readonly TableModel[]) => db.table(tableOf(version[0]!))
const all = (db: Database, version: readonly TableModel[]) =>
  table(db, version).findMany({ orderBy: { id: 'asc' } as never })

const whole = { country: 'DE', city: 'x', geo: { height: 8.5, lat: 1, scale: '1.50' } }

describe('objects stored by the previous version', () => {
  onEachEngine(({ open }) => {
    it('are read with the defaults of unknown fields while both versions run', async () => {
      await using db = await open()
      await db.sync(previous)
      await db.sync(next)
      await table(db, previous).insertMany([{ id: 1, place: { city: 'x', geo: { lat: 1 } } }, { id: 2 }])
      expect(await all(db, next)).toEqual([{ id: 1, place: whole }, { id: 2 }])
      expect(await table(db, next).count({ place: null } as never)).toBe(1)
      expect(await table(db, next).findMany({ select: ['place'] } as never)).toContainEqual({ place: whole })
      // A record that was read can be stored again, and a filter then finds it.
      await table(db, next).replaceOne({ id: 1, place: whole } as never)
      expect(await table(db, next).count({ 'place.country': 'DE' } as never)).toBe(1)
    })

    it('are filled with them when the next version starts again, without consent', async () => {
      await using db = await open()
      await db.sync(next)
      await db.sync(previous)
      await table(db, previous).insertMany([{ id: 1, place: { city: 'x', geo: { lat: 1 } } }, { id: 2 }])
      // That holds for any number of starts.
      await db.sync(previous)
      const { steps } = await db.sync(next)
      expect(steps.map((it) => it.class)).toEqual(['additive', 'additive', 'additive'])
      expect(await table(db, next).count({ 'place.country': 'DE', 'place.geo.height': 8.5 } as never)).toBe(1)
      expect(await all(db, next)).toEqual([{ id: 1, place: whole }, { id: 2 }])
      expect((await db.planSync(next)).steps).toEqual([])
    })

    it('need consent if NULL may be user data', async () => {
      await using db = await open()
      await db.sync(notes('place?: { city: string, zip?: string }'))
      const without = notes('place?: { city: string }')
      await table(db, without).insertOne({ id: 1, place: { city: 'x' } })
      await db.sync(without)
      const required = notes("place?: { city: string\n@db.default '0'\nzip: string }")
      await expect(db.sync(required)).rejects.toThrow("allow 'require notes.place__zip'")
    })

    it('are refused if a required field has no default, without asking for consent', async () => {
      await using db = await open()
      const without = notes('place?: { city: string }')
      await db.sync(notes('place?: { city: string, zip?: string }'))
      await table(db, without).insertOne({ id: 1, place: { city: 'x' } })
      const refused = db.sync(notes('place?: { city: string, zip: string }'))
      await expect(refused).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringMatching(/^(?!.*without consent).*is required in `place`, but NULL in 1 row/s),
      })
    })

    it('keep values that only the next version knows', async () => {
      await using db = await open()
      await db.sync(next)
      const stored = { country: 'FR', city: 'x', zip: '9', geo: { height: 2, lat: 1, scale: '3.00' } }
      await table(db, next).insertMany([1, 2, 3, 4].map((id) => ({ id, place: stored })))
      const changed = { city: 'y', geo: { lat: 7 } }
      await table(db, previous).updateOne({ id: 1, place: changed } as never)
      await table(db, previous).replaceOne({ id: 2, place: changed } as never)
      await table(db, previous).updateMany({ id: 3 } as never, { place: changed } as never)
      await table(db, previous).upsertOne({ id: 4, place: { ...changed, area: 'z' } } as never)
      const kept = { country: 'FR', city: 'y', zip: '9', geo: { height: 2, lat: 7, scale: '3.00' } }
      const records = await all(db, next)
      expect(records).toEqual([1, 2, 3, 4].map((id) => ({ id, place: id === 4 ? { ...kept, area: 'z' } : kept })))
      // A value that it clears is gone for both.
      await table(db, previous).updateOne({ id: 4, place: { city: 'y' } } as never)
      await table(db, previous).updateOne({ id: 1, place: null } as never)
      const cleared = (await all(db, next)).map((it) => it['place'])
      expect(cleared[0]).toBe(undefined)
      expect(cleared[3]).toEqual({ country: 'FR', city: 'y', zip: '9' })
    })
  })
})
