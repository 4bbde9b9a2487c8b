import { AuthorizationRequest } from '@portico/auth-server'
import { describe, expect, it } from 'vitest'
import { fieldsOf, type TestBrowser, titleOf } from './support/browser.ts'
import {
  type Asked,
  ask,
  askAsWeb,
  authorizeUrl,
  clientSecret,
  obtainCallback,
  redemption,
  sendForm,
  signIn,
  startServer,
  type TestServer,
  type Tokens,
  webClient,
} from './support/server.ts'

const credentials = { client_id: 'web', client_secret: clientSecret }

async function obtainTokens(it: TestServer, asked: Asked, browser = it.browser(), person = 'ada'): Promise<Tokens> {
  const form = redemption(asked, await obtainCallback(browser, asked, person))
  return (await sendForm(it.app, '/auth/token', { ...form, ...credentials })).json<Tokens>()
}

/** A form that a page of another site sends: Lax cookies stay at home. */
function postFromElsewhere(it: TestServer, form: Record<string, string>) {
  return sendForm(it.app, '/auth/authorize', form, { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' })
}

describe('an authorization by form POST', () => {
  it('continues like one by GET, in the same browser', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await signIn(browser)
    const cookies = new Map(browser.cookies)
    const asked = askAsWeb({ nonce: 'n & 1', state: 'ä+ =' })
    const answer = await postFromElsewhere(it, asked.params)
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([303, undefined])
    const { page } = await browser.follow(answer)
    expect(titleOf(page)).toMatch(/Web shop/)
    expect(browser.cookies).toEqual(cookies)
    const allowed = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
    const callback = new URL(String(allowed.headers.location))
    expect(callback.searchParams.get('state')).toBe('ä+ =')
    const tokens = await sendForm(it.app, '/auth/token', { ...redemption(asked, callback), ...credentials })
    expect(tokens.statusCode).toBe(200)
  })

  it('is refused like one by GET: at the redirect URI, or on a page', async () => {
    await using it = await startServer()
    const errorOf = async (changes: Record<string, string | undefined>) => {
      const { location } = (await postFromElsewhere(it, askAsWeb(changes).params)).headers
      return new URL(String(location)).searchParams.get('error')
    }
    expect(await errorOf({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await errorOf({ request: 'e30.e30.' })).toBe('request_not_supported')
    expect(await errorOf({ request_uri: 'https://evil.example/' })).toBe('request_uri_not_supported')
    expect(await errorOf({ nonce: 'x'.repeat(2049) })).toBe('invalid_request')
    const long = 'ä'.repeat(2000)
    expect(await errorOf({ nonce: long, state: long, scope: long })).toBe('invalid_request')
    const evil = await postFromElsewhere(it, askAsWeb({ redirect_uri: 'https://evil.example/' }).params)
    expect([evil.statusCode, titleOf(evil)]).toEqual([400, 'This sign-in cannot be completed'])
    expect(await it.db.table(AuthorizationRequest).count()).toBe(0)
  })
})

describe('parameters of OpenID Connect that this server does not act on', () => {
  it.each([
    ['response_mode', 'form_post'],
    ['response_mode', 'fragment'],
    ['claims', '{"userinfo":{"email":null}}'],
    ['claims', 'x'.repeat(5000)],
    ['acr_values', 'urn:mace:incommon:iap:silver'],
    ['ui_locales', 'de fr'],
    ['claims_locales', 'de'],
    ['display', 'popup'],
    ['login_hint', 'ada@x.example'],
    ['id_token_hint', 'nonsense'],
  ])('are not an error: %s=%s', async (name, value) => {
    await using it = await startServer()
    const callback = await obtainCallback(it.browser(), askAsWeb({ [name]: value }))
    expect([callback.searchParams.get('error'), callback.searchParams.has('code')]).toEqual([null, true])
  })
})

describe('prompt=none with an id_token_hint', () => {
  const silently = async (browser: TestBrowser, id_token_hint: string) => {
    const { left } = await browser.visit(authorizeUrl(askAsWeb({ prompt: 'none', id_token_hint })))
    return left!.searchParams.get('error') ?? 'code'
  }

  it('succeeds only for the person it names', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { id_token } = await obtainTokens(it, askAsWeb(), browser)
    expect(await silently(browser, id_token!)).toBe('code')
    it.clock.pass(86_400)
    expect(await silently(browser, id_token!)).toBe('code')
    const other = it.browser()
    await obtainTokens(it, askAsWeb(), other, 'eve')
    expect(await silently(other, id_token!)).toBe('login_required')
  })

  it('is refused if it is not an id token of this server', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { id_token } = await obtainTokens(it, askAsWeb(), browser)
    const [header, payload] = id_token!.split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    await using stranger = await startServer()
    const foreign = (await obtainTokens(stranger, askAsWeb())).id_token!
    for (const hint of ['nonsense', unsigned, `${header}.${payload}.${'A'.repeat(86)}`, 'x'.repeat(5000), foreign])
      expect(await silently(browser, hint)).toBe('login_required')
    expect(await silently(browser, id_token!)).toBe('code')
  })
})

describe('a registered redirect URI on a loopback address', () => {
  const native = {
    id: 'native',
    name: 'Native',
    redirectUris: [
      'http://127.0.0.1/cb',
      'http://[::1]:4000/cb?x=1',
      'http://localhost:3000/cb',
      'https://shop.example/cb',
    ],
  }

  it.each([
    'http://127.0.0.1/cb',
    'http://127.0.0.1:51234/cb',
    'http://[::1]:1/cb?x=1',
    'http://[::1]/cb?x=1',
    'http://localhost:65535/cb',
  ])('matches any port: %s', async (redirect_uri) => {
    await using it = await startServer({ clients: [native] })
    const asked = ask({ client_id: 'native', redirect_uri })
    const callback = await obtainCallback(it.browser(), asked)
    expect(callback.href.startsWith(redirect_uri)).toBe(true)
    const form = { ...redemption(asked, callback), client_id: 'native' }
    // The answer is bound to the port that was asked for.
    const moved = { ...form, redirect_uri: redirect_uri.replace(/(:\d+)?\/cb/, ':7/cb') }
    expect((await sendForm(it.app, '/auth/token', moved)).json().error).toBe('invalid_grant')
    expect((await sendForm(it.app, '/auth/token', form)).statusCode).toBe(200)
  })

  it.each([
    'http://127.0.0.1:51234/other',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.2:51234/cb',
    'http://[::1]:1/cb',
    'https://127.0.0.1:51234/cb',
    'https://shop.example:8443/cb',
    'http://127.0.0.1:51234/cb#x',
    'http://127.0.0.1:51234/cb\n',
  ])('matches nothing else: %s', async (redirect_uri) => {
    await using it = await startServer({ clients: [native] })
    const answer = await it.app.inject(authorizeUrl(ask({ client_id: 'native', redirect_uri })))
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
  })
})

describe('a page of another origin', () => {
  const clients = [{ ...webClient, allowedOrigins: ['https://spa.example', 'http://127.0.0.1:5173'] }]
  const endpoints = ['/auth/token', '/auth/revoke', '/auth/userinfo']

  const preflight = (it: TestServer, url: string, from: string) =>
    it.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })

  it.each(endpoints)('that a client lists can call %s and read every response', async (url) => {
    await using it = await startServer({ clients, rateLimits: { token: { limit: 2, windowSec: 60 } } })
    const from = 'https://spa.example'
    const asked = await preflight(it, url, from)
    expect(asked.statusCode).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': from,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'authorization, content-type',
      vary: 'origin',
    })
    const answers = [
      await sendForm(it.app, url, { grant_type: 'x', token: 'x' }, { origin: from }),
      await sendForm(it.app, url, { grant_type: 'x'.repeat(5000), access_token: 'x'.repeat(5000) }, { origin: from }),
      await sendForm(it.app, url, { grant_type: 'x', token: 'x' }, { origin: from }),
    ]
    if (url !== '/auth/userinfo') expect(answers[2]!.statusCode).toBe(429)
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'access-control-allow-origin': from, vary: 'origin' })
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  it.each(endpoints)('that no client lists cannot read the responses of %s', async (url) => {
    await using it = await startServer({ clients })
    for (const from of ['https://evil.example', 'https://spa.example.evil.example', 'http://spa.example', 'null']) {
      for (const { headers } of [
        await preflight(it, url, from),
        await sendForm(it.app, url, { grant_type: 'x', token: 'x' }, { origin: from }),
      ]) {
        expect(headers).not.toHaveProperty('access-control-allow-origin')
        expect(headers).toMatchObject({ vary: 'origin' })
      }
    }
  })

  it.each(['/auth/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    'can always read the public document %s',
    async (url) => {
      await using it = await startServer()
      const from = 'https://any.example'
      expect((await preflight(it, url, from)).headers).toMatchObject({ 'access-control-allow-origin': '*' })
      const { headers } = await it.app.inject({ url, headers: { origin: from } })
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
    },
  )

  it('cannot read the pages of the server', async () => {
    await using it = await startServer({ clients })
    for (const url of ['/auth/sign-in', '/auth/authorize', '/auth/logout']) {
      const { headers } = await it.app.inject({ url, headers: { origin: 'https://spa.example' } })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})
