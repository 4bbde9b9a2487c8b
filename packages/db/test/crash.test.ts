import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { servers, temporaryFolder } from './support/engines.ts'
import { runProgram } from './support/programs.ts'

/** Kills a writer again and again. `read` gives the codes of a region, in their order. */
async function killRepeatedly(
  kills: number,
  place: string,
  read: (region: string) => Promise<number[]>,
): Promise<void> {
  let stored = -1
  for (let kill = 0; kill < kills; kill++) {
    await using writer = runProgram('write-forever', [place])
    await writer.line(/^stored/)
    await sleep(randomInt(0, 40))
    await writer.kill()
    const said = Number(writer.lines.findLast((it) => /^stored \d+$/.test(it))?.slice('stored '.length))
    expect(said).toBeGreaterThan(stored)
    const left = await read('left')
    // All that was acknowledged is there, and what is there is whole.
    expect(left.length).toBeGreaterThan(said)
    expect(left).toEqual(left.map((_, index) => index))
    expect(await read('right')).toEqual(left)
    expect(await read('other')).toEqual(left)
    stored = said
  }
}

describe('a writer that is killed again and again loses no acknowledged write', () => {
  it('on SQLite, whose file stays intact', { timeout: 300_000 }, async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('crash.db')
    await killRepeatedly(heavy(100), file, async (region) => {
      const db = new BetterSqlite(file)
      expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
      const codes = db.prepare('select code from groups where region = ? order by code').pluck().all(region)
      db.close()
      return codes as number[]
    })
  })

  describe.each(servers)('on $name', ({ isThere, use, command }) => {
    describe.skipIf(!isThere)('', () => {
      const databases = use()
      it('which needs a moment to notice', { timeout: 300_000 }, async () => {
        const url = await databases.create()
        await killRepeatedly(heavy(30), url, async (region) => {
          // The server commits or rolls back the unfinished work of a dead writer a little later.
          await expect.poll(() => command(url, othersConnected(url)), { timeout: 30_000 }).toEqual([])
          const rows = await command(url, `select code from "groups" where region = '${region}' order by code`)
          return (rows as { code: number | string }[]).map((it) => Number(it.code))
        })
      })
    })
  })
})

/** Finds the connections of others to this database. */
function othersConnected(url: string): string {
  const name = new URL(url).pathname.slice(1)
  return url.startsWith('postgres:')
    ? `select 1 from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`
    : `select 1 from information_schema.processlist where db = '${name}' and id <> connection_id()`
}
