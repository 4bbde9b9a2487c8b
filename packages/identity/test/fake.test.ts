import { FakeIdentityProvider, isConfigurableProvider } from '@portico/identity'
import { describe, expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'
import { exchangeArgs } from './support/hostile-provider.ts'
import { expectOptionsChecked, wrongEndpoint, wrongString } from './support/options.ts'

const ada = { subject: 'ada', email: 'ada@x.example', raw: { a: 1 } }
const urlArgs = { redirectUri: 'https://app.example/cb', state: 'state', codeChallenge: 'challenge', nonce: 'nonce' }

describe('FakeIdentityProvider', () => {
  test('has the id fake by default, and ignores shared settings', () => {
    expect(new FakeIdentityProvider().id).toBe('fake')
    expect(new FakeIdentityProvider({ id: 'other' }).id).toBe('other')
    expect(isConfigurableProvider(new FakeIdentityProvider())).toBe(false)
  })

  test('returns the profile of a code every time', async () => {
    const fake = new FakeIdentityProvider({ id: 'other' })
    expect(fake.setProfile(exchangeArgs.code, ada)).toBe(fake)
    const profile = await fake.exchange(exchangeArgs)
    expect(profile).toEqual({ ...ada, provider: 'other' })
    expect(await fake.exchange({ ...exchangeArgs, expectedNonce: 'any' })).toEqual(profile)
  })

  test('returns the default profile for other codes, or fails', async () => {
    const fake = new FakeIdentityProvider({ defaultProfile: ada })
    expect(await fake.exchange(exchangeArgs)).toEqual({ ...ada, provider: 'fake' })
    expect((await failureOf(new FakeIdentityProvider().exchange(exchangeArgs))).type).toBe('EXCHANGE_FAILED')
  })

  test('drops undefined fields, but never raw', async () => {
    const fake = new FakeIdentityProvider({ defaultProfile: { subject: 'ada', email: undefined, raw: undefined } })
    expect(Object.keys(await fake.exchange(exchangeArgs)).sort()).toEqual(['provider', 'raw', 'subject'])
  })

  test('builds the same authorization URL every time', async () => {
    const fake = new FakeIdentityProvider({ authorizationEndpoint: 'http://127.0.0.1:9/login?code=1' })
    const url = new URL(await fake.authorizationUrl(urlArgs))
    expect(await fake.authorizationUrl(urlArgs)).toBe(url.href)
    expect(url.origin + url.pathname).toBe('http://127.0.0.1:9/login')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: '1',
      response_type: 'code',
      client_id: 'fake',
      redirect_uri: 'https://app.example/cb',
      state: 'state',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
      nonce: 'nonce',
    })
    expect(await new FakeIdentityProvider().authorizationUrl(urlArgs)).toMatch(/^https:\/\/fake\.example\/authorize\?/)
  })

  test('checks its options', async () => {
    await expectOptionsChecked((extra) => new FakeIdentityProvider(extra), {
      id: wrongString,
      authorizationEndpoint: wrongEndpoint,
    })
  })
})
