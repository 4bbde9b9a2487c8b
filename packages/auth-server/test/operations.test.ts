import {
  AuditEvent,
  AuthorizationCode,
  AuthorizationRequest,
  authTables,
  RateLimit,
  Session,
  SignIn,
} from '@portico/auth-server'
import { openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { describe, expect, it } from 'vitest'
import { fieldsOf, titleOf } from './support/browser.ts'
import { interrupt } from './support/interrupt.ts'
import {
  ask,
  authorizeUrl,
  getStatus,
  logIn,
  obtainCallback,
  reachConsent,
  redemption,
  sendForm,
  signIn,
  startServer,
} from './support/server.ts'

describe('rate limits', () => {
  it.each([
    ['sign-in', 'signIn', '/auth/sign-in'],
    ['status', 'status', '/auth/status'],
  ] as const)('hold %s to so many requests in a window, per address', async (_, kind, url) => {
    await using it = await startServer({ rateLimits: { [kind]: { limit: 3, windowSec: 60 } } })
    const get = async (remoteAddress = '192.0.2.1') => it.app.inject({ url, remoteAddress })
    const statuses = [await get(), await get(), await get(), await get()].map(({ statusCode }) => statusCode)
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true])
    expect((await get('192.0.2.2')).statusCode).not.toBe(429)
    it.clock.pass(13)
    const refused = await get()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '47'])
    it.clock.pass(47)
    expect((await get()).statusCode).not.toBe(429)
  })

  it('answer people with a page and clients with the JSON of the standard', async () => {
    const rule = { limit: 1, windowSec: 60 }
    await using it = await startServer({ rateLimits: { signIn: rule, token: rule } })
    await it.app.inject('/auth/sign-in')
    expect(titleOf(await it.app.inject('/auth/sign-in'))).toBe('Too many attempts')
    await sendForm(it.app, '/auth/token', { grant_type: 'x' })
    for (const url of ['/auth/token', '/auth/revoke']) {
      const answer = await sendForm(it.app, url, { grant_type: 'x', token: 'x' })
      expect([answer.statusCode, answer.json().error]).toEqual([429, 'temporarily_unavailable'])
    }
  })

  it.each([
    ['token', '/auth/token', 'x=y'],
    ['token', '/auth/revoke', '%zz'],
    ['signIn', '/auth/consent', '%zz'],
    ['signIn', '/auth/logout', 'x'.repeat(1_100_000)],
  ] as const)('count malformed requests too: %s at %s', async (kind, url, payload) => {
    await using it = await startServer({ rateLimits: { [kind]: { limit: 1, windowSec: 60 } } })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = async () => (await it.app.inject({ method: 'POST', url, headers, payload })).statusCode
    expect(await send()).toBeLessThan(429)
    expect(await send()).toBe(429)
  })

  it('count an IPv6 network of 64 bits as one address', async () => {
    await using it = await startServer({ rateLimits: { status: { limit: 1, windowSec: 60 } } })
    const get = async (remoteAddress: string) =>
      (await it.app.inject({ url: '/auth/status', remoteAddress })).statusCode
    expect(await get('2001:db8:1:2:3:4:5:6')).toBe(401)
    expect(await get('2001:db8:1:2::9')).toBe(429)
    expect(await get('2001:db8:1:3::9')).toBe(401)
    expect(await get('::1')).toBe(401)
    expect(await get('::ffff:192.0.2.7')).toBe(401)
    expect(await get('::ffff:192.0.2.8')).toBe(401)
  })

  it.each([
    ['10.0.0.1', '10.0.0.0/8', 401],
    ['192.0.2.9', '10.0.0.0/8', 429],
    ['192.0.2.9', true, 401],
  ])('use the address that a trusted proxy reports, and no other: %s with %s', async (from, trusted, status) => {
    const rateLimits = { status: { limit: 1, windowSec: 60 } }
    await using it = await startServer({ rateLimits, app: { trustProxy: trusted } })
    const get = (address: string) =>
      it.app.inject({ url: '/auth/status', remoteAddress: from, headers: { 'x-forwarded-for': address } })
    await get('198.51.100.1')
    expect((await get('198.51.100.2')).statusCode).toBe(status)
  })

  it('are audited once per window, not once per request', async () => {
    const rule = { limit: 1, windowSec: 60 }
    await using it = await startServer({ rateLimits: { status: rule, signIn: rule, token: rule } })
    for (let n = 0; n < 5; n += 1) {
      await it.app.inject('/auth/status')
      await it.app.inject('/auth/sign-in')
      await it.app.inject({ method: 'POST', url: '/auth/token' })
    }
    const where = { reason: { $ne: 'malformed: VALIDATION_FAILED' } }
    const lines = await it.db.table(AuditEvent).findMany({ where, orderBy: { reason: 'asc' } })
    expect(lines.map(({ reason }) => reason)).toEqual(['rate limit: signIn', 'rate limit: status', 'rate limit: token'])
  })

  it('have defaults that let people and programs work', async () => {
    await using it = await startServer({ rateLimits: {} })
    await logIn(it)
    expect(await it.db.table(RateLimit).count()).toBeGreaterThan(0)
  })
})

