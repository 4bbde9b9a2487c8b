import { CompactSign, compactVerify } from 'jose'
import { checkValue, invalidConfig } from './check-options.ts'
import { type Clock, nowSec, systemClock } from './clock.ts'
import { OAuthError } from './errors.ts'
import { parseCompactJws } from './jws.ts'
import { isObject } from './shared/objects.ts'
import { positiveNumber } from './shared/option-checks.ts'

/**
 * What a state carries through the browser. It is signed, not encrypted: whoever sees the URL can read it. Keep the
 * verifier and the nonce in a record on the server and put only its `handle` in here.
 */
export interface OAuthStatePayload {
  /** Makes every state unlike any other; see `generateRandomState`. */
  random: string
  /** Id of the provider the sign-in was started with. */
  provider: string
  /** Where to send the person afterwards; see `safeRedirect`. */
  redirect: string
  verifier?: string | undefined
  nonce?: string | undefined
  /** Names the server-side record of this sign-in. */
  handle?: string | undefined
  /** The user who is signed in already and links another identity. */
  userId?: string | undefined
}

export interface SignStateOptions {
  /** Lifetime in seconds. Default 600. */
  readonly ttlSec?: number | undefined
  readonly clock?: Clock | undefined
}

export interface VerifyStateOptions {
  readonly clock?: Clock | undefined
  /** The provider whose callback this is; a state made for another one is `STATE_INVALID`. */
  readonly expectedProvider?: string | undefined
}

/** Claim names on the wire. They are short because a state travels in a URL. */
const required = { random: 'rnd', provider: 'prv', redirect: 'rdr' } as const
const optional = { verifier: 'vrf', nonce: 'non', handle: 'hdl', userId: 'uid' } as const

/**
 * Signs a state: a compact JWS, HS256, that expires after `ttlSec`. The secret has at least 32 bytes.
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
 * Verifies a state and returns what was signed. The signature comes first: `STATE_EXPIRED` is said of genuine states
 * only, everything else is `STATE_INVALID`.
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
  // Written so that a clock without a time (NaN) refuses.
  if (!(nowSec(clock) < (exp as number))) throw new OAuthError('STATE_EXPIRED')
  const payload = readPayload(jws.payload)
  if (expectedProvider !== undefined && payload.provider !== expectedProvider)
    throw new OAuthError('STATE_INVALID', 'The state was made for another provider')
  return payload
}

/** RFC 7518 §3.2: a key for HS256 is at least as long as the hash. */
export function readSecret(secret: string | Uint8Array): Uint8Array {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < 32)
    throw invalidConfig('The state secret must have at least 32 bytes')
  return bytes
}

/** No extension is understood here (RFC 7515 §4.1.11), so none may be asked for. */
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
  return copyTexts(source, (field, claim) => [field, claim])
}

function readPayload(claims: Record<string, unknown>): OAuthStatePayload {
  // `copyTexts` returns every required field or throws.
  return copyTexts(claims, (field, claim) => [claim, field]) as Record<string, string> & OAuthStatePayload
}

function copyTexts(
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
