import { createHash, randomBytes } from 'node:crypto'

/** The secrets of one login, and the challenge that may be shown. */
export interface LoginSecrets {
  readonly state: string
  readonly verifier: string
  readonly challenge: string
}

/** State and PKCE verifier of 32 random bytes each; the challenge is S256 (RFC 7636 section 4.2). */
export function createLoginSecrets(): LoginSecrets {
  const state = randomBytes(32).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { state, verifier, challenge }
}
