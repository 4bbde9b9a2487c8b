import { describe, expect, it } from 'vitest'
import { origin, titleOf } from './support/browser.ts'
import { ask, askAsWeb, authorizeUrl, startServer } from './support/server.ts'

const tooLong = 'x'.repeat(2049)

describe('the authorize endpoint', () => {
  it.each([
    ['without response_type', { response_type: undefined }, 'invalid_request'],
    ['with another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['with the implicit and the code flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['without code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['without code_challenge_method, which would mean plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['with code_challenge_method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a code_challenge that is not a hash', { code_challenge: 'short' }, 'invalid_request'],
    ['with padding in code_challenge', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['with a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['with a request_uri', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['with an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['with prompt none and another', { prompt: 'none login' }, 'invalid_request'],
    ['with a max_age that is not a number', { max_age: '-1' }, 'invalid_request'],
    ['with a nonce that is too long', { nonce: tooLong }, 'invalid_request'],
    ['with a scope that is too long', { scope: tooLong }, 'invalid_request'],
  ])('refuses a request %s, at the redirect URI of the client', async (_, changes, error) => {
    await using it = await startServer()
    for (const asked of [ask(changes), askAsWeb(changes)]) {
      const answer = await it.app.inject(authorizeUrl(asked))
      expect(answer.statusCode).toBe(303)
      const url = new URL(String(answer.headers.location))
      expect(url.href.startsWith(asked.params['redirect_uri']!)).toBe(true)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
        state: asked.params['state'],
        iss: origin,
      })
    }
  })

  it('refuses prompt=none of a loopback client, signed in or not, before anything is stored', async () => {
    await using it = await startServer()
    const { location } = (await it.app.inject(authorizeUrl(ask({ prompt: 'none' })))).headers
    expect(new URL(String(location), origin).searchParams.get('error')).toBe('consent_required')
  })

  it('refuses a state that is too long and does not send it back', async () => {
    await using it = await startServer()
    const answer = await it.app.inject(authorizeUrl(ask({ state: tooLong })))
    const { searchParams } = new URL(String(answer.headers.location))
    expect([searchParams.get('error'), searchParams.has('state')]).toEqual(['invalid_request', false])
  })

  it.each([
    ['response_type', 'code'],
    ['response_mode', 'query'],
    ['state', 'x'],
    ['scope', 'openid'],
    ['code_challenge', 'a'.repeat(43)],
    ['code_challenge_method', 'S256'],
    ['nonce', 'x'],
    ['prompt', 'login'],
    ['max_age', '1'],
    ['request', 'x'],
    ['request_uri', 'x'],
  ])('refuses a repeated %s, even if both values are valid', async (name, value) => {
    await using it = await startServer()
    const answer = await it.app.inject(`${authorizeUrl(ask({ [name]: value }))}&${name}=${value}`)
    const { searchParams } = new URL(String(answer.headers.location), origin)
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
      'invalid_request',
      `${name} must not be repeated`,
    ])
  })

  it.each([
    ['an unknown client', 'client_id=nobody&redirect_uri=https://shop.example/callback'],
    ['a client twice', 'client_id=web&client_id=web&redirect_uri=https://shop.example/callback'],
    ['a client with a name of every object', 'client_id=__proto__&redirect_uri=https://shop.example/callback'],
  ])('shows a page for %s', async (_, query) => {
    await using it = await startServer()
    const answer = await it.app.inject(`/auth/authorize?${query}`)
    expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'This application is not known here'])
    expect(answer.headers.location).toBeUndefined()
  })

  it.each([
    'https://shop.example/callback/',
    'https://shop.example/callback?x=1',
    'https://shop.example/Callback',
    'https://shop.example:443/callback',
    'https://shop.example/%63allback',
    'https://evil.example/callback',
    'http://127.0.0.1:4100/callback',
  ])('compares redirect URIs character by character: %s is not registered', async (redirect) => {
    await using it = await startServer()
    const answer = await it.app.inject(authorizeUrl(askAsWeb({ redirect_uri: redirect })))
    expect([answer.statusCode, titleOf(answer)]).toEqual([400, 'This sign-in cannot be completed'])
  })

  it('shows a page for a repeated redirect URI', async () => {
    await using it = await startServer()
    const answer = await it.app.inject(`${authorizeUrl(ask())}&redirect_uri=http://127.0.0.1:1/`)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers.location).toBeUndefined()
  })

  it('ignores parameters that it does not know, as RFC 6749 §3.1 asks', async () => {
    await using it = await startServer()
    const answer = await it.app.inject(`${authorizeUrl(ask({ foo: 'bar' }))}&foo=baz`)
    expect(answer.headers.location).toMatch(/^\/auth\/continue\?request=[\w-]{43}$/)
  })

  it('treats an empty parameter as missing', async () => {
    await using it = await startServer()
    const answer = await it.app.inject(authorizeUrl(ask({ client_id: '', scope: '' })))
    expect(answer.headers.location).toMatch(/^\/auth\/continue/)
  })

  it('ends a request that nobody answers in time', async () => {
    await using it = await startServer()
    const browser = it.browser()
    const { location } = (await browser.get(authorizeUrl(ask()))).headers
    it.clock.pass(599)
    expect((await browser.visit(String(location))).page!.statusCode).toBe(200)
    it.clock.pass(1)
    expect(titleOf((await browser.visit(String(location))).page)).toBe('This sign-in has ended')
  })
})
