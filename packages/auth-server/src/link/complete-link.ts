import type { HttpReply, HttpRequest } from '@portico/http'
import { IdentityConflictError, type NormalizedProfile } from '@portico/identity'
import { auditChanges } from '../accounts/audit-changes.ts'
import { requestIdOf } from '../authorize/requests.ts'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { startSession } from '../session/start-session.ts'
import { findLink, linkPath, profileOf, takeLink } from './pending-links.ts'

/**
 * Connects a pending identity once the person has signed in with one that the account already has. The proof is only
 * looked up: a stranger’s identity must not become an account here.
 */
export async function completeLink(
  context: Context,
  request: HttpRequest,
  linkId: string,
  proof: NormalizedProfile,
): Promise<HttpReply> {
  const { identities, logins, users, audit } = context
  const link = await findLink(context, request, linkId)
  const { userId, provider, subject, returnTo } = link
  const proved = await identities.find(proof.provider, proof.subject)
  if (proved?.userId !== userId)
    throw new PageRefusal('link-unproved', { again: linkPath(linkId), userId, provider: proof.provider })
  // Nothing is connected to a disabled account.
  if ((await users.findById(userId))?.disabledAt !== undefined)
    throw new PageRefusal('account-disabled', { userId, provider: proof.provider })
  await takeLink(context, link)
  try {
    await logins.linkIdentity({ provider, subject, userId, profile: profileOf(link) })
  } catch (error) {
    // The identity was linked to another account in the meantime.
    if (error instanceof IdentityConflictError) throw new PageRefusal('link-lost', { userId, provider })
    throw error
  }
  // The proof is a known identity: this records its sign-in, and the account follows its profile.
  await auditChanges(context, request, await logins.resolveUser(proof), proof.provider)
  await audit(request, { event: 'link', outcome: 'granted', userId, provider })
  return startSession(context, request, { userId, profile: proof, returnTo, requestId: requestIdOf(returnTo) })
}
