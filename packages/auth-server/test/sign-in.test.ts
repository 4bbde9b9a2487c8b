import { FormPost, Session, SignIn } from '@portico/auth-server'
import type { AuthorizationUrlArgs, ExchangeArgs, IdentityProvider } from '@portico/identity'
import { OAuthError, pkceChallengeFor } from '@portico/identity'
import { describe, expect, it } from 'vitest'
import { TestBrowser, titleOf } from './support/browser.ts'
import { createPeople, returnAs, sendForm, signIn, startServer } from './support/server.ts'

describe('a sign-in', () => {
  it('goes back to where the person was going, within this site', async () => {
    await using it = await startServer()
    const destinations = [
      ['/board?filter=open', '/board?filter=open'],
      ['https://app.example/board', '/board'],
      ['//evil.example/', '/'],
      ['https://evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['javascript:alert(1)', '/'],
    ]
    for (const [given, expected] of destinations) {
      const start = `/auth/oauth/work/start?${new URLSearchParams({ return_to: given! })}`
      expect((await returnAs(it.browser(), 'ada', start)).headers.location).toBe(expected)
    }
  })

  it('leads through the page that lists the ways in', async () => {
    await using it = await startServer({ providerLabels: { work: 'the office' } })
    const page = await it.browser().get('/auth/sign-in?return_to=/board')
    expect(page.statusCode).toBe(200)
    const ways = [...page.body.matchAll(/href="([^"]*)">.*?Continue with ([^<]*)</g)].map(([, href, label]) => [
      label,
      href,
    ])
    expect(ways).toEqual([
      ['the office', '/auth/oauth/work/start?return_to=%2Fboard'],
      ['Home', '/auth/oauth/home/start?return_to=%2Fboard'],
    ])
  })

  it('sends neither verifier nor nonce through the browser in readable form, and PKCE to the provider', async () => {
    await using it = await startServer()
    const { left } = await it.browser().visit('/auth/oauth/work/start')
    const row = (await it.db.table(SignIn).findOne({}))!
    expect(left!.href).not.toContain(row.codeVerifier)
    const claims = JSON.parse(Buffer.from(left!.searchParams.get('state')!.split('.')[1]!, 'base64url').toString())
    expect(Object.keys(claims).sort()).toEqual(['exp', 'hdl', 'iat', 'prv', 'rdr', 'rnd'])
    expect(left!.searchParams.get('redirect_uri')).toBe('https://app.example/auth/oauth/work/callback')
  })

  it('redeems the code with the verifier, the nonce and the redirect URI of the same sign-in', async () => {
    const visits: AuthorizationUrlArgs[] = []
    const redeemed: ExchangeArgs[] = []
    const provider: IdentityProvider = {
      id: 'work',
      async authorizationUrl(args) {
        visits.push(args)
        return `https://work.example/?state=${args.state}`
      },
      async exchange(args) {
        redeemed.push(args)
        return { provider: 'work', subject: 'ada', raw: {} }
      },
    }
    await using it = await startServer({ providers: [provider] })
    for (let n = 0; n < 2; n += 1) await signIn(it.browser())
    expect(new Set(visits.map(({ nonce }) => nonce)).size).toBe(2)
    expect(new Set(visits.map(({ codeChallenge }) => codeChallenge)).size).toBe(2)
    expect(
      redeemed.map(({ redirectUri, expectedNonce, codeVerifier }) => [
        redirectUri,
        expectedNonce,
        pkceChallengeFor(codeVerifier),
      ]),
    ).toEqual(visits.map(({ redirectUri, nonce, codeChallenge }) => [redirectUri, nonce, codeChallenge]))
    for (const { nonce } of visits) expect(nonce).toMatch(/^[\w-]{43}$/)
  })

  it('goes through a provider whose id has to be encoded in a path', async () => {
    const id = 'oidc:https://login.example'
    await using it = await startServer({ providers: [createPeople(id, 'https://login.example/authorize')] })
    const browser = it.browser()
    const page = await browser.get('/auth/sign-in')
    const way = page.body.match(/href="([^"]*)">.*?Continue/)![1]!
    const { left } = await browser.visit(way)
    const callback = new URL(left!.searchParams.get('redirect_uri')!)
    const query = new URLSearchParams({ code: 'ada', state: left!.searchParams.get('state')! })
    expect((await browser.get(`${callback.pathname}?${query}`)).headers.location).toBe('/')
    expect(browser.cookies.has('__Host-portico-session')).toBe(true)
  })

  it('works once: the same callback again signs nobody in', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { left } = await browser.visit('/auth/oauth/work/start')
    const callback = `/auth/oauth/work/callback?${new URLSearchParams({ code: 'ada', state: left!.searchParams.get('state')! })}`
    expect((await browser.get(callback)).statusCode).toBe(303)
    const again = await browser.get(callback)
    expect([again.statusCode, titleOf(again)]).toEqual([400, 'This sign-in cannot be continued'])
    expect(again.headers['set-cookie']).toBeUndefined()
  })

  it('works once, however many returns come together', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { left } = await browser.visit('/auth/oauth/work/start')
    const callback = `/auth/oauth/work/callback?${new URLSearchParams({ code: 'ada', state: left!.searchParams.get('state')! })}`
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.get(callback)))
    expect(answers.filter((it) => it.statusCode === 303)).toHaveLength(1)
    expect(await it.db.table(Session).count()).toBe(1)
  })

  it('may take ten minutes', async () => {
    await using it = await startServer()
    for (const [seconds, status] of [
      [599, 303],
      [600, 400],
    ] as const) {
      const browser = it.browser()
      const { left } = await browser.visit('/auth/oauth/work/start')
      it.clock.pass(seconds)
      const state = left!.searchParams.get('state')!
      const answer = await browser.get(`/auth/oauth/work/callback?${new URLSearchParams({ code: 'ada', state })}`)
      expect([seconds, answer.statusCode]).toEqual([seconds, status])
    }
  })

  it.each([
    ['no state', 'code=ada'],
    ['a state that is not ours', 'code=ada&state=x'],
    ['nothing', ''],
  ])('is refused with %s', async (_, query) => {
    await using it = await startServer()
    const answer = await it.browser().get(`/auth/oauth/work/callback?${query}`)
    expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'This sign-in cannot be continued'])
  })

  it('says that it was declined at the provider, and leads back to the same page', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { left } = await browser.visit('/auth/oauth/work/start?return_to=/board')
    const state = left!.searchParams.get('state')!
    const answer = await browser.get(
      `/auth/oauth/work/callback?${new URLSearchParams({ error: 'access_denied', state })}`,
    )
    expect([answer.statusCode, titleOf(answer)]).toEqual([403, 'The sign-in was declined'])
    expect(answer.body).toContain('href="/auth/sign-in?return_to=%2Fboard"')
  })

  it.each(['invalid_request', 'temporarily_unavailable', 'Not A Code'])(
    'does not say that it was declined where the provider answers %s',
    async (error) => {
      await using it = await startServer()
      const browser = it.browser()
      const { left } = await browser.visit('/auth/oauth/work/start')
      const state = left!.searchParams.get('state')!
      const answer = await browser.get(`/auth/oauth/work/callback?${new URLSearchParams({ error, state })}`)
      expect([answer.statusCode, titleOf(answer)]).toEqual([502, 'The provider did not answer as it should'])
    },
  )

  it.each(['exchange', 'authorizationUrl'] as const)(
    'says that the provider failed when its %s does, and in the log why',
    async (method) => {
      const provider: IdentityProvider = {
        id: 'work',
        authorizationUrl: async ({ state }) => `https://work.example/?state=${state}`,
        exchange: async () => Promise.reject(new OAuthError('EXCHANGE_FAILED', 'No answer', { status: 500 })),
        ...(method === 'authorizationUrl' && {
          authorizationUrl: async () => Promise.reject(new OAuthError('INVALID_CONFIG', 'No answer', { status: 500 })),
        }),
      }
      const lines: string[] = []
      const logger = { stream: { write: (line: string) => void lines.push(line) } }
      await using it = await startServer({ providers: [provider], clients: [], app: { logger: logger as never } })
      const browser = it.browser()
      const answer = method === 'exchange' ? await signIn(browser) : await browser.get('/auth/oauth/work/start')
      expect([answer.statusCode, titleOf(answer)]).toEqual([502, 'The provider did not answer as it should'])
      const type = method === 'exchange' ? 'EXCHANGE_FAILED' : 'INVALID_CONFIG'
      const warnings = lines.map((line) => JSON.parse(line)).filter((line) => line.level === 40)
      expect(warnings).toEqual([
        expect.objectContaining({ provider: 'work', type, details: { status: 500 }, msg: 'No answer' }),
      ])
    },
  )

  it.each(['start', 'callback'])('does not know other providers at %s', async (step) => {
    await using it = await startServer()
    for (const id of ['other', '__proto__', '%2Fwork']) {
      const answer = await it.app.inject(`/auth/oauth/${id}/${step}`)
      expect([answer.statusCode, titleOf(answer)]).toEqual([404, 'There is no such way to sign in'])
    }
  })

  it.each([
    ['signup-disabled', { allowSignup: false }, 'You have no account here yet'],
    ['email-unavailable', { usernameStrategy: () => '' }, 'An e-mail address is needed'],
  ])('is refused by the policy: %s', async (_, policy, title) => {
    await using it = await startServer({ policy })
    const answer = await signIn(it.browser())
    expect([answer.statusCode, titleOf(answer)]).toEqual([403, title])
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('is refused for a disabled account', async () => {
    await using it = await startServer()
    await signIn(it.browser())
    const user = await it.server.users.findByEmail('ada@x.example')
    await it.server.users.disable(user!.id)
    const answer = await signIn(it.browser())
    expect([answer.statusCode, titleOf(answer)]).toEqual([403, 'This account is disabled'])
    expect(answer.headers['set-cookie']).toBeUndefined()
    await it.server.users.activateAccount(user!.id)
    expect((await it.server.users.findById(user!.id))?.active).toBe(false)
    await it.server.users.enable(user!.id)
    expect((await signIn(it.browser())).statusCode).toBe(303)
  })

  it('finishes a first sign-in that stopped before its last step', async () => {
    await using it = await startServer()
    const { id: userId } = await it.server.users.createUser('ada')
    await it.server.identities.link({ provider: 'work', subject: 'work-ada', userId })
    expect((await signIn(it.browser())).statusCode).toBe(303)
    expect((await it.server.users.findById(userId))?.active).toBe(true)
  })
})

