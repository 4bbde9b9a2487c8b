import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { AccessToken, AuditEvent, AuthorizationCode, authTables, Identity, Session, User } from '@portico/auth-server'
import { createApp, defineRoute } from '@portico/http'
import { createPkcePair, FakeIdentityProvider } from '@portico/identity'
import type { AnyTable } from '@portico/schema/runtime'
import { describe, expect, it } from 'vitest'
import { fieldsOf, origin, TestBrowser, titleOf } from './support/browser.ts'
import { quietLog } from './support/quiet-log.ts'
import {
  type Asked,
  ask,
  askAsWeb,
  authorizeUrl,
  clientSecret,
  createPeople,
  getStatus,
  logIn,
  obtainCallback,
  publicClient,
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

// Every attack that the security reference lists, by the names it lists them under.

describe('attacks on a code', () => {
  it('a code that is used twice is refused, and its token is revoked', async () => {
    await using it = await startServer()
    const asked = ask()
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    const { access_token } = (await sendForm(it.app, '/auth/token', form)).json<Tokens>()
    expect((await getStatus(it.app, access_token)).statusCode).toBe(200)
    it.clock.pass(3600)
    const replay = await sendForm(it.app, '/auth/token', form)
    expect([replay.statusCode, replay.json().error]).toEqual([400, 'invalid_grant'])
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
  })

  it('fifty concurrent uses of a code give at most one token, which is revoked', async () => {
    await using it = await startServer()
    const asked = ask()
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendForm(it.app, '/auth/token', form)))
    const given = answers.filter(({ statusCode }) => statusCode === 200).map((it) => it.json<Tokens>().access_token)
    expect(given.length).toBeLessThanOrEqual(1)
    for (const token of given) expect((await getStatus(it.app, token)).statusCode).toBe(401)
    expect(await it.db.table(AccessToken).count({ revokedAt: null })).toBe(0)
  })

  it('a code with a wrong verifier is refused, and its owner can still use it', async () => {
    await using it = await startServer()
    const asked = ask()
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    const stolen = await sendForm(it.app, '/auth/token', { ...form, code_verifier: createPkcePair().verifier })
    expect(stolen.json().error).toBe('invalid_grant')
    // The challenge travelled through the browser; it is not the verifier.
    const challenge = asked.params['code_challenge']!
    expect((await sendForm(it.app, '/auth/token', { ...form, code_verifier: challenge })).json().error).toBe(
      'invalid_grant',
    )
    expect((await sendForm(it.app, '/auth/token', form)).statusCode).toBe(200)
  })

  it('a code of one client is refused to another', async () => {
    await using it = await startServer()
    const asked = ask({ client_id: 'phone', redirect_uri: publicClient.redirectUris[0] })
    const form = redemption(asked, await obtainCallback(it.browser(), asked))
    for (const other of [{}, { client_id: 'web', client_secret: clientSecret }])
      expect((await sendForm(it.app, '/auth/token', { ...form, ...other })).json().error).toBe('invalid_grant')
  })

  it('a guessed code is not found: every code has 256 new random bits', async () => {
    await using it = await startServer()
    const codes = new Set<string>()
    const browser = it.browser()
    for (let n = 0; n < 5; n += 1) codes.add((await obtainCallback(browser, ask())).searchParams.get('code')!)
    expect(codes.size).toBe(5)
    for (const code of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(32)
  })
})

