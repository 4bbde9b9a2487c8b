import { expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { temporaryFolder } from './support/engines.ts'
import { runProgram } from './support/programs.ts'

const rows = heavy(1_000_000)

it(`streaming ${rows} rows needs less than 100 MB`, { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder()
  await using program = runProgram('stream-many', [folder.file('many.db'), String(rows)], ['--expose-gc'])
  const report = JSON.parse((await program.line(/^report/)).slice('report '.length)) as {
    seen: number
    grownMb: number
  }
  expect(report.seen).toBe(rows)
  expect(report.grownMb).toBeLessThan(100)
})
