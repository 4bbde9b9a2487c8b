import { sqlite } from '@portico/db/sqlite'
import { adapterCases, testAdapter } from '@portico/db/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { servers, type TemporaryFolder, temporaryFolder } from './support/engines.ts'

const runner = { describe, it, after: afterAll }

testAdapter({ name: 'SQLite in memory', runner, open: () => sqlite({ file: ':memory:' }) })

describe('on a file', () => {
  let folder: TemporaryFolder | undefined
  testAdapter({
    name: 'SQLite',
    runner,
    async open() {
      folder = await temporaryFolder()
      return sqlite({ file: folder.file('suite.db') })
    },
    close: async () => folder?.[Symbol.asyncDispose](),
  })
})

describe.each(servers)('on a server', ({ name, isThere, use, adapter }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = use()
    testAdapter({ name, runner, open: async () => adapter({ url: await databases.create() }) })
  })
})

/** A runner that writes down what it is given. */
function recordRunner() {
  const cases = new Map<string, () => Promise<void>>()
  const skipped: string[] = []
  const endings: (() => Promise<void>)[] = []
  const record = Object.assign((name: string, body: () => Promise<void>) => cases.set(name, body), {
    skip: (name: string) => skipped.push(name),
  })
  const recorded = {
    describe: (_: string, body: () => void) => body(),
    it: record,
    after: (body: () => Promise<void>) => endings.push(body),
  }
  return { runner: recorded, cases, skipped, end: () => Promise.all(endings.map((it) => it())) }
}

describe('the suite', () => {
  const [first] = adapterCases

  it('reports what it skips, with the reason', () => {
    const { runner: recorded, cases, skipped } = recordRunner()
    const skip = [{ test: first!.name, reason: 'not here' }]
    testAdapter({ name: 'x', runner: recorded, open: () => sqlite({ file: ':memory:' }), skip })
    expect(skipped).toEqual([`${first!.name} (not here)`])
    expect(cases.size).toBe(adapterCases.length - 1)
    const unknown = [{ test: 'no such case', reason: 'x' }]
    expect(() =>
      testAdapter({ name: 'x', runner: recorded, open: () => sqlite({ file: ':memory:' }), skip: unknown }),
    ).toThrow('cannot skip the unknown case "no such case"')
  })

  it('fails, and does not hang, where an engine has no transactions', { timeout: 20_000 }, async () => {
    const { runner: recorded, cases, end } = recordRunner()
    const adapter = sqlite({ file: ':memory:' })
    testAdapter({
      name: 'x',
      runner: recorded,
      open: () => ({ ...adapter, supports: { ...adapter.supports, transactions: false } }),
    })
    for (const [name, run] of cases) {
      if (!name.includes('transaction')) await run()
      else await expect(run(), name).rejects.toThrow(/TRANSACTIONS_UNSUPPORTED|no transactions/)
    }
    await end()
  })
})