describe('attacks on the redirect', () => {
  it('a redirect URI that changes at any step is refused', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const asked = ask()
    const evil = 'http://127.0.0.1:6666/evil'
    const { page } = await reachConsent(browser, asked)
    // Nothing after the first step reads one.
    const answer = await browser.post('/auth/consent', {
      ...fieldsOf(page!),
      decision: 'allow',
      redirect_uri: evil,
      scope: 'tasks',
    })
    const callback = new URL(String(answer.headers.location))
    expect(callback.origin).toBe('http://127.0.0.1:4100')
    const form = redemption(asked, callback)
    for (const redirect_uri of [evil, `${form['redirect_uri']}/`, `${form['redirect_uri']}?x`])
      expect((await sendForm(it.app, '/auth/token', { ...form, redirect_uri })).json().error).toBe('invalid_grant')
    expect((await sendForm(it.app, '/auth/token', form)).json<Tokens>().scope).toBe('')
  })

  it('an unregistered redirect URI is never redirected to, whatever else is wrong', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const evil = 'https://evil.example/'
    const addresses = [
      authorizeUrl(ask({ redirect_uri: evil })),
      authorizeUrl(askAsWeb({ redirect_uri: evil, response_type: 'nonsense' })),
      authorizeUrl(askAsWeb({ redirect_uri: evil, prompt: 'none' })),
      `/auth/sign-in?return_to=${encodeURIComponent(evil)}`,
      `/auth/oauth/work/start?return_to=${encodeURIComponent(evil)}`,
      '/auth/continue?request=x&redirect_uri=https://evil.example/',
    ]
    for (const address of addresses) {
      const answer = await browser.get(address)
      expect(String(answer.headers.location ?? '')).not.toContain('evil')
      expect(answer.body).not.toContain('evil.example')
    }
    expect(
      (await returnAs(browser, 'ada', `/auth/oauth/work/start?return_to=${encodeURIComponent('//evil.example')}`))
        .headers.location,
    ).toBe('/')
    expect((await browser.post('/auth/logout', { return_to: evil })).headers.location).toBe('/')
  })

  it('every response names its issuer, so that a client cannot mix up two servers', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask())
    const denied = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'deny' })
    expect(denied.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    const refused = await browser.get(authorizeUrl(ask({ response_type: 'token' })))
    const granted = await obtainCallback(browser, ask())
    for (const url of [new URL(String(denied.headers.location)), new URL(String(refused.headers.location)), granted])
      expect(url.searchParams.getAll('iss')).toEqual([origin])
  })

  it('the callback of one provider refuses the state of another', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { left } = await browser.visit('/auth/oauth/work/start')
    const state = left!.searchParams.get('state')!
    const answer = await browser.get(`/auth/oauth/home/callback?${new URLSearchParams({ code: 'ada', state })}`)
    expect(titleOf(answer)).toBe('This sign-in cannot be continued')
    expect(browser.cookies.has('__Host-portico-session')).toBe(false)
  })
})

describe('attacks through another browser', () => {
  it('a callback of the attacker’s sign-in is refused in the victim’s browser', async () => {
    await using it = await startServer()
    const attacker = it.browser()
    const { left } = await attacker.visit('/auth/oauth/work/start')
    const callback = `/auth/oauth/work/callback?${new URLSearchParams({ code: 'eve', state: left!.searchParams.get('state')! })}`
    const victim = it.browser()
    for (const prepare of [async () => {}, () => victim.get('/auth/oauth/work/start')]) {
      await prepare()
      const answer = await victim.get(callback)
      expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'This sign-in cannot be continued'])
      expect(victim.cookies.has('__Host-portico-session')).toBe(false)
    }
  })

  it('the handle of a request is refused in another browser, signed in or not', async () => {
    await using it = await startServer()
    const victim = it.browser()
    const { page } = await reachConsent(victim, ask())
    const { request, form_token } = fieldsOf(page!)
    const thief = it.browser()
    await signIn(thief, 'eve')
    expect(titleOf(await thief.get(`/auth/continue?request=${request}`))).toBe('This sign-in has ended')
    const form = { request: request!, form_token: form_token!, decision: 'allow' }
    expect(titleOf(await thief.post('/auth/consent', form))).toBe('This sign-in has ended')
    expect(titleOf(await new TestBrowser(it.app).post('/auth/consent', form))).toBe('This sign-in has ended')
    expect((await victim.post('/auth/consent', form)).headers.location).toMatch(/^http:\/\/127/)
  })

  it('a sign-in replaces the session that was there before', async () => {
    await using it = await startServer()
    const planted = 'p'.repeat(43)
    const browser = it.browser()
    browser.cookies.set('__Host-portico-session', planted)
    await signIn(browser)
    const first = browser.cookies.get('__Host-portico-session')
    expect(first).not.toBe(planted)
    await signIn(browser)
    const second = browser.cookies.get('__Host-portico-session')
    expect(second).not.toBe(first)
    // The one before has ended at the server too.
    expect(await it.db.table(Session).count()).toBe(1)
  })

  it('two cookies with the same name, as a sibling host could set them, are ignored', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const real = browser.cookies.get('__Host-portico-session')!
    for (const values of [
      [real, 'p'.repeat(43)],
      ['p'.repeat(43), real],
    ]) {
      const cookie = values.map((value) => `__Host-portico-session=${value}`).join('; ')
      const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await it.app.inject({ method: 'POST', url: '/auth/logout', headers, payload: 'x=y' })
      expect(answer.statusCode).toBe(303)
      expect(await it.db.table(Session).count()).toBe(1)
    }
  })
})

