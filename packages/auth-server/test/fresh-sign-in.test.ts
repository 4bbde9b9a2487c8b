import { defineRoute, type RouteDefinition } from '@portico/http'
import { FakeIdentityProvider, OidcProvider } from '@portico/identity'
import { decodeJwt, type JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { titleOf } from './support/browser.ts'
import { HttpBrowser } from './support/http-browser.ts'
import { type ListeningServer, listen } from './support/listen.ts'
import { type LiveUpstream, startLiveUpstream } from './support/live-upstream.ts'
import {
  askAsWeb,
  authorizeUrl,
  clientSecret,
  obtainCallback,
  reachConsent,
  redemption,
  returnAs,
  sendForm,
  signIn,
  startServer,
  TestClock,
  webClient,
} from './support/server.ts'

const stopAt = webClient.redirectUris[0]

/** A server whose people sign in at a real provider, where the browser stays signed in. */
async function openLive(routes: (server: () => ListeningServer) => RouteDefinition[] = () => []) {
  let upstream: LiveUpstream | undefined
  const real = () =>
    new OidcProvider({
      id: 'real',
      issuer: upstream!.issuer,
      clientId: upstream!.clientId,
      clientSecret: upstream!.clientSecret,
    })
  let server: ListeningServer | undefined
  server = await listen(
    () => [
      {
        id: 'real',
        authorizationUrl: (args) => real().authorizationUrl(args),
        exchange: (args) => real().exchange(args),
        checkCallback: (params) => real().checkCallback(params),
      },
    ],
    { clients: [webClient], policy: { trustEmailVerifiedFrom: ['real'] } },
    routes(() => server!),
  )
  upstream = await startLiveUpstream(`${server.url}/auth/oauth/real/callback`)
  const live = server
  return {
    server: live,
    upstream,
    browser: new HttpBrowser(),
    async [Symbol.asyncDispose]() {
      await live[Symbol.asyncDispose]()
      await upstream?.[Symbol.asyncDispose]()
    },
  }
}

type Live = Awaited<ReturnType<typeof openLive>>

/** A whole sign-in of the client: the claims of its id token, and what a person was asked for on the way. */
async function signInAsWeb(live: Live, changes: Record<string, string> = {}) {
  const { server, upstream, browser } = live
  const before = upstream.steps.length
  const asked = askAsWeb(changes)
  const callback = await browser.grant(server.url + authorizeUrl(asked), stopAt)
  const form = { ...redemption(asked, callback), client_id: 'web', client_secret: clientSecret }
  const answer = await sendForm(server.app, '/auth/token', form)
  const claims: JWTPayload = decodeJwt(answer.json<{ id_token: string }>().id_token)
  return { claims, steps: upstream.steps.slice(before), sent: upstream.requests.at(-1) ?? {} }
}

describe('a person who is signed in at the provider', () => {
  it('is asked there by prompt=login, and auth_time is the provider’s', async () => {
    await using live = await openLive()
    expect((await signInAsWeb(live)).steps).toEqual(['login'])
    const again = await signInAsWeb(live, { prompt: 'login', acr_values: 'urn:high' })
    expect(again.steps).toEqual(['login'])
    expect(again.sent).toMatchObject({ prompt: 'login', max_age: '0' })
    expect(again.claims['auth_time']).toEqual(expect.any(Number))
    expect(again.claims['acr']).toBe('urn:high')
  })

  it('is asked by max_age where it is too long ago, and not where it is recent enough: the time is the same then', async () => {
    await using live = await openLive()
    const first = await signInAsWeb(live, { max_age: '3600' })
    expect(first.steps).toEqual(['login'])
    // Signed out here, still signed in there.
    const elsewhere = { ...live, browser: live.browser.without(live.server.url) }
    const second = await signInAsWeb(elsewhere, { max_age: '3600' })
    expect([second.steps, second.sent['max_age']]).toEqual([[], '3600'])
    expect(second.claims['auth_time']).toBe(first.claims['auth_time'])
    expect((await signInAsWeb(live, { max_age: '0' })).steps).toEqual(['login'])
  })

  it('chooses an account by prompt=select_account, and becomes somebody else', async () => {
    await using live = await openLive()
    const first = await signInAsWeb(live)
    live.upstream.person = 'kim'
    const other = await signInAsWeb(live, { prompt: 'select_account' })
    expect(other.steps).toContain('select_account')
    expect([first.claims['email'], other.claims['email']]).toEqual(['ada@x.example', 'kim@x.example'])
  })

  it('reaches the choice of accounts from the consent page', async () => {
    await using live = await openLive()
    const { server, upstream, browser } = live
    await browser.open(`${server.url}/auth/oauth/real/start?return_to=/auth/logout`, stopAt)
    const { page, url } = await browser.open(server.url + authorizeUrl(askAsWeb()), stopAt)
    const link = page.match(/href="([^"]+)">Use another account/)![1]!.replaceAll('&amp;', '&')
    const ways = await browser.open(new URL(link, url), stopAt)
    upstream.person = 'kim'
    const way = ways.page.match(/href="(\/auth\/oauth\/[^"]*)"/)![1]!.replaceAll('&amp;', '&')
    const consent = await browser.open(new URL(way, ways.url), stopAt)
    expect(upstream.requests.at(-1)).toMatchObject({ prompt: 'select_account' })
    expect(consent.page).toContain('Signed in as <strong>kim</strong>')
  })

  it('has hints passed on, and acr_values lead to the provider once', async () => {
    await using live = await openLive()
    await signInAsWeb(live)
    const hints = { login_hint: 'ada@x.example', ui_locales: 'de en', acr_values: 'urn:never urn:low' }
    const { sent, claims } = await signInAsWeb(live, hints)
    expect(sent).toMatchObject(hints)
    // It is a wish: what was met is said, and not that it was.
    expect(claims['acr']).not.toBe('urn:never')
  })
})

