import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { answerJson, startAuthServer } from './support/auth-server.ts'
import { expectFailure, failSignIn, type Login, signIn, startLogin } from './support/login.ts'

/** Starts a login and sends it one callback. */
async function callBack(
  query: (login: Login) => string,
  code: Parameters<typeof expectFailure>[1],
  extra: object = {},
) {
  await using server = await startAuthServer()
  const login = await startLogin({ ...server.options, ...extra })
  const failure = expectFailure(login.result, code)
  await fetch(`${login.redirectUri}?${query(login)}`)
  const error = await failure
  expect(server.seen.token).toHaveLength(0)
  return { error, login }
}

describe('the callback is read in order: error, state, issuer, code', () => {
  it('an error ends with provider_denied, without a state', async () => {
    await callBack(() => 'error=access_denied', 'provider_denied')
  })

  it('an error comes before a wrong state and a code', async () => {
    await callBack(() => 'error=access_denied&state=wrong&code=c', 'provider_denied')
  })

  it('an empty or repeated error is an error', async () => {
    await callBack(({ state }) => `error=&state=${state}&code=c`, 'provider_denied')
    await callBack(() => 'error=a&error=b', 'provider_denied')
  })

  it('a missing state is state_mismatch when a code is there', async () => {
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

  it('a state that differs in its last character only is state_mismatch', async () => {
    await callBack(
      ({ state }) => `code=c&state=${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`,
      'state_mismatch',
    )
  })

  it('a repeated state is state_mismatch, also when the right one is among them', async () => {
    await callBack(({ state }) => `code=c&state=${state}&state=${state}`, 'state_mismatch')
  })

  it('a missing, empty or repeated code is exchange_failed', async () => {
    await callBack(({ state }) => `state=${state}`, 'exchange_failed')
    await callBack(({ state }) => `state=${state}&code=`, 'exchange_failed')
    await callBack(({ state }) => `state=${state}&code=a&code=b`, 'exchange_failed')
  })

  it('a wrong state comes before a repeated code', async () => {
    await callBack(() => 'state=wrong&code=a&code=b', 'state_mismatch')
  })
})

describe('expectedIssuer', () => {
  const issuer = 'https://app.example'

  it('lets a callback from that issuer pass', async () => {
    await using server = await startAuthServer({ callback: { iss: issuer } })
    expect((await signIn({ ...server.options, expectedIssuer: issuer })).result.userId).toBe('user-1')
  })

  it.each([
    ['differs', `&iss=${encodeURIComponent('https://evil.example')}`],
    ['has a slash more', `&iss=${encodeURIComponent(`${issuer}/`)}`],
    ['is missing', ''],
    ['is repeated', `&iss=${encodeURIComponent(issuer)}&iss=${encodeURIComponent(issuer)}`],
  ])('ends with state_mismatch when iss %s', async (_, iss) => {
    await callBack(({ state }) => `code=c&state=${state}${iss}`, 'state_mismatch', { expectedIssuer: issuer })
  })

  it('is not asked for when it is not set', async () => {
    await using server = await startAuthServer({ callback: { iss: 'https://anyone.example' } })
    expect((await signIn(server.options)).result.userId).toBe('user-1')
  })
})

describe('no message holds a secret', () => {
  it('of a callback that echoes state and code in its error', async () => {
    const { error, login } = await callBack(
      ({ state }) =>
        new URLSearchParams({
          error: 'bad',
          error_description: `state ${state} code SECRET-CODE`,
          code: 'SECRET-CODE',
          state,
        }).toString(),
      'provider_denied',
    )
    const shown = inspect(error, { depth: null })
    expect(shown).toContain('bad: state … code …')
    expect(shown).not.toContain(login.state)
    expect(shown).not.toContain('SECRET-CODE')
  })

  it('of a token endpoint that echoes code and verifier', async () => {
    await using server = await startAuthServer({
      callback: { code: 'SECRET-CODE' },
      token: (response, form) =>
        answerJson(
          { error: `${form.get('code')}`, error_description: `SECRET\u0000-CODE ${form.get('code_verifier')}` },
          400,
        )(response, form, undefined as never),
    })
    const { error } = await failSignIn(server.options, 'exchange_failed')
    const shown = inspect(error, { depth: null })
    expect(shown).not.toMatch(/SECRET-CODE|SECRET-TOKEN/)
    expect(shown).not.toContain(server.seen.token[0]?.form.get('code_verifier'))
  })

  it('and text from the server is cut to 200 characters and stripped of control characters', async () => {
    const long = `\u001b[31mred\r\nnew line\u202e${'x'.repeat(500)}`
    const { error } = await callBack(() => new URLSearchParams({ error: long }).toString(), 'provider_denied')
    const quoted = error.message.replace(/^[^:]*: /, '')
    expect(quoted).toMatch(/^\[31mrednew linex+…$/)
    expect(quoted).toHaveLength(200)
  })

  it('and the cut does not leave half a character', async () => {
    const { error } = await callBack(
      () => new URLSearchParams({ error: `${'x'.repeat(198)}${'😀'.repeat(9)}` }).toString(),
      'provider_denied',
    )
    expect(error.message).toMatch(/x{198}…$/)
  })
})
