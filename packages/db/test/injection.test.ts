import type { Database } from '@portico/db'
import { Group, Person, suiteTables } from '@portico/db/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { type Recording, recordings } from './support/recording.ts'

/** A mark that must never be found in the text of a statement. */
const mark = 'm4rk'

const hostile = [
  `${mark}'; drop table people; --`,
  `${mark}" or 1=1 --`,
  `${mark}\`; select 1`,
  `${mark}$1 ? :a @b`,
  `${mark}\\'; --`,
  `${mark}\u0000x`,
  `${mark}%_`,
  `$eq${mark}`,
  `__proto__${mark}`,
]

const names = [...hostile, '__proto__', 'constructor', 'toString', 'hasOwnProperty', '$where', '$gt', '*', '', '1']

describe.each(recordings)('on $name, nothing from a caller reaches SQL text or a prototype', ({ isThere, use }) => {
  describe.skipIf(!isThere)('', () => {
    const record = use()
    let recording: Recording
    let db: Database
    beforeAll(async () => {
      recording = await record()
      db = recording.db
      await db.sync(suiteTables)
      await db.table(Group).insertOne({ region: 'eu', code: 1, title: 'kept' })
    })
    afterAll(() => recording?.[Symbol.asyncDispose]())

    /** Runs a call that may fail, but only as a `DbError` that says that the input is wrong. */
    async function attack(call: () => Promise<unknown>): Promise<void> {
      recording.take()
      const outcome = await call().then(
        () => undefined,
        (error: { code: string }) => error.code,
      )
      expect([undefined, 'VALIDATION_FAILED', 'KEY_UNKNOWN', 'KEY_INCOMPLETE']).toContain(outcome)
      for (const { text } of recording.take()) expect(text).not.toContain(mark)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    }

    it.each(names)('a field named %j', async (name) => {
      const object = (value: unknown): never =>
        JSON.parse(JSON.stringify({ [`\u0001${name}`]: value }).replace('\\u0001', '')) as never
      const poison = { polluted: true }
      const groups = db.table(Group)
      await attack(() => groups.findMany({ where: object('x') }))
      await attack(() => groups.findMany({ where: object(poison) }))
      await attack(() => groups.findMany({ where: { title: object('x') } }))
      await attack(() => groups.findMany({ where: { $not: object('x') } }))
      await attack(() => groups.findMany({ orderBy: object('asc') }))
      await attack(() => groups.findMany({ orderBy: { title: name as never } }))
      await attack(() => groups.findMany({ select: [name as never] }))
      await attack(() => groups.findMany({ with: object(true) }))
      await attack(() => groups.findMany({ limit: name as never }))
      await attack(() => groups.findMany(object('x')))
      await attack(() => groups.findById(object('x')))
      await attack(() => groups.insertOne({ region: 'x', code: 9, title: 'x', ...(object(poison) as object) }))
      await attack(() => groups.insertOne(object(poison)))
      await attack(() => groups.updateOne({ region: 'eu', code: 1, ...(object('x') as object) }))
      await attack(() => groups.updateMany(object('x'), { title: 'y' }))
      await attack(() => groups.updateMany({ region: 'nowhere' }, object('x')))
      await attack(() => groups.deleteMany(object('x')))
      expect(await groups.findById({ region: 'eu', code: 1 })).toEqual({ region: 'eu', code: 1, title: 'kept' })
      await groups.deleteMany({ region: 'x' })
    })

    it.each(hostile)('a value %j', async (value) => {
      const people = db.table(Person)
      await attack(() => people.insertOne({ name: value }))
      for (const operator of ['$eq', '$ne', '$gt', '$lt', '$like', '$ilike']) {
        await attack(() => people.findMany({ where: { name: { [operator]: value } } }))
      }
      await attack(() => people.findMany({ where: { name: { $in: [value, value] } } }))
      await attack(() => people.updateMany({ name: value }, { name: `${value}2` }))
      await attack(() => people.deleteMany({ name: value }))
      await attack(() => db.sql`select ${value.replace('\0', '')} as v`)
      expect(await people.count()).toBeGreaterThanOrEqual(0)
      await people.deleteMany({})
    })

    it('random objects as filters, orders and selections', async () => {
      const people = db.table(Person)
      const anything = fc.object({
        key: fc.oneof(fc.constantFrom('name', 'age', '$or', '$not', '$in', '$eq', ...names), fc.string()),
        maxDepth: 3,
      })
      await fc.assert(
        fc.asyncProperty(anything, async (value) => {
          await attack(() => people.findMany({ where: value as never }))
          await attack(() => people.findMany({ orderBy: value as never }))
          await attack(() => people.insertOne(value as never))
        }),
        { numRuns: heavy(2000) },
      )
    })

    it('db.sql is a template tag and nothing else', async () => {
      const call = (text: unknown): Promise<unknown> => db.sql(text as TemplateStringsArray)
      await expect(call('drop table people')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      await expect(call(['drop table people'])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      await expect(db.table(Person).count()).resolves.toBeTypeOf('number')
    })
  })
})
