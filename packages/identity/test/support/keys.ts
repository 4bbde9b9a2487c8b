import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A key pair, with the public key as a provider would publish it. */
export interface SigningKey {
  alg: string
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  jwk: Record<string, unknown>
}

export function makeRsaKey(kid: string, alg = 'RS256'): SigningKey {
  return describe(generateKeyPairSync('rsa', { modulusLength: 2048 }), kid, alg)
}

export function makeEcKey(kid: string, alg = 'ES256'): SigningKey {
  const namedCurve = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[alg] ?? 'P-256'
  return describe(generateKeyPairSync('ec', { namedCurve }), kid, alg)
}

export function makeEdKey(kid: string): SigningKey {
  return describe(generateKeyPairSync('ed25519'), kid, 'EdDSA')
}

function describe(pair: { privateKey: KeyObject; publicKey: KeyObject }, kid: string, alg: string): SigningKey {
  return { alg, kid, ...pair, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig' } }
}

// Created once, because RSA keys are slow to generate.
export const rsa = makeRsaKey('rsa-1')
export const otherRsa = makeRsaKey('rsa-2')
export const ec = makeEcKey('ec-1')

/** Builds a compact JWS without a library, so that it can be wrong in any way. `payload` may be raw text. */
export function forge(header: object, payload: unknown, signature: (input: Buffer) => Buffer): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const input = `${base64url(JSON.stringify(header))}.${base64url(text)}`
  return `${input}.${signature(Buffer.from(input)).toString('base64url')}`
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

const hashes: Record<string, string> = { '256': 'sha256', '384': 'sha384', '512': 'sha512' }

export function signWith({ alg, privateKey }: Pick<SigningKey, 'alg' | 'privateKey'>): (input: Buffer) => Buffer {
  if (alg === 'EdDSA') return (input) => sign(null, input, privateKey)
  const hash = hashes[alg.slice(2)]!
  return (input) => sign(hash, input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
}

export function hmacWith(secret: string | Buffer, hash = 'sha256'): (input: Buffer) => Buffer {
  return (input) => createHmac(hash, secret).update(input).digest()
}
