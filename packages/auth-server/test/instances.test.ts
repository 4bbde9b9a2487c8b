import { AccessToken, Identity, Session, SigningKey, User } from '@portico/auth-server'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, TestBrowser, titleOf } from './support/browser.ts'
import { engines, type SharedDatabase } from './support/engines.ts'
import {
  ask,
  askAsWeb,
  clientSecret,
  getStatus,
  obtainCallback,
  reachConsent,
  redemption,
  returnAs,
  sendForm,
  signIn,
  startServer,
  TestClock,
  type TestServer,
  type Tokens,
} from './support/server.ts'

describe.each(engines)('two instances on %s', (_, share) => {
  let database: SharedDatabase
  let one: TestServer
  let two: TestServer
  const clock = new TestClock()

  beforeAll(async () => {
    database = await share()
    one = await startServer({ db: await database.open(), clock })
    two = await startServer({ db: await database.open(), clock })
  })
  afterAll(async () => {
    await one?.[Symbol.asyncDispose]()
    await two?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })

  it.each([0, 1])('serve the steps of one sign-in alternately (starting at %i)', async (first) => {
    const apps = first === 0 ? [one.app, two.app] : [two.app, one.app]
    const browser = new TestBrowser(...apps)
    const asked = askAsWeb({ nonce: 'n' })
    const callback = await obtainCallback(browser, asked)
    const form = { ...redemption(asked, callback), client_id: 'web', client_secret: clientSecret }
    const answer = await sendForm(apps[0]!, '/auth/token', form)
    expect(answer.statusCode, answer.body).toBe(200)
    const tokens = answer.json<Tokens>()
    for (const app of apps) {
      expect((await getStatus(app, tokens.access_token)).json().userId).toBe(tokens.userId)
      const keys = createLocalJWKSet((await app.inject('/auth/jwks')).json<JSONWebKeySet>())
      const { payload } = await jwtVerify(tokens.id_token!, keys, { currentDate: new Date(clock.time) })
      expect(payload.sub).toBe(tokens.userId)
    }
    const revoked = await sendForm(apps[1]!, '/auth/revoke', {
      token: tokens.access_token,
      client_id: 'web',
      client_secret: clientSecret,
    })
    expect(revoked.statusCode).toBe(200)
    for (const app of apps) expect((await getStatus(app, tokens.access_token)).statusCode).toBe(401)
    await browser.post('/auth/logout', {})
    expect(browser.cookies.has('__Host-portico-session')).toBe(false)
  })

  it('serve a form POST, a link and its proof alternately', async () => {
    await signIn(new TestBrowser(one.app, two.app), 'ada', 'work')
    const browser = new TestBrowser(two.app, one.app)
    const { left } = await browser.visit('/auth/oauth/home/start?return_to=/board')
    const form = { code: 'like-ada', state: left!.searchParams.get('state')! }
    const posted = await new TestBrowser(one.app).post('/auth/oauth/home/callback', form)
    const link = String((await browser.get(String(posted.headers.location))).headers.location)
    expect(titleOf(await browser.get(link))).toBe('Is this your account?')
    const proof = `/auth/oauth/work/start?${link.split('?')[1]}`
    expect((await returnAs(browser, 'ada', proof)).headers.location).toBe('/board')
    expect(await one.db.table(Identity).count({ provider: 'home', subject: 'home-other' })).toBe(1)
  })

  it('give at most one token for fifty concurrent uses of a code, and revoke it', async () => {
    const asked = ask()
    const form = redemption(asked, await obtainCallback(new TestBrowser(one.app, two.app), asked))
    const before = await one.db.table(AccessToken).count({ revokedAt: null })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => sendForm(n % 2 === 0 ? one.app : two.app, '/auth/token', form)),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.every((status) => status === 200 || status === 400)).toBe(true)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
    for (const answer of answers.filter(({ statusCode }) => statusCode === 200))
      expect((await getStatus(one.app, answer.json<Tokens>().access_token)).statusCode).toBe(401)
    expect(await one.db.table(AccessToken).count({ revokedAt: null })).toBe(before)
  })

  it('accept one of many answers to one consent page', async () => {
    const browser = new TestBrowser(one.app, two.app)
    const { page } = await reachConsent(browser, ask())
    const form = { ...fieldsOf(page!), decision: 'allow' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.post('/auth/consent', form)))
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
  })

  it('create one user for many concurrent first sign-ins', async () => {
    const browsers = Array.from({ length: 10 }, (_, n) => new TestBrowser(n % 2 === 0 ? one.app : two.app))
    const answers = await Promise.all(browsers.map((browser) => signIn(browser, 'eve', 'work')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(303))
    expect(await one.db.table(User).count({ email: 'eve@x.example' })).toBe(1)
    const user = await one.server.users.findByEmail('eve@x.example')
    expect(await one.db.table(Session).count({ userId: user!.id })).toBe(10)
  })

  it('share rate limits and sweeping', async () => {
    const limited = await Promise.all(
      [one, two].map(({ db }) => startServer({ db, clock, rateLimits: { status: { limit: 10, windowSec: 60 } } })),
    )
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => limited[n % 2]!.app.inject('/auth/status')))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect([401, 429].map((status) => statuses.filter((it) => it === status).length)).toEqual([10, 20])
    for (const it of limited) await it.app.close()
    clock.pass(400 * 86_400)
    const swept = await Promise.all([one.server.sweep(), two.server.sweep()])
    expect(swept[0]! + swept[1]!).toBeGreaterThan(0)
    expect(await one.db.table(Session).count()).toBe(0)
    expect(await one.server.sweep()).toBe(0)
  })

  it('create one first key of each kind, however many ask at once', async () => {
    await one.db.table(SigningKey).deleteMany({})
    const fresh = await Promise.all(
      Array.from({ length: 6 }, (_, n) => startServer({ db: n % 2 ? one.db : two.db, clock })),
    )
    const answers = await Promise.all(fresh.map(({ app }) => app.inject('/auth/jwks')))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers[0]!.json<JSONWebKeySet>().keys).toHaveLength(1)
    for (const it of fresh) await it.app.close()
  })
})