describe('a provider that answers by form POST', () => {
  /** As browsers do it: a form of another site comes without Lax cookies. */
  async function postFromProvider(it: Awaited<ReturnType<typeof startServer>>, browser: TestBrowser, code = 'ada') {
    const { left } = await browser.visit('/auth/oauth/work/start?return_to=/board')
    const stranger = new TestBrowser(it.app)
    const headers = { origin: 'https://work.example', 'sec-fetch-site': 'cross-site' }
    const form = { code, state: left!.searchParams.get('state')! }
    return stranger.post('/auth/oauth/work/callback', form, { headers })
  }

  it('signs in where the cookies are Lax: the form is kept and fetched by the browser', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const posted = await postFromProvider(it, browser)
    expect(posted.headers.location).toMatch(/^\/auth\/oauth\/work\/callback\?form_post=[\w-]{43}$/)
    expect(posted.headers['set-cookie']).toBeUndefined()
    const answer = await browser.get(String(posted.headers.location))
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/board'])
    expect(browser.cookies.has('__Host-portico-session')).toBe(true)
  })

  it('is refused in another browser, a second time, too late, or at another provider', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const location = async () => String((await postFromProvider(it, browser)).headers.location)
    const stolen = await location()
    expect(titleOf(await it.browser().get(stolen))).toBe('This sign-in cannot be continued')
    expect(titleOf(await browser.get(stolen))).toBe('This sign-in cannot be continued')
    const late = await location()
    it.clock.pass(60)
    expect(titleOf(await browser.get(late))).toBe('This sign-in cannot be continued')
    const elsewhere = (await location()).replace('oauth/work', 'oauth/home')
    expect(titleOf(await browser.get(elsewhere))).toBe('This sign-in cannot be continued')
    expect(await it.db.table(Session).count()).toBe(0)
  })

  it('stores nothing if the state is not ours', async () => {
    await using it = await startServer()
    const answer = await new TestBrowser(it.app).post('/auth/oauth/work/callback', { code: 'ada', state: 'x' })
    expect(titleOf(answer)).toBe('This sign-in cannot be continued')
  })

  it('stores only the fields of the form that are used, and nothing that is too long', async () => {
    await using it = await startServer()
    const { left } = await it.browser().visit('/auth/oauth/work/start')
    const state = left!.searchParams.get('state')!
    const post = (form: Record<string, string>) => sendForm(it.app, '/auth/oauth/work/callback', { state, ...form })
    expect((await post({ code: 'ada', junk: 'x'.repeat(100_000) })).statusCode).toBe(303)
    const [kept] = await it.db.table(FormPost).findMany({})
    expect([...new URLSearchParams(kept!.fields)]).toEqual([
      ['state', state],
      ['code', 'ada'],
    ])
    expect(titleOf(await post({ code: 'x'.repeat(20_000) }))).toBe('This request is not valid')
    expect(await it.db.table(FormPost).count()).toBe(1)
  })

  it('passes on the name that it sent', async () => {
    const seen: unknown[] = []
    const people = createPeople('work')
    const provider: IdentityProvider = {
      id: 'work',
      authorizationUrl: (args) => people.authorizationUrl(args),
      exchange: (args) => {
        seen.push((args as { user?: unknown }).user)
        return people.exchange(args)
      },
    }
    await using it = await startServer({ providers: [provider] })
    const browser = it.browser()
    const { left } = await browser.visit('/auth/oauth/work/start')
    const user = '{"name":{"firstName":"Ada"}}'
    const form = { code: 'ada', state: left!.searchParams.get('state')!, user }
    const posted = await new TestBrowser(it.app).post('/auth/oauth/work/callback', form)
    await browser.get(String(posted.headers.location))
    expect(seen).toEqual([user])
  })
})
