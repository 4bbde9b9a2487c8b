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

it('eight processes that write one record lose no update, see no busy file and are not held up', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder({ inMemory: true })
  const file = folder.file('shared.db')
  const db = await openDatabase(sqlite({ file }))
  await db.sync(suiteTables)
  const { id } = await db.table(Person).insertOne({ name: 'shared', age: 0 })
  const reports = await Promise.all(
    Array.from({ length: 8 }, async (): Promise<Report> => {
      await using program = runProgram('raise-versions', [file, id, String(heavy(10_000))])
      return JSON.parse((await program.line(/^report/)).slice('report '.length))
    }),
  )
  expect(reports.flatMap((it) => it.errors)).toEqual([])
  for (const report of reports) {
    expect(report.written).toBeGreaterThan(0)
    expect(report.blockedMs).toBeLessThan(50)
  }
  const written = reports.reduce((sum, it) => sum + it.written, 0)
  expect(await db.table(Person).findById(id)).toEqual({ id, name: 'shared', age: written, version: written + 1 })
  await db.close()
})
