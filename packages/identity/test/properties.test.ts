import {
  createPkcePair,
  type OAuthStatePayload,
  OidcProvider,
  pkceChallengeFor,
  signState,
  verifyState,
} from '@portico/identity'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { TestClock } from './support/clock.ts'
import { failureOf } from './support/failure.ts'
import { ec, forge, signWith } from './support/keys.ts'

const clock = new TestClock()
/** Any text, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)
const anySecret = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 128 }),
  fc.string({ unit: 'binary', minLength: 32 }),
)
const anyPayload: fc.Arbitrary<OAuthStatePayload> = fc.record(
  {
    random: anyText,
    provider: anyText,
    redirect: anyText,
    verifier: anyText,
    nonce: anyText,
    handle: anyText,
    userId: anyText,
  },
  { requiredKeys: ['random', 'provider', 'redirect'] },
)

test('any payload round-trips, with any secret and any lifetime', async () => {
  const survives = async (payload: OAuthStatePayload, secret: string | Uint8Array, ttlSec: number) => {
    const token = await signState(payload, secret, { clock, ttlSec })
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await verifyState(token, secret, { clock })).toEqual(payload)
  }
  const property = fc.asyncProperty(anyPayload, anySecret, fc.integer({ min: 1, max: 1e9 }), survives)
  await fc.assert(property, { numRuns: heavy(2000) })
})

test('any flipped bit is refused', async () => {
  const refused = async (payload: OAuthStatePayload, secret: Uint8Array, position: number) => {
    const bytes = Buffer.from(await signState(payload, secret, { clock }))
    const bit = position % (bytes.length * 8)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    const error = await failureOf(verifyState(bytes.toString('latin1'), secret, { clock }))
    expect(error.type).toBe('STATE_INVALID')
  }
  const property = fc.asyncProperty(anyPayload, fc.uint8Array({ minLength: 32, maxLength: 64 }), fc.nat(), refused)
  await fc.assert(property, { numRuns: heavy(2000) })
})

test('every single bit of one state is refused when flipped', async () => {
  const secret = 's'.repeat(32)
  const token = await signState({ random: 'r', provider: 'p', redirect: '/' }, secret, { clock })
  for (let bit = 0; bit < token.length * 8; bit += 1) {
    const bytes = Buffer.from(token)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    const error = await failureOf(verifyState(bytes.toString('latin1'), secret, { clock }))
    expect(error.type, `bit ${bit}`).toBe('STATE_INVALID')
  }
})

test('a state with text added or removed is refused', async () => {
  const refused = async (payload: OAuthStatePayload, noise: string, position: number, cut: number) => {
    const secret = 's'.repeat(32)
    const token = await signState(payload, secret, { clock })
    const at = position % (token.length + 1)
    const changed = token.slice(0, at) + noise + token.slice(at + cut)
    fc.pre(changed !== token)
    expect((await failureOf(verifyState(changed, secret, { clock }))).type).toBe('STATE_INVALID')
  }
  const property = fc.asyncProperty(anyPayload, fc.string({ maxLength: 4 }), fc.nat(), fc.nat(8), refused)
  await fc.assert(property, { numRuns: heavy(2000) })
})

test('any text in place of a state is refused', async () => {
  const anyToken = fc.oneof(
    anyText,
    fc.array(fc.base64String(), { minLength: 1, maxLength: 5 }).map((it) => it.join('.')),
  )
  const refused = async (token: string) => {
    expect((await failureOf(verifyState(token, 's'.repeat(32), { clock }))).type).toBe('STATE_INVALID')
  }
  await fc.assert(fc.asyncProperty(anyToken, refused), { numRuns: heavy(2000) })
})

test('any flipped bit of an id token is refused', async () => {
  const issuer = 'https://login.example'
  const claims = { iss: issuer, sub: 'ada', aud: 'app', iat: clock.sec, exp: clock.sec + 60 }
  const token = forge({ alg: 'ES256', kid: ec.kid }, claims, signWith(ec))
  let idToken = token
  const answer = { ok: true, status: 200, json: async () => ({ id_token: idToken }), text: async () => '' }
  const provider = new OidcProvider({
    issuer,
    clientId: 'app',
    clientSecret: 'secret',
    tokenEndpoint: `${issuer}/token`,
    jwks: () => ec.publicKey,
    clock,
    fetch: async () => answer,
  })
  const args = { code: 'code', redirectUri: 'https://app.example', codeVerifier: 'verifier' }
  expect((await provider.exchange(args)).subject).toBe('ada')
  const refused = async (bit: number) => {
    const bytes = Buffer.from(token)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    idToken = bytes.toString('latin1')
    expect((await failureOf(provider.exchange(args))).type).toBe('ID_TOKEN_INVALID')
  }
  const property = fc.asyncProperty(fc.nat(token.length * 8 - 1), refused)
  await fc.assert(property, { numRuns: heavy(2000) })
})

test('a challenge has 43 characters and depends only on the verifier', () => {
  const check = (a: string, b: string) => {
    expect(pkceChallengeFor(a)).toMatch(/^[\w-]{43}$/)
    expect(pkceChallengeFor(a) === pkceChallengeFor(b)).toBe(a === b)
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), check), { numRuns: heavy(2000) })
})

test('a flipped bit of a verifier changes the challenge', () => {
  const { verifier, challenge } = createPkcePair()
  for (let bit = 0; bit < verifier.length * 7; bit += 1) {
    const bytes = Buffer.from(verifier)
    bytes[Math.floor(bit / 7)]! ^= 1 << (bit % 7)
    expect(pkceChallengeFor(bytes.toString())).not.toBe(challenge)
  }
})
