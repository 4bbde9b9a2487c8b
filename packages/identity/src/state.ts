import { CompactSign, compactVerify } from 'jose'
import { checkValue, invalidConfig } from './check-options.ts'
import { type Clock, nowSec, systemClock } from './clock.ts'
import { OAuthError } from './errors.ts'
import { parseCompactJws } from './jws.ts'
import { isObject } from './shared/objects.ts'
import { positiveNumber } from './shared/option-checks.ts'

/**
 * The content of a state, which travels through the browser. It is signed, not encrypted: anybody who sees the URL can read
 * it. Keep the verifier and the nonce in a record on the server, and put only its `handle` here.
 */
export interface OAuthStatePayload {
  /** Makes every state unique; see `generateRandomState`. */
  random: string
  /** Id of the provider that the sign-in started with. */
  provider: string
  /** The page to open afterwards; see `safeRedirect`. */
  redirect: string
  verifier?: string | undefined
  nonce?: string | undefined
  /** Identifies the record of this sign-in on the server. */
  handle?: string | undefined
  /** The signed-in user who links another identity. */
  userId?: string | undefined
}

export interface SignStateOptions {
  /** Lifetime in seconds. Default 600. */
  readonly ttlSec?: number | undefined
  readonly clock?: Clock | undefined
}

export interface VerifyStateOptions {
  readonly clock?: Clock | undefined
  /** The provider of this callback. A state for another one is `STATE_INVALID`. */
  readonly expectedProvider?: string | undefined
}

/** Claim names on the wire. They are short because a state travels in a URL. */
const required = { random: 'rnd', provider: 'prv', redirect: 'rdr' } as const
const optional = { verifier: 'vrf', nonce: 'non', handle: 'hdl', userId: 'uid' } as const

/**
 * Signs a state: a compact JWS (HS256) that expires after `ttlSec`. The secret needs at least 32 bytes.
 *
 * ```ts
 * const state = await signState({ random: generateRandomState(), provider: 'alpha', redirect: '/' }, secret)
 * ```
 */
export async function signState(
  payload: OAuthStatePayload,
  secret: string | Uint8Array,
  options: SignStateOptions = {},
): Promise<string> {
  const key = readSecret(secret)
  const { ttlSec = 600, clock = systemClock } = options
  checkValue(ttlSec, 'ttlSec', positiveNumber)
  const iat = Math.floor(nowSec(clock))
  const claims = { ...writePayload(payload), iat, exp: iat + ttlSec }
  return new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: 'HS256' }).sign(key)
}

/**
 * Verifies a state and returns its content. Checks the signature first, so only a genuine state is `STATE_EXPIRED`.
 * Everything else is `STATE_INVALID`.
 *
 * ```ts
 * const { handle, redirect } = await verifyState(state, secret, { expectedProvider: 'alpha' })
 * ```
 */
export async function verifyState(
  token: string,
  secret: string | Uint8Array,
  options: VerifyStateOptions = {},
): Promise<OAuthStatePayload> {
  const key = readSecret(secret)
  const { clock = systemClock, expectedProvider } = options
  const jws = parseCompactJws(token)
  if (!jws || !isPlain(jws.header) || !(await isSignedBy(key, token))) throw new OAuthError('STATE_INVALID')
  const { iat, exp } = jws.payload
  if (!Number.isFinite(iat) || !Number.isFinite(exp)) throw new OAuthError('STATE_INVALID')
  // Refuses if the clock returns NaN.
  if (!(nowSec(clock) < (exp as number))) throw new OAuthError('STATE_EXPIRED')
  const payload = readPayload(jws.payload)
  if (expectedProvider !== undefined && payload.provider !== expectedProvider)
    throw new OAuthError('STATE_INVALID', 'The state belongs to another provider')
  return payload
}

/** RFC 7518 §3.2: a key for HS256 must be at least as long as the hash. */
export function readSecret(secret: string | Uint8Array): Uint8Array {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < 32)
    throw invalidConfig('The state secret must have at least 32 bytes')
  return bytes
}

/** No extension is supported (RFC 7515 §4.1.11). */
function isPlain(header: Record<string, unknown>): boolean {
  return header['crit'] === undefined && header['b64'] === undefined
}

function isSignedBy(key: Uint8Array, token: string): Promise<boolean> {
  return compactVerify(token, key, { algorithms: ['HS256'] }).then(
    () => true,
    () => false,
  )
}

function writePayload(payload: OAuthStatePayload): Record<string, string> {
  const source: unknown = payload
  if (!isObject(source)) throw new OAuthError('STATE_INVALID', 'The state to sign must be an object')
  return copyStrings(source, (field, claim) => [field, claim])
}

function readPayload(claims: Record<string, unknown>): OAuthStatePayload {
  // `copyStrings` returns every required field or throws.
  return copyStrings(claims, (field, claim) => [claim, field]) as Record<string, string> & OAuthStatePayload
}

function copyStrings(
  source: Record<string, unknown>,
  direction: (field: string, claim: string) => [from: string, to: string],
): Record<string, string> {
  const copy: Record<string, string> = {}
  for (const [field, claim] of Object.entries({ ...required, ...optional })) {
    const [from, to] = direction(field, claim)
    const value = source[from]
    if (value === undefined && field in optional) continue
    if (typeof value !== 'string') throw new OAuthError('STATE_INVALID', `The state has no valid ${field}`)
    copy[to] = value
  }
  return copy
}
