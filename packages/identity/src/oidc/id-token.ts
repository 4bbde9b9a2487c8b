import { createHash } from 'node:crypto'
import { compactVerify, type JWSHeaderParameters } from 'jose'
import { type Clock, nowSec } from '../clock.ts'
import { OAuthError } from '../errors.ts'
import { parseCompactJws } from '../jws.ts'
import { equalInConstantTime } from '../random.ts'
import { algorithms } from './algorithms.ts'
import type { KeySource, VerificationKey } from './key-set.ts'

/** What an id token is measured against. */
export interface IdTokenExpectations {
  issuer: string
  clientId: string
  signingAlgs: readonly string[]
  keys: KeySource
  /** Read when a date is checked, which may be some seconds after the token came: keys are fetched in between. */
  clock: Clock
  toleranceSec: number
  nonce: string | undefined
  /** Seconds since the person authenticated, at most, where that was asked for. */
  maxAge?: number | undefined
  /** The access token issued with the id token, as the token response has it. */
  accessToken: unknown
}

interface IdToken {
  text: unknown
  /** False when the text is no JWS; header and claims are empty then. */
  isJws: boolean
  header: Record<string, unknown>
  claims: Record<string, unknown>
}

interface IdTokenCheck {
  name: string
  clause: string
  must: string
  /** When it runs: what decides how the signature is verified comes before it, the claims after it. */
  stage: 'before signature' | 'signature' | 'after signature'
  passes(token: IdToken, expected: IdTokenExpectations): boolean | Promise<boolean>
}

/**
 * Every check of an id token, in the order of OpenID Connect Core 3.1.3.7, then those other clauses ask for.
 * `(n)` is the step of 3.1.3.7. A comparison with the clock is written so that a clock without a time (NaN) refuses.
 */
export const idTokenChecks: readonly IdTokenCheck[] = [
  {
    name: 'presence',
    clause: 'OpenID Connect Core 3.1.3.3',
    must: 'the token response holds an id token',
    stage: 'before signature',
    passes: ({ text }) => typeof text === 'string' && text !== '',
  },
  {
    name: 'format',
    clause: 'OpenID Connect Core 3.1.3.7 (1), RFC 7515 §7.1',
    must: 'the id token is three segments of base64url with JSON objects inside, and is not encrypted',
    stage: 'before signature',
    passes: ({ isJws }) => isJws,
  },
  {
    name: 'iss',
    clause: 'OpenID Connect Core 3.1.3.7 (2)',
    must: 'the issuer is exactly the configured one',
    stage: 'after signature',
    passes: ({ claims }, { issuer }) => claims['iss'] === issuer,
  },
  {
    name: 'aud',
    clause: 'OpenID Connect Core 3.1.3.7 (3)',
    must: 'the audience is text or a list of texts and contains the client id',
    stage: 'after signature',
    passes: ({ claims }, { clientId }) => {
      const audiences = audiencesOf(claims)
      return audiences.every((audience) => typeof audience === 'string') && audiences.includes(clientId)
    },
  },
  {
    name: 'azp',
    clause: 'OpenID Connect Core 3.1.3.7 (4) and (5)',
    must: 'the authorized party is the client id; it is required when there are several audiences',
    stage: 'after signature',
    passes: ({ claims }, { clientId }) =>
      claims['azp'] === undefined ? audiencesOf(claims).length === 1 : claims['azp'] === clientId,
  },
  {
    name: 'signature',
    clause: 'OpenID Connect Core 3.1.3.7 (6)',
    must: 'a key of the provider verifies the signature, however the token was obtained',
    stage: 'signature',
    passes: isSigned,
  },
  {
    name: 'alg',
    clause: 'OpenID Connect Core 3.1.3.7 (7) and (8)',
    must: 'the algorithm is one of those configured; `none` and `HS*` never are',
    stage: 'before signature',
    passes: ({ header }, { signingAlgs }) => typeof header['alg'] === 'string' && signingAlgs.includes(header['alg']),
  },
  {
    name: 'exp',
    clause: 'OpenID Connect Core 3.1.3.7 (9)',
    must: 'the expiry is a number and, with the tolerance, in the future',
    stage: 'after signature',
    passes: ({ claims: { exp } }, { clock, toleranceSec }) => isDate(exp) && nowSec(clock) < exp + toleranceSec,
  },
  {
    name: 'iat',
    clause: 'OpenID Connect Core 3.1.3.7 (10)',
    must: 'the time of issue is a number and, with the tolerance, not in the future',
    stage: 'after signature',
    passes: ({ claims: { iat } }, { clock, toleranceSec }) => isDate(iat) && iat <= nowSec(clock) + toleranceSec,
  },
  {
    name: 'nonce',
    clause: 'OpenID Connect Core 3.1.3.7 (11)',
    must: 'the nonce is the one of this sign-in, where one is expected',
    stage: 'after signature',
    passes: ({ claims }, { nonce }) => nonce === undefined || isSameText(claims['nonce'], nonce),
  },
  {
    name: 'auth_time',
    clause: 'OpenID Connect Core 3.1.3.7 (13)',
    must: 'the person authenticated, with the tolerance, no longer ago than `maxAge`, where that is expected',
    stage: 'after signature',
    passes: ({ claims }, { maxAge, clock, toleranceSec }) => {
      if (maxAge === undefined) return true
      const authTime = readAuthTime(claims, clock, toleranceSec)
      return authTime !== undefined && nowSec(clock) <= authTime + maxAge + toleranceSec
    },
  },
  {
    name: 'crit',
    clause: 'RFC 7515 §4.1.11, RFC 7797 §6',
    must: 'the header asks for no extension: no `crit`, no `b64`',
    stage: 'before signature',
    passes: ({ header }) => header['crit'] === undefined && header['b64'] === undefined,
  },
  {
    name: 'nbf',
    clause: 'RFC 7519 §4.1.5',
    must: 'the start of validity, where given, is a number and, with the tolerance, not in the future',
    stage: 'after signature',
    passes: ({ claims: { nbf } }, { clock, toleranceSec }) =>
      nbf === undefined || (isDate(nbf) && nbf <= nowSec(clock) + toleranceSec),
  },
  {
    name: 'at_hash',
    clause: 'OpenID Connect Core 3.1.3.8',
    must: 'the access token hash, where given, is that of the access token issued along',
    stage: 'after signature',
    passes: ({ header, claims }, { accessToken }) =>
      claims['at_hash'] === undefined || isSameText(claims['at_hash'], hashOf(accessToken, header['alg'])),
  },
  {
    name: 'sub',
    clause: 'OpenID Connect Core 2',
    must: 'the subject is a non-empty text of at most 255 characters',
    stage: 'after signature',
    passes: ({ claims: { sub } }) => typeof sub === 'string' && sub.length > 0 && sub.length <= 255,
  },
]

