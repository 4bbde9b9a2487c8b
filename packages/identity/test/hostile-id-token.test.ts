import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf } from './support/failure.ts'
import {
  accessToken,
  clientId,
  clientSecret,
  exchangeArgs,
  HostileProvider,
  nonce,
  sendJson,
} from './support/hostile-provider.ts'
import {
  base64url,
  ec,
  forge,
  hmacWith,
  makeEcKey,
  makeEdKey,
  makeRsaKey,
  otherRsa,
  rsa,
  signWith,
} from './support/keys.ts'

let hostile: HostileProvider

beforeEach(async () => {
  hostile = await HostileProvider.start()
})
afterEach(() => hostile.stop())

async function expectRefused(check: string): Promise<void> {
  const error = await failureOf(hostile.signIn())
  expect({ type: error.type, ...error.details }).toEqual({
    type: 'ID_TOKEN_INVALID',
    check,
    provider: `oidc:${hostile.issuer}`,
  })
  expect(error.message).toContain(`"${check}"`)
}

test('accepts the honest token', async () => {
  expect(await hostile.signIn()).toMatchObject({ provider: `oidc:${hostile.issuer}`, subject: 'ada' })
})

describe('claims', () => {
  const soon = 60
  const lies: [name: string, check: string, claims: (now: number) => Record<string, unknown>][] = [
    ['another issuer', 'iss', () => ({ iss: 'https://evil.example' })],
    ['the issuer with a trailing slash', 'iss', () => ({ iss: `${hostile.issuer}/` })],
    ['no issuer', 'iss', () => ({ iss: undefined })],
    ['no subject', 'sub', () => ({ sub: undefined })],
    ['an empty subject', 'sub', () => ({ sub: '' })],
    ['a subject that is a number', 'sub', () => ({ sub: 7 })],
    ['a subject that is an object', 'sub', () => ({ sub: { id: 'ada' } })],
    ['a subject of 256 characters', 'sub', () => ({ sub: 'a'.repeat(256) })],
    ['another audience', 'aud', () => ({ aud: 'client-2' })],
    ['an audience that only starts with the client id', 'aud', () => ({ aud: `${clientId}0` })],
    ['no audience', 'aud', () => ({ aud: undefined })],
    ['an empty list of audiences', 'aud', () => ({ aud: [] })],
    ['a list of audiences without the client id', 'aud', () => ({ aud: ['client-2', 'client-3'], azp: clientId })],
    ['a list of audiences with a number in it', 'aud', () => ({ aud: [clientId, 7], azp: clientId })],
    ['a list of audiences inside a list', 'aud', () => ({ aud: [[clientId]] })],
    ['several audiences and no authorized party', 'azp', () => ({ aud: [clientId, 'client-2'] })],
    ['another authorized party', 'azp', () => ({ azp: 'client-2' })],
    ['several audiences and another authorized party', 'azp', () => ({ aud: [clientId, 'b'], azp: 'b' })],
    ['an authorized party that is null', 'azp', () => ({ azp: null })],
    ['no expiry', 'exp', () => ({ exp: undefined })],
    ['an expiry that is text', 'exp', (now) => ({ exp: String(now + soon) })],
    ['an expiry that is null', 'exp', () => ({ exp: null })],
    ['an expiry passed by exactly the tolerance', 'exp', (now) => ({ exp: now - 5 })],
    ['an expiry passed by more than the tolerance', 'exp', (now) => ({ exp: now - 6 })],
    ['no time of issue', 'iat', () => ({ iat: undefined })],
    ['a time of issue that is text', 'iat', (now) => ({ iat: String(now) })],
    ['a time of issue in the future', 'iat', (now) => ({ iat: now + 6 })],
    ['a start of validity in the future', 'nbf', (now) => ({ nbf: now + 6 })],
    ['a start of validity that is text', 'nbf', (now) => ({ nbf: String(now - soon) })],
    ['another nonce', 'nonce', () => ({ nonce: `${nonce}0` })],
    ['no nonce', 'nonce', () => ({ nonce: undefined })],
    ['a nonce in a list', 'nonce', () => ({ nonce: [nonce] })],
    ['another access token hash', 'at_hash', () => ({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['an access token hash that is a number', 'at_hash', () => ({ at_hash: 7 })],
    ['an access token hash that is null', 'at_hash', () => ({ at_hash: null })],
  ]
  test.each(lies)('refuses %s', async (_name, check, claims) => {
    hostile.claims = claims(hostile.clock.sec)
    await expectRefused(check)
  })

  const oddities: [name: string, claims: (now: number) => Record<string, unknown>][] = [
    ['an expiry passed by less than the tolerance', (now) => ({ exp: now - 4 })],
    ['a time of issue ahead by the tolerance', (now) => ({ iat: now + 5 })],
    ['a start of validity ahead by the tolerance', (now) => ({ nbf: now + 5 })],
    ['a list with the client id as the only audience', () => ({ aud: [clientId] })],
    ['several audiences with the client as authorized party', () => ({ aud: [clientId, 'b'], azp: clientId })],
    ['no access token hash', () => ({ at_hash: undefined })],
    ['a subject of 255 characters', () => ({ sub: 'a'.repeat(255) })],
  ]
  test.each(oddities)('accepts %s', async (_name, claims) => {
    hostile.claims = claims(hostile.clock.sec)
    expect((await hostile.signIn()).provider).toBe(`oidc:${hostile.issuer}`)
  })

  test.each([
    ['exp', '1e999'],
    ['iat', '1e999'],
    ['iat', '-1e999'],
    ['nbf', '1e999'],
    ['nbf', '-1e999'],
  ])('refuses a number too large to be a date in %s: %s', async (claim, number) => {
    const payload = JSON.stringify({ ...hostile.honestClaims(), [claim]: '@' }).replace('"@"', number)
    hostile.tokens = { id_token: forge({ alg: 'RS256', kid: rsa.kid }, payload, signWith(rsa)) }
    await expectRefused(claim)
  })

  test('refuses NaN, which is not JSON', async () => {
    const payload = JSON.stringify({ ...hostile.honestClaims(), exp: '@' }).replace('"@"', 'NaN')
    hostile.tokens = { id_token: forge({ alg: 'RS256', kid: rsa.kid }, payload, signWith(rsa)) }
    await expectRefused('format')
  })

  test.each([
    ['ES384', 'sha384', 24],
    ['RS512', 'sha512', 32],
    ['EdDSA', 'sha512', 32],
  ])('hashes the access token as %s requires', async (alg, hash, bytes) => {
    const make = { ES384: makeEcKey, RS512: makeRsaKey, EdDSA: makeEdKey }[alg]!
    hostile.signer = make('other', alg)
    hostile.keys = [hostile.signer.jwk]
    const half = createHash(hash).update(accessToken).digest().subarray(0, bytes).toString('base64url')
    hostile.claims = { at_hash: half }
    expect((await hostile.signIn({ idTokenSigningAlgs: [alg] })).subject).toBe('ada')
    hostile.claims = { at_hash: half.slice(0, 22) }
    const error = await failureOf(hostile.signIn({ idTokenSigningAlgs: [alg] }))
    expect(error.details).toMatchObject({ check: 'at_hash' })
  })

  test('refuses a hash of the access token if none was issued', async () => {
    hostile.tokens = { access_token: undefined }
    await expectRefused('at_hash')
  })

  test('refuses a token that expires while its key is being fetched', async () => {
    hostile.answers.set('/jwks', (_request, response) => {
      hostile.clock.advance(305)
      sendJson(response, { keys: hostile.keys })
    })
    await expectRefused('exp')
  })

  test('refuses every date if the clock returns NaN', async () => {
    const clock = { now: () => Number.NaN }
    expect((await failureOf(hostile.signIn({ clock }))).details).toEqual({
      check: 'exp',
      provider: `oidc:${hostile.issuer}`,
    })
  })

  test('requires no nonce if none is expected', async () => {
    hostile.claims = { nonce: undefined }
    const { expectedNonce: _unused, ...args } = exchangeArgs
    expect((await hostile.client().exchange(args)).subject).toBe('ada')
  })
})

describe('signature', () => {
  const header = { kid: rsa.kid }

  test('refuses alg none', async () => {
    hostile.tokens = { id_token: forge({ alg: 'none' }, hostile.honestClaims(), () => Buffer.alloc(0)) }
    await expectRefused('alg')
  })

  test.each(['None', 'NONE', 'nOnE'])('refuses alg %s', async (alg) => {
    hostile.tokens = { id_token: forge({ alg }, hostile.honestClaims(), () => Buffer.alloc(0)) }
    await expectRefused('alg')
  })

  test('refuses HS256 signed with the client secret', async () => {
    hostile.tokens = { id_token: forge({ alg: 'HS256' }, hostile.honestClaims(), hmacWith(clientSecret)) }
    await expectRefused('alg')
  })

  test.each(['pem', 'der', 'jwk'])('refuses HS256 signed with the RSA public key as %s', async (format) => {
    const secret = {
      pem: rsa.publicKey.export({ type: 'spki', format: 'pem' }),
      der: rsa.publicKey.export({ type: 'spki', format: 'der' }),
      jwk: JSON.stringify(rsa.jwk),
    }[format]!
    hostile.tokens = { id_token: forge({ alg: 'HS256', ...header }, hostile.honestClaims(), hmacWith(secret)) }
    await expectRefused('alg')
  })

  test('refuses an algorithm that is not in the list, even with a valid signature', async () => {
    hostile.signer = { ...rsa, alg: 'RS512' }
    hostile.claims = { at_hash: undefined }
    await expectRefused('alg')
    expect((await hostile.signIn({ idTokenSigningAlgs: ['RS512'] })).subject).toBe('ada')
  })

  test('refuses a header without an algorithm', async () => {
    hostile.header = { alg: undefined }
    await expectRefused('alg')
  })

  test('refuses a key of another type under the right key id', async () => {
    hostile.header = { alg: 'ES256' }
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
    hostile.header = {}
    hostile.keys = [{ ...ec.jwk, kid: rsa.kid }]
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
  })

  test('refuses a key of another curve under the right key id', async () => {
    const p384 = makeEcKey('ec-1', 'ES384')
    hostile.keys = [p384.jwk]
    hostile.signer = ec
    expect((await failureOf(hostile.signIn())).type).toBe('JWKS_FAILED')
  })

  test('refuses a resolved key of another type or curve', async () => {
    for (const key of [ec.publicKey, makeEcKey('x', 'ES384').publicKey])
      expect((await failureOf(hostile.signIn({ jwks: () => key }))).details).toEqual({
        check: 'signature',
        provider: `oidc:${hostile.issuer}`,
      })
  })

  test('refuses a signature by another key', async () => {
    hostile.signer = { ...otherRsa, kid: rsa.kid }
    await expectRefused('signature')
  })

  test('refuses an RSA key under 2048 bits', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    hostile.signer = { ...rsa, ...weak }
    hostile.keys = [{ ...weak.publicKey.export({ format: 'jwk' }), kid: rsa.kid }]
    await expectRefused('signature')
  })

  test.each([
    ['crit', { crit: ['exp'] }],
    ['an empty crit', { crit: [] }],
    ['b64: false with crit', { b64: false, crit: ['b64'] }],
    ['b64: false alone', { b64: false }],
  ])('refuses %s', async (_name, extra) => {
    hostile.header = extra
    await expectRefused('crit')
  })

  test.each(['jwk', 'jku', 'x5u', 'x5c'])('ignores a key that the token contains as %s', async (name) => {
    const url = `${hostile.issuer}/evil-keys`
    const brought = { jwk: otherRsa.jwk, jku: url, x5u: url, x5c: ['AAAA'] }[name]
    hostile.header = { [name]: brought }
    expect((await hostile.signIn()).subject).toBe('ada')
    hostile.signer = { ...otherRsa, kid: rsa.kid }
    await expectRefused('signature')
    expect(hostile.requests).not.toContain('/evil-keys')
  })

  test('refuses truncated and DER-encoded ECDSA signatures', async () => {
    hostile.keys = [ec.jwk]
    const make = (signature: (input: Buffer) => Buffer) => {
      hostile.tokens = { id_token: forge({ alg: 'ES256', kid: ec.kid }, hostile.honestClaims(), signature) }
    }
    make(signWith(ec))
    expect((await hostile.signIn()).subject).toBe('ada')
    make((input) => signWith(ec)(input).subarray(0, 63))
    await expectRefused('signature')
    make((input) => sign('sha256', input, { key: ec.privateKey, dsaEncoding: 'der' }))
    await expectRefused('signature')
    make(() => Buffer.alloc(64))
    await expectRefused('signature')
  })
})

describe('form', () => {
  test.each([undefined, null, '', 7, {}, ['a.b.c']])('refuses %j in place of an id token', async (idToken) => {
    hostile.tokens = { id_token: idToken }
    await expectRefused('presence')
  })

  const mangled: [name: string, mangle: (token: string) => string][] = [
    ['2 segments', (token) => token.split('.').slice(0, 2).join('.')],
    ['4 segments', (token) => `${token}.e30`],
    ['5 segments, as an encrypted token has', (token) => `${token}.e30.e30`],
    ['a star in the signature', (token) => `${token.slice(0, -1)}*`],
    ['a star in the payload', (token) => token.replace(/\.(.)/, '.*')],
    ['padding', (token) => `${token}==`],
    ['a line break', (token) => `${token}\n`],
    ['characters of plain base64', (token) => `${token.slice(0, -4)}+/+/`],
    ['unused bits set in the last character', (token) => token.slice(0, -1) + nextCharacter(token.at(-1)!)],
  ]
  test.each(mangled)('refuses %s', async (_name, mangle) => {
    hostile.tokens = { id_token: mangle(hostile.idToken()) }
    await expectRefused('format')
  })

  test.each(['[]', 'null', '"text"', '7', '{', ''])('refuses the payload %s', async (payload) => {
    hostile.tokens = { id_token: forge({ alg: 'RS256', kid: rsa.kid }, payload, signWith(rsa)) }
    await expectRefused('format')
  })

  test.each(['[]', 'null', '{'])('refuses the header %s', async (header) => {
    const [, payload, signature] = hostile.idToken().split('.')
    hostile.tokens = { id_token: `${base64url(header)}.${payload}.${signature}` }
    await expectRefused('format')
  })

  test('refuses text that is not UTF-8', async () => {
    const [header, , signature] = hostile.idToken().split('.')
    const payload = Buffer.from([...Buffer.from('{"sub":"'), 0xff, ...Buffer.from('"}')]).toString('base64url')
    hostile.tokens = { id_token: `${header}.${payload}.${signature}` }
    await expectRefused('format')
  })
})

/** A 256-byte signature leaves four bits of its last character unused: this sets one of them. */
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(character) + 1]!
}
