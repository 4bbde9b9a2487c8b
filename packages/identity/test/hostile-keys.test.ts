import { createSecretKey } from 'node:crypto'
import type { KeyResolver } from '@portico/identity'
import { OAuthProviderRegistry } from '@portico/identity'
import { createLocalJWKSet, createRemoteJWKSet } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, MARK } from './support/failure.ts'
import { DISCOVERY, exchangeArgs, HostileProvider, sendJson } from './support/hostile-provider.ts'
import { ec, makeEdKey, makeRsaKey, otherRsa, rsa } from './support/keys.ts'
import { withoutWaiting } from './support/stall.ts'

let hostile: HostileProvider

beforeEach(async () => {
  hostile = await HostileProvider.start()
})
afterEach(() => hostile.stop())

const unnamed = ({ kid: _unused, ...jwk }: Record<string, unknown>) => jwk

describe('choice of the key', () => {
  test('without a kid the only key is used', async () => {
    hostile.header = { kid: undefined }
    expect((await hostile.signIn()).subject).toBe('ada')
  })

  test('without a kid every matching key is tried', async () => {
    hostile.header = { kid: undefined }
    hostile.keys = [ec.jwk, otherRsa.jwk, unnamed(rsa.jwk)]
    expect((await hostile.signIn()).subject).toBe('ada')
  })

  test('without a kid and without a key that verifies, the token is invalid', async () => {
    hostile.header = { kid: undefined }
    for (const keys of [[otherRsa.jwk, makeRsaKey('rsa-3').jwk], [ec.jwk], []]) {
      hostile.keys = keys
      const error = await failureOf(hostile.signIn())
      expect(error).toMatchObject({ type: 'ID_TOKEN_INVALID', details: { check: 'signature' } })
    }
  })

  test('with a kid only that key is used, even if another would verify', async () => {
    for (const key of [{ ...rsa.jwk, kid: 'other' }, unnamed(rsa.jwk)]) {
      hostile.keys = [key]
      expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
    }
  })

  test('a kid that is not a string matches no key', async () => {
    hostile.keys = [{ ...rsa.jwk, kid: '7' }]
    hostile.header = { kid: 7 }
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
  })

  test.each([
    ['use: enc', { use: 'enc' }],
    ['key_ops without verify', { use: undefined, key_ops: ['encrypt'] }],
    ['key_ops that are a string', { key_ops: 'verify' }],
    ['another algorithm', { alg: 'RS512' }],
  ])('a key with %s is ignored', async (_name, extra) => {
    hostile.keys = [{ ...rsa.jwk, ...extra }]
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
    hostile.keys.push(rsa.jwk)
    expect((await hostile.signIn()).subject).toBe('ada')
  })

  test('private keys are ignored completely', async () => {
    hostile.keys = [{ ...rsa.privateKey.export({ format: 'jwk' }), kid: rsa.kid }]
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
  })

  test('symmetric keys and entries that are not keys are ignored', async () => {
    const secret = Buffer.from(`symmetric-${MARK}`).toString('base64url')
    hostile.keys = [{ kty: 'oct', k: secret, kid: rsa.kid }, null, 'text', 7, [], { kid: rsa.kid }]
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
    hostile.keys.push(rsa.jwk)
    expect((await hostile.signIn()).subject).toBe('ada')
  })

  test('a broken key verifies nothing and does not affect others', async () => {
    hostile.keys = [{ kty: 'RSA', kid: rsa.kid, n: '!', e: 'AQAB' }, rsa.jwk]
    expect((await hostile.signIn()).subject).toBe('ada')
  })

  test('an Ed25519 key works if the algorithm is allowed', async () => {
    hostile.signer = makeEdKey('ed-1')
    hostile.keys = [hostile.signer.jwk]
    hostile.claims = { at_hash: undefined }
    expect((await failureOf(hostile.signIn())).details).toEqual({ check: 'alg', provider: `oidc:${hostile.issuer}` })
    expect((await hostile.signIn({ idTokenSigningAlgs: ['EdDSA'] })).subject).toBe('ada')
  })
})

