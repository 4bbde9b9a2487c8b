import type { HttpReply, HttpRequest } from '@portico/http'
import type { NormalizedProfile } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { redirectTo } from '../web/answers.ts'

export interface NewSignIn {
  readonly userId: string
  readonly profile: NormalizedProfile
  readonly returnTo: string
  /** The authorization request that it was for. */
  readonly requestId?: string | undefined
}

/** Signs a user in, in a session of its own, and sends the browser where it was going. */
export async function startSession(
  { users, sessions, audit }: Context,
  request: HttpRequest,
  { userId, profile, returnTo, requestId }: NewSignIn,
): Promise<HttpReply> {
  const { provider, displayName, authTime, acr, amr } = profile
  const user = await users.findById(userId)
  if (!user || user.disabledAt !== undefined) throw new PageRefusal('account-disabled', { userId, provider })
  // The first sign-in may be at its last step elsewhere, or have stopped before it: the identity is linked, so it counts.
  if (!user.active) await users.activateAccount(userId)
  await users.noteName(userId, displayName)
  const how = {
    ...(authTime !== undefined && { authenticatedAt: Math.floor(authTime) }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
  }
  const cookie = await sessions.start(request, {
    userId,
    provider,
    ...how,
    ...(requestId !== undefined && { requestId }),
  })
  await audit(request, { event: 'sign-in', outcome: 'granted', userId, provider })
  return redirectTo(returnTo, [cookie])
}
