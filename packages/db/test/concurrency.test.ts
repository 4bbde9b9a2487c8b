import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { Person, suiteTables } from '@portico/db/testing'
import { expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { runProgram } from './support/child.ts'
import { temporaryFolder } from './support/engines.ts'

interface Report {
  readonly written: number
  readonly conflicts: number
  readonly errors: string[]
  readonly blockedMs: number
}

/** Eight processes at once, each raising the version of the record in its file as often as it can. */
function raiseVersions(places: readonly { file: string; id: string }[]): Promise<Report[]> {
  return Promise.all(
    places.map(async ({ file, id }): Promise<Report> => {
      await using program = runProgram('raise-versions', [file, id, String(heavy(10_000))])
      return JSON.parse((await program.line(/^report/)).slice('report '.length))
    }),
  )
}

async function createFile(file: string): Promise<{ file: string; id: string }> {
  await using db = await openDatabase(sqlite({ file }))
  await db.sync(suiteTables)
  const { id } = await db.table(Person).insertOne({ name: 'shared', age: 0 })
  return { file, id }
}

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
  const written = reports.reduce((sum, it) => sum + it.written, 0)
  await using db = await openDatabase(sqlite({ file: shared.file }))
  expect(await db.table(Person).findById(shared.id)).toEqual({
    id: shared.id,
    name: 'shared',
    age: written,
    version: written + 1,
  })
})
