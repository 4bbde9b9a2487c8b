import { describe, expect, it } from 'vitest'
import { fieldsOf, origin, titleOf } from './support/browser.ts'
import {
  ask,
  authorizeUrl,
  getStatus,
  obtainCallback,
  reachConsent,
  redemption,
  sendForm,
  startServer,
} from './support/server.ts'

describe('a loopback client', () => {
  it('gets a token for the person who signed in and consented, and the status names them', async () => {
    await using it = await startServer()
    const asked = ask({ scope: 'tasks' })
    const callback = await obtainCallback(it.browser(), asked)
    expect(callback.href).toMatch(/^http:\/\/127\.0\.0\.1:4100\/callback\?code=/)
    expect(callback.searchParams.get('state')).toBe(asked.params['state'])
    expect(callback.searchParams.get('iss')).toBe(origin)
    const answer = await sendForm(it.app, '/auth/token', redemption(asked, callback))
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const tokens = answer.json()
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 30 * 86_400,
      scope: 'tasks',
      userId: expect.any(String),
    })
    const status = await getStatus(it.app, tokens.access_token)
    expect(status.statusCode).toBe(200)
    const expiresAt = it.clock.time + 30 * 86_400_000
    expect(status.json()).toEqual({ userId: tokens.userId, name: 'Ada Lovelace', scope: tokens.scope, expiresAt })
    const user = await it.server.users.findById(tokens.userId)
    expect(user).toMatchObject({ email: 'ada@x.example', displayName: 'Ada Lovelace', active: true })
  })

  it.each([
    'http://127.0.0.1:1/',
    'http://127.0.0.1:65535/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:4100',
    'http://[::1]:4100/any/path?and=query',
    'http://127.0.0.1:4100/cb?x=%2F',
  ])('may use %s', async (redirect) => {
    await using it = await startServer()
    const asked = ask({ redirect_uri: redirect })
    const browser = it.browser()
    const { page } = await reachConsent(browser, asked)
    const { headers } = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'allow' })
    const location = String(headers.location)
    // The address as it was sent, with the answer behind it.
    expect(location.startsWith(`${redirect}${redirect.includes('?') ? '&' : '?'}code=`)).toBe(true)
    expect((await sendForm(it.app, '/auth/token', redemption(asked, new URL(location)))).statusCode).toBe(200)
  })

  it.each(['http://localhost:4100/callback', 'http://LOCALHOST/callback'])(
    'shows the alternative to %s',
    async (redirect) => {
      await using it = await startServer()
      const answer = await it.app.inject(authorizeUrl(ask({ redirect_uri: redirect })))
      expect(answer.statusCode).toBe(400)
      expect(answer.body).toContain('http://127.0.0.1 or http://[::1]')
      expect(answer.headers.location).toBeUndefined()
    },
  )

  it.each([
    undefined,
    '',
    'https://127.0.0.1:4100/callback',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:4100/callback#fragment',
    'http://user@127.0.0.1:4100/callback',
    'http://127.0.0.1:4100@evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://evil.example/',
    'http://127.0.0.2:4100/',
    'http://127x0x0x1:4100/',
    'http://127/0.0.1',
    'http://127.1:4100/',
    'http://2130706433:4100/',
    'http://0.0.0.0:4100/',
    'http://[::]:4100/',
    'http://[0:0:0:0:0:0:0:1]:4100/',
    'http://127.0.0.1\\@evil.example/',
    'http://127.0.0.1:4100/a\\b',
    'http:/127.0.0.1:4100/',
    ' http://127.0.0.1:4100/',
    'http://127.0.0.1:4100/ x',
    'http://127.0.0.1:4100/\nx',
    'http://127.0.0.1?x',
    'HTTP://127.0.0.1:4100/',
    'javascript:alert(1)',
    'com.example.app:/callback',
    '/callback',
    '//127.0.0.1/',
  ])('is refused on our own page for %j, and nobody is sent there', async (redirect) => {
    await using it = await startServer()
    const answer = await it.app.inject(authorizeUrl(ask({ redirect_uri: redirect })))
    expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'This sign-in cannot be completed'])
    expect(answer.headers.location).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it.each(['web', 'phone', 'unknown'])('is refused when it sends the client_id %s for its code', async (client_id) => {
    await using it = await startServer()
    const asked = ask()
    const callback = await obtainCallback(it.browser(), asked)
    const refused = await sendForm(it.app, '/auth/token', { ...redemption(asked, callback), client_id })
    expect(refused.statusCode).toBeGreaterThanOrEqual(400)
    expect(refused.json().error).toBe(client_id === 'phone' ? 'invalid_grant' : 'invalid_client')
    if (client_id === 'phone') expect(refused.json().error_description).toContain('leave client_id out')
    expect((await sendForm(it.app, '/auth/token', redemption(asked, callback))).statusCode).toBe(200)
  })

  it('needs consent every time: none is remembered', async () => {
    await using it = await startServer()
    const browser = it.browser()
    await obtainCallback(browser, ask())
    const { page } = await browser.visit(authorizeUrl(ask()))
    expect(titleOf(page)).toBe('Let a program use your account?')
    const silent = await browser.visit(authorizeUrl(ask({ prompt: 'none' })))
    expect(silent.left?.searchParams.get('error')).toBe('consent_required')
  })

  it('learns that the person said no', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const asked = ask()
    const { page } = await reachConsent(browser, asked)
    const answer = await browser.post('/auth/consent', { ...fieldsOf(page!), decision: 'deny' })
    const { searchParams } = new URL(String(answer.headers.location))
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: asked.params['state'],
      iss: origin,
    })
    expect(searchParams.has('code')).toBe(false)
  })

  it('shows who is signed in, the request and the destination, all escaped', async () => {
    await using it = await startServer()
    const { page } = await reachConsent(it.browser(), ask({ scope: 'openid tasks' }), 'eve')
    expect(page!.body).toContain('Eve &lt;Eavesdropper&gt;')
    expect(page!.body).not.toContain('<Eavesdropper>')
    for (const text of ['Know who you are', 'See and change your tasks', '127.0.0.1:4100', 'Tracker'])
      expect(page!.body).toContain(text)
  })

  it('can be signed in with another account instead', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { page } = await reachConsent(browser, ask(), 'ada')
    const other = page!.body.match(/href="(\/auth\/sign-in[^"]*)"/)![1]!.replaceAll('&amp;', '&')
    const ways = await browser.get(other)
    const way = ways.body.match(/href="(\/auth\/oauth\/work\/start[^"]*)"/)![1]!.replaceAll('&amp;', '&')
    const { left } = await browser.visit(way)
    const state = left!.searchParams.get('state')!
    const answer = await browser.get(`/auth/oauth/work/callback?${new URLSearchParams({ code: 'eve', state })}`)
    expect((await browser.follow(answer)).page!.body).toContain('Eve &lt;')
  })
})
