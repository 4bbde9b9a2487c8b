import { createHash } from 'node:crypto'
import { compactVerify, type JWSHeaderParameters } from 'jose'
import { type Clock, nowSec } from '../clock.ts'
import { OAuthError } from '../errors.ts'
import { parseCompactJws } from '../jws.ts'
import { equalInConstantTime } from '../random.ts'
import { algorithms } from './algorithms.ts'
import type { KeySource, VerificationKey } from './key-set.ts'

export interface IdTokenExpectations {
  issuer: string
  clientId: string
  signingAlgs: readonly string[]
  keys: KeySource
  /** Read at each check of a date. Fetching keys may take seconds. */
  clock: Clock
  toleranceSec: number
  nonce: string | undefined
  /** Maximum seconds since the person authenticated, if requested. */
  maxAge?: number | undefined
  /** The access token of the same token response. */
  accessToken: unknown
}

interface IdToken {
  text: unknown
  /** False if the text is not a JWS. Then header and claims are empty. */
  isJws: boolean
  header: Record<string, unknown>
  claims: Record<string, unknown>
}

interface IdTokenCheck {
  name: string
  clause: string
  must: string
  /** Checks on which the verification depends run before the signature, checks of claims after it. */
  stage: 'before signature' | 'signature' | 'after signature'
  passes(token: IdToken, expected: IdTokenExpectations): boolean | Promise<boolean>
}

/**
 * All checks of an id token, in the order of OpenID Connect Core 3.1.3.7, followed by those of other clauses. `(n)` is the
 * step of 3.1.3.7. Comparisons with the clock fail if it returns NaN.
 */
export const idTokenChecks: readonly IdTokenCheck[] = [
  {
    name: 'presence',
    clause: 'OpenID Connect Core 3.1.3.3',
    must: 'the token response has an id token',
    stage: 'before signature',
    passes: ({ text }) => typeof text === 'string' && text !== '',
  },
  {
    name: 'format',
    clause: 'OpenID Connect Core 3.1.3.7 (1), RFC 7515 §7.1',
    must: 'the id token consists of three base64url segments with JSON objects, and is not encrypted',
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
    must: 'the audience is a string or a list of strings, and contains the client id',
    stage: 'after signature',
    passes: ({ claims }, { clientId }) => {
      const audiences = audiencesOf(claims)
      return audiences.every((audience) => typeof audience === 'string') && audiences.includes(clientId)
    },
  },
  {
    name: 'azp',
    clause: 'OpenID Connect Core 3.1.3.7 (4) and (5)',
    must: 'the authorized party is the client id; it is required if there are several audiences',
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
    must: 'the algorithm is a configured one; `none` and `HS*` are never allowed',
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
    must: 'the nonce is that of this sign-in, if one is expected',
    stage: 'after signature',
    passes: ({ claims }, { nonce }) => nonce === undefined || isSameText(claims['nonce'], nonce),
  },
  {
    name: 'auth_time',
    clause: 'OpenID Connect Core 3.1.3.7 (13)',
    must: 'the person authenticated within `maxAge`, with the tolerance, if one is expected',
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
    must: 'the header has no extension: no `crit`, no `b64`',
    stage: 'before signature',
    passes: ({ header }) => header['crit'] === undefined && header['b64'] === undefined,
  },
  {
    name: 'nbf',
    clause: 'RFC 7519 §4.1.5',
    must: 'the start of validity, if given, is a number and, with the tolerance, not in the future',
    stage: 'after signature',
    passes: ({ claims: { nbf } }, { clock, toleranceSec }) =>
      nbf === undefined || (isDate(nbf) && nbf <= nowSec(clock) + toleranceSec),
  },
  {
    name: 'at_hash',
    clause: 'OpenID Connect Core 3.1.3.8',
    must: 'the access token hash, if given, is that of the access token in the same response',
    stage: 'after signature',
    passes: ({ header, claims }, { accessToken }) =>
      claims['at_hash'] === undefined || isSameText(claims['at_hash'], hashOf(accessToken, header['alg'])),
  },
  {
    name: 'sub',
    clause: 'OpenID Connect Core 2',
    must: 'the subject is a non-empty string of at most 255 characters',
    stage: 'after signature',
    passes: ({ claims: { sub } }) => typeof sub === 'string' && sub.length > 0 && sub.length <= 255,
  },
]

/** Validates an id token and returns its claims. Trusts no claim before the signature is verified. */
export async function validateIdToken(text: unknown, expected: IdTokenExpectations): Promise<Record<string, unknown>> {
  const jws = parseCompactJws(text)
  const token = { text, isJws: jws !== undefined, header: jws?.header ?? {}, claims: jws?.payload ?? {} }
  for (const stage of ['before signature', 'signature', 'after signature'])
    for (const check of idTokenChecks)
      if (check.stage === stage && !(await check.passes(token, expected))) throw refusal(check)
  return token.claims
}

/** The time of authentication in seconds. Ignores a value that is not a number or in the future. */
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

/** If no key matches the `kid`, the keys are the problem. Without a `kid`, the signature is. */
async function isSigned({ text, header }: IdToken, { keys, signingAlgs }: IdTokenExpectations): Promise<boolean> {
  const token = String(text)
  const [encodedHeader = '', payload = '', signature = ''] = token.split('.')
  let hasKey = false
  for await (const key of keys(header as JWSHeaderParameters, { protected: encodedHeader, payload, signature })) {
    hasKey = true
    if (await isSignedBy(key, token, signingAlgs)) return true
  }
  if (!hasKey && header['kid'] !== undefined)
    throw new OAuthError('JWKS_FAILED', 'No key of the provider matches the key id of the id token')
  return false
}

/** Also false if the key cannot be used for the algorithm. */
function isSignedBy(key: VerificationKey, token: string, signingAlgs: readonly string[]): Promise<boolean> {
  return compactVerify(token, key, { algorithms: [...signingAlgs] }).then(
    () => true,
    () => false,
  )
}

function audiencesOf(claims: Record<string, unknown>): unknown[] {
  return [claims['aud']].flat()
}

/** JSON has no NaN, but 1e999 parses as Infinity. */
function isDate(value: unknown): value is number {
  return Number.isFinite(value)
}

function isSameText(value: unknown, expected: string | undefined): boolean {
  return typeof value === 'string' && typeof expected === 'string' && equalInConstantTime(value, expected)
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash that belongs to the id token's algorithm. */
function hashOf(accessToken: unknown, alg: unknown): string | undefined {
  const algorithm = algorithms.get(String(alg))
  if (typeof accessToken !== 'string' || !algorithm) return undefined
  const hash = createHash(algorithm.hash).update(accessToken).digest()
  return hash.subarray(0, hash.length / 2).toString('base64url')
}
