import { OAuthError, OidcProvider, type OidcProviderOptions } from '@portico/identity'
import { createLocalJWKSet } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'
import { clientId, clientSecret, DISCOVERY, exchangeArgs, HostileProvider } from './support/hostile-provider.ts'
import { ec, makeEcKey, rsa } from './support/keys.ts'
import {
  expectOptionsChecked,
  notString,
  wrongDuration,
  wrongEndpoint,
  wrongString,
  wrongStrings,
} from './support/options.ts'

const issuer = 'https://login.example'
const discovery = {
  issuer,
  authorization_endpoint: `${issuer}/authorize?tenant=a%20b`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
}
const urlArgs = { redirectUri: 'https://app.example/cb', state: 'state', codeChallenge: 'challenge' }
const offline = (extra: Partial<OidcProviderOptions> = {}) =>
  new OidcProvider({ issuer, clientId, clientSecret, discovery, fetch: refuse, ...extra })

async function refuse(): Promise<never> {
  throw new Error('no network here')
}

describe('options', () => {
  test('are checked by the constructor', async () => {
    await expectOptionsChecked((extra) => offline(extra), {
      issuer: [...wrongEndpoint, undefined, 'https://login.example/?tenant=1'],
      clientId: notString,
      clientSecret: notString,
      id: wrongString,
      scopes: wrongStrings,
      idTokenSigningAlgs: [
        null,
        [],
        'RS256',
        ['none'],
        ['RS256', 'none'],
        ['HS256'],
        ['HS384'],
        ['HS512'],
        ['XX'],
        [7],
      ],
      authorizationEndpoint: wrongEndpoint,
      tokenEndpoint: wrongEndpoint,
      jwksUri: wrongEndpoint,
      discovery: [null, 'text', { ...discovery, issuer: `${issuer}/` }],
      jwks: [null, {}, 'keys'],
      clockToleranceSec: wrongDuration,
      jwksCacheTtlMs: wrongDuration,
      clock: [null, {}, { now: 5 }],
      fetch: [null, {}],
    })
    expect((await failureOf(() => new OidcProvider(undefined as never))).type).toBe('INVALID_CONFIG')
  })

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])('an injected document needs %s', async (name) => {
    for (const value of [undefined, 'http://login.example/x'])
      expect((await failureOf(() => offline({ discovery: { ...discovery, [name]: value } }))).message).toContain(name)
  })

  test.each(['http://127.0.0.1:9', 'http://127.8.9.10', 'http://[::1]:9', 'http://localhost:9', 'https://a.example/b'])(
    'the issuer %s is fine',
    (loopback) => {
      expect(new OidcProvider({ issuer: loopback, clientId, clientSecret }).id).toBe(`oidc:${loopback}`)
    },
  )

  test('id is oidc:<issuer> by default', () => {
    expect(offline().id).toBe('oidc:https://login.example')
    expect(offline({ id: 'work' }).id).toBe('work')
  })

  test('are copied: later changes have no effect', async () => {
    const options = { issuer, clientId, clientSecret, discovery, scopes: ['openid'] }
    const provider = new OidcProvider(options)
    options.clientId = 'other'
    expect(new URL(await provider.authorizationUrl(urlArgs)).searchParams.get('client_id')).toBe(clientId)
  })
})

