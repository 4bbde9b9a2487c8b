import type { Context } from '../context.ts'

/** OpenID Connect Core 5.4: the claims of each scope, as far as they are known. */
export async function readClaims(
  { users }: Context,
  userId: string,
  scopes: readonly string[],
): Promise<Record<string, unknown>> {
  const user = await users.findById(userId)
  return {
    ...(scopes.includes('email') &&
      user?.email !== undefined && { email: user.email, email_verified: user.emailVerified === true }),
    // Never the username: it is usually the address, which only the scope `email` reveals.
    ...(scopes.includes('profile') && user?.displayName !== undefined && { name: user.displayName }),
  }
}

/** The picture of the identity that was used last. Only UserInfo returns it. */
export async function readPicture({ identities }: Context, userId: string): Promise<string | undefined> {
  const withPicture = (await identities.listForUser(userId)).filter(({ avatarUrl }) => avatarUrl !== undefined)
  return withPicture.sort((a, b) => (b.lastLoginAt ?? b.linkedAt) - (a.lastLoginAt ?? a.linkedAt))[0]?.avatarUrl
}
