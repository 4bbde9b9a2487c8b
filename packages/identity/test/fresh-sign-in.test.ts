import { BetaProvider, FakeIdentityProvider } from '@portico/identity'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'
import { exchangeArgs, HostileProvider } from './support/hostile-provider.ts'

const base = { redirectUri: 'https://app.example/cb', state: 's', codeChallenge: 'c' }
const wishes = {
  prompt: 'login',
  maxAge: 0,
  loginHint: 'ada@x.example',
  acrValues: ['urn:high', 'urn:low'],
  uiLocales: ['de', 'en-GB'],
}
const sent = {
  prompt: 'login',
  max_age: '0',
  login_hint: 'ada@x.example',
  acr_values: 'urn:high urn:low',
  ui_locales: 'de en-GB',
}

let hostile: HostileProvider

beforeEach(async () => {
  hostile = await HostileProvider.start()
})
afterEach(() => hostile.stop())

describe('optional parameters of a sign-in', () => {
  test('reach the provider, and nothing else is sent', async () => {
    const others = [
      new FakeIdentityProvider(),
      new BetaProvider({ clientId: 'c', clientSecret: 's' }),
      hostile.client(),
    ]
    for (const provider of others) {
      const params = Object.fromEntries(new URL(await provider.authorizationUrl({ ...base, ...wishes })).searchParams)
      expect(params).toMatchObject(sent)
      const plain = new URL(await provider.authorizationUrl(base)).searchParams
      for (const name of Object.keys(sent)) expect(plain.has(name)).toBe(false)
    }
  })

  test('do not include prompts that the metadata does not list', async () => {
    hostile.metadata = { prompt_values_supported: ['none', 'login'] }
    const promptOf = async (prompt: string) =>
      new URL(await hostile.client().authorizationUrl({ ...base, prompt })).searchParams.get('prompt')
    expect([await promptOf('login select_account'), await promptOf('select_account')]).toEqual(['login', 'login'])
    hostile.metadata = { prompt_values_supported: ['none'] }
    expect(await promptOf('select_account')).toBeNull()
  })

  test.each([
    { prompt: '' },
    { maxAge: -1 },
    { maxAge: 1.5 },
    { maxAge: Number.NaN },
    { loginHint: 7 },
    { acrValues: 'urn:high' },
    { uiLocales: [''] },
  ])('are refused if invalid: %j', async (wish) => {
    const failure = await failureOf(hostile.client().authorizationUrl({ ...base, ...(wish as object) }))
    expect(failure.type).toBe('INVALID_CONFIG')
  })
})

describe('auth_time', () => {
  const exchange = (maxAge?: number) => hostile.client().exchange({ ...exchangeArgs, maxAge })

  test('is in the profile, with acr and amr', async () => {
    hostile.claims = { auth_time: hostile.clock.sec - 60, acr: 'urn:high', amr: ['pwd', 'otp'] }
    expect(await exchange()).toMatchObject({
      authTime: hostile.clock.time - 60_000,
      acr: 'urn:high',
      amr: ['pwd', 'otp'],
    })
  })

  test.each([
    ['text', { auth_time: '1', acr: 7, amr: 'pwd' }],
    ['in the future', { auth_time: 1e12, amr: [7] }],
    ['absent', {}],
  ])('that is %s is ignored, and satisfies no maxAge', async (_name, claims) => {
    hostile.claims = claims
    const profile = await exchange()
    for (const field of ['authTime', 'acr', 'amr']) expect(profile).not.toHaveProperty(field)
    expect(await failureOf(exchange(3600))).toMatchObject({
      type: 'ID_TOKEN_INVALID',
      details: { check: 'auth_time' },
    })
  })

  test.each([
    [0, 0, true],
    [0, 5, true],
    [0, 7, false],
    [60, 65, true],
    [60, 67, false],
  ])('with maxAge %d a sign-in %d s ago passes: %s', async (maxAge, ago, passes) => {
    hostile.claims = { auth_time: hostile.clock.sec - ago }
    if (passes) expect((await exchange(maxAge)).subject).toBe('ada')
    else expect(await failureOf(exchange(maxAge))).toMatchObject({ details: { check: 'auth_time' } })
  })

  test('of the userinfo endpoint is ignored: it is not signed', async () => {
    hostile.metadata = { userinfo_endpoint: `${hostile.issuer}/userinfo` }
    hostile.answers.set('/userinfo', (_, response) =>
      response.end(JSON.stringify({ sub: 'ada', email: 'a@x.example', auth_time: hostile.clock.sec, acr: 'urn:high' })),
    )
    const profile = await exchange()
    expect(profile).toMatchObject({ email: 'a@x.example' })
    for (const field of ['authTime', 'acr']) expect(profile).not.toHaveProperty(field)
  })
})

describe('the issuer of a callback (RFC 9207)', () => {
  const check = (query: string) => hostile.client().checkCallback(new URLSearchParams(query))

  test('must be the configured one if present, in errors too', async () => {
    await check(`code=c&iss=${encodeURIComponent(hostile.issuer)}`)
    await check('code=c')
    for (const query of ['code=c&iss=https://evil.example', 'error=access_denied&iss=', `iss=${hostile.issuer}&iss=x`])
      expect(await failureOf(check(query))).toMatchObject({ type: 'STATE_INVALID', details: { check: 'iss' } })
  })

  test('is required if the metadata says that it is sent', async () => {
    hostile.metadata = { authorization_response_iss_parameter_supported: true }
    expect(await failureOf(check('code=c'))).toMatchObject({ type: 'STATE_INVALID', details: { check: 'iss' } })
    await check(`code=c&iss=${encodeURIComponent(hostile.issuer)}`)
  })
})
