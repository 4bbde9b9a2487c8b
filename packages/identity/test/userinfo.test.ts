import type { IncomingMessage } from 'node:http'
import { GAMMA_ISSUER, OidcProvider, type OidcProviderOptions } from '@portico/identity'
import { createLocalJWKSet } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'
import {
  accessToken,
  clientId,
  clientSecret,
  DISCOVERY,
  exchangeArgs,
  HostileProvider,
  sendJson,
} from './support/hostile-provider.ts'
import { rsa } from './support/keys.ts'
import { withoutWaiting } from './support/stall.ts'

const ada = {
  sub: 'ada',
  email: 'ada@x.example',
  email_verified: true,
  name: 'Ada',
  picture: 'https://x.example/a.png',
}

let hostile: HostileProvider
let asked: IncomingMessage[]

beforeEach(async () => {
  hostile = await HostileProvider.start()
  hostile.metadata = { userinfo_endpoint: `${hostile.issuer}/userinfo` }
  asked = []
})
afterEach(() => hostile.stop())

/** The claims of the userinfo endpoint. */
function say(body: unknown, status = 200): void {
  hostile.answers.set('/userinfo', (request, response) => {
    asked.push(request)
    sendJson(response, body, status)
  })
}

describe('the userinfo endpoint', () => {
  test('supplies what the id token lacks, and gets the access token', async () => {
    say(ada)
    expect(await hostile.signIn({ id: 'work' })).toEqual({
      provider: 'work',
      subject: 'ada',
      email: 'ada@x.example',
      emailVerified: true,
      displayName: 'Ada',
      avatarUrl: 'https://x.example/a.png',
      raw: { ...hostile.honestClaims(), ...ada },
    })
    expect(hostile.requests).toEqual([DISCOVERY, '/token', '/jwks', '/userinfo'])
    const [request] = asked
    expect(request!.method).toBe('GET')
    expect(request!.headers).toMatchObject({ authorization: `Bearer ${accessToken}`, accept: 'application/json' })
  })

  test('of an injected document is called by the injected fetch, which gets only method and headers', async () => {
    say(ada)
    const { issuer } = hostile
    const calls: unknown[] = []
    const profile = await hostile.signIn({
      discovery: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
      },
      fetch: (url, init) => {
        if (url.endsWith('/userinfo')) calls.push(init)
        return fetch(url, init)
      },
    })
    expect(profile.email).toBe('ada@x.example')
    const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
    expect(calls).toEqual([{ method: 'GET', headers }])
  })

  const enough: [name: string, options: Partial<OidcProviderOptions>, claims: object][] = [
    ['the id token is complete', {}, { email: 'ada@x.example', name: 'Ada' }],
    ['no scope requests more', { scopes: ['openid'] }, {}],
    ['the one scope has its claim: email', { scopes: ['openid', 'email'] }, { email: 'ada@x.example' }],
    ['the one scope has its claim: profile', { scopes: ['openid', 'profile'] }, { name: 'Ada' }],
  ]
  test.each(enough)('is not called if %s', async (_name, options, claims) => {
    hostile.claims = { ...claims }
    expect((await hostile.signIn(options)).subject).toBe('ada')
    expect(hostile.count('/userinfo')).toBe(0)
  })

  const lacking: [scope: string, claims: object][] = [
    ['email', { name: 'Ada' }],
    ['email', { email: '' }],
    ['email', { email: ['ada@x.example'] }],
    ['profile', { email: 'ada@x.example' }],
    ['profile', { name: 7 }],
  ]
  test.each(lacking)('is called for the scope %s if the id token has %j', async (scope, claims) => {
    say(ada)
    hostile.claims = { ...claims }
    await hostile.signIn({ scopes: ['openid', scope] })
    expect(hostile.count('/userinfo')).toBe(1)
  })

  test.each([{ access_token: undefined }, { access_token: '' }, { access_token: 'a\nb' }, { token_type: 'DPoP' }])(
    'is left alone without a bearer token: %j',
    async (tokens) => {
      hostile.tokens = tokens
      hostile.claims = { at_hash: undefined }
      expect(Object.keys(await hostile.signIn())).toEqual(['provider', 'subject', 'raw'])
      expect(hostile.count('/userinfo')).toBe(0)
    },
  )

  test('is not discovered if the required endpoints are given', async () => {
    const endpoints = { tokenEndpoint: `${hostile.issuer}/token`, jwksUri: `${hostile.issuer}/jwks` }
    expect(await hostile.signIn(endpoints)).not.toHaveProperty('email')
    expect(hostile.requests).toEqual(['/token', '/jwks'])
  })

  test('is not called if the id token is invalid', async () => {
    say(ada)
    hostile.claims = { nonce: `other-${MARK}` }
    expect((await failureOf(hostile.signIn())).details).toMatchObject({ check: 'nonce' })
    expect(hostile.count('/userinfo')).toBe(0)
  })
})

