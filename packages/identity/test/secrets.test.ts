import {
  BetaProvider,
  FakeIdentityProvider,
  GammaProvider,
  OAuthError,
  type OAuthErrorType,
  OAuthProviderRegistry,
  OidcProvider,
  readCallback,
  signState,
  verifyState,
} from '@portico/identity'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock } from './support/clock.ts'
import { expectNoLeak, failureOf, MARK } from './support/failure.ts'
import {
  accessToken,
  clientId,
  clientSecret,
  exchangeArgs,
  HostileProvider,
  sendJson,
} from './support/hostile-provider.ts'
import { otherRsa } from './support/keys.ts'

const stateSecret = `state-secret-${MARK}-${'s'.repeat(32)}`
const payload = { random: `random-${MARK}`, provider: 'alpha', redirect: '/', verifier: exchangeArgs.codeVerifier }

let hostile: HostileProvider
beforeEach(async () => {
  hostile = await HostileProvider.start()
})
afterEach(() => hostile.stop())

/** At least one way to cause each error type, with as many secrets involved as possible. */
const ways: [type: OAuthErrorType, way: string, provoke: () => unknown][] = [
  ['UNKNOWN_PROVIDER', 'an id that is a secret', () => registry().require(clientSecret)],
  [
    'INVALID_CONFIG',
    'a wrong option beside the secret',
    () => hostile.client({ issuer: `https://x:${MARK}@login.example` }),
  ],
  ['INVALID_CONFIG', 'a secret that is too short', () => registry(`short-${MARK}`)],
  ['INVALID_CONFIG', 'an invalid private key', () => gammaWith(`-----BEGIN PRIVATE KEY-----\n${MARK}`)],
  [
    'STATE_INVALID',
    'a state with another signature',
    async () => verifyState(await signState(payload, stateSecret), `${stateSecret}0`),
  ],
  ['STATE_INVALID', 'a callback with two states', () => readCallback({ code: MARK, state: [MARK, MARK] })],
  [
    'STATE_EXPIRED',
    'a state that is too old',
    async () => verifyState(await signState(payload, stateSecret, { clock: new TestClock(0) }), stateSecret),
  ],
  ['PROVIDER_DENIED', 'a callback with error and code', () => readCallback({ error: MARK, code: MARK, state: MARK })],
  ['EXCHANGE_FAILED', 'a callback with two codes', () => readCallback({ code: [MARK, MARK], state: MARK })],
  ['EXCHANGE_FAILED', 'a token endpoint that echoes the request', () => signInWhen('/token', 400)],
  ['EXCHANGE_FAILED', 'a token endpoint that echoes it in a 200', () => signInWhen('/token', 200)],
  ['EXCHANGE_FAILED', 'a user endpoint that echoes the token', () => betaWhen(400)],
  ['EXCHANGE_FAILED', 'an unknown code', () => new FakeIdentityProvider().exchange(exchangeArgs)],
  ['JWKS_FAILED', 'keys that cannot be had', () => signInWhen('/jwks', 500)],
  ['JWKS_FAILED', 'a kid that is a secret and unknown', () => lie(() => ({ header: { kid: MARK } }))],
  ['ID_TOKEN_INVALID', 'claims full of secrets', () => lie(() => ({ claims: { iss: MARK, email: MARK } }))],
  ['ID_TOKEN_INVALID', 'another nonce', () => lie(() => ({ claims: { nonce: `other-${MARK}` } }))],
  ['ID_TOKEN_INVALID', 'a signature by another key', () => lie(() => ({ signer: { ...otherRsa, kid: 'rsa-1' } }))],
  ['EMAIL_UNAVAILABLE', 'as a username strategy throws it', () => Promise.reject(new OAuthError('EMAIL_UNAVAILABLE'))],
]

function registry(secret = stateSecret): OAuthProviderRegistry {
  return new OAuthProviderRegistry({ baseUrl: 'https://app.example', stateSecret: secret, providers: [] })
}

function gammaWith(privateKey: string): GammaProvider {
  return new GammaProvider({ clientId, teamId: 'TEAM567890', keyId: 'key', privateKey })
}

function lie(what: () => Partial<HostileProvider>): Promise<unknown> {
  Object.assign(hostile, what())
  return hostile.signIn()
}

function echo(path: string, status: number): void {
  const secrets = {
    error: exchangeArgs.code,
    error_description: clientSecret,
    code_verifier: exchangeArgs.codeVerifier,
  }
  hostile.answers.set(path, (request, response) =>
    sendJson(response, { ...secrets, headers: request.headers, access_token: accessToken }, status),
  )
}

function signInWhen(path: string, status: number): Promise<unknown> {
  echo(path, status)
  return hostile.signIn()
}

function betaWhen(status: number): Promise<unknown> {
  echo('/user', status)
  const at = (path: string) => `${hostile.issuer}${path}`
  const endpoints = { tokenEndpoint: at('/token'), userEndpoint: at('/user'), emailsEndpoint: at('/user') }
  return new BetaProvider({ clientId, clientSecret, ...endpoints }).exchange(exchangeArgs)
}

describe('no error contains a secret', () => {
  test.each(ways)('%s by %s', async (type, _way, provoke) => {
    const silent = ['log', 'info', 'warn', 'error', 'debug'] as const
    const spies = silent.map((name) => vi.spyOn(console, name))
    const outputs = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    try {
      expect((await failureOf(async () => provoke())).type).toBe(type)
      for (const spy of spies) expect(spy).not.toHaveBeenCalled()
      for (const spy of outputs) expect(spy).not.toHaveBeenCalled()
    } finally {
      for (const spy of [...spies, ...outputs]) spy.mockRestore()
    }
  })

  test('every error type is covered', () => {
    const all: Record<OAuthErrorType, true> = {
      UNKNOWN_PROVIDER: true,
      INVALID_CONFIG: true,
      STATE_INVALID: true,
      STATE_EXPIRED: true,
      PROVIDER_DENIED: true,
      EXCHANGE_FAILED: true,
      JWKS_FAILED: true,
      ID_TOKEN_INVALID: true,
      EMAIL_UNAVAILABLE: true,
    }
    expect(new Set(ways.map(([type]) => type))).toEqual(new Set(Object.keys(all)))
  })
})

describe('the search for secrets finds them', () => {
  const leaking: [where: string, error: () => unknown][] = [
    ['the message', () => new Error(`x ${MARK}`)],
    ['details', () => new OAuthError('EXCHANGE_FAILED', '', { deep: { down: [MARK] } })],
    ['a cause of a cause', () => new Error('', { cause: new Error('', { cause: new Error(MARK) }) })],
    ['a field that is not enumerable', () => Object.defineProperty(new Error(''), 'payload', { value: MARK })],
    ['a token', () => new OAuthError('ID_TOKEN_INVALID', hostile.idToken())],
  ]
  test.each(leaking)('in %s', (_where, error) => {
    expect(() => expectNoLeak(error())).toThrow()
  })
})

test('a printed provider shows no secret', async () => {
  const { inspect } = await import('node:util')
  const providers = [
    hostile.client(),
    new BetaProvider({ clientId, clientSecret }),
    registry(),
    new OidcProvider({ issuer: 'https://login.example', clientId, clientSecret }),
  ]
  for (const provider of providers) {
    expect(inspect(provider, { depth: 10, showHidden: true })).not.toContain(MARK)
    expect(JSON.stringify(provider)).not.toContain(MARK)
  }
})
