import { createHmac } from 'node:crypto'
import { type OAuthStatePayload, signState, verifyState } from '@portico/identity'
import { describe, expect, test, vi } from 'vitest'
import { TestClock } from './support/clock.ts'
import { failureOf, MARK } from './support/failure.ts'
import { forge, hmacWith } from './support/keys.ts'

const secret = `state-secret-${MARK}-${'s'.repeat(32)}`
const minimal: OAuthStatePayload = { random: 'r', provider: 'alpha', redirect: '/' }
const full = { ...minimal, verifier: `v-${MARK}`, nonce: `n-${MARK}`, handle: 'h', userId: 'u' }
const clock = new TestClock()

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

describe('signState', () => {
  test('creates a compact JWS (HS256) with short claim names and a lifetime of 600 s', async () => {
    const token = await signState(full, secret, { clock })
    const [header, , signature] = token.split('.')
    expect(Buffer.from(header!, 'base64url').toString()).toBe('{"alg":"HS256"}')
    expect(claimsOf(token)).toEqual({
      rnd: 'r',
      prv: 'alpha',
      rdr: '/',
      vrf: `v-${MARK}`,
      non: `n-${MARK}`,
      hdl: 'h',
      uid: 'u',
      iat: clock.sec,
      exp: clock.sec + 600,
    })
    const input = token.slice(0, token.lastIndexOf('.'))
    expect(signature).toBe(createHmac('sha256', secret).update(input).digest('base64url'))
  })

  test('omits optional fields and accepts another lifetime', async () => {
    const token = await signState(minimal, Buffer.from(secret), { clock, ttlSec: 30 })
    expect(claimsOf(token)).toEqual({ rnd: 'r', prv: 'alpha', rdr: '/', iat: clock.sec, exp: clock.sec + 30 })
  })

  test('uses the system clock by default', async () => {
    const system = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    try {
      const token = await signState(minimal, secret)
      expect(await verifyState(token, secret)).toEqual(minimal)
      expect(claimsOf(token)).toMatchObject({ iat: 1_700_000_000 })
    } finally {
      system.mockRestore()
    }
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '600' as never])(
    'refuses a lifetime of %s',
    async (ttlSec) => {
      expect((await failureOf(signState(minimal, secret, { ttlSec }))).type).toBe('INVALID_CONFIG')
    },
  )

  test.each(['random', 'provider', 'redirect'])('refuses a payload without %s', async (field) => {
    const payload = { ...minimal, [field]: undefined } as never
    expect((await failureOf(signState(payload, secret))).type).toBe('STATE_INVALID')
  })

  test('refuses a payload that is not an object or has a field that is not a string', async () => {
    for (const payload of [undefined, null, 'text', { ...minimal, nonce: 7 }])
      expect((await failureOf(signState(payload as never, secret))).type).toBe('STATE_INVALID')
  })
})

