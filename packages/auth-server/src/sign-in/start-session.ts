import type { HttpReply, HttpRequest } from '@portico/http'
import type { NormalizedProfile } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { redirectTo } from '../web/answers.ts'

/** Signs a user in, in a session of its own, and sends the browser where it was going. */
export async function startSession(
  { users, sessions, audit }: Context,
  request: HttpRequest,
  { userId, profile, returnTo }: { userId: string; profile: NormalizedProfile; returnTo: string },
): Promise<HttpReply> {
  const { provider, displayName } = profile
  const user = await users.findById(userId)
  if (!user || user.disabledAt !== undefined) throw new PageRefusal('account-disabled', { userId, provider })
  // The first sign-in may be at its last step elsewhere, or have stopped before it: the identity is linked, so it counts.
  if (!user.active) await users.activateAccount(userId)
  await users.noteName(userId, displayName)
  const cookie = await sessions.start(request, userId, provider)
  await audit(request, { event: 'sign-in', outcome: 'granted', userId, provider })
  return redirectTo(returnTo, [cookie])
}
