import { generateKeyPairSync } from 'node:crypto'
import { createPkcePair, type OidcProvider, OidcProvider as Provider, readCallback } from '@portico/identity'
import { decodeJwt, decodeProtectedHeader, exportJWK } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'
import { clientId, clientSecret, exchangeArgs, HostileProvider, sendJson } from './support/hostile-provider.ts'
import { rsa } from './support/keys.ts'
import { RealProvider, redirectUri, signInAt } from './support/real-provider.ts'

async function signIn(provider: OidcProvider): Promise<string> {
  const { verifier, challenge } = createPkcePair()
  const url = await provider.authorizationUrl({ redirectUri, state: 's', codeChallenge: challenge })
  const { code } = readCallback(await signInAt(url))
  return (await provider.exchange({ code, redirectUri, codeVerifier: verifier })).subject
}

describe('a real provider', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  async function start(): Promise<RealProvider> {
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' }
    return RealProvider.start(
      [rsa],
      { client_id: 'by-post' },
      { client_id: 'by-basic', token_endpoint_auth_method: 'client_secret_basic' },
      { client_id: 'public', token_endpoint_auth_method: 'none', client_secret: undefined as never },
      {
        client_id: 'by-key',
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        client_secret: undefined as never,
        jwks: { keys: [jwk] } as never,
      },
    )
  }

  test('accepts a client with every method', async () => {
    await using real = await start()
    const clientKey = { privateKey, keyId: 'k1' }
    expect(await signIn(real.client('by-post'))).toBe('ada')
    expect(await signIn(real.client('by-basic'))).toBe('ada')
    expect(await signIn(real.client('by-basic', { clientAuth: 'basic' }))).toBe('ada')
    expect(await signIn(real.client('public', { clientAuth: 'none' }))).toBe('ada')
    expect(await signIn(real.client('by-key', { clientAuth: 'private_key_jwt', clientKey }))).toBe('ada')
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    for (const form of [pem, privateKey.export({ format: 'jwk' })])
      expect(
        await signIn(
          real.client('by-key', { clientAuth: 'private_key_jwt', clientKey: { privateKey: form, keyId: 'k1' } }),
        ),
      ).toBe('ada')
  })
})

describe('the method of a client with a secret', () => {
  let hostile: HostileProvider
  /** The authentication method of each token request. */
  const used = () =>
    hostile.tokenRequests.map(({ headers, form }) =>
      headers.authorization ? 'basic' : form.get('client_secret') ? 'post' : 'none',
    )

  beforeEach(async () => {
    hostile = await HostileProvider.start()
  })
  afterEach(() => hostile.stop())

  /** A server that accepts only one method for this client. */
  function accept(method: 'post' | 'basic' | 'neither', status = 401, error = 'invalid_client'): void {
    hostile.refuses = ({ headers, form }) => {
      const by = headers.authorization ? 'basic' : form.has('client_secret') ? 'post' : 'none'
      return by === method ? undefined : { status, body: { error } }
    }
  }

  test('falls back to the other method once, and remembers the one that worked', async () => {
    accept('basic')
    const provider = hostile.client()
    await provider.exchange(exchangeArgs)
    await provider.exchange(exchangeArgs)
    expect(used()).toEqual(['post', 'basic', 'basic'])
  })

  test('switches back if the server changes its method', async () => {
    const provider = hostile.client()
    accept('basic')
    await provider.exchange(exchangeArgs)
    accept('post')
    await provider.exchange(exchangeArgs)
    await provider.exchange(exchangeArgs)
    expect(used()).toEqual(['post', 'basic', 'basic', 'post', 'post'])
  })

  test('starts with basic if the metadata lists only that, otherwise with post', async () => {
    hostile.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'] }
    await hostile.signIn()
    hostile.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }
    await hostile.signIn()
    expect(used()).toEqual(['basic', 'post'])
  })

  test('has no fallback for another error, a second time, or if the method is configured', async () => {
    accept('neither')
    expect(await failureOf(hostile.signIn())).toMatchObject({ details: { error: 'invalid_client' } })
    expect(used()).toEqual(['post', 'basic'])
    hostile.tokenRequests.length = 0
    accept('basic', 400, 'invalid_grant')
    await failureOf(hostile.signIn())
    accept('basic', 400)
    await failureOf(hostile.signIn())
    accept('basic')
    await failureOf(hostile.signIn({ clientAuth: 'post' }))
    expect(used()).toEqual(['post', 'post', 'post'])
  })

  test('none sends the client id and no secret', async () => {
    await hostile.signIn({ clientAuth: 'none', clientSecret: undefined })
    const [{ headers, form } = { headers: {}, form: new URLSearchParams() }] = hostile.tokenRequests
    expect([headers.authorization, form.get('client_id'), form.has('client_secret')]).toEqual([
      undefined,
      clientId,
      false,
    ])
  })

  test('private_key_jwt signs a short-lived JWT for each request, for this provider', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const options = { clientAuth: 'private_key_jwt', clientKey: { privateKey, keyId: 'k', alg: 'PS256' } } as const
    const provider = hostile.client({ ...options, clientSecret: undefined })
    await provider.exchange(exchangeArgs)
    await provider.exchange(exchangeArgs)
    const [first, second] = hostile.tokenRequests.map(({ form }) => form.get('client_assertion')!)
    expect(decodeProtectedHeader(first!)).toEqual({ alg: 'PS256', kid: 'k' })
    const iat = hostile.clock.sec
    expect(decodeJwt(first!)).toEqual({
      iss: clientId,
      sub: clientId,
      aud: hostile.issuer,
      jti: expect.any(String),
      iat,
      exp: iat + 60,
    })
    expect(decodeJwt(first!).jti).not.toBe(decodeJwt(second!).jti)
    expect(hostile.tokenRequests[0]!.form.has('client_secret')).toBe(false)
  })

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  test.each([
    ['an unknown method', { clientAuth: 'client_secret_jwt' }],
    ['no secret', { clientSecret: undefined }],
    ['no secret for basic', { clientSecret: undefined, clientAuth: 'basic' }],
    ['no key', { clientAuth: 'private_key_jwt' }],
    ['a public key', { clientAuth: 'private_key_jwt', clientKey: { privateKey: ec.publicKey } }],
    ['text that is not a key', { clientAuth: 'private_key_jwt', clientKey: { privateKey: 'secret text' } }],
    ['HS256', { clientAuth: 'private_key_jwt', clientKey: { privateKey: ec.privateKey, alg: 'HS256' } }],
    [
      'an algorithm of another key',
      { clientAuth: 'private_key_jwt', clientKey: { privateKey: ec.privateKey, alg: 'RS256' } },
    ],
    ['a key without its method', { clientKey: { privateKey: ec.privateKey } }],
  ])('is refused by the constructor with %s', async (_name, options) => {
    const make = () => new Provider({ issuer: 'https://op.example', clientId, clientSecret, ...(options as object) })
    const failure = await failureOf(make)
    expect(failure.type).toBe('INVALID_CONFIG')
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('secret text')
  })
})

