import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes as base64url: a handle, code, token or cookie. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * SHA-256 as base64url. Secrets are stored and looked up by this hash, so the timing of a lookup depends on the hash of
 * a guess and reveals nothing about the secret. No salt or stretching is needed: the input has 256 random bits.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Constant-time comparison. It reveals neither the position of a difference nor the length. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

/** Derives a key for one purpose, so that a signature made for one never counts for another (RFC 5869). */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `portico auth-server ${purpose}`, 32))
}

export function signatureOf(key: Uint8Array, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
