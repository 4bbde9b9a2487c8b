import type { HttpReply, HttpRequest } from '@portico/http'
import { IdentityConflictError, type NormalizedProfile } from '@portico/identity'
import { auditChanges } from '../accounts/audit-changes.ts'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { startSession } from '../session/start-session.ts'
import { Invitation } from '../tables/accounts.portico.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { findInvitation } from './find-invitation.ts'

/** Gives the account of an invitation to the person who opened its link, whatever their address. It works once. */
export async function completeInvitation(
  context: Context,
  request: HttpRequest,
  id: string,
  { returnTo, requestId }: SignIn,
  profile: NormalizedProfile,
): Promise<HttpReply> {
  const { db, identities, logins, users, audit } = context
  const { provider, subject } = profile
  const { userId } = await findInvitation(context, id)
  const taken = new PageRefusal('invitation-taken', {
    again: '/auth/sign-in',
    againLabel: 'Sign in',
    userId,
    provider,
  })
  if (await identities.find(provider, subject)) throw taken
  if ((await db.table(Invitation).deleteMany({ id })).deletedCount !== 1)
    throw new PageRefusal('invitation-lost', { again: '/auth/sign-in', userId, provider })
  try {
    await logins.linkIdentity({ provider, subject, userId, profile })
  } catch (error) {
    if (error instanceof IdentityConflictError) throw taken
    throw error
  }
  await users.activateAccount(userId)
  await audit(request, { event: 'link', outcome: 'granted', userId, provider, reason: 'invitation' })
  // The identity is linked now, so the account follows its address as at any sign-in.
  await auditChanges(context, request, await logins.resolveUser(profile), provider)
  return startSession(context, request, { userId, profile, returnTo, requestId })
}
