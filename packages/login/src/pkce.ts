import { createHash, randomBytes } from 'node:crypto'

/** State and verifier are secret; the challenge is public. */
export interface LoginSecrets {
  readonly state: string
  readonly verifier: string
  readonly challenge: string
}

/** State and verifier are 32 random bytes each; the challenge is S256 (RFC 7636 section 4.2). */
export function createLoginSecrets(): LoginSecrets {
  const state = randomBytes(32).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { state, verifier, challenge }
}
