import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { checkValue } from './check-options.ts'
import { integerFrom } from './shared/option-checks.ts'

/**
 * A nonce that ties an id token to one sign-in: `bytes` random bytes (default 32) as base64url.
 *
 * ```ts
 * const nonce = generateNonce()   // to authorizationUrl as `nonce`, to exchange as `expectedNonce`
 * ```
 */
export function generateNonce(bytes = 32): string {
  return randomText(bytes)
}

/** A random value for `OAuthStatePayload.random`: `bytes` random bytes (default 32) as base64url. */
export function generateRandomState(bytes = 32): string {
  return randomText(bytes)
}

export function randomText(bytes: number): string {
  checkValue(bytes, 'bytes', integerFrom(1, 65_536))
  return randomBytes(bytes).toString('base64url')
}

/** The time taken reveals neither the first difference nor the lengths. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