describe('metadata that changes at run time', () => {
  let hostile: HostileProvider
  const discovery = '/.well-known/openid-configuration'

  beforeEach(async () => {
    hostile = await HostileProvider.start()
  })
  afterEach(() => hostile.stop())

  test('is fetched again after a day, by one request, and stays in use while it is unavailable', async () => {
    const provider = hostile.client()
    await provider.exchange(exchangeArgs)
    hostile.clock.advance(86_399)
    await provider.exchange(exchangeArgs)
    expect(hostile.count(discovery)).toBe(1)
    hostile.clock.advance(2)
    await Promise.all([provider.exchange(exchangeArgs), provider.exchange(exchangeArgs)])
    expect(hostile.count(discovery)).toBe(2)
    hostile.clock.advance(86_401)
    hostile.answers.set(discovery, (_, response) => sendJson(response, {}, 503))
    expect((await provider.exchange(exchangeArgs)).subject).toBe('ada')
    hostile.answers.set(discovery, (_, response) => sendJson(response, { issuer: 'https://evil.example' }))
    hostile.clock.advance(31)
    expect(await failureOf(provider.exchange(exchangeArgs))).toMatchObject({ type: 'INVALID_CONFIG' })
  })

  test('is fetched again if the token endpoint has moved', async () => {
    const provider = hostile.client()
    await provider.exchange(exchangeArgs)
    hostile.clock.advance(31)
    hostile.answers.set('/token', (_, response) => sendJson(response, {}, 404))
    hostile.tokenPaths.add('/moved')
    hostile.metadata = { token_endpoint: `${hostile.issuer}/moved` }
    expect((await provider.exchange(exchangeArgs)).subject).toBe('ada')
    expect([hostile.count(discovery), hostile.count('/moved')]).toEqual([2, 1])
  })

  test('is fetched again if no key matches, and the keys of the new URL are used', async () => {
    const provider = hostile.client()
    await provider.exchange(exchangeArgs)
    hostile.clock.advance(31)
    const other = { ...rsa, kid: 'moved' }
    hostile.signer = other
    hostile.answers.set('/keys', (_, response) => sendJson(response, { keys: [{ ...rsa.jwk, kid: 'moved' }] }))
    hostile.metadata = { jwks_uri: `${hostile.issuer}/keys` }
    expect((await provider.exchange(exchangeArgs)).subject).toBe('ada')
    expect([hostile.count(discovery), hostile.count('/keys')]).toEqual([2, 1])
  })

  test('is fetched again at most once per 30 s', async () => {
    const provider = hostile.client()
    await provider.exchange(exchangeArgs)
    hostile.answers.set('/token', (_, response) => sendJson(response, {}, 503))
    for (let n = 0; n < 5; n += 1) await failureOf(provider.exchange(exchangeArgs))
    expect(hostile.count(discovery)).toBe(1)
    hostile.clock.advance(31)
    for (let n = 0; n < 5; n += 1) await failureOf(provider.exchange(exchangeArgs))
    expect(hostile.count(discovery)).toBe(2)
  })
})

describe('the metadata of a remote issuer', () => {
  const remote = 'https://op.example'
  const document = {
    issuer: remote,
    authorization_endpoint: `${remote}/authorize`,
    token_endpoint: `${remote}/token`,
    jwks_uri: `${remote}/jwks`,
  }

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'must not lead to this machine by its %s',
    async (name) => {
      const provider = new Provider({
        issuer: remote,
        clientId,
        clientSecret,
        fetch: async () => Response.json({ ...document, [name]: 'http://127.0.0.1:8080/inner' }),
      })
      const url = provider.authorizationUrl({ redirectUri, state: 's', codeChallenge: 'c' })
      expect(await failureOf(url)).toMatchObject({ type: 'INVALID_CONFIG' })
    },
  )
})
