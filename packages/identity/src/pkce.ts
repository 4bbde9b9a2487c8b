import { createHash } from 'node:crypto'
import { randomText } from './random.ts'

/** A PKCE verifier with its challenge (RFC 7636). The verifier stays on the server until the exchange. */
export interface PkcePair {
  verifier: string
  challenge: string
  method: 'S256'
}

/**
 * Creates a verifier of 32 random bytes (43 characters of base64url) and its S256 challenge.
 *
 * ```ts
 * const { verifier, challenge } = createPkcePair()   // challenge to authorizationUrl, verifier to exchange
 * ```
 */
export function createPkcePair(): PkcePair {
  const verifier = randomText(32)
  return { verifier, challenge: pkceChallengeFor(verifier), method: 'S256' }
}

/** The S256 challenge: the SHA-256 hash of the verifier as base64url (RFC 7636 §4.2). */
export function pkceChallengeFor(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
