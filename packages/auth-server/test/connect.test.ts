import { AuditEvent, Identity, Session, User } from '@portico/auth-server'
import { describe, expect, it } from 'vitest'
import { fieldsOf, type TestBrowser, titleOf } from './support/browser.ts'
import { createPeople, returnAs, signIn, startServer, type TestServer } from './support/server.ts'

/** The forms of the page, by where they go. */
async function formsOf(browser: TestBrowser): Promise<Map<string, Record<string, string>[]>> {
  const page = await browser.get('/auth/account')
  const forms = new Map<string, Record<string, string>[]>()
  for (const [, action = '', inner = ''] of page.body.matchAll(
    /<form method="post" action="([^"]+)">(.*?)<\/form>/gs,
  )) {
    const fields = [...inner.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
    forms.set(action, [...(forms.get(action) ?? []), Object.fromEntries(fields)])
  }
  return forms
}

/** Presses "Connect", comes back from the provider as this person, and returns where that leads. */
async function connect(browser: TestBrowser, person: string, provider = 'home') {
  const path = `/auth/account/connect/${provider}`
  const [fields] = (await formsOf(browser)).get(path)!
  const { left } = await browser.follow(await browser.post(path, fields!))
  const state = left!.searchParams.get('state')!
  const query = new URLSearchParams({ code: person, state })
  return { left: left!, answer: await browser.get(`/auth/oauth/${provider}/callback?${query}`) }
}

async function connectAndConfirm(browser: TestBrowser, person: string, provider = 'home') {
  const { answer } = await connect(browser, person, provider)
  const page = await browser.get(String(answer.headers.location))
  return browser.post('/auth/account/confirm', fieldsOf(page))
}

async function startWithAda(options: Parameters<typeof startServer>[0] = {}) {
  const it = await startServer(options)
  const browser = it.browser()
  await signIn(browser, 'ada')
  return { it, browser }
}

const waysOf = async ({ db }: TestServer) =>
  (await db.table(Identity).findMany({ orderBy: { linkedAt: 'asc', id: 'asc' } })).map((it) => it.subject)

