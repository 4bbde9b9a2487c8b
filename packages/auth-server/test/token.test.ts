import { AccessToken } from '@portico/auth-server'
import { describe, expect, it } from 'vitest'
import {
  ask,
  askAsWeb,
  clientSecret,
  getStatus,
  logIn,
  obtainCallback,
  redemption,
  sendForm,
  startServer,
  type Tokens,
} from './support/server.ts'

describe('the token endpoint', () => {
  it.each([
    ['without grant_type', { grant_type: undefined }, 400, 'invalid_request'],
    ['with another grant_type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['without a code', { code: undefined }, 400, 'invalid_request'],
    ['with an empty code', { code: '' }, 400, 'invalid_request'],
    ['with an unknown code', { code: 'a'.repeat(43) }, 400, 'invalid_grant'],
    ['without a verifier', { code_verifier: undefined }, 400, 'invalid_request'],
    ['with a verifier that is too short', { code_verifier: 'short' }, 400, 'invalid_request'],
    ['with a verifier of other characters', { code_verifier: `${'a'.repeat(42)}!` }, 400, 'invalid_request'],
    ['without redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['with a secret and no client', { client_secret: 'x' }, 400, 'invalid_request'],
    ['with an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['with a value that is too long', { code: 'x'.repeat(4097) }, 400, 'invalid_request'],
  ])('refuses a request %s, as RFC 6749 §5.2 says', async (_, changes, status, error) => {
    await using it = await startServer()
    const asked = ask()
    const given = { ...redemption(asked, await obtainCallback(it.browser(), asked)), ...changes }
    const form = Object.fromEntries(
      Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
    )
    const answer = await sendForm(it.app, '/auth/token', form)
    expect([answer.statusCode, answer.json()]).toEqual([status, { error, error_description: expect.any(String) }])
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching('application/json'),
    })
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="token"' : undefined)
  })

  it.each([
    ['a malformed form', 'code=%zz', 'application/x-www-form-urlencoded', 400],
    ['a repeated parameter', 'grant_type=authorization_code&code=a&code=b', 'application/x-www-form-urlencoded', 400],
    ['JSON', '{"grant_type":"authorization_code"}', 'application/json', 415],
    ['nothing', undefined, undefined, 400],
    ['text', 'hello', 'text/plain', 415],
    ['too much', `code=${'x'.repeat(1_100_000)}`, 'application/x-www-form-urlencoded', 413],
  ])('answers %s with the JSON of the standard too', async (_, payload, type, status) => {
    await using it = await startServer()
    const headers = type === undefined ? {} : { 'content-type': type }
    const answer = await it.app.inject({
      method: 'POST',
      url: '/auth/token',
      headers,
      ...(payload !== undefined && { payload }),
    })
    expect([answer.statusCode, answer.json().error]).toEqual([status, 'invalid_request'])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('accepts a code for 60 seconds', async () => {
    await using it = await startServer()
    for (const [seconds, status] of [
      [59, 200],
      [60, 400],
    ] as const) {
      const asked = ask()
      const callback = await obtainCallback(it.browser(), asked)
      it.clock.pass(seconds)
      const answer = await sendForm(it.app, '/auth/token', redemption(asked, callback))
      expect([seconds, answer.statusCode]).toEqual([seconds, status])
    }
  })

  it('refuses a code of an account that was disabled meanwhile', async () => {
    await using it = await startServer()
    const asked = ask()
    const callback = await obtainCallback(it.browser(), asked)
    const { userId } = await logIn(it)
    await it.server.users.disable(userId)
    expect((await sendForm(it.app, '/auth/token', redemption(asked, callback))).json().error).toBe('invalid_grant')
  })
})

describe('an access token', () => {
  it('is valid until it expires: 30 days for a loopback client', async () => {
    await using it = await startServer()
    const { access_token } = await logIn(it)
    it.clock.pass(30 * 86_400 - 1)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(200)
    it.clock.pass(1)
    expect((await getStatus(it.app, access_token)).statusCode).toBe(401)
  })

  it('is valid for an hour for a registered client, or as long as the options say', async () => {
    await using it = await startServer()
    await using other = await startServer({ lifetimes: { clientTokenSec: 7, loopbackTokenSec: 8 } })
    const credentials = { client_id: 'web', client_secret: clientSecret }
    for (const [server, seconds] of [
      [it, 3600],
      [other, 7],
    ] as const) {
      const asked = askAsWeb()
      const form = { ...redemption(asked, await obtainCallback(server.browser(), asked)), ...credentials }
      expect((await sendForm(server.app, '/auth/token', form)).json<Tokens>().expires_in).toBe(seconds)
    }
    expect((await logIn(other)).expires_in).toBe(8)
  })

  it('notes its last use, at most once a minute', async () => {
    await using it = await startServer()
    const { access_token } = await logIn(it)
    const lastUse = async () => (await it.db.table(AccessToken).findOne({}))?.lastUsedAt
    expect(await lastUse()).toBeUndefined()
    const first = it.clock.time
    await it.server.verifyToken(access_token)
    expect(await lastUse()).toBe(first)
    it.clock.pass(59)
    await it.server.verifyToken(access_token)
    expect(await lastUse()).toBe(first)
    it.clock.pass(1)
    await it.server.verifyToken(access_token)
    expect(await lastUse()).toBe(first + 60_000)
  })

  it('ends with its account', async () => {
    await using it = await startServer()
    const { access_token, userId } = await logIn(it)
    await it.server.users.disable(userId)
    expect(await it.server.verifyToken(access_token)).toBeUndefined()
    const other = await logIn(it, undefined, 'eve')
    await it.server.users.deleteUser(other.userId)
    expect(await it.server.verifyToken(other.access_token)).toBeUndefined()
  })
})

describe('the status endpoint', () => {
  it.each([
    ['no token', {}, 'Bearer'],
    ['another scheme', { authorization: 'Basic abc' }, 'Bearer'],
    ['an unknown token', { authorization: `Bearer ${'a'.repeat(43)}` }, 'Bearer error="invalid_token"'],
    ['something that is not a token', { authorization: "Bearer ' or 1=1" }, 'Bearer'],
    ['an endless token', { authorization: `Bearer ${'a'.repeat(5000)}` }, 'Bearer'],
  ])('answers 401 to %s', async (_, headers, challenge) => {
    await using it = await startServer()
    const answer = await it.app.inject({ url: '/auth/status', headers })
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, challenge])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json().error).toBe('invalid_token')
  })
})