describe('attacks through other pages', () => {
  it('a consent that another page sent is refused, and nothing is granted', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask())
    const fields = fieldsOf(page!)
    const good = { ...fields, decision: 'allow' }
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const attempts = [
      await browser.post('/auth/consent', good, { headers: foreign }),
      await browser.post('/auth/consent', good, { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }),
      await browser.post('/auth/consent', good, { headers: { origin, 'sec-fetch-site': 'same-site' } }),
      await browser.post('/auth/consent', { ...good, form_token: '' }),
      await browser.post('/auth/consent', { ...good, form_token: 'x'.repeat(43) }),
      await browser.post('/auth/consent', { ...good, form_token: fields['request']! }),
    ]
    for (const answer of attempts)
      expect([answer.statusCode, titleOf(answer)]).toEqual([403, 'That did not come from our page'])
    expect(await it.db.table(AuthorizationCode).count()).toBe(0)
    expect((await browser.get(`/auth/consent?${new URLSearchParams(good)}`)).statusCode).toBe(405)
    expect((await browser.post('/auth/consent', good)).statusCode).toBe(303)
  })

  it('an answer that is neither yes nor no grants nothing', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask())
    for (const decision of [{}, { decision: '' }, { decision: 'Allow' }, { decision: 'true' }]) {
      const answer = await browser.post('/auth/consent', { ...fieldsOf(page!), ...decision })
      expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'This request is not valid'])
    }
    expect(await it.db.table(AuthorizationCode).count()).toBe(0)
  })

  it('a consent form of one request or person is refused for another', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const first = fieldsOf((await reachConsent(browser, ask())).page!)
    const second = fieldsOf((await reachConsent(browser, ask({ scope: 'tasks' }))).page!)
    const mixed = { request: second['request']!, form_token: first['form_token']!, decision: 'allow' }
    expect(titleOf(await browser.post('/auth/consent', mixed))).toBe('That did not come from our page')
    await signIn(browser, 'eve')
    expect(titleOf(await browser.post('/auth/consent', { ...first, decision: 'allow' }))).toBe(
      'That did not come from our page',
    )
  })

  it('no page can be framed, run a script or load anything', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const consent = (await reachConsent(browser, ask())).page!
    const pages = [
      consent,
      await browser.get('/auth/sign-in'),
      await browser.get('/auth/logout'),
      await it.browser().get('/auth/signed-out'),
      await browser.get('/auth/authorize'),
      await browser.get('/auth/continue'),
    ]
    for (const { headers, body } of pages) {
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'")
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      })
      expect(body).not.toMatch(/<script|onload=|javascript:/i)
    }
    for (const { headers } of pages.slice(1))
      expect(headers['content-security-policy']).toContain("form-action 'self';")
    // Browsers would hold the client's own redirects after the answer to it.
    expect(consent.headers['content-security-policy']).not.toContain('form-action')
  })

  it('untrusted values are escaped on every page', async () => {
    const evil = `"'&><script>alert(1)</script>`
    const provider = new FakeIdentityProvider({
      id: 'work',
      defaultProfile: { subject: 's', email: evil, displayName: evil, raw: {} },
    })
    await using it = await startServer({
      providers: [provider],
      clients: [],
      brand: { name: evil, links: [{ label: evil, url: '/help' }] },
      providerLabels: { work: evil },
      scopes: { x: evil },
    })
    const browser = it.browser()
    const { left } = await browser.visit('/auth/oauth/work/start')
    const state = left!.searchParams.get('state')!
    await browser.get(`/auth/oauth/work/callback?${new URLSearchParams({ code: 'x', state })}`)
    const pages = [
      (await browser.visit(authorizeUrl(ask({ scope: 'x', redirect_uri: "http://127.0.0.1:1/'><script>" })))).page!,
      await browser.get(`/auth/sign-in?return_to=${encodeURIComponent(`/${evil}`)}`),
      await browser.get(`/auth/authorize?client_id=${encodeURIComponent(evil)}`),
      await browser.get('/auth/logout'),
    ]
    for (const { body } of pages) {
      expect(body).not.toContain('<script')
      expect(body).toContain('&quot;&#39;&amp;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    }
  })
})

