import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes as base64url: a handle, code, token or cookie. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * SHA-256 as base64url: what is stored of a secret, and what it is looked up by. The time that a lookup takes then
 * depends on the hash of a guess, from which nothing of the secret can be learned. No salt and no stretching: what is
 * hashed has 256 random bits.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Compares in a time that tells neither where the two differ nor how long they are. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

/** A key for one purpose, so that what is signed for one never serves another (RFC 5869). */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `portico auth-server ${purpose}`, 32))
}

export function signatureOf(key: Uint8Array, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