describe('authorizationUrl', () => {
  test('has the parameters of a code flow with PKCE, and keeps those of the endpoint', async () => {
    const url = new URL(await offline().authorizationUrl({ ...urlArgs, nonce: 'nonce' }))
    expect(url.origin + url.pathname).toBe(`${issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: 'a b',
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      scope: 'openid email profile',
      state: 'state',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
      nonce: 'nonce',
    })
  })

  test('includes the parameters of a subclass, except unsafe ones', async () => {
    const reserved = {
      response_type: 'token',
      client_id: 'other',
      redirect_uri: 'https://evil.example',
      state: 'other',
      code_challenge: 'other',
      code_challenge_method: 'plain',
      nonce: 'other',
    }
    class Own extends OidcProvider {
      protected override authorizationParams(): Record<string, string> {
        return { ...reserved, prompt: 'login' }
      }
    }
    const own = new Own({ issuer, clientId, clientSecret, discovery })
    const paramsOf = async (extra: object) =>
      Object.fromEntries(new URL(await own.authorizationUrl({ ...urlArgs, ...extra })).searchParams)
    expect(await paramsOf({ nonce: 'nonce' })).toMatchObject({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      state: 'state',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
      nonce: 'nonce',
      prompt: 'login',
    })
    expect(await paramsOf({})).not.toHaveProperty('nonce')
  })

  test('has no nonce if none is given', async () => {
    expect(new URL(await offline().authorizationUrl(urlArgs)).searchParams.has('nonce')).toBe(false)
  })

  test('uses the scopes of the call, then those of the options', async () => {
    const scope = async (provider: OidcProvider, scopes?: string[]) =>
      new URL(await provider.authorizationUrl({ ...urlArgs, ...(scopes && { scopes }) })).searchParams.get('scope')
    expect(await scope(offline({ scopes: ['openid'] }))).toBe('openid')
    expect(await scope(offline({ scopes: ['openid'] }), ['openid', 'groups'])).toBe('openid groups')
  })

  test.each([
    'https://app.example/cb?a=1&b=%2F',
    'http://127.0.0.1:80/cb',
    'https://APP.example',
    'com.app:/x y',
    'https://é.example/ü',
  ])('sends the redirect URI %s unchanged', async (redirectUri) => {
    const url = new URL(await offline().authorizationUrl({ ...urlArgs, redirectUri }))
    expect(url.searchParams.get('redirect_uri')).toBe(redirectUri)
  })

  test('refuses a call without a redirect URI, state or challenge', async () => {
    for (const name of ['redirectUri', 'state', 'codeChallenge'])
      for (const value of notString)
        expect((await failureOf(offline().authorizationUrl({ ...urlArgs, [name]: value }))).message).toContain(name)
  })
})

describe('exchange', () => {
  let hostile: HostileProvider
  beforeEach(async () => {
    hostile = await HostileProvider.start()
  })
  afterEach(() => hostile.stop())

  test('sends code, verifier, redirect URI and the client secret in the body', async () => {
    await hostile.client().exchange({ ...exchangeArgs, redirectUri: 'https://app.example:443/cb?x=%20' })
    const { headers, form } = hostile.tokenRequests[0]!
    expect(headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' })
    expect(headers.authorization).toBeUndefined()
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'authorization_code',
      code: exchangeArgs.code,
      redirect_uri: 'https://app.example:443/cb?x=%20',
      code_verifier: exchangeArgs.codeVerifier,
      client_id: clientId,
      client_secret: clientSecret,
    })
  })

  test('authenticates by header, both parts form-encoded, if the metadata lists only that', async () => {
    hostile.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] }
    const odd = `a:b +%é-${MARK}`
    await hostile.signIn({ clientSecret: odd })
    const { headers, form } = hostile.tokenRequests[0]!
    const sent = Buffer.from(headers.authorization!.replace('Basic ', ''), 'base64').toString()
    expect(sent).toBe(`client-1:a%3Ab+%2B%25%C3%A9-${MARK}`)
    expect([...form.keys()]).toEqual(['grant_type', 'code', 'redirect_uri', 'code_verifier'])
  })

  test.each([
    [['client_secret_basic', 'client_secret_post']],
    [['client_secret_post']],
    [['private_key_jwt']],
    [undefined],
    ['client_secret_basic'],
  ])('authenticates by body if the metadata lists %j', async (methods) => {
    hostile.metadata = { token_endpoint_auth_methods_supported: methods }
    await hostile.signIn()
    expect(hostile.tokenRequests[0]!.form.get('client_secret')).toBe(clientSecret)
  })

  test.each(['code', 'redirectUri', 'codeVerifier'])(
    'refuses a call without %s before anything is sent',
    async (name) => {
      for (const value of notString) {
        const error = await failureOf(hostile.client().exchange({ ...exchangeArgs, [name]: value }))
        expect(error.type).toBe('EXCHANGE_FAILED')
        expect(error.message).toContain(name)
      }
      expect(hostile.count('/token')).toBe(0)
    },
  )

  test('maps the claims to a profile', async () => {
    hostile.claims = { email: 'ada@x.example', email_verified: true, name: 'Ada', picture: 'https://x.example/a.png' }
    expect(await hostile.signIn({ id: 'work' })).toEqual({
      provider: 'work',
      subject: 'ada',
      email: 'ada@x.example',
      emailVerified: true,
      displayName: 'Ada',
      avatarUrl: 'https://x.example/a.png',
      raw: { ...hostile.honestClaims(), ...hostile.claims },
    })
  })

  test('has only fields from the claims', async () => {
    expect(Object.keys(await hostile.signIn())).toEqual(['provider', 'subject', 'raw'])
  })

  test.each(['true', 'false', 1, null, {}])('accepts email_verified only as a boolean, not %j', async (value) => {
    hostile.claims = { email: 'ada@x.example', email_verified: value }
    expect(await hostile.signIn()).not.toHaveProperty('emailVerified')
  })

  test('drops claims of the wrong type and pictures that are not web addresses', async () => {
    hostile.claims = { email: ['a'], name: 7, picture: 'javascript:alert(1)' }
    expect(Object.keys(await hostile.signIn())).toEqual(['provider', 'subject', 'raw'])
  })

  test('accepts only RS256 and ES256 by default', async () => {
    const es384 = makeEcKey('ec-384', 'ES384')
    hostile.keys = [rsa.jwk, ec.jwk, es384.jwk]
    for (const signer of [rsa, ec]) {
      hostile.signer = signer
      expect((await hostile.signIn()).subject).toBe('ada')
    }
    hostile.signer = es384
    hostile.claims = { at_hash: undefined }
    expect((await failureOf(hostile.signIn())).details).toEqual({ check: 'alg', provider: `oidc:${hostile.issuer}` })
    expect((await hostile.signIn({ idTokenSigningAlgs: ['ES384'] })).subject).toBe('ada')
  })

  test('a subclass may change the algorithms, but cannot allow forbidden ones', async () => {
    class Own extends OidcProvider {
      protected override readonly signingAlgs = ['ES384']
    }
    class Wrong extends OidcProvider {
      protected override readonly signingAlgs = ['HS256']
    }
    hostile.signer = makeEcKey('ec-384', 'ES384')
    hostile.keys = [hostile.signer.jwk]
    hostile.claims = { at_hash: undefined }
    const options = { issuer: hostile.issuer, clientId, clientSecret, clock: hostile.clock }
    expect((await new Own(options).exchange(exchangeArgs)).subject).toBe('ada')
    expect((await failureOf(new Wrong(options).exchange(exchangeArgs))).type).toBe('INVALID_CONFIG')
  })

  test('tolerates clocks that differ by clockToleranceSec', async () => {
    hostile.claims = { exp: hostile.clock.sec - 59 }
    expect((await hostile.signIn({ clockToleranceSec: 60 })).subject).toBe('ada')
    hostile.claims = { exp: hostile.clock.sec - 1 }
    expect((await failureOf(hostile.signIn({ clockToleranceSec: 0 }))).details).toEqual({
      check: 'exp',
      provider: `oidc:${hostile.issuer}`,
    })
  })

  test('uses the system clock by default', async () => {
    hostile.clock.time = Date.now()
    const provider = new OidcProvider({ issuer: hostile.issuer, clientId, clientSecret })
    expect((await provider.exchange(exchangeArgs)).subject).toBe('ada')
  })
})

describe('explicit endpoints', () => {
  let hostile: HostileProvider
  beforeEach(async () => {
    hostile = await HostileProvider.start()
  })
  afterEach(() => hostile.stop())
  const at = (path: string) => `${hostile.issuer}${path}`

  test('skip discovery if all three are given', async () => {
    const endpoints = { authorizationEndpoint: at('/a'), tokenEndpoint: at('/token'), jwksUri: at('/jwks') }
    const client = hostile.client(endpoints)
    expect(await client.authorizationUrl(urlArgs)).toContain(`${at('/a')}?response_type=code`)
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
    expect(hostile.requests).toEqual(['/token', '/jwks'])
  })

  test('override discovered ones one by one', async () => {
    hostile.metadata = { token_endpoint: at('/nowhere') }
    const client = hostile.client({ tokenEndpoint: at('/token') })
    expect(await client.authorizationUrl(urlArgs)).toContain(at('/authorize?'))
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
    expect(hostile.requests).toEqual([DISCOVERY, '/token', '/jwks'])
  })

  test('supply what a discovery document lacks', async () => {
    hostile.metadata = { jwks_uri: undefined }
    expect((await hostile.signIn({ jwksUri: at('/jwks') })).subject).toBe('ada')
  })

  test('with an injected resolver need no key set, and so no discovery', async () => {
    const jwks = createLocalJWKSet({ keys: [rsa.jwk as never] })
    expect((await hostile.signIn({ tokenEndpoint: at('/token'), jwks })).subject).toBe('ada')
    expect(hostile.requests).toEqual(['/token'])
  })

  test('an injected document skips the well-known fetch', async () => {
    const document = {
      issuer: hostile.issuer,
      authorization_endpoint: at('/a'),
      token_endpoint: at('/token'),
      jwks_uri: at('/jwks'),
    }
    const client = hostile.client({ discovery: document })
    expect(await client.authorizationUrl(urlArgs)).toContain(at('/a?'))
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
    expect(hostile.count(DISCOVERY)).toBe(0)
  })
})

test('every failure is an OAuthError', async () => {
  await expect(offline().exchange(exchangeArgs)).rejects.toThrow(OAuthError)
})
