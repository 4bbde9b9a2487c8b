import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { Group, Membership, Person, suiteTables, Team, Thing } from '@portico/db/testing'
import type { AnyTable } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { engines } from './support/engines.ts'

const records = heavy(10_000)

/** Each table comes after those that it refers to. */
const tables: readonly AnyTable[] = [Thing, Team, Person, Group, Membership]

async function openFile(): Promise<Database> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(suiteTables)
  return db
}

const texts = ['', ' ', 'a', 'a ', 'A', 'é', 'e\u0301', '🙂', '\u2028', '\uffff', "o'k", '"', '\\', '%_', 'null', '{}']
const textOf = (index: number): string => `${texts[index % texts.length]}${index % 3 === 0 ? '' : index}`

/** Records of all kinds, one fifth in each table. */
async function fill(db: Database): Promise<void> {
  const all = Array.from({ length: records / 5 }, (_, index) => index)
  await db.table(Thing).insertMany(
    all.map((index) => ({
      name: `${textOf(index)} ${index}`,
      kind: index % 2 === 0 ? 'small' : 'big',
      ratio: [0, -0.1, 1e-300, 1.7976931348623157e308, Math.PI * index][index % 5]!,
      whole: [0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, index][index % 4]!,
      flag: index % 3 === 0,
      price: `${index - 100}.${String(index % 100).padStart(2, '0')}`,
      amount: index % 4 === 0 ? null : `${index}.${index % 7}00000001`,
      note: index % 2 === 0 ? null : textOf(index),
      tags: index % 5 === 0 ? [] : [textOf(index), '', 'null'],
      extra: index % 3 === 0 ? null : { a: index / 3, b: [textOf(index)] },
      address: { city: textOf(index), ...(index % 2 === 0 && { geo: { lat: index / 7, lng: -index } }) },
      createdAt: index,
      updatedAt: index * 2,
    })),
  )
  await db.table(Team).insertMany(all.map((index) => ({ name: `${textOf(index)} ${index}` })))
  const teams = await db.table(Team).findMany()
  const people = await db
    .table(Person)
    .insertMany(
      all.map((index) => ({ name: textOf(index), age: index % 90, teamId: index % 3 === 0 ? null : teams[index]!.id })),
    )
  const groups = await db
    .table(Group)
    .insertMany(all.map((index) => ({ region: textOf(index), code: index, title: textOf(index + 1) })))
  await db.table(Membership).insertMany(
    all.map((index) => ({
      personId: people[index]!.id,
      region: groups[index]!.region,
      code: index,
      role: textOf(index),
    })),
  )
}

async function copy(from: Database, to: Database): Promise<void> {
  for (const table of tables) {
    const batch: object[] = []
    for await (const record of from.table(table).stream()) {
      batch.push(record as object)
      if (batch.length === 500) await to.table(table).insertMany(batch.splice(0))
    }
    await to.table(table).insertMany(batch)
  }
}

async function readAll(db: Database, table: AnyTable): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const record of db.table(table).stream()) all.push(record)
  return all
}

/** Sorted independently of the engine. */
function sortRecords(all: unknown[]): unknown[] {
  return all.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

describe.each(engines.slice(1))('from SQLite to $name', ({ name, isThere, use }) => {
  describe.skipIf(!isThere)('', () => {
    const open = use()
    it(`and back: ${records} records are equal and in the same order`, { timeout: 240_000 }, async () => {
      await using source = await openFile()
      await fill(source)
      await using other = await openDatabase(await open())
      await other.sync(suiteTables)
      await copy(source, other)
      await using back = await openFile()
      await copy(other, back)
      for (const table of tables) {
        const expected = await readAll(source, table)
        expect(expected).toHaveLength(records / 5)
        // The MongoDB test server sorts characters beyond U+FFFF like Java.
        const arrange = name === 'mongo' ? sortRecords : (all: unknown[]) => all
        expect(arrange(await readAll(other, table))).toEqual(arrange(expected))
        expect(await readAll(back, table)).toEqual(expected)
      }
    })
  })
})