describe('claims of id token and userinfo', () => {
  test('come from the id token if it has them', async () => {
    hostile.claims = { name: 'Signed', picture: 'https://signed.example/a.png', groups: ['signed'] }
    say({ ...ada, iss: 'https://evil.example', groups: ['unsigned'] })
    const profile = await hostile.signIn()
    expect(profile).toMatchObject({ displayName: 'Signed', avatarUrl: 'https://signed.example/a.png' })
    expect(profile.email).toBe('ada@x.example')
    expect(profile.raw).toMatchObject({ iss: hostile.issuer, groups: ['signed'] })
  })

  test('are never mixed: email_verified from the id token, email from userinfo', async () => {
    hostile.claims = { email_verified: true }
    say({ sub: 'ada', email: 'victim@x.example' })
    const profile = await hostile.signIn()
    expect(profile.email).toBe('victim@x.example')
    expect(profile).not.toHaveProperty('emailVerified')
    expect(profile.raw).not.toHaveProperty('email_verified')
  })

  test('are never mixed: email from the id token, email_verified from userinfo', async () => {
    hostile.claims = { email: 'victim@x.example' }
    say(ada)
    const profile = await hostile.signIn()
    expect(profile).toMatchObject({ email: 'victim@x.example', displayName: 'Ada' })
    expect(profile).not.toHaveProperty('emailVerified')
  })

  test('keep email_verified of the source of the address, even if the other differs', async () => {
    hostile.claims = { email: 'ada@x.example', email_verified: false }
    say(ada)
    expect(await hostile.signIn()).toMatchObject({ email: 'ada@x.example', emailVerified: false })
  })

  test.each(['true', 'false', 1, null])('accept email_verified only as a boolean, not %j', async (value) => {
    say({ ...ada, email_verified: value })
    expect(await hostile.signIn()).not.toHaveProperty('emailVerified')
  })

  test('are absent if neither has them', async () => {
    say({ sub: 'ada' })
    expect(await hostile.signIn()).toEqual({
      provider: `oidc:${hostile.issuer}`,
      subject: 'ada',
      raw: hostile.honestClaims(),
    })
  })
})

describe('a hostile userinfo endpoint', () => {
  test.each([{ sub: 'eve' }, { sub: 'ADA' }, { sub: ['ada'] }, { sub: null }, { sub: undefined }])(
    'that speaks of somebody else is ID_TOKEN_INVALID: %j',
    async (claims) => {
      say({ ...ada, ...claims })
      const error = await failureOf(hostile.signIn())
      expect(error.type).toBe('ID_TOKEN_INVALID')
      expect(error.details).toEqual({ check: 'userinfo_sub', provider: `oidc:${hostile.issuer}` })
    },
  )

  const answers: [name: string, status: number, body: string, details?: object][] = [
    ['500', 500, '{}'],
    ['500 with a fine body', 500, JSON.stringify(ada)],
    ['401', 401, '{"error":"invalid_token"}', { error: 'invalid_token' }],
    ['200 with error', 200, '{"sub":"ada","error":"server_error"}', { error: 'server_error' }],
    ['HTML', 200, '<!doctype html>'],
    ['a JWT', 200, 'a.b.c'],
    ['nothing', 200, ''],
    ['null', 200, 'null'],
    ['an array', 200, '[]'],
    ['the token', 400, JSON.stringify({ error: accessToken, [accessToken]: accessToken })],
  ]
  test.each(answers)('answering %s is EXCHANGE_FAILED', async (_name, status, body, details = {}) => {
    hostile.answers.set('/userinfo', (_request, response) => response.writeHead(status).end(body))
    const error = await failureOf(hostile.signIn())
    expect(error.type).toBe('EXCHANGE_FAILED')
    expect(error.details).toEqual({
      endpoint: 'userinfo endpoint',
      status,
      provider: `oidc:${hostile.issuer}`,
      ...details,
    })
  })

  test.each([302, 307])('that redirects (%i) is EXCHANGE_FAILED and not followed', async (status) => {
    const location = `${hostile.issuer}/elsewhere`
    hostile.answers.set('/userinfo', (_request, response) => response.writeHead(status, { location }).end('{}'))
    const details = { endpoint: 'userinfo endpoint', status }
    expect(await failureOf(hostile.signIn())).toMatchObject({ type: 'EXCHANGE_FAILED', details })
    expect(hostile.requests).not.toContain('/elsewhere')
  })

  test('that stalls is aborted after 10 s', async () => {
    hostile.answers.set('/userinfo', () => undefined)
    const error = await withoutWaiting(
      () => failureOf(hostile.signIn()),
      () => hostile.asked('/userinfo'),
    )
    const message = 'The userinfo endpoint did not answer within 10 s'
    expect(error).toMatchObject({ type: 'EXCHANGE_FAILED', message })
  })

  test('that closes the connection is EXCHANGE_FAILED with the system code', async () => {
    hostile.answers.set('/userinfo', (request) => request.socket.destroy())
    const details = { endpoint: 'userinfo endpoint', code: expect.stringMatching(/^[A-Z_]+$/) as string }
    expect(await failureOf(hostile.signIn())).toMatchObject({ type: 'EXCHANGE_FAILED', details })
  })

  test.each(['http://login.example/userinfo', 'userinfo', 7, null, 'https://a:b@login.example/', 'file:///etc/passwd'])(
    'at %j is INVALID_CONFIG before anything is sent',
    async (userinfo_endpoint) => {
      hostile.metadata = { userinfo_endpoint }
      const error = await failureOf(hostile.signIn())
      expect(error.type).toBe('INVALID_CONFIG')
      expect(error.message).toContain('userinfo_endpoint')
      expect(hostile.requests).toEqual([DISCOVERY])
    },
  )

  test('in an injected document is refused by the constructor', async () => {
    const issuer = GAMMA_ISSUER
    const discovery = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: 'http://gamma.example/userinfo',
    }
    const error = await failureOf(() => new OidcProvider({ issuer, clientId, clientSecret, discovery }))
    expect(error).toMatchObject({ type: 'INVALID_CONFIG', details: { provider: `oidc:${issuer}` } })
  })
})

test('an injected document can require the client secret in a header', async () => {
  const { issuer } = hostile
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  }
  const jwks = createLocalJWKSet({ keys: [rsa.jwk as never] })
  await hostile.client({ discovery, jwks }).exchange(exchangeArgs)
  expect(hostile.tokenRequests[0]!.headers.authorization).toMatch(/^Basic /)
})
