import { createHash } from 'node:crypto'
import { randomText } from './random.ts'

/** A PKCE verifier with its challenge (RFC 7636). The verifier stays on the server until the exchange. */
export interface PkcePair {
  verifier: string
  challenge: string
  method: 'S256'
}

/**
 * Makes a fresh PKCE pair: 32 random bytes as base64url, 43 characters, and their S256 challenge.
 *
 * ```ts
 * const { verifier, challenge } = createPkcePair()   // challenge to authorizationUrl, verifier to exchange
 * ```
 */
export function createPkcePair(): PkcePair {
  const verifier = randomText(32)
  return { verifier, challenge: pkceChallengeFor(verifier), method: 'S256' }
}

/** The S256 challenge of a verifier: the base64url of its SHA-256 hash (RFC 7636 §4.2). */
export function pkceChallengeFor(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
