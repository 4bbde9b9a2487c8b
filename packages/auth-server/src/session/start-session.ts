import type { HttpReply, HttpRequest } from '@portico/http'
import type { NormalizedProfile } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { redirectTo } from '../web/answers.ts'

export interface NewSignIn {
  readonly userId: string
  readonly profile: NormalizedProfile
  readonly returnTo: string
  /** The authorization request that the person signed in for. */
  readonly requestId?: string | undefined
}

/** Starts a session for a user and sends the browser where it was going. */
export async function startSession(
  { users, sessions, audit }: Context,
  request: HttpRequest,
  { userId, profile, returnTo, requestId }: NewSignIn,
): Promise<HttpReply> {
  const { provider, displayName, authTime, acr, amr } = profile
  const user = await users.findById(userId)
  if (!user || user.disabledAt !== undefined) throw new PageRefusal('account-disabled', { userId, provider })
  // The first sign-in may be at its last step in another process, or have stopped before it. The identity is linked, so
  // the account is complete.
  if (!user.active) await users.activateAccount(userId)
  await users.setFirstName(userId, displayName)
  const authenticatedAt = authTime === undefined ? undefined : Math.floor(authTime)
  const cookie = await sessions.start(request, { userId, provider, authenticatedAt, acr, amr, requestId })
  await audit(request, { event: 'sign-in', outcome: 'granted', userId, provider })
  return redirectTo(returnTo, [cookie])
}
