import type { AnyTable } from '@portico/schema/runtime'
import type { Adapter } from '../contract/adapter.ts'
import { type Database, openDatabase } from '../database.ts'
import { Group, Membership, Person, Team, Thing } from './suite.portico.ts'
import type { AdapterCase } from './suite-case.ts'
import { decimalCases } from './suite-decimals.ts'
import { filterCases } from './suite-filters.ts'
import { limitCases, limitsTables } from './suite-limits.ts'
import { nameCases, namesTables } from './suite-names.ts'
import { queryCases } from './suite-queries.ts'
import { recordCases } from './suite-records.ts'
import { relationCases } from './suite-relations.ts'
import { syncCases } from './suite-sync.ts'
import { transactionCases } from './suite-transactions.ts'
import { upsertCases } from './suite-upsert.ts'
import { violationCases } from './suite-violations.ts'

/** Every behaviour that an adapter must have. The order does not matter. */
export const adapterCases: readonly AdapterCase[] = [
  ...recordCases,
  ...upsertCases,
  ...violationCases,
  ...filterCases,
  ...decimalCases,
  ...queryCases,
  ...relationCases,
  ...nameCases,
  ...limitCases,
  ...transactionCases,
  ...syncCases,
]

/** The tables of the suite. */
export const suiteTables: readonly AnyTable[] = [Thing, Team, Person, Group, Membership]

/** The tables of the suite, including those that only a few cases use. */
const allTables = [...suiteTables, ...namesTables, ...limitsTables]

/** The functions of a test runner that the suite uses. Those of vitest, `node:test` and others match. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown
  readonly it: TestFunction
  after(body: () => Promise<void>): unknown
}

export interface TestFunction {
  (name: string, body: () => Promise<void>): unknown
  /** Reports a skipped case. Without this function, the case is reported as passed. */
  skip?(name: string, body: () => Promise<void>): unknown
}

export interface AdapterSuiteOptions {
  readonly name: string
  readonly runner: TestRunner
  /** Creates an adapter for an empty database that only the suite uses. Called once. */
  readonly open: () => Adapter | Promise<Adapter>
  /** Called after all cases have run and the database is closed. */
  readonly close?: (() => Promise<void>) | undefined
  /** Cases that this engine cannot pass: the name in `adapterCases`, and the reason to report. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[] | undefined
}

/**
 * Tests an adapter against every case of the suite.
 *
 * ```ts
 * import { testAdapter } from '@portico/db/testing'
 * import { afterAll, describe, it } from 'vitest'
 *
 * testAdapter({ name: 'mine', runner: { describe, it, after: afterAll }, open: () => mine({ … }) })
 * ```
 */
export function testAdapter({ name, runner, open, close, skip = [] }: AdapterSuiteOptions): void {
  const unknown = skip.find(({ test }) => !adapterCases.some((it) => it.name === test))
  if (unknown) throw new Error(`cannot skip the unknown case "${unknown.test}"`)
  runner.describe(name, () => {
    const clock = { ms: 0 }
    let opened: Promise<Database> | undefined
    const openOnce = (): Promise<Database> => (opened ??= openEmpty(open, clock))
    for (const { name: title, run } of adapterCases) {
      const skipped = skip.find(({ test }) => test === title)
      if (skipped) {
        skipCase(runner, `${title} (${skipped.reason})`)
        continue
      }
      runner.it(title, async () => {
        const db = await openOnce()
        clock.ms = Date.now()
        for (const table of allTables.toReversed()) await db.table(table).deleteMany({})
        await run({ db, clock })
      })
    }
    runner.after(async () => {
      await (await opened?.catch(() => undefined))?.close()
      await close?.()
    })
  })
}

function skipCase({ it }: TestRunner, title: string): void {
  if (it.skip) it.skip(title, async () => {})
  else it(`skipped: ${title}`, async () => {})
}

async function openEmpty(open: AdapterSuiteOptions['open'], clock: { ms: number }): Promise<Database> {
  const db = await openDatabase(await open(), { clock: { now: () => clock.ms } })
  await db.sync(allTables)
  return db
}