describe('attacks on stored and disclosed data', () => {
  it('no token, code, secret or cookie is stored, logged or put in an address', async () => {
    const lines: string[] = []
    await using it = await startServer({
      app: { logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } as never },
    })
    const browser = it.browser()
    const asked = askAsWeb()
    const callback = await obtainCallback(browser, asked)
    const form = { ...redemption(asked, callback), client_id: 'web', client_secret: clientSecret }
    const { access_token } = (await sendForm(it.app, '/auth/token', form)).json<Tokens>()
    await getStatus(it.app, access_token)
    await sendForm(it.app, '/auth/token', form)
    expect((await it.app.inject(`/auth/status?access_token=${access_token}`)).statusCode).toBe(401)
    const secrets = [
      access_token,
      callback.searchParams.get('code')!,
      clientSecret,
      asked.verifier,
      ...browser.cookies.values(),
    ]
    const stored = await Promise.all(
      authTables.map((table) => it.db.table(table as typeof User & AnyTable).findMany({})),
    )
    const everything = JSON.stringify(stored)
    expect(lines.length).toBeGreaterThan(10)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40)
      expect(everything).not.toContain(secret)
      expect(lines.join('')).not.toContain(secret)
    }
    expect(everything).toContain(crypto.createHash('sha256').update(access_token).digest('base64url'))
  })

  it('secrets are compared by their hashes, in constant time', async () => {
    await using it = await startServer()
    const compared: [number, number][] = []
    const { timingSafeEqual } = crypto
    const browser = it.browser()
    const { page } = await reachConsent(browser, askAsWeb())
    const fields = fieldsOf(page!)
    crypto.timingSafeEqual = (a, b) => {
      compared.push([a.byteLength, b.byteLength])
      return timingSafeEqual(a, b)
    }
    syncBuiltinESMExports()
    try {
      await browser.post('/auth/consent', { ...fields, form_token: 'short', decision: 'allow' })
      expect(compared).toHaveLength(1)
      await sendForm(it.app, '/auth/token', { grant_type: 'authorization_code', client_id: 'web', client_secret: 'x' })
      expect(compared).toHaveLength(2)
      const asked = ask()
      const form = redemption(asked, await obtainCallback(it.browser(), asked))
      compared.length = 0
      await sendForm(it.app, '/auth/token', { ...form, code_verifier: 'a'.repeat(128) })
    } finally {
      crypto.timingSafeEqual = timingSafeEqual
      syncBuiltinESMExports()
    }
    expect(compared).toEqual([[32, 32]])
  })

  it('a stranger cannot find out who has an account, or which clients exist', async () => {
    await using it = await startServer()
    await logIn(it)
    const { userId } = await logIn(it, undefined, 'eve')
    const gone = await logIn(it, undefined, 'eve')
    await it.server.users.disable(userId)
    const answers = [await getStatus(it.app, gone.access_token), await getStatus(it.app, 'a'.repeat(43))]
    expect(
      new Set(
        answers.map(({ statusCode, body, headers }) => JSON.stringify([statusCode, body, headers['www-authenticate']])),
      ).size,
    ).toBe(1)
    const clients = ['web', 'nobody'].map((client_id) =>
      sendForm(it.app, '/auth/token', { grant_type: 'authorization_code', client_id, client_secret: 'x' }),
    )
    expect(new Set((await Promise.all(clients)).map(({ statusCode, body }) => statusCode + body)).size).toBe(1)
    // An identity with the address of an account reveals nothing more about it: neither its name nor its ways in. What the page
    // names is what they have brought themselves.
    const browser = it.browser()
    const page = (await browser.follow(await signIn(browser, 'like-ada', 'home'))).page!
    expect(titleOf(page)).toBe('Is this your account?')
    for (const detail of ['Ada Lovelace', 'ada@x.example', 'work-ada']) expect(page.body).not.toContain(detail)
    expect(page.body).toContain('Somebody (Ada@x.example)')
    expect([...page.body.matchAll(/Continue with (\w+)/g)].map(([, label]) => label)).toEqual(['Work', 'Home'])
  })

  it('an account created in advance with somebody’s address does not get its owner’s identity', async () => {
    const attacker = new FakeIdentityProvider({
      id: 'lax',
      authorizationEndpoint: 'https://lax.example/authorize',
      defaultProfile: { subject: 'attacker', email: 'ada@x.example', emailVerified: false, raw: {} },
    })
    const policy = { emailMatch: 'auto-link-if-verified' as const, trustEmailVerifiedFrom: ['work'] }
    await using it = await startServer({ providers: [attacker, createPeople('work')], policy })
    await signIn(it.browser(), 'any', 'lax')
    const victim = it.browser()
    const { page } = await victim.follow(await signIn(victim, 'ada', 'work'))
    expect(titleOf(page)).toBe('Is this your account?')
    expect(victim.cookies.has('__Host-portico-session')).toBe(false)
    expect(await it.db.table(Identity).count({ provider: 'work' })).toBe(0)
    expect(await it.db.table(User).count()).toBe(1)
  })

  it('an address that a provider reassigned does not open the account of its former owner', async () => {
    const policy = { emailMatch: 'auto-link-if-verified' as const, trustEmailVerifiedFrom: ['work', 'home'] }
    await using it = await startServer({ policy })
    await signIn(it.browser(), 'ada')
    const stranger = it.browser()
    const { page } = await stranger.follow(await signIn(stranger, 'like-ada', 'work'))
    expect(titleOf(page)).toBe('Is this your account?')
    expect(stranger.cookies.has('__Host-portico-session')).toBe(false)
    expect(await it.db.table(Identity).count()).toBe(1)
    // Another provider confirms the same address: that is what the policy is for.
    expect((await signIn(it.browser(), 'like-ada', 'home')).headers.location).toBe('/')
  })

  it('an old sign-in at the provider does not pass for a fresh one', async () => {
    const clock = new TestClock()
    const raw = {}
    const providers = [undefined, clock.time - 3_600_000].map(
      (authTime, n) =>
        new FakeIdentityProvider({
          id: ['work', 'home'][n]!,
          authorizationEndpoint: `https://${['work', 'home'][n]}.example/authorize`,
          defaultProfile: { subject: 'ada', raw, ...(authTime !== undefined && { authTime }) },
        }),
    )
    await using it = await startServer({ providers, clock })
    for (const changes of [{ prompt: 'login' }, { max_age: '60' }, { max_age: '0' }] as Record<string, string>[])
      for (const provider of ['work', 'home']) {
        const browser = it.browser()
        const { page } = await browser.visit(authorizeUrl(askAsWeb(changes)))
        const way = page!.body.match(new RegExp(`href="(/auth/oauth/${provider}/start[^"]*)"`))![1]!
        const { left } = await browser.follow(await returnAs(browser, 'ada', way.replaceAll('&amp;', '&')))
        expect([left?.searchParams.get('error'), left?.searchParams.has('code')]).toEqual(['login_required', false])
      }
  })

  it('refusals are audited, without the values that were sent', async () => {
    await using it = await startServer()
    await it.app.inject('/auth/authorize?client_id=secret-looking-value')
    await sendForm(it.app, '/auth/token', {
      grant_type: 'authorization_code',
      code: 'secret-looking-value',
      code_verifier: 'v'.repeat(43),
      redirect_uri: 'http://127.0.0.1/',
    })
    const events = await it.db.table(AuditEvent).findMany({ orderBy: { id: 'asc' } })
    expect(events.map(({ event, outcome, reason }) => [event, outcome, reason])).toEqual([
      ['request', 'refused', 'client-unknown'],
      ['token', 'refused', 'invalid_grant: the code is unknown'],
    ])
    expect(JSON.stringify(events)).not.toContain('secret-looking-value')
  })
})

