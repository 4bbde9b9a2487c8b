import { type Database, DbError, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { suiteTables } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import type { LooseTable } from './support/declare.ts'
import { engines } from './support/engines.ts'
import { CallMaker } from './support/random-calls.ts'
import { createRandom } from './support/random-model.ts'

const others = engines.filter((it) => it.name !== 'sqlite')
const SEEDS = heavy(40)
const CALLS = 60

/** The result of a call, or the code of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof DbError)) throw error
    return error.code
  }
}

/** Where a record violates two rules, engines look at them in their own order. */
const violations = ['UNIQUE_VIOLATION', 'FOREIGN_KEY_VIOLATION']

async function readAll(db: Database): Promise<unknown> {
  const tables = suiteTables as unknown as readonly LooseTable[]
  const orderOf = ({ key }: LooseTable) => Object.fromEntries(key.map((it) => [it, 'asc'])) as never
  return Promise.all(tables.map((table) => db.table(table).findMany({ orderBy: orderOf(table) })))
}

describe.each(others)('random calls have the same answers on $name as on SQLite', ({ isThere, use }) => {
  describe.skipIf(!isThere)('', () => {
    const open = use()

    it(`${SEEDS} × ${CALLS} of them`, { timeout: 600_000 }, async () => {
      const clock = { now: () => 5 }
      await using db = await openDatabase(await open(), { clock })
      await db.sync(suiteTables)
      for (let seed = 0; seed < SEEDS; seed++) {
        await using oracle = await openDatabase(sqlite({ file: ':memory:' }), { clock })
        await oracle.sync(suiteTables)
        for (const table of suiteTables.toReversed()) await db.table(table as LooseTable).deleteMany({})
        const calls = new CallMaker(createRandom(seed))
        for (let count = 0; count < CALLS; count++) {
          const { described, run } = calls.make()
          const [expected, found] = [await outcomeOf(run(oracle)), await outcomeOf(run(db))]
          const areViolations = [expected, found].every((it) => violations.includes(it as string))
          if (!areViolations) expect(found, `seed ${seed}: ${JSON.stringify(described)}`).toEqual(expected)
          if (count % 10 === 0)
            expect(await readAll(db), `seed ${seed}: ${JSON.stringify(described)}`).toEqual(await readAll(oracle))
        }
        expect(await readAll(db), `seed ${seed}`).toEqual(await readAll(oracle))
      }
    })
  })
})
