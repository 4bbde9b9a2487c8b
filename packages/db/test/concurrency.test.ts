import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { sqlite } from '@portico/db/sqlite'
import { Person, suiteTables } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { servers, temporaryFolder } from './support/engines.ts'
import { runProgram } from './support/programs.ts'

interface Report {
  readonly written: number
  readonly conflicts: number
  readonly errors: string[]
}

/** Eight processes at once, each of which raises the version of the record in its file this often. */
function raiseVersions(places: readonly { place: string; id: string }[]): Promise<Report[]> {
  return Promise.all(
    places.map(async ({ place, id }): Promise<Report> => {
      await using program = runProgram('raise-versions', [place, id, String(heavy(1_000))])
      return JSON.parse((await program.line(/^report/)).slice('report '.length))
    }),
  )
}

async function create(place: string, adapter: Adapter): Promise<{ place: string; id: string }> {
  await using db = await openDatabase(adapter)
  await db.sync(suiteTables)
  const { id } = await db.table(Person).insertOne({ name: 'shared', age: 0 })
  return { place, id }
}

it('eight processes that write one record lose no update and see no busy file', {
  timeout: 90_000,
}, async () => {
  await using folder = await temporaryFolder({ inMemory: true })
  const file = folder.file('shared.db')
  const shared = await create(file, sqlite({ file }))
  const reports = await raiseVersions(Array.from({ length: 8 }, () => shared))
  expect(reports.flatMap((it) => it.errors)).toEqual([])
  await using db = await openDatabase(sqlite({ file: shared.place }))
  await expectRaised(db, shared.id, reports)
})

describe.each(servers)('on $name', ({ isThere, use, adapter }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = use()
    it('eight processes that write one record lose no update', { timeout: 90_000 }, async () => {
      const url = await databases.create()
      const shared = await create(url, adapter({ url }))
      const reports = await raiseVersions(Array.from({ length: 8 }, () => shared))
      expect(reports.flatMap((it) => it.errors)).toEqual([])
      await using db = await openDatabase(adapter({ url }))
      await expectRaised(db, shared.id, reports)
    })
  })
})

/** The record counts its writes: as many as were acknowledged. */
async function expectRaised(db: Database, id: string, reports: readonly Report[]): Promise<void> {
  const written = reports.reduce((sum, it) => sum + it.written, 0)
  expect(written).toBeGreaterThan(0)
  expect(await db.table(Person).findById(id)).toEqual({ id, name: 'shared', age: written, version: written + 1 })
}