describe('revocation', () => {
  it('ends a token immediately; repeating it, or an unknown token, is not an error', async () => {
    await using it = await startServer()
    const { access_token: token } = await logIn(it)
    for (const form of [{ token }, { token }, { token: 'unknown' }, { token: 'a'.repeat(43) }])
      expect((await sendForm(it.app, '/auth/revoke', form)).statusCode).toBe(200)
    expect((await getStatus(it.app, token)).statusCode).toBe(401)
  })

  it('is only for the client that the token was issued to', async () => {
    await using it = await startServer()
    const asked = askAsWeb()
    const credentials = { client_id: 'web', client_secret: clientSecret }
    const form = { ...redemption(asked, await obtainCallback(it.browser(), asked)), ...credentials }
    const { access_token: token } = (await sendForm(it.app, '/auth/token', form)).json<Tokens>()
    for (const other of [
      {},
      { client_id: 'phone' },
      { client_id: 'web' },
      { client_id: 'web', client_secret: 'wrong' },
    ]) {
      const answer = await sendForm(it.app, '/auth/revoke', { token, ...other })
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
    }
    expect((await getStatus(it.app, token)).statusCode).toBe(200)
    expect((await sendForm(it.app, '/auth/revoke', { token, ...credentials })).statusCode).toBe(200)
    expect((await getStatus(it.app, token)).statusCode).toBe(401)
  })

  it('requires a token', async () => {
    await using it = await startServer()
    const answer = await sendForm(it.app, '/auth/revoke', {})
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
  })
})