describe('the audit', () => {
  it('has a row for every sign-in, consent, token, refusal and revocation', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const asked = ask()
    const callback = await obtainCallback(browser, asked)
    const form = redemption(asked, callback)
    it.clock.pass(1)
    const { access_token, userId } = (await sendForm(it.app, '/auth/token', form, { 'user-agent': 'tool/1.0' })).json()
    const redeemedAt = it.clock.time
    it.clock.pass(1)
    await sendForm(it.app, '/auth/revoke', { token: access_token })
    it.clock.pass(1)
    await sendForm(it.app, '/auth/token', form)
    it.clock.pass(1)
    const { page } = await reachConsent(browser, ask())
    await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'deny' })
    it.clock.pass(1)
    await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
    it.clock.pass(1)
    await browser.post('/auth/logout', {})
    it.clock.pass(1)
    await signIn(it.browser(), 'like-ada', 'home')
    const events = await it.db.table(AuditEvent).findMany({ orderBy: { at: 'asc', id: 'asc' } })
    expect(events.map(({ event, outcome, reason }) => [event, outcome, reason])).toEqual([
      ['sign-in', 'granted', undefined],
      ['consent', 'granted', undefined],
      ['token', 'granted', undefined],
      ['revocation', 'granted', undefined],
      ['token', 'refused', 'invalid_grant: the code was used before; its tokens are revoked'],
      ['consent', 'refused', 'access_denied'],
      ['consent', 'refused', 'request-lost'],
      ['sign-out', 'granted', undefined],
      ['sign-in', 'refused', 'needs-link'],
    ])
    expect(events[2]).toMatchObject({ userId, ip: '127.0.0.1', userAgent: 'tool/1.0', at: redeemedAt })
    expect(events[0]).toMatchObject({ userId, provider: 'work' })
  })

  it('has a row for what the application revokes for a user', async () => {
    await using it = await startServer()
    const { userId } = await logIn(it)
    for (const { id } of await it.server.listAccess(userId)) {
      await it.server.revokeAccess(userId, id)
      await it.server.revokeAccess(userId, id)
    }
    const lines = await it.db.table(AuditEvent).findMany({ where: { event: 'revocation' } })
    expect(lines.map(({ outcome, userId, ip }) => [outcome, userId, ip])).toEqual([
      ['granted', userId, undefined],
      ['granted', userId, undefined],
    ])
  })

  it('keeps the user agent short and printable', async () => {
    await using it = await startServer()
    await it.app.inject({ url: '/auth/authorize', headers: { 'user-agent': `x\u00e9\t${'y'.repeat(500)}` } })
    const [event] = await it.db.table(AuditEvent).findMany({})
    expect(event!.userAgent).toMatch(/^[\x20-\x7e]{200}$/)
  })
})

describe('the sweep', () => {
  it('deletes only expired rows', async () => {
    await using it = await startServer()
    const { access_token } = await logIn(it)
    await it.browser().get(authorizeUrl(ask()))
    await it.browser().get('/auth/oauth/work/start')
    expect(await it.server.sweep()).toBe(0)
    it.clock.pass(600)
    expect(await it.server.sweep()).toBe(2)
    expect([await it.db.table(AuthorizationRequest).count(), await it.db.table(SignIn).count()]).toEqual([0, 0])
    // A code is remembered for a day, to notice its second use.
    expect(await it.db.table(AuthorizationCode).count()).toBe(1)
    it.clock.pass(86_400)
    await it.server.sweep()
    expect(await it.db.table(AuthorizationCode).count()).toBe(0)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(200)
    expect(await it.db.table(Session).count()).toBe(1)
    it.clock.pass(400 * 86_400)
    await it.server.sweep()
    for (const table of authTables.filter(({ name }) => !['User', 'Identity'].includes(name)))
      expect([table.name, await it.db.table(table as typeof Session).count()]).toEqual([table.name, 0])
    expect(await it.server.users.findByEmail('ada@x.example')).not.toBeNull()
  })

  it('keeps a session that is used between the read and the deletion', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    await using database = await openDatabase(sqlite({ file: ':memory:' }))
    await database.sync(authTables)
    await using it = await startServer({ db: interrupt(database, Session, 'deleteMany', () => meanwhile?.()) })
    await signIn(it.browser())
    it.clock.pass(14 * 86_400)
    const sessions = database.table(Session)
    meanwhile = () => sessions.updateMany({ expiresAt: { $gt: 0 } }, { expiresAt: it.clock.time + 1000 })
    await it.server.sweep()
    expect(await sessions.count()).toBe(1)
  })

  it('deletes a bounded number of rows at a time', async () => {
    await using it = await startServer()
    const rows = Array.from({ length: 20_500 }, (_, n) => ({ id: `row-${n}`, expiresAt: 0 }))
    await it.db.table(RateLimit).insertMany(rows)
    expect([await it.server.sweep(), await it.server.sweep(), await it.server.sweep()]).toEqual([20_000, 500, 0])
  })
})