describe('a provider that does not ask', () => {
  const clock = new TestClock()
  const provider = (authTime?: number) => [
    new FakeIdentityProvider({
      id: 'work',
      authorizationEndpoint: 'https://work.example/authorize',
      defaultProfile: { subject: 'ada', email: 'ada@x.example', raw: {}, ...(authTime !== undefined && { authTime }) },
    }),
  ]

  it.each([
    ['prompt=login by an old sign-in', { prompt: 'login' }, clock.time - 60_000],
    ['prompt=login without a time', { prompt: 'login' }, undefined],
    ['max_age by an old sign-in', { max_age: '30' }, clock.time - 60_000],
    ['max_age without a time', { max_age: '86400' }, undefined],
    ['max_age by a time to come', { max_age: '30' }, clock.time + 60_000],
  ])('cannot satisfy %s: login_required, after one sign-in', async (_name, changes, authTime) => {
    await using it = await startServer({ providers: provider(authTime), clock })
    const { left } = await reachConsent(it.browser(), askAsWeb(changes))
    expect(left?.origin).toBe('https://shop.example')
    expect(left?.searchParams.get('error')).toBe('login_required')
    expect(left?.searchParams.get('code')).toBeNull()
  })

  it('leaves auth_time out of id tokens, and satisfies max_age where its own time does', async () => {
    await using it = await startServer({ providers: provider(), clock })
    const claims = async (changes: Record<string, string>, server = it) => {
      const asked = askAsWeb(changes)
      const form = redemption(asked, await obtainCallback(server.browser(), asked))
      const answer = await sendForm(server.app, '/auth/token', {
        ...form,
        client_id: 'web',
        client_secret: clientSecret,
      })
      return decodeJwt(answer.json<{ id_token: string }>().id_token)
    }
    expect(await claims({})).not.toHaveProperty('auth_time')
    await using other = await startServer({ providers: provider(clock.time - 20_000), clock })
    expect((await claims({ max_age: '30' }, other))['auth_time']).toBe((clock.time - 20_000) / 1000)
  })

  it('does not satisfy prompt=login with the sign-in of another request', async () => {
    await using it = await startServer({ clock })
    const browser = it.browser()
    const other = await browser.visit(authorizeUrl(askAsWeb({ prompt: 'login' })))
    const { page } = await browser.visit(authorizeUrl(askAsWeb({ prompt: 'login' })))
    const wayOf = (body: string) => body.match(/href="(\/auth\/oauth\/work\/start[^"]*)"/)![1]!.replaceAll('&amp;', '&')
    const consent = await browser.follow(await returnAs(browser, 'ada', wayOf(page!.body)))
    expect(titleOf(consent.page)).toBe('Sign in to Web shop')
    const first = new URL(wayOf(other.page!.body), 'https://app.example').searchParams.get('return_to')!
    expect(titleOf((await browser.visit(first)).page)).toBe('Sign in to Tracker')
  })
})

describe('guards.recent', () => {
  it('accepts only a session whose person authenticated recently', async () => {
    const clock = new TestClock()
    await using it = await startServer({ clock })
    it.app.register({
      kind: 'routes',
      name: 'payments',
      routes: [
        defineRoute({
          method: 'GET',
          path: '/pay',
          guards: [it.server.guards.recent(300)],
          handler: () => ({ ok: true }),
        }),
      ],
    })
    const browser = it.browser()
    expect((await browser.get('/pay')).statusCode).toBe(401)
    await signIn(browser)
    expect((await browser.get('/pay')).json()).toEqual({ ok: true })
    clock.pass(301)
    const late = await browser.get('/pay')
    expect([late.statusCode, late.json().code, late.headers['www-authenticate']]).toEqual([
      401,
      'SIGN_IN_AGAIN',
      'Bearer error="insufficient_user_authentication", max_age="300"',
    ])
    await returnAs(browser, 'ada', '/auth/oauth/work/start?prompt=login&return_to=/pay')
    expect((await browser.get('/pay')).statusCode).toBe(200)
    expect(() => it.server.guards.recent(0)).toThrow('guards.recent')
  })
})
