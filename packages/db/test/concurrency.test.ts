import { type Database, openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { sqlite } from '@portico/db/sqlite'
import { Person, suiteTables } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { runProgram } from './support/child.ts'
import { servers, temporaryFolder } from './support/engines.ts'

interface Report {
  readonly written: number
  readonly conflicts: number
  readonly errors: string[]
  readonly blockedMs: number
}

/** Eight processes at once, each raising the version of the record in its file as often as it can. */
function raiseVersions(places: readonly { place: string; id: string }[]): Promise<Report[]> {
  return Promise.all(
    places.map(async ({ place, id }): Promise<Report> => {
      await using program = runProgram('raise-versions', [place, id, String(heavy(10_000))])
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

const createFile = (file: string) => create(file, sqlite({ file }))

it('eight processes that write one record lose no update, see no busy file and are not held up', {
  timeout: 90_000,
}, async () => {
  await using folder = await temporaryFolder({ inMemory: true })
  const shared = await createFile(folder.file('shared.db'))
  const own = await Promise.all(Array.from({ length: 8 }, (_, index) => createFile(folder.file(`own-${index}.db`))))
  const reports = await raiseVersions(Array.from({ length: 8 }, () => shared))
  // The same work without anybody to wait for: how long this machine holds programs up by itself.
  const control = await raiseVersions(own)
  const usualMs = Math.max(...control.map((it) => it.blockedMs))
  expect(reports.flatMap((it) => it.errors)).toEqual([])
  for (const report of reports) {
    expect(report.written).toBeGreaterThan(0)
    expect(report.blockedMs).toBeLessThan(50 + 2 * usualMs)
  }
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

/** The record tells how often it was written: as often as was said. */
async function expectRaised(db: Database, id: string, reports: readonly Report[]): Promise<void> {
  const written = reports.reduce((sum, it) => sum + it.written, 0)
  expect(written).toBeGreaterThan(0)
  expect(await db.table(Person).findById(id)).toEqual({ id, name: 'shared', age: written, version: written + 1 })
}
