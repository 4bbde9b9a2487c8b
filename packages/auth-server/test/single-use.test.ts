import { AuthorizationRequest, authTables, PendingLink, Session, SignIn } from '@portico/auth-server'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import type { AnyTable } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { fieldsOf, type TestBrowser } from './support/browser.ts'
import { interrupt } from './support/interrupt.ts'
import {
  ask,
  askAsWeb,
  authorizeUrl,
  reachConsent,
  returnAs,
  signIn,
  startServer,
  type TestServer,
} from './support/server.ts'

/** Single-use values, each with the request that uses it, to be sent twice. */
const cases: [
  string,
  AnyTable,
  (it: TestServer, browser: TestBrowser) => Promise<() => Promise<{ statusCode: number }>>,
][] = [
  [
    'the answer to a consent page',
    AuthorizationRequest,
    async (_, browser) => {
      const { page } = await reachConsent(browser, ask())
      return () => browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
    },
  ],
  [
    'the return from a provider',
    SignIn,
    async (_, browser) => {
      const { left } = await browser.visit('/auth/oauth/work/start')
      const query = new URLSearchParams({ code: 'ada', state: left!.searchParams.get('state')! })
      return () => browser.get(`/auth/oauth/work/callback?${query}`)
    },
  ],
  [
    'the proof of an account',
    PendingLink,
    async (it, browser) => {
      await signIn(it.browser(), 'ada', 'work')
      const link = String((await returnAs(browser, 'like-ada', '/auth/oauth/home/start')).headers.location)
      const proofs: string[] = []
      for (let n = 0; n < 2; n += 1) {
        const { left } = await browser.visit(`/auth/oauth/work/start?${link.split('?')[1]}`)
        const query = new URLSearchParams({ code: 'ada', state: left!.searchParams.get('state')! })
        proofs.push(`/auth/oauth/work/callback?${query}`)
      }
      return () => browser.get(proofs.pop()!)
    },
  ],
]

describe('a HEAD request', () => {
  it('changes nothing: no row is written or used up, and no cookie is set', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const rows = () => Promise.all(authTables.map((table) => it.db.table(table as typeof Session).findMany({})))
    const returned = String((await browser.visit('/auth/oauth/work/start')).left!.searchParams.get('state'))
    const callback = `/auth/oauth/work/callback?${new URLSearchParams({ code: 'ada', state: returned })}`
    const silent = String((await browser.get(authorizeUrl(askAsWeb({ prompt: 'none' })))).headers.location)
    const addresses = [callback, silent, authorizeUrl(ask()), '/auth/oauth/work/start', '/auth/oauth/nowhere/start']
    const before = await rows()
    for (const address of addresses) {
      const { statusCode, headers, body } = await browser.head(address)
      expect([address, statusCode, headers['set-cookie'], body]).toEqual([address, 200, undefined, ''])
    }
    expect(await rows()).toEqual(before)
    expect((await browser.visit(silent)).left!.searchParams.get('error')).toBe('login_required')
    expect((await browser.get(callback)).headers.location).toBe('/')
  })
})

describe('single use', () => {
  it.each(cases)('%s: of two concurrent requests, one counts, even between read and use', async (_, table, prepare) => {
    let meanwhile: (() => Promise<unknown>) | undefined
    await using database = await openDatabase(sqlite({ file: ':memory:' }))
    await database.sync(authTables)
    await using it = await startServer({ db: interrupt(database, table, 'deleteMany', () => meanwhile?.()) })
    const send = await prepare(it, it.browser())
    const sessions = await database.table(Session).count()
    const statuses: number[] = []
    meanwhile = async () => statuses.push((await send()).statusCode)
    statuses.push((await send()).statusCode)
    expect(statuses).toEqual([303, 400])
    expect((await database.table(Session).count()) - sessions).toBeLessThanOrEqual(1)
  })
})
