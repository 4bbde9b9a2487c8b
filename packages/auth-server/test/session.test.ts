import { Session } from '@portico/auth-server'
import { createApp, defineRoute } from '@portico/http'
import { describe, expect, it } from 'vitest'
import { fieldsOf, origin, TestBrowser, titleOf } from './support/browser.ts'
import { quietLog } from './support/quiet-log.ts'
import { ask, getStatus, logIn, sendForm, signIn, startServer, type TestServer } from './support/server.ts'

/** An application's own routes behind the guards. */
function guarded({ server }: TestServer) {
  const { guards } = server
  const { userId } = server
  const answer = ({ request }: { request: Parameters<typeof guards.principal.require>[0] }) =>
    guards.principal.require(request)
  return createApp({ logger: quietLog }).register(
    server.routes,
    defineRoute({ method: 'GET', path: '/me', guards: [guards.session], handler: answer }),
    defineRoute({ method: 'POST', path: '/me', guards: [guards.session], handler: answer }),
    defineRoute({ method: 'GET', path: '/api', guards: [guards.bearer('tasks')], handler: answer }),
    defineRoute({ method: 'GET', path: '/tasks', guards: [guards.bearer('tasks')], handler: answer }),
    defineRoute({ method: 'GET', path: '/either', guards: [guards.signedIn('tasks')], handler: answer }),
    defineRoute({
      method: 'GET',
      path: '/user-id',
      guards: [guards.signedIn('tasks')],
      handler: ({ request }) => ({ userId: userId(request) }),
    }),
    defineRoute({ method: 'GET', path: '/unguarded', handler: ({ request }) => ({ userId: userId(request) }) }),
  )
}

describe('a session', () => {
  it('is a cookie that only this host sets and no script reads', async () => {
    await using it = await startServer()
    const [line] = [(await signIn(it.browser())).headers['set-cookie']].flat()
    expect(line).toMatch(/^__Host-portico-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/)
  })

  it('has a plain name with the port and no Secure on a loopback address without TLS', async () => {
    await using it = await startServer({ baseUrl: 'http://127.0.0.1:3000' })
    const answer = await it.app.inject('/auth/oauth/work/start')
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^portico-browser-3000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
  })

  it('lasts 14 days from its last use, which is noted at most once a minute', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const row = async () => (await it.db.table(Session).findOne({}))!
    const { lastUsedAt } = await row()
    it.clock.pass(59)
    expect((await browser.get('/me')).statusCode).toBe(200)
    expect((await row()).lastUsedAt).toBe(lastUsedAt)
    it.clock.pass(14 * 86_400 - 60)
    const answer = await browser.get('/me')
    expect(answer.json()).toEqual({
      userId: expect.any(String),
      via: 'session',
      id: (await row()).id,
      scope: [],
      roles: [],
      expiresAt: it.clock.time + 14 * 86_400_000,
    })
    it.clock.pass(14 * 86_400)
    expect((await browser.get('/me')).statusCode).toBe(401)
    await app.close()
  })

  it('ends with its account', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const { userId } = (await browser.get('/me')).json()
    await it.server.users.disable(userId)
    expect((await browser.get('/me')).statusCode).toBe(401)
    await app.close()
  })

  it('is refused for a request that changes something and comes from another host', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const send = async (headers: Record<string, string>) => (await browser.post('/me', {}, { headers })).statusCode
    expect(await send({})).toBe(200)
    expect(await send({ origin: 'https://evil.app.example', 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await send({ origin, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await send({ origin: 'null', 'sec-fetch-site': 'cross-site' })).toBe(403)
    // As browsers say it for a page of this site that sends no referrer.
    expect(await send({ origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(200)
    await app.close()
  })
})

describe('userId(request)', () => {
  it('is the user of the session or token that the guards accepted', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const { userId } = (await browser.get('/me')).json()
    expect((await browser.get('/user-id')).json()).toEqual({ userId })
    const { access_token: token } = await logIn(it, ask({ scope: 'tasks' }))
    const answer = await app.inject({ url: '/user-id', headers: { authorization: `Bearer ${token}` } })
    expect(answer.json()).toEqual({ userId })
    await app.close()
  })

  it('throws the 401 of the guards where no guard has accepted anybody', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const answer = await browser.get('/unguarded')
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: 'nobody is signed in: no guard of this route has accepted the request',
    })
    expect(answer.headers['www-authenticate']).toMatch(/^Cookie realm="session"/)
    await app.close()
  })
})