describe('verifyState', () => {
  const sign = (options = {}) => signState(full, secret, { clock, ...options })
  const refusal = async (token: unknown, options = {}) =>
    (await failureOf(verifyState(token as string, secret, { clock, ...options }))).type

  test('returns the signed payload, with a string or bytes as the secret', async () => {
    expect(await verifyState(await sign(), secret, { clock })).toEqual(full)
    expect(await verifyState(await sign(), Buffer.from(secret), { clock })).toEqual(full)
  })

  test('expires at the exact second', async () => {
    const token = await sign()
    const later = new TestClock(clock.time + 599_999)
    expect(await verifyState(token, secret, { clock: later })).toEqual(full)
    later.time += 1
    expect(await refusal(token, { clock: later })).toBe('STATE_EXPIRED')
  })

  test('checks the signature before the expiry', async () => {
    const later = new TestClock(clock.time + 3_600_000)
    expect(await refusal(`${(await sign()).slice(0, -2)}AA`, { clock: later })).toBe('STATE_INVALID')
  })

  test('refuses if the clock returns NaN', async () => {
    expect(await refusal(await sign(), { clock: { now: () => Number.NaN } })).toBe('STATE_EXPIRED')
  })

  test.each([{ crit: ['b64'] }, { b64: false }, { crit: ['b64'], b64: false }])(
    'refuses the header %j',
    async (extension) => {
      const token = forge({ alg: 'HS256', ...extension }, claimsOf(await sign()), hmacWith(secret))
      expect(await refusal(token)).toBe('STATE_INVALID')
    },
  )

  test('refuses a state signed with another secret', async () => {
    expect(await refusal(await signState(full, `${secret}0`, { clock }))).toBe('STATE_INVALID')
  })

  test('refuses a changed payload', async () => {
    const [header, , signature] = (await sign()).split('.')
    const other = Buffer.from(JSON.stringify({ ...(claimsOf(await sign()) as object), uid: 'admin' }))
    expect(await refusal(`${header}.${other.toString('base64url')}.${signature}`)).toBe('STATE_INVALID')
  })

  const claims = () => ({ rnd: 'r', prv: 'alpha', rdr: '/', iat: clock.sec, exp: clock.sec + 600 })

  test('refuses alg none and HS512, even with the right secret', async () => {
    expect(await refusal(forge({ alg: 'none' }, claims(), () => Buffer.alloc(0)))).toBe('STATE_INVALID')
    expect(await refusal(forge({ alg: 'none' }, claims(), hmacWith(secret)))).toBe('STATE_INVALID')
    expect(await refusal(forge({ alg: 'HS512' }, claims(), hmacWith(secret, 'sha512')))).toBe('STATE_INVALID')
    expect(await refusal(forge({ alg: 'HS384' }, claims(), hmacWith(secret, 'sha384')))).toBe('STATE_INVALID')
    expect(await refusal(forge({ alg: 'HS256', crit: ['x'], x: 1 }, claims(), hmacWith(secret)))).toBe('STATE_INVALID')
  })

  test.each(['rnd', 'prv', 'rdr', 'iat', 'exp'])('refuses a genuine state without %s', async (claim) => {
    const genuine = (extra: object) => forge({ alg: 'HS256' }, { ...claims(), ...extra }, hmacWith(secret))
    expect(await verifyState(genuine({}), secret, { clock })).toEqual({ ...minimal })
    expect(await refusal(genuine({ [claim]: undefined }))).toBe('STATE_INVALID')
    expect(await refusal(genuine({ [claim]: ['x'] }))).toBe('STATE_INVALID')
  })

  test('refuses a genuine state with an optional field that is not a string', async () => {
    expect(await refusal(forge({ alg: 'HS256' }, { ...claims(), uid: 7 }, hmacWith(secret)))).toBe('STATE_INVALID')
  })

  test('refuses a state of another provider', async () => {
    expect(await verifyState(await sign(), secret, { clock, expectedProvider: 'alpha' })).toEqual(full)
    expect(await refusal(await sign(), { expectedProvider: 'beta' })).toBe('STATE_INVALID')
    expect(await refusal(await sign(), { expectedProvider: '' })).toBe('STATE_INVALID')
  })

  test.each([undefined, null, 7, {}, '', 'text', 'a.b', 'a.b.c', '..', 'a.b.c.d.e'])('refuses %j', async (token) => {
    expect(await refusal(token)).toBe('STATE_INVALID')
  })
})

describe('the secret', () => {
  test.each(['', 'short', 'x'.repeat(31), new Uint8Array(31), undefined, 7])(
    'of under 32 bytes is refused: %j',
    async (short) => {
      expect((await failureOf(signState(minimal, short as never))).type).toBe('INVALID_CONFIG')
      expect((await failureOf(verifyState('a.b.c', short as never))).type).toBe('INVALID_CONFIG')
    },
  )

  test('is measured in bytes, not characters', async () => {
    expect(await signState(minimal, 'é'.repeat(16))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })
})