describe('a person who is signed in', () => {
  it('connects another provider, whatever its address, after confirming the identity', async () => {
    const { it, browser } = await startWithAda()
    await using _ = it
    const { left, answer } = await connect(browser, 'kim')
    expect(left.searchParams.get('prompt')).toBe('select_account')
    expect(await waysOf(it)).toEqual(['work-ada'])
    const page = await browser.get(String(answer.headers.location))
    expect(titleOf(page)).toBe('Connect Home?')
    expect(page.body).toContain('Kim (kim@x.example)')
    const done = await browser.post('/auth/account/confirm', fieldsOf(page))
    expect(done.headers.location).toBe('/auth/account?connected=home')
    expect((await waysOf(it)).sort()).toEqual(['home-kim', 'work-ada'])
    const account = await browser.get(String(done.headers.location))
    expect(account.body).toContain('Home is connected. ')
    for (const shown of ['Ada Lovelace', 'Work', 'Home', 'Kim (kim@x.example)']) expect(account.body).toContain(shown)
    // Both lead to the one account.
    expect((await signIn(it.browser(), 'kim', 'home')).headers.location).toBe('/')
    expect(await it.db.table(User).count()).toBe(1)
    expect(await it.db.table(AuditEvent).count({ event: 'link', outcome: 'granted', provider: 'home' })).toBe(1)
  })

  it('disconnects one, but never the last, and the sessions that it opened end', async () => {
    const { it, browser } = await startWithAda()
    await using _ = it
    expect((await formsOf(browser)).has('/auth/account/disconnect')).toBe(false)
    expect((await browser.get('/auth/account')).body).toContain('This is your only way to sign in')
    await connectAndConfirm(browser, 'kim')
    const other = it.browser()
    await signIn(other, 'kim', 'home')
    const forms = (await formsOf(browser)).get('/auth/account/disconnect')!
    expect(forms).toHaveLength(2)
    const home = (await it.db.table(Identity).findOne({ where: { provider: 'home' } }))!.id
    const fields = forms.find(({ identity }) => identity === home)!
    const before = await browser.get('/auth/account?disconnected=home&connected=nobody')
    for (const shown of ['role="status"', 'only way to sign in']) expect(before.body).not.toContain(shown)
    const { location } = (await browser.post('/auth/account/disconnect', fields)).headers
    expect(location).toBe('/auth/account?disconnected=home')
    expect((await browser.get(String(location))).body).toContain('Home is disconnected. ')
    expect(await waysOf(it)).toEqual(['work-ada'])
    expect(await it.db.table(Session).count({ provider: 'home' })).toBe(0)
    const last = forms.find(({ identity }) => identity !== home)!
    const refused = await browser.post('/auth/account/disconnect', last)
    expect([refused.statusCode, titleOf(refused)]).toEqual([409, 'This is your only way to sign in'])
    expect(await waysOf(it)).toEqual(['work-ada'])
  })

  it('keeps one way to sign in when both are disconnected concurrently', async () => {
    const { it, browser } = await startWithAda()
    await using _ = it
    await connectAndConfirm(browser, 'kim')
    const forms = (await formsOf(browser)).get('/auth/account/disconnect')!
    await Promise.all(forms.map((fields) => browser.post('/auth/account/disconnect', fields)))
    expect((await waysOf(it)).length).toBeGreaterThanOrEqual(1)
  })

  it('has to sign in again if the last sign-in is too old', async () => {
    const { it, browser } = await startWithAda()
    await using _ = it
    const forms = await formsOf(browser)
    it.clock.pass(601)
    const page = await browser.get('/auth/account')
    expect(page.body).toContain('sign in again first')
    expect(page.body).not.toContain('<form')
    const path = '/auth/account/connect/home'
    const answer = await browser.post(path, forms.get(path)![0]!)
    expect(answer.headers.location).toBe('/auth/sign-in?return_to=%2Fauth%2Faccount&prompt=login')
    const ways = await browser.get(String(answer.headers.location))
    const way = ways.body.match(/href="(\/auth\/oauth\/work\/start[^"]*)"/)![1]!.replaceAll('&amp;', '&')
    const { left } = await browser.visit(way)
    expect([left!.searchParams.get('prompt'), left!.searchParams.get('max_age')]).toEqual(['login', '0'])
    await returnAs(browser, 'ada', way)
    expect((await formsOf(browser)).has(path)).toBe(true)
  })

  it('may do so too if the provider does not report when it authenticated them', async () => {
    const { it, browser } = await startWithAda({ providers: [createPeople('work'), createPeople('home')] })
    await using _ = it
    expect((await connectAndConfirm(browser, 'kim')).headers.location).toBe('/auth/account?connected=home')
  })

  it('is sent to the sign-in page if nobody is signed in', async () => {
    await using it = await startServer()
    expect((await it.browser().get('/auth/account')).headers.location).toBe('/auth/sign-in?return_to=%2Fauth%2Faccount')
    const answer = await it.browser().post('/auth/account/connect/home', {})
    expect(answer.headers.location).toBe('/auth/sign-in?return_to=%2Fauth%2Faccount&prompt=login')
  })
})

describe('attacks on the ways to sign in', () => {
  it('an identity of another account is not connected', async () => {
    const { it, browser } = await startWithAda()
    await using _ = it
    await signIn(it.browser(), 'eve', 'home')
    const { answer } = await connect(browser, 'eve')
    expect([answer.statusCode, titleOf(answer)]).toEqual([409, 'That belongs to another account'])
    expect(await it.db.table(Identity).count()).toBe(2)
  })

  it('a form of another page, session, purpose or person connects nothing', async () => {
    const { it, browser } = await startWithAda()
    await using _ = it
    const path = '/auth/account/connect/home'
    const [fields] = (await formsOf(browser)).get(path)!
    const foreign = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }
    expect((await browser.post(path, fields!, foreign)).statusCode).toBe(403)
    expect((await browser.post(path, {})).statusCode).toBe(403)
    expect((await browser.post('/auth/account/connect/work', fields!)).statusCode).toBe(403)
    const other = it.browser()
    await signIn(other, 'eve')
    expect((await other.post(path, fields!)).statusCode).toBe(403)
    const { answer } = await connect(browser, 'kim')
    const confirm = String(answer.headers.location)
    const page = await browser.get(confirm)
    expect((await browser.post('/auth/account/confirm', fieldsOf(page), foreign)).statusCode).toBe(403)
    expect(titleOf(await other.get(confirm))).toBe('This can no longer be connected')
    // Eve signs in in the same browser before the form is sent.
    await signIn(browser, 'eve')
    expect((await browser.post('/auth/account/confirm', fieldsOf(page))).statusCode).toBe(400)
    const { left } = await browser.follow(await browser.post(path, (await formsOf(browser)).get(path)![0]!))
    await signIn(browser, 'ada')
    const query = new URLSearchParams({ code: 'kim', state: left!.searchParams.get('state')! })
    expect(titleOf(await browser.get(`/auth/oauth/home/callback?${query}`))).toBe('This can no longer be connected')
    expect(await it.db.table(Identity).count({ provider: 'home' })).toBe(0)
  })
})
