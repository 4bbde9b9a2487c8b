import { expecting, type OptionCheck } from '../shared/option-checks.ts'

interface Algorithm {
  kty: string
  crv?: string
  /** The hash for `at_hash` (OpenID Connect Core 3.1.3.6). Ed25519 uses SHA-512 internally. */
  hash: string
}

/** The signature algorithms for id tokens, and the keys they need. `none` and `HS*` must never be added. */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['RS256', { kty: 'RSA', hash: 'sha256' }],
  ['RS384', { kty: 'RSA', hash: 'sha384' }],
  ['RS512', { kty: 'RSA', hash: 'sha512' }],
  ['PS256', { kty: 'RSA', hash: 'sha256' }],
  ['PS384', { kty: 'RSA', hash: 'sha384' }],
  ['PS512', { kty: 'RSA', hash: 'sha512' }],
  ['ES256', { kty: 'EC', crv: 'P-256', hash: 'sha256' }],
  ['ES384', { kty: 'EC', crv: 'P-384', hash: 'sha384' }],
  ['ES512', { kty: 'EC', crv: 'P-521', hash: 'sha512' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519', hash: 'sha512' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519', hash: 'sha512' }],
])

export const asymmetricAlgs: OptionCheck = expecting(
  `a non-empty list of ${[...algorithms.keys()].join(', ')}`,
  (algs) => Array.isArray(algs) && algs.length > 0 && algs.every((alg) => algorithms.has(alg)),
)