describe('fetching the key set', () => {
  test('50 parallel first calls fetch the metadata once and the keys once', async () => {
    const client = hostile.client()
    const profiles = await Promise.all(Array.from({ length: 50 }, () => client.exchange(exchangeArgs)))
    expect(profiles.map((it) => it.subject)).toEqual(Array(50).fill('ada'))
    expect([hostile.count(DISCOVERY), hostile.count('/jwks'), hostile.count('/token')]).toEqual([1, 1, 50])
  })

  test('it is cached for jwksCacheTtlMs of the injected clock', async () => {
    const client = hostile.client({ jwksCacheTtlMs: 60_000 })
    await client.exchange(exchangeArgs)
    hostile.clock.time += 59_999
    await client.exchange(exchangeArgs)
    expect(hostile.count('/jwks')).toBe(1)
    hostile.clock.time += 1
    await client.exchange(exchangeArgs)
    expect(hostile.count('/jwks')).toBe(2)
  })

  test('it is cached for an hour by default', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.time += 3_599_999
    await client.exchange(exchangeArgs)
    expect(hostile.count('/jwks')).toBe(1)
    hostile.clock.time += 1
    await client.exchange(exchangeArgs)
    expect(hostile.count('/jwks')).toBe(2)
  })

  test('a clock that was set back does not extend the life of old keys', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.time -= 1
    await client.exchange(exchangeArgs)
    expect(hostile.count('/jwks')).toBe(2)
  })

  test('a key rotated in just before signing is found', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.advance(30)
    hostile.signer = otherRsa
    hostile.keys = [otherRsa.jwk]
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
    expect(hostile.count('/jwks')).toBe(2)
  })

  test('a rotated-in key without a kid is found', async () => {
    const client = hostile.client()
    hostile.header = { kid: undefined }
    await client.exchange(exchangeArgs)
    hostile.clock.advance(30)
    hostile.signer = otherRsa
    hostile.keys = [otherRsa.jwk]
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
  })

  test('a flood of random kids causes one fetch per 30 s, counted from the last fetch for any reason', async () => {
    const client = hostile.client()
    const flood = async (size: number) => {
      for (let index = 0; index < size; index += 1) {
        hostile.header = { kid: `random-${Math.random()}` }
        expect((await failureOf(client.exchange(exchangeArgs))).type).toBe('JWKS_FAILED')
      }
      return hostile.count('/jwks')
    }
    expect(await flood(10)).toBe(1)
    hostile.clock.time += 29_999
    expect(await flood(10)).toBe(1)
    hostile.clock.time += 1
    expect(await flood(10)).toBe(2)
    hostile.clock.time += 29_999
    expect(await flood(10)).toBe(2)
    hostile.header = {}
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
  })

  test('a parallel flood of random kids causes one fetch too', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.advance(31)
    hostile.header = { kid: 'random' }
    await Promise.all(Array.from({ length: 20 }, () => failureOf(client.exchange(exchangeArgs))))
    expect(hostile.count('/jwks')).toBe(2)
  })

  test('every caller that waits for a rotated key gets it', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.advance(31)
    hostile.signer = otherRsa
    hostile.keys = [otherRsa.jwk]
    const profiles = await Promise.all(Array.from({ length: 20 }, () => client.exchange(exchangeArgs)))
    expect(profiles).toHaveLength(20)
    expect(hostile.count('/jwks')).toBe(2)
  })

  test('a failed refresh starts the 30 s too, and the old keys stay in use', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.advance(31)
    hostile.answers.set('/jwks', (_request, response) => sendJson(response, {}, 500))
    hostile.header = { kid: 'random' }
    await failureOf(client.exchange(exchangeArgs))
    await failureOf(client.exchange(exchangeArgs))
    expect(hostile.count('/jwks')).toBe(2)
    hostile.header = {}
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
  })

  test('refreshOnUnknownKid: false never fetches again before the set expires', async () => {
    const client = hostile.client()
    new OAuthProviderRegistry({
      baseUrl: 'https://app.example',
      stateSecret: 'x'.repeat(32),
      providers: [client],
      jwks: { refreshOnUnknownKid: false },
    })
    await client.exchange(exchangeArgs)
    hostile.clock.advance(60)
    hostile.header = { kid: 'random' }
    expect((await failureOf(client.exchange(exchangeArgs))).type).toBe('JWKS_FAILED')
    expect(hostile.count('/jwks')).toBe(1)
  })

  test('expired keys that cannot be fetched again refuse every sign-in', async () => {
    const client = hostile.client()
    await client.exchange(exchangeArgs)
    hostile.clock.advance(3600)
    hostile.answers.set('/jwks', (_request, response) => sendJson(response, {}, 500))
    expect((await failureOf(client.exchange(exchangeArgs))).type).toBe('JWKS_FAILED')
  })
})

