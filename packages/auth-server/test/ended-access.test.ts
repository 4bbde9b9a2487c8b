import { AccessToken, AuditEvent, AuthorizationCode, authTables, Session } from '@portico/auth-server'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { createApp, defineRoute } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { fieldsOf, TestBrowser, titleOf } from './support/browser.ts'
import { interrupt } from './support/interrupt.ts'
import { quietLog } from './support/quiet-log.ts'
import {
  ask,
  askAsWeb,
  clientSecret,
  getStatus,
  logIn,
  obtainCallback,
  publicClient,
  reachConsent,
  redemption,
  sendForm,
  signIn,
  startServer,
  type TestServer,
  type Tokens,
} from './support/server.ts'

const credentials = { client_id: 'web', client_secret: clientSecret }

async function userIdOf(it: TestServer): Promise<string> {
  return (await it.server.users.findByEmail('ada@x.example'))!.id
}

async function startInterrupted(table: Parameters<typeof interrupt>[1]) {
  const database = await openDatabase(sqlite({ file: ':memory:' }))
  await database.sync(authTables)
  let meanwhile: (() => Promise<unknown>) | undefined
  const db = interrupt(database, table, 'insertOne', () => meanwhile?.())
  const it = await startServer({ db })
  return {
    it,
    during: (work: () => Promise<unknown>) => {
      meanwhile = work
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]()
      await database.close()
    },
  }
}

const endings = [
  ['endAll', async ({ server }: TestServer, userId: string) => server.users.endAll(userId)],
  [
    'disable, and enable again',
    async ({ server }: TestServer, userId: string) => {
      await server.users.disable(userId)
      await server.users.enable(userId)
    },
  ],
] as const

describe.each(endings)('%s', (_, end) => {
  it('ends every session, code and token of a user for good, and those of nobody else', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const { access_token, userId } = await logIn(it, ask({ scope: 'tasks' }))
    const other = await logIn(it, undefined, 'eve')
    const asked = ask()
    const form = redemption(asked, await obtainCallback(browser, asked))
    await end(it, userId)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
    expect((await sendForm(it.app, '/auth/token', form)).json().error).toBe('invalid_grant')
    expect(titleOf((await browser.visit('/auth/logout')).page)).toBe('You are signed out')
    expect(await it.server.listAccess(userId)).toEqual([])
    expect((await getStatus(it.app, other.access_token)).statusCode).toBe(200)
    // They can come again, and what they get then holds.
    const again = await logIn(it)
    expect([again.userId, (await getStatus(it.app, again.access_token)).statusCode]).toEqual([userId, 200])
  })

  it('ends what is stored at the same moment but began earlier', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const { access_token, userId } = await logIn(it)
    const [sessions, tokens] = [it.db.table(Session), it.db.table(AccessToken)]
    const [session, token] = [(await sessions.findOne({ where: { userId } }))!, (await tokens.findOne({}))!]
    it.clock.pass(1)
    await end(it, userId)
    // As an instance does that was in the middle of it: the row comes after the deletion.
    await sessions.deleteMany({ tokenHash: session.tokenHash })
    await tokens.deleteMany({ tokenHash: token.tokenHash })
    await sessions.insertOne(session)
    await tokens.insertOne(token)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
    expect(titleOf((await browser.visit('/auth/logout')).page)).toBe('You are signed out')
  })
})

describe('endAll', () => {
  it('ends a code that is issued while it runs', async () => {
    await using started = await startInterrupted(AuthorizationCode)
    const { it, during } = started
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask())
    const userId = await userIdOf(it)
    during(() => it.server.users.endAll(userId))
    const answer = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
    expect(new URL(String(answer.headers.location)).searchParams.get('error')).toBe('access_denied')
    expect(await it.db.table(AuthorizationCode).count()).toBe(0)
  })

  it('ends a token that is issued while it runs', async () => {
    await using started = await startInterrupted(AccessToken)
    const { it, during } = started
    const asked = ask()
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    const userId = await userIdOf(it)
    during(() => it.server.users.endAll(userId))
    expect((await sendForm(it.app, '/auth/token', form)).json().error).toBe('invalid_grant')
    expect(await it.db.table(AccessToken).count({ revokedAt: null })).toBe(0)
  })

  it('says whether there is such a user, and is in the audit', async () => {
    await using it = await startServer()
    await signIn(it.browser())
    const userId = await userIdOf(it)
    expect(await it.server.users.endAll(userId)).toBe(true)
    expect(await it.server.users.endAll('01a1dfd9-f6ae-4000-8000-000000000000')).toBe(false)
    await it.server.users.disable(userId)
    await it.server.users.enable(userId)
    const lines = await it.db.table(AuditEvent).findMany({ where: { event: 'account' }, orderBy: { id: 'asc' } })
    expect(lines.map((line) => [line.userId, line.reason])).toEqual([
      [userId, 'all access ended'],
      [userId, 'disabled'],
      [userId, 'enabled'],
    ])
  })
})

describe('a client that is removed', () => {
  it('invalidates its tokens until it is registered again', async () => {
    await using it = await startServer()
    const asked = askAsWeb({ scope: 'openid tasks' })
    const form = { ...redemption(asked, await obtainCallback(it.browser(), asked)), ...credentials }
    const { access_token, userId } = (await sendForm(it.app, '/auth/token', form)).json<Tokens>()
    const shared = { db: it.db, isSynced: true, clock: it.clock }
    await using without = await startServer({ ...shared, clients: [publicClient] })
    expect((await getStatus(without.app, access_token)).statusCode).toBe(401)
    expect(await without.server.verifyToken(access_token)).toBeUndefined()
    expect((await without.server.listAccess(userId)).map(({ kind }) => kind)).toEqual(['session'])
    expect((await getStatus(it.app, access_token)).statusCode).toBe(200)
  })
})

describe('a session', () => {
  it('ends 90 days after the sign-in, however often it is used', async () => {
    await using it = await startServer()
    const { guards } = it.server
    const app = createApp({ logger: quietLog }).register(
      it.server.routes,
      defineRoute({
        method: 'GET',
        path: '/me',
        guards: [guards.session],
        handler: ({ request }) => guards.principal.require(request).expiresAt,
      }),
    )
    const browser = new TestBrowser(app)
    await signIn(browser)
    const end = it.clock.time + 90 * 86_400_000
    for (let day = 0; day < 80; day += 10) {
      it.clock.pass(10 * 86_400)
      expect((await browser.get('/me')).json()).toBe(Math.min(it.clock.time + 14 * 86_400_000, end))
    }
    it.clock.pass(10 * 86_400 - 1)
    expect((await browser.get('/me')).json()).toBe(end)
    it.clock.pass(1)
    expect((await browser.get('/me')).statusCode).toBe(401)
    await app.close()
  })

  it('that longer settings had extended ends at its maximum all the same', async () => {
    await using it = await startServer({ lifetimes: { sessionSec: 3600, sessionMaxSec: 7200 } })
    const browser = it.browser()
    await signIn(browser)
    await it.db.table(Session).updateMany({ expiresAt: { $gt: 0 } }, { expiresAt: it.clock.time + 86_400_000 })
    it.clock.pass(7199)
    expect(titleOf((await browser.visit('/auth/logout')).page)).toBe('Sign out of Tracker?')
    await it.db.table(Session).updateMany({ expiresAt: { $gt: 0 } }, { expiresAt: it.clock.time + 86_400_000 })
    it.clock.pass(1)
    expect(titleOf((await browser.visit('/auth/logout')).page)).toBe('You are signed out')
  })
})
