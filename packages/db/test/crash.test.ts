import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { runProgram } from './support/child.ts'
import { temporaryFolder } from './support/engines.ts'

const kills = heavy(100)

it(`a writer that is killed ${kills} times loses nothing that it said was stored`, { timeout: 300_000 }, async () => {
  await using folder = await temporaryFolder()
  const file = folder.file('crash.db')
  let stored = -1
  for (let kill = 0; kill < kills; kill++) {
    await using writer = runProgram('write-forever', [file])
    await writer.line(/^stored/)
    await sleep(randomInt(0, 40))
    await writer.kill()
    const said = Number(writer.lines.findLast((it) => /^stored \d+$/.test(it))?.slice('stored '.length))
    expect(said).toBeGreaterThan(stored)

    const db = new BetterSqlite(file)
    expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const codes = (region: string): number[] =>
      db.prepare('select code from groups where region = ? order by code').pluck().all(region) as number[]
    const [left, right, other] = [codes('left'), codes('right'), codes('other')]
    db.close()
    // All that was acknowledged is there, and what is there is whole.
    expect(left.length).toBeGreaterThan(said)
    expect(left).toEqual(left.map((_, index) => index))
    expect(right).toEqual(left)
    expect(other).toEqual(left)
    stored = said
  }
})