describe('signing out', () => {
  it('ends the session at the server, not only in the browser', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    const kept = browser.cookies.get('__Host-portico-session')!
    const answer = await browser.post('/auth/logout', {})
    expect(answer.headers.location).toBe('/auth/signed-out')
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-portico-session=; .*Max-Age=0$/)
    expect(titleOf((await browser.follow(answer)).page)).toBe('You are signed out')
    browser.cookies.set('__Host-portico-session', kept)
    expect((await browser.get('/me')).statusCode).toBe(401)
    await app.close()
  })

  it('works only by POST, and only from a page of this site', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    expect(titleOf(await browser.get('/auth/logout'))).toBe('Sign out of Tracker?')
    const foreign = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { origin, 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      expect(titleOf(await browser.post('/auth/logout', {}, { headers }))).toBe('That did not come from our page')
    for (const headers of [{}, { origin: 'null' }])
      expect((await sendForm(it.app, '/auth/logout', { x: 'y' }, headers)).statusCode).toBe(403)
    expect(await it.db.table(Session).count()).toBe(1)
  })

  it('works from a page of this site that sends no referrer, for which browsers say `Origin: null`', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    expect((await browser.post('/auth/logout', {}, { headers })).headers.location).toBe('/auth/signed-out')
    expect(await it.db.table(Session).count()).toBe(0)
  })

  it('redirects only within this site', async () => {
    await using it = await startServer()
    const go = async (return_to: string) => (await it.browser().post('/auth/logout', { return_to })).headers.location
    expect(await go('/welcome')).toBe('/welcome')
    expect(await go('https://evil.example/')).toBe('/')
    expect(await go('//evil.example')).toBe('/')
  })
})

describe('the pages about signing out', () => {
  it('ask whoever is signed in, and lead to the form', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser, 'eve')
    const asked = await browser.get('/auth/logout?return_to=/welcome')
    expect(asked.body).toContain('signed in as <strong>Eve &lt;Eavesdropper&gt;</strong>')
    const answer = await browser.post('/auth/logout', fieldsOf(asked))
    expect([answer.headers.location, await it.db.table(Session).count()]).toEqual(['/welcome', 0])
  })

  it('do not say that somebody is signed out who is not', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    expect(titleOf((await browser.visit('/auth/signed-out')).page)).toBe('Sign out of Tracker?')
    it.clock.pass(14 * 86_400)
    expect(titleOf((await browser.visit('/auth/signed-out')).page)).toBe('You are signed out')
  })

  it('redirect if nobody is signed in', async () => {
    await using it = await startServer()
    const go = async (url: string) => (await it.browser().get(url)).headers.location
    expect(await go('/auth/logout')).toBe('/auth/signed-out')
    expect(await go('/auth/logout?return_to=/welcome')).toBe('/welcome')
    expect(await go('/auth/logout?return_to=https://evil.example/')).toBe('/')
  })
})

describe('the guards', () => {
  it('accept tokens from the header alone, and identify the user', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const { access_token, userId } = await logIn(it, ask({ scope: 'tasks' }))
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await app.inject({ url: '/api', headers })
    expect(answer.json()).toMatchObject({ userId, via: 'token', scope: ['tasks'], roles: [] })
    expect(answer.json()).not.toHaveProperty('clientId')
    expect((await app.inject(`/api?access_token=${access_token}`)).statusCode).toBe(401)
    const refused = await app.inject({ url: '/api', headers: { authorization: 'Bearer nonsense' } })
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token", scope="tasks"',
    ])
    await app.close()
  })

  it('ask for scopes', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const { access_token } = await logIn(it)
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await app.inject({ url: '/tasks', headers })
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="tasks"',
    ])
    await app.close()
  })

  it('accept a token or a session, and never one in place of the other', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    expect((await browser.get('/either')).json().via).toBe('session')
    const { access_token } = await logIn(it, ask({ scope: 'tasks' }))
    expect(
      (await app.inject({ url: '/either', headers: { authorization: `Bearer ${access_token}` } })).json().via,
    ).toBe('token')
    const session = browser.cookies.get('__Host-portico-session')!
    expect((await getStatus(app, session)).statusCode).toBe(401)
    expect((await browser.get('/either', { headers: { authorization: 'Bearer x' } })).statusCode).toBe(401)
    const imposter = new TestBrowser(app)
    imposter.cookies.set('__Host-portico-session', access_token)
    expect((await imposter.get('/me')).statusCode).toBe(401)
    await app.close()
  })
})

describe('the list of a user’s access', () => {
  it('has sessions and tokens, each revocable immediately, by its owner only', async () => {
    await using it = await startServer()
    const app = guarded(it)
    const browser = new TestBrowser(app)
    await signIn(browser)
    it.clock.pass(1)
    const { access_token, userId } = await logIn({ ...it, browser: () => browser })
    const eve = await logIn(it, undefined, 'eve')
    const list = await it.server.listAccess(userId)
    expect(list.map(({ kind }) => kind)).toEqual(['token', 'session'])
    expect(JSON.stringify(list)).not.toMatch(/[Hh]ash/)
    for (const { id } of list) {
      expect(await it.server.revokeAccess(eve.userId, id)).toBe(false)
      expect(await it.server.revokeAccess(userId, id)).toBe(true)
      expect(await it.server.revokeAccess(userId, id)).toBe(false)
    }
    expect(await it.server.listAccess(userId)).toEqual([])
    expect((await getStatus(app, access_token)).statusCode).toBe(401)
    expect((await browser.get('/me')).statusCode).toBe(401)
    expect((await getStatus(app, eve.access_token)).statusCode).toBe(200)
    await app.close()
  })
})
