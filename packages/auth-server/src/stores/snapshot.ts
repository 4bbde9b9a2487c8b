import type { FederatedIdentitySnapshot } from '@portico/identity'

/** The fields of a profile that are stored, without undefined values. */
export function snapshotOf({ email, emailVerified, displayName, avatarUrl }: FederatedIdentitySnapshot): {
  email?: string
  emailVerified?: boolean
  displayName?: string
  avatarUrl?: string
} {
  return {
    ...(email !== undefined && { email }),
    ...(emailVerified !== undefined && { emailVerified }),
    ...(displayName !== undefined && { displayName }),
    ...(avatarUrl !== undefined && { avatarUrl }),
  }
}
