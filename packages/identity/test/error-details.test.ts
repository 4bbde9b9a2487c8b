import {
  AlphaProvider,
  BetaProvider,
  FakeIdentityProvider,
  GammaProvider,
  OAuthError,
  type OAuthErrorType,
  OidcProvider,
} from '@portico/identity'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'
import { clientId, clientSecret, exchangeArgs, HostileProvider } from './support/hostile-provider.ts'

const issuer = 'https://login.example'
const secrets = { clientId, clientSecret }
const urlArgs = { redirectUri: 'https://app.example/cb', state: 'state', codeChallenge: 'challenge' }
const nowhere = async () => {
  throw new Error('no network here')
}

describe('details.provider', () => {
  const constructors: [id: string, build: () => unknown][] = [
    ['oidc:https://login.example', () => new OidcProvider({ ...secrets, issuer, scopes: [''] })],
    ['work', () => new OidcProvider({ ...secrets, issuer, id: 'work', clientId: '' })],
    ['work', () => new OidcProvider({ ...secrets, issuer: `https://x:${MARK}@login.example`, id: 'work' })],
    ['work', () => new OidcProvider({ ...secrets, issuer, id: 'work', discovery: {} as never })],
    ['alpha', () => new AlphaProvider({ ...secrets, clientId: '' })],
    ['alpha', () => new AlphaProvider({ ...secrets, idTokenSigningAlgs: ['ES256'] })],
    ['alpha', () => new AlphaProvider(undefined as never)],
    ['beta', () => new BetaProvider({ ...secrets, clientId: '' })],
    ['hub', () => new BetaProvider({ ...secrets, id: 'hub', userAgent: '' })],
    ['gamma', () => new GammaProvider({ clientId, teamId: 'short', keyId: 'key', privateKey: MARK })],
    ['gamma', () => new GammaProvider({ clientId, teamId: 'TEAM567890', keyId: 'key', privateKey: MARK })],
    ['gamma', () => new GammaProvider(undefined as never)],
    ['fake', () => new FakeIdentityProvider({ authorizationEndpoint: 'here' })],
  ]
  test.each(constructors)('is %s if its constructor refuses an option', async (id, build) => {
    expect(await failureOf(async () => build())).toMatchObject({ type: 'INVALID_CONFIG', details: { provider: id } })
  })

  test('is absent while no id is known', async () => {
    const builds = [
      () => new OidcProvider({ ...secrets, issuer: `https://x:${MARK}@login.example` }),
      () => new OidcProvider({ ...secrets, issuer, id: '' }),
      () => new BetaProvider({ ...secrets, id: 7 as never }),
    ]
    for (const build of builds) expect((await failureOf(build)).details).toEqual({})
  })

  const providers = [
    new OidcProvider({ ...secrets, issuer, id: 'work', fetch: nowhere }),
    new AlphaProvider({ ...secrets, fetch: nowhere }),
    new BetaProvider({ ...secrets, fetch: nowhere }),
    new FakeIdentityProvider(),
  ]
  test.each(providers.map((provider) => [provider.id, provider] as const))(
    'is %s when its authorizationUrl or exchange fails',
    async (id, provider) => {
      const failures = [
        await failureOf(provider.authorizationUrl({ ...urlArgs, state: '' })),
        await failureOf(provider.exchange(exchangeArgs)),
      ]
      for (const { details } of failures) expect(details).toMatchObject({ provider: id })
    },
  )

  test('of an error that already has one stays', async () => {
    class Own extends OidcProvider {
      protected override authorizationParams(): never {
        throw new OAuthError('INVALID_CONFIG', undefined, { provider: 'inner' })
      }
    }
    const own = new Own({ ...secrets, issuer, authorizationEndpoint: `${issuer}/authorize` })
    expect((await failureOf(own.authorizationUrl(urlArgs))).details).toEqual({ provider: 'inner' })
  })
})

describe('details of a running provider', () => {
  let hostile: HostileProvider
  beforeEach(async () => {
    hostile = await HostileProvider.start()
  })
  afterEach(() => hostile.stop())

  const issuers: [actual: unknown, shown: object][] = [
    ['https://evil.example', { actual: 'https://evil.example' }],
    [`x\u001b[31m\n${'é'}y`, { actual: 'x[31my' }],
    ['i'.repeat(300), { actual: 'i'.repeat(200) }],
    [undefined, {}],
    [{ issuer: 1 }, {}],
  ]
  test.each(issuers)('another issuer: %j', async (actual, shown) => {
    hostile.metadata = { issuer: actual }
    const error = await failureOf(hostile.signIn({ id: 'work' }))
    expect(error.type).toBe('INVALID_CONFIG')
    expect(error.details).toEqual({ expected: hostile.issuer, ...shown, provider: 'work' })
  })

  test('a network failure has its system code', async () => {
    const discovered = hostile.client()
    const given = hostile.client({ tokenEndpoint: `${hostile.issuer}/token`, jwksUri: `${hostile.issuer}/jwks` })
    await hostile.stop()
    expect(await failureOf(discovered.authorizationUrl(urlArgs))).toMatchObject({
      type: 'JWKS_FAILED',
      details: { endpoint: 'discovery document', code: 'ECONNREFUSED' },
    })
    expect(await failureOf(given.exchange(exchangeArgs))).toMatchObject({
      type: 'EXCHANGE_FAILED',
      details: { endpoint: 'token endpoint', code: 'ECONNREFUSED' },
    })
    hostile = await HostileProvider.start()
  })

  test('a failure without a system code has none', async () => {
    const { details } = await failureOf(hostile.signIn({ fetch: nowhere }))
    expect(details).not.toHaveProperty('code')
  })
})

test.each(['NONSENSE', 'toString', '__proto__', undefined])('an OAuthError of the type %s can be created', (type) => {
  const error = new OAuthError(type as OAuthErrorType)
  expect(error).toMatchObject({ name: 'OAuthError', message: 'The sign-in failed', details: {} })
  expect(error.type).toBe(type)
})