describe('attacks with a token', () => {
  const guardedBy = ({ server }: TestServer) => {
    const { guards } = server
    const paths = { '/person': guards.signedIn, '/tasks': guards.signedIn('tasks'), '/export': guards.bearer('tasks') }
    return createApp({ logger: quietLog }).register(
      server.routes,
      ...Object.entries(paths).map(([path, guard]) =>
        defineRoute({ method: 'DELETE', path, guards: [guard], handler: () => ({ deleted: true }) }),
      ),
    )
  }

  const obtainTokens = async (it: TestServer, asked: Asked, browser = it.browser()): Promise<Tokens> => {
    const form = redemption(asked, await obtainCallback(browser, asked))
    const client = asked.params['client_id'] === undefined ? {} : { client_id: 'web', client_secret: clientSecret }
    return (await sendForm(it.app, '/auth/token', { ...form, ...client })).json<Tokens>()
  }

  it('a token opens only what the person allowed', async () => {
    await using it = await startServer({ scopes: { tasks: 'See and change your tasks', notes: 'See your notes' } })
    const app = guardedBy(it)
    for (const scope of ['', 'openid', 'openid profile email', 'notes'])
      for (const asked of [ask({ scope }), askAsWeb({ scope })]) {
        const headers = { authorization: `Bearer ${(await obtainTokens(it, asked)).access_token}` }
        for (const url of ['/person', '/tasks', '/export'])
          expect([scope, url, (await app.inject({ method: 'DELETE', url, headers })).statusCode]).toEqual([
            scope,
            url,
            403,
          ])
      }
    const headers = { authorization: `Bearer ${(await obtainTokens(it, ask({ scope: 'tasks' }))).access_token}` }
    for (const url of ['/tasks', '/export'])
      expect((await app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200)
    await app.close()
  })

  it('nobody grants themselves a scope that is reserved to a role', async () => {
    const scopes = { admin: { label: 'Administer', roles: ['admin'] } }
    await using it = await startServer({ scopes })
    for (const asked of [ask({ scope: 'admin' }), askAsWeb({ scope: 'openid admin' })]) {
      const browser = it.browser()
      const { page } = await reachConsent(browser, asked, 'eve')
      expect(page!.body).not.toContain('Administer')
      // The form has no word on scopes; what is sent along is not read.
      const answer = await browser.post('/auth/consent', { ...fieldsOf(page!), scope: 'admin', decision: 'allow' })
      const form = redemption(asked, new URL(String(answer.headers.location)))
      const client = asked.params['client_id'] === undefined ? {} : { client_id: 'web', client_secret: clientSecret }
      const tokens = (await sendForm(it.app, '/auth/token', { ...form, ...client, scope: 'admin' })).json<Tokens>()
      expect(tokens.scope).not.toContain('admin')
      expect((await it.server.verifyToken(tokens.access_token))!.scope).not.toContain('admin')
    }
  })

  it('a stolen token stays invalid when its disabled account is enabled again', async () => {
    await using it = await startServer()
    const { access_token, userId } = await logIn(it)
    await it.server.users.disable(userId)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
    await it.server.users.enable(userId)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
  })

  it('a token of a client that was removed is refused', async () => {
    await using it = await startServer()
    const { access_token } = await obtainTokens(it, askAsWeb())
    expect((await getStatus(it.app, access_token)).statusCode).toBe(200)
    await using later = await startServer({ db: it.db, isSynced: true, clock: it.clock, clients: [publicClient] })
    expect((await getStatus(later.app, access_token)).statusCode).toBe(401)
  })

  it('refusals do not fill a table: they are counted per address and hour', async () => {
    await using it = await startServer()
    const flood = async (remoteAddress: string) => {
      for (let n = 0; n < 25; n += 1) {
        await it.app.inject({ url: `/auth/authorize?client_id=made-up-${n}`, remoteAddress })
        await it.app.inject({ url: `/auth/continue?request=${n}`, remoteAddress })
        await it.app.inject({ method: 'POST', url: '/auth/token', remoteAddress })
      }
    }
    await flood('192.0.2.1')
    await flood('2001:db8::1')
    await flood('2001:db8::2')
    const lines = await it.db.table(AuditEvent).findMany({})
    expect(lines).toHaveLength(6)
    expect(lines.map(({ count = 1 }) => count).sort((a, b) => a - b)).toEqual([25, 25, 25, 50, 50, 50])
  })
})

describe('malformed and oversized requests', () => {
  it.each([
    ['/auth/token', 'code=secret-looking-value', 'token', 'VALIDATION_FAILED'],
    ['/auth/token', `grant_type=a&grant_type=secret-looking-value`, 'token', 'VALIDATION_FAILED'],
    ['/auth/token', `grant_type=a&code=${'x'.repeat(5000)}`, 'token', 'VALIDATION_FAILED'],
    ['/auth/token', 'grant_type=%zz', 'token', 'MALFORMED_BODY'],
    ['/auth/revoke', 'secret-looking-value=x', 'revocation', 'VALIDATION_FAILED'],
    ['/auth/consent', 'request=%zz', 'consent', 'MALFORMED_BODY'],
    ['/auth/logout', `x=${'x'.repeat(1_100_000)}`, 'sign-out', 'BODY_TOO_LARGE'],
  ])('are audited although no handler ran: %s', async (url, payload, event, code) => {
    await using it = await startServer()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin }
    expect((await it.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBeLessThan(500)
    const lines = await it.db.table(AuditEvent).findMany({})
    expect(lines).toMatchObject([{ event, outcome: 'refused', reason: `malformed: ${code}`, ip: '127.0.0.1' }])
    expect(JSON.stringify(lines)).not.toContain('secret-looking-value')
  })

  it.each([
    ['a query that is not encoded', '/auth/authorize?redirect_uri=%zz'],
    ['an address without end', `/auth/authorize?redirect_uri=${'x'.repeat(10_000)}`],
    ['names that every object has', '/auth/authorize?__proto__=x&constructor=y'],
    ['a NUL in a handle', '/auth/continue?request=%00'],
    ['a handle without end', `/auth/continue?request=${'x'.repeat(5000)}`],
    ['two handles', '/auth/continue?request=a&request=b'],
    ['an operator for a link', '/auth/link?link[$ne]=x'],
    ['a list for a state', '/auth/oauth/work/callback?state[]=x'],
    ['a NUL for a kept form', '/auth/oauth/work/callback?form_post=%00'],
    ['a NUL for a link', '/auth/oauth/work/start?link=%00'],
    ['a consent that is not encoded', '/auth/consent', 'request=%zz'],
    ['a consent with a NUL', '/auth/consent', 'request=%00&form_token=a&decision=allow'],
    ['a consent without end', '/auth/consent', `request=${'x'.repeat(1_100_000)}`],
    ['a callback with a NUL', '/auth/oauth/work/callback', 'state=%00'],
    ['a sign-out that is not encoded', '/auth/logout', '%zz'],
  ])('%s is refused with a page, not a 500', async (_, url, payload?: string) => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      cookie,
      origin,
      ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const answer = await it.app.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url,
      headers,
      ...(payload !== undefined && { payload }),
    })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.headers['content-type']).toMatch('text/html')
    expect(answer.body).toContain('<h1>')
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'] as const)('the token endpoint refuses %s', async (method) => {
    await using it = await startServer()
    expect((await it.app.inject({ method, url: '/auth/token' })).statusCode).toBe(405)
  })
})