/** Validates an id token and returns its claims; no claim is believed before the signature is verified. */
export async function validateIdToken(text: unknown, expected: IdTokenExpectations): Promise<Record<string, unknown>> {
  const jws = parseCompactJws(text)
  const token = { text, isJws: jws !== undefined, header: jws?.header ?? {}, claims: jws?.payload ?? {} }
  for (const stage of ['before signature', 'signature', 'after signature'])
    for (const check of idTokenChecks)
      if (check.stage === stage && !(await check.passes(token, expected))) throw refusal(check)
  return token.claims
}

/** When the person authenticated, in seconds. A time that is not a number, or still to come, says nothing. */
export function readAuthTime(
  { auth_time: authTime }: Record<string, unknown>,
  clock: Clock,
  toleranceSec: number,
): number | undefined {
  return isDate(authTime) && authTime >= 0 && authTime <= nowSec(clock) + toleranceSec ? authTime : undefined
}

function refusal({ name, must }: IdTokenCheck): OAuthError {
  return new OAuthError('ID_TOKEN_INVALID', `The id token fails the check "${name}": ${must}`, { check: name })
}

/** A token that names a key nobody has is a trouble with the keys; one that names none is simply not signed by them. */
async function isSigned({ text, header }: IdToken, { keys, signingAlgs }: IdTokenExpectations): Promise<boolean> {
  const token = String(text)
  const [encodedHeader = '', payload = '', signature = ''] = token.split('.')
  let hasKey = false
  for await (const key of keys(header as JWSHeaderParameters, { protected: encodedHeader, payload, signature })) {
    hasKey = true
    if (await isSignedBy(key, token, signingAlgs)) return true
  }
  if (!hasKey && header['kid'] !== undefined)
    throw new OAuthError('JWKS_FAILED', 'No key of the provider fits the key id of the id token')
  return false
}

/** A key that cannot be used for the algorithm verifies nothing. */
function isSignedBy(key: VerificationKey, token: string, signingAlgs: readonly string[]): Promise<boolean> {
  return compactVerify(token, key, { algorithms: [...signingAlgs] }).then(
    () => true,
    () => false,
  )
}

function audiencesOf(claims: Record<string, unknown>): unknown[] {
  return [claims['aud']].flat()
}

/** JSON has no NaN, but it does have 1e999, which reads as Infinity. */
function isDate(value: unknown): value is number {
  return Number.isFinite(value)
}

function isSameText(value: unknown, expected: string | undefined): boolean {
  return typeof value === 'string' && typeof expected === 'string' && equalInConstantTime(value, expected)
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash, by the hash of the id token's own algorithm. */
function hashOf(accessToken: unknown, alg: unknown): string | undefined {
  const algorithm = algorithms.get(String(alg))
  if (typeof accessToken !== 'string' || !algorithm) return undefined
  const hash = createHash(algorithm.hash).update(accessToken).digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