describe('a key set that answers', () => {
  const answers: [name: string, status: number, body: string][] = [
    ['500', 500, '{"keys":[]}'],
    ['404', 404, ''],
    ['HTML', 200, '<!doctype html><title>Login</title>'],
    ['nothing', 200, ''],
    ['null', 200, 'null'],
    ['an array', 200, '[]'],
    ['no keys', 200, '{}'],
    ['keys that are not a list', 200, '{"keys":{}}'],
  ]
  test.each(answers)('%s refuses every sign-in, and works again once fixed', async (_name, status, body) => {
    hostile.answers.set('/jwks', (_request, response) => response.writeHead(status).end(body))
    const client = hostile.client()
    const error = await failureOf(client.exchange(exchangeArgs))
    expect(error).toMatchObject({ type: 'JWKS_FAILED', details: { endpoint: 'key set', status } })
    hostile.answers.clear()
    expect((await client.exchange(exchangeArgs)).subject).toBe('ada')
  })

  test('a redirect refuses every sign-in', async () => {
    const location = `${hostile.issuer}/elsewhere`
    hostile.answers.set('/jwks', (_request, response) => response.writeHead(302, { location }).end())
    expect(await failureOf(hostile.signIn())).toMatchObject({ type: 'JWKS_FAILED', details: { status: 302 } })
    expect(hostile.requests).not.toContain('/elsewhere')
  })

  test('a broken connection refuses every sign-in, with its cause', async () => {
    hostile.answers.set('/jwks', (request) => request.socket.destroy())
    const error = await failureOf(hostile.signIn())
    expect(error).toMatchObject({
      type: 'JWKS_FAILED',
      cause: { name: 'TypeError', cause: { message: 'UND_ERR_SOCKET' } },
    })
  })

  test('nothing for 10 s refuses every sign-in', async () => {
    hostile.answers.set('/jwks', () => undefined)
    const error = await withoutWaiting(
      () => failureOf(hostile.signIn()),
      () => hostile.asked('/jwks'),
    )
    expect(error).toMatchObject({ type: 'JWKS_FAILED', message: 'The key set did not answer within 10 s' })
  })
})

describe('an injected resolver', () => {
  const set = () => ({ keys: hostile.keys as never[] })

  test('of jose works directly, local and remote', async () => {
    expect((await hostile.signIn({ jwks: createLocalJWKSet(set()) })).subject).toBe('ada')
    const remote = createRemoteJWKSet(new URL(`${hostile.issuer}/jwks`))
    expect((await hostile.signIn({ jwks: remote })).subject).toBe('ada')
  })

  test('gets the protected header and the token in three parts, and no key set is fetched', async () => {
    const calls: Parameters<KeyResolver>[] = []
    const jwks: KeyResolver = (...call) => {
      calls.push(call)
      return rsa.publicKey
    }
    await hostile.signIn({ jwks })
    const [protectedPart, payload, signature] = hostile.idToken().split('.')
    expect(calls).toEqual([
      [
        { alg: 'RS256', kid: 'rsa-1' },
        { protected: protectedPart, payload, signature },
      ],
    ])
    expect(hostile.count('/jwks')).toBe(0)
  })

  test('with several keys for a token without a kid has every one tried', async () => {
    hostile.header = { kid: undefined }
    hostile.keys = [otherRsa.jwk, rsa.jwk]
    expect((await hostile.signIn({ jwks: createLocalJWKSet(set()) })).subject).toBe('ada')
    hostile.keys = [otherRsa.jwk, makeRsaKey('rsa-3').jwk]
    const error = await failureOf(hostile.signIn({ jwks: createLocalJWKSet(set()) }))
    expect(error).toMatchObject({ type: 'ID_TOKEN_INVALID', details: { check: 'signature' } })
  })

  test('without a key for the kid is JWKS_FAILED, without a kid ID_TOKEN_INVALID', async () => {
    const jwks = createLocalJWKSet({ keys: [otherRsa.jwk as never] })
    expect((await failureOf(hostile.signIn({ jwks }))).type).toBe('JWKS_FAILED')
    hostile.header = { kid: undefined }
    expect((await failureOf(hostile.signIn({ jwks: createLocalJWKSet({ keys: [] }) }))).type).toBe('ID_TOKEN_INVALID')
  })

  const secret = Buffer.from(`symmetric-${MARK}-0123456789012345`)
  const notPublic: [name: string, key: unknown][] = [
    ['bytes', new Uint8Array(secret)],
    ['a secret KeyObject', createSecretKey(secret)],
    ['a symmetric JWK', { kty: 'oct', k: secret.toString('base64url') }],
    ['a private key', rsa.privateKey],
    ['a private JWK', rsa.privateKey.export({ format: 'jwk' })],
    ['nothing', undefined],
    ['text', `key-${MARK}`],
  ]
  test.each(notPublic)('that returns %s is JWKS_FAILED', async (_name, key) => {
    const jwks = (async () => key) as unknown as KeyResolver
    expect((await failureOf(hostile.signIn({ jwks }))).type).toBe('JWKS_FAILED')
  })

  test('that fails is JWKS_FAILED, and its error leaks nothing', async () => {
    const jwks: KeyResolver = (_header, token) => {
      throw Object.assign(new Error(`no key for ${JSON.stringify(token)} ${MARK}`), { token, code: 'ECONNREFUSED' })
    }
    const error = await failureOf(hostile.signIn({ jwks }))
    expect(error).toMatchObject({ type: 'JWKS_FAILED', cause: { message: 'ECONNREFUSED' } })
  })
})
