import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { suiteTables, Thing, type ThingInsert } from '@portico/db/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { engines } from './support/engines.ts'

const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '',
      ' ',
      "'",
      '"',
      '\\',
      '\\u0000',
      '%_',
      '--',
      '$1',
      '?',
      '{}',
      '[]',
      'null',
      '__proto__',
      '\u2028',
      '\uffff',
    ),
  )
  .filter((it) => !it.includes('\0'))
const real = fc.double({ noNaN: true, noDefaultInfinity: true })
const integer = fc.maxSafeInteger()

/** Decimals that every engine holds: 15 significant digits. */
function decimal(wholeDigits: number, scale: number): fc.Arbitrary<string> {
  const whole = fc.integer({ min: -(10 ** wholeDigits) + 1, max: 10 ** wholeDigits - 1 })
  const fraction = fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: scale })
  return fc.tuple(whole, fc.option(fraction)).map(([a, b]) => (b === null ? `${a}` : `${a}.${b}`))
}

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((it) => it.toISOString().slice(0, 10))

const contents = {
  kind: fc.constantFrom('small' as const, 'big' as const),
  ratio: real,
  whole: integer,
  flag: fc.boolean(),
  price: decimal(10, 2),
  tags: fc.array(text, { maxLength: 5 }),
  address: fc.record({ city: text, geo: fc.option(fc.record({ lat: real, lng: real })) }, { requiredKeys: ['city'] }),
  state: text,
  rank: fc.option(integer),
}
const optional = {
  amount: fc.option(decimal(6, 9)),
  note: fc.option(text),
  score: fc.option(real),
  checked: fc.option(fc.boolean()),
  at: fc.option(integer),
  day: fc.option(day),
  extra: fc.option(fc.record({ a: real, b: fc.array(text, { maxLength: 3 }) }, { requiredKeys: ['a'] })),
}
const required = Object.keys(contents) as (keyof typeof contents)[]
const things = fc.record({ ...contents, ...optional }, { requiredKeys: required })

type Contents = Omit<ThingInsert, 'name'>

/** The record that a read of the stored thing should return. */
function expected(input: Contents): Record<string, unknown> {
  const plain = dropAbsent(input) as Record<string, unknown>
  return {
    ...plain,
    price: spell(input.price, 2),
    ...(typeof plain['amount'] === 'string' && { amount: spell(plain['amount'], undefined) }),
  }
}

/** Absent is absent, whether it was null or left out; no zero has a sign. */
function dropAbsent(value: unknown): unknown {
  if (Object.is(value, -0)) return 0
  if (Array.isArray(value)) return value.map(dropAbsent)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, it]) => it !== null && it !== undefined)
  return Object.fromEntries(entries.map(([name, it]) => [name, dropAbsent(it)]))
}

/** The one spelling of a decimal, worked out with whole numbers. */
function spell(value: string, scale: number | undefined): string {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.')
  const digits = scale === undefined ? fraction.replace(/0+$/, '') : fraction.padEnd(scale, '0')
  const text = `${BigInt(whole)}${digits === '' ? '' : `.${digits}`}`
  return value.startsWith('-') && /[1-9]/.test(text) ? `-${text}` : text
}

async function openEmpty(adapter: Adapter): Promise<Database> {
  const db = await openDatabase(adapter, { clock: { now: () => 1000 } })
  await db.sync(suiteTables)
  return db
}

describe('every type comes back as it was stored, by every operation, equally on every engine', () => {
  const sources = engines.filter((it) => it.isThere).map((it) => it.use())
  const opened: Database[] = []
  let count = 0
  beforeAll(async () => {
    for (const open of sources) opened.push(await openEmpty(await open()))
  })
  afterAll(async () => {
    for (const db of opened) await db.close()
  })

  it('insertOne, insertMany, findById, findMany, updateOne, replaceOne, upsertOne, stream', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(things, things, async (first, second) => {
        const name = `thing ${count++}`
        const given = first as Contents
        const next = second as Contents
        for (const db of opened) {
          const table = db.table(Thing)
          const one = await table.insertOne({ ...given, name })
          const stored = { ...expected(given), name, id: one.id, createdAt: 1000, updatedAt: 1000 }
          expect(one).toEqual(stored)
          expect(await table.findById(one.id)).toEqual(stored)
          expect(await table.findMany({ where: { name } })).toEqual([stored])
          for await (const streamed of table.stream({ where: { name } })) expect(streamed).toEqual(stored)

          await table.updateOne({ ...next, id: one.id })
          // An update leaves alone what it does not name.
          const untouched = Object.entries(stored).filter(([field]) => !Object.hasOwn(next, field))
          expect(await table.findById(one.id)).toEqual({ ...Object.fromEntries(untouched), ...expected(next) })

          const replaced = { ...expected(given), name, id: one.id, createdAt: 1000, updatedAt: 1000 }
          await table.replaceOne({ ...(given as Contents & { state: string }), name, id: one.id })
          expect(await table.findById(one.id)).toEqual(replaced)
          const kept = Object.entries(replaced).filter(([field]) => !Object.hasOwn(next, field))
          expect(await table.upsertOne({ ...next, name, id: one.id })).toEqual({
            ...Object.fromEntries(kept),
            ...expected(next),
            name,
          })
          const many = await table.insertMany([
            { ...given, name: `${name} a` },
            { ...next, name: `${name} b` },
          ])
          expect(
            await table.findMany({ where: { id: { $in: many.map((it) => it.id) } }, orderBy: { id: 'asc' } }),
          ).toEqual(many)
          expect(many[1]).toEqual({
            ...expected(next),
            name: `${name} b`,
            id: many[1]!.id,
            createdAt: 1000,
            updatedAt: 1000,
          })
          await table.deleteMany({})
        }
      }),
      { numRuns: heavy(500) },
    )
  })

  it('a stored value is found by the same value', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(things, async (first) => {
        const given = first as Contents
        const name = `found ${count++}`
        for (const db of opened) {
          const table = db.table(Thing)
          await table.insertOne({ ...given, name })
          const { ratio, whole, flag, price, kind, state, address } = given
          const where = { name, ratio, whole, flag, price, kind, state: state!, 'address.city': address.city }
          expect(await table.count(where)).toBe(1)
          expect(await table.count({ $not: where, name })).toBe(0)
          await table.deleteMany({ name })
        }
      }),
      { numRuns: heavy(300) },
    )
  })
})
