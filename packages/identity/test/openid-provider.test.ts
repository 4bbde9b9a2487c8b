import {
  createPkcePair,
  FederatedLoginService,
  generateNonce,
  generateRandomState,
  MemoryFederatedIdentityStore,
  MemoryUserService,
  type NormalizedProfile,
  OAuthProviderRegistry,
  type OidcProvider,
  readCallback,
} from '@portico/identity'
import { describe, expect, test } from 'vitest'
import { TestClock } from './support/clock.ts'
import { failureOf, MARK } from './support/failure.ts'
import { ec, makeRsaKey, rsa } from './support/keys.ts'
import { RealProvider, redirectUri, signInAt } from './support/real-provider.ts'

/** Starts a sign-in, plays the browser, and returns what the application then has. */
async function begin(provider: OidcProvider) {
  const { verifier, challenge } = createPkcePair()
  const nonce = generateNonce()
  const state = generateRandomState()
  const url = await provider.authorizationUrl({ redirectUri, state, codeChallenge: challenge, nonce })
  const callback = readCallback(await signInAt(url))
  expect(callback.state).toBe(state)
  return { code: callback.code, redirectUri, codeVerifier: verifier, expectedNonce: nonce }
}

async function signIn(provider: OidcProvider): Promise<NormalizedProfile> {
  return provider.exchange(await begin(provider))
}

describe('against a real OpenID provider', () => {
  const ways = [
    ['client_secret_post', 'RS256'],
    ['client_secret_post', 'ES256'],
    ['client_secret_basic', 'RS256'],
    ['client_secret_basic', 'ES256'],
  ] as const
  test.each(ways)('signs in with discovery, PKCE and nonce: %s, %s', async (method, alg) => {
    const client = { token_endpoint_auth_method: method, id_token_signed_response_alg: alg }
    await using real = await RealProvider.start([rsa, ec], client)
    const profile = await signIn(real.client('app', { id: 'work' }))
    expect(profile).toEqual({
      provider: 'work',
      subject: 'ada',
      email: 'ada@x.example',
      emailVerified: true,
      displayName: 'Ada',
      avatarUrl: 'https://x.example/a.png',
      raw: expect.objectContaining({ iss: real.issuer, aud: 'app', nonce: expect.any(String) }),
    })
  })

  test('reads claims that the id token lacks from userinfo, where the standard puts them', async () => {
    await using real = await RealProvider.start([rsa], {})
    real.claimsInIdToken = false
    await real.useKeys([rsa])
    const asked: string[] = []
    const provider = real.client('app', {
      id: 'work',
      fetch: (url, init) => {
        asked.push(new URL(url).pathname)
        return fetch(url, init)
      },
    })
    expect(await signIn(provider)).toMatchObject({
      provider: 'work',
      subject: 'ada',
      email: 'ada@x.example',
      emailVerified: true,
      displayName: 'Ada',
      avatarUrl: 'https://x.example/a.png',
    })
    expect(asked).toEqual(['/.well-known/openid-configuration', '/token', '/jwks', '/me'])
  })

  test('sends no userinfo request if the id token is complete', async () => {
    await using real = await RealProvider.start([rsa], {})
    const asked: string[] = []
    const provider = real.client('app', {
      fetch: (url, init) => {
        asked.push(new URL(url).pathname)
        return fetch(url, init)
      },
    })
    expect((await signIn(provider)).email).toBe('ada@x.example')
    expect(asked).not.toContain('/me')
  })

  test('keeps working when the keys are rotated', async () => {
    await using real = await RealProvider.start([rsa], {})
    const clock = new TestClock(Date.now())
    const fetched: string[] = []
    const provider = real.client('app', {
      clock,
      clockToleranceSec: 120,
      fetch: (url, init) => {
        fetched.push(new URL(url).pathname)
        return fetch(url, init)
      },
    })
    await signIn(provider)
    await real.useKeys([makeRsaKey('rsa-new')])
    clock.advance(31)
    expect((await signIn(provider)).subject).toBe('ada')
    await signIn(provider)
    expect(fetched.filter((path) => path === '/jwks')).toHaveLength(2)
  })

  test('is refused with another verifier, another redirect URI, another secret, or a code used twice', async () => {
    await using real = await RealProvider.start([rsa], {})
    const provider = real.client('app')
    const wrong = { codeVerifier: createPkcePair().verifier, redirectUri: `${redirectUri}/` }
    for (const [name, value] of Object.entries(wrong)) {
      const args = { ...(await begin(provider)), [name]: value }
      const error = await failureOf(provider.exchange(args))
      expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', details: { status: 400, error: 'invalid_grant' } })
    }
    const args = await begin(provider)
    const stranger = real.client('app', { clientSecret: `wrong-${MARK}` })
    expect(await failureOf(stranger.exchange(args))).toMatchObject({ details: { error: 'invalid_client' } })
    expect((await provider.exchange(args)).subject).toBe('ada')
    expect(await failureOf(provider.exchange(args))).toMatchObject({ details: { error: 'invalid_grant' } })
  })

  test('refuses the id token of another sign-in', async () => {
    await using real = await RealProvider.start([rsa], {})
    const provider = real.client('app')
    const args = { ...(await begin(provider)), expectedNonce: generateNonce() }
    expect(await failureOf(provider.exchange(args))).toMatchObject({
      type: 'ID_TOKEN_INVALID',
      details: { check: 'nonce' },
    })
  })

  test('reports that the person declined', async () => {
    await using real = await RealProvider.start([rsa], {})
    const url = await real.client('app').authorizationUrl({
      redirectUri,
      state: 'state',
      codeChallenge: createPkcePair().challenge,
    })
    const params = await signInAt(`${url}&login_hint=decline`)
    const error = await failureOf(() => readCallback(params))
    expect(error).toMatchObject({ type: 'PROVIDER_DENIED', details: { error: 'access_denied' } })
  })

  test('works end to end with a registry: state, callback, exchange, user', async () => {
    await using real = await RealProvider.start([rsa], {})
    const registry = new OAuthProviderRegistry({
      baseUrl: 'https://app.example',
      stateSecret: `state-secret-${MARK}-${'s'.repeat(32)}`,
      providers: [real.client('app', { id: 'work' })],
    })
    const logins = new FederatedLoginService({
      users: new MemoryUserService(),
      federated: new MemoryFederatedIdentityStore(),
      policy: registry.policy,
    })
    const journey = async () => {
      const { verifier, challenge } = createPkcePair()
      const nonce = generateNonce()
      const payload = { random: generateRandomState(), provider: 'work', redirect: '/inbox' }
      const provider = registry.require('work')
      const state = await registry.signState(payload)
      const back = { redirectUri: registry.redirectUri('work') }
      const callback = readCallback(
        await signInAt(await provider.authorizationUrl({ ...back, state, codeChallenge: challenge, nonce })),
      )
      expect(await registry.verifyState(callback.state, { expectedProvider: 'work' })).toEqual(payload)
      const profile = await provider.exchange({ ...back, ...callback, codeVerifier: verifier, expectedNonce: nonce })
      return logins.resolveUser(profile)
    }
    const first = await journey()
    expect(first).toMatchObject({ kind: 'created', isNew: true })
    expect(await journey()).toEqual({ kind: 'linked', userId: (first as { userId: string }).userId, isNew: false })
  })
})
