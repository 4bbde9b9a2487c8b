import type { HttpReply, HttpRequest } from '@portico/http'
import { type FederatedIdentity, FederatedLoginService, foldEmail, type UserRecord } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { startSession } from '../session/start-session.ts'
import type { PendingLink } from '../tables/sign-ins.portico.ts'
import { profileOf, takeLink } from './pending-links.ts'

/**
 * True if the person may create an account although another one has their address: a trusted provider has verified the
 * address for them, and either nobody has verified it for the other account, or the same provider has now given it to
 * this person. Otherwise whoever came first with a stranger’s address would lock its owner out.
 */
export async function mayOpenOwn({ registry, users, identities }: Context, link: PendingLink): Promise<boolean> {
  const { allowSignup, trustEmailVerifiedFrom } = registry.policy
  const { provider, email, emailVerified } = link
  if (!allowSignup || email === undefined) return false
  if (emailVerified !== true || !trustEmailVerifiedFrom.includes(provider)) return false
  const holder = await users.findByEmail(email)
  if (holder?.emailVerified !== true) return true
  return isGivenToAnother(await identities.listForUser(holder.id), link)
}

/** True if the provider that verified the address of the other account now gives it to this person. */
function isGivenToAnother(
  identities: readonly FederatedIdentity[],
  { provider, subject, email }: PendingLink,
): boolean {
  const having = identities.filter((it) => it.email !== undefined && foldEmail(it.email) === foldEmail(email ?? ''))
  return having.length > 0 && having.every((it) => it.provider === provider && it.subject !== subject)
}

/** An address is verified for one account only: the newer statement of a provider replaces its older one. */
async function withdrawConfirmation(
  { users, audit }: Context,
  request: HttpRequest,
  holder: UserRecord | null,
  userId: string,
  provider: string,
): Promise<void> {
  if (!holder || holder.id === userId || holder.emailVerified !== true) return
  if ((await users.updateProfile(holder.id, { emailVerified: false })).length === 0) {
    // The other person set the address themselves and keeps it.
    await users.updateProfile(userId, { emailVerified: false })
    return
  }
  const reason = 'follows the provider: emailVerified'
  await audit(request, { event: 'account', outcome: 'granted', userId: holder.id, provider, reason })
}

/** Creates an account for a pending identity, beside the one with the same address, which stays as it is. */
export async function openOwn(context: Context, request: HttpRequest, link: PendingLink): Promise<HttpReply> {
  const { users, identities, registry } = context
  const { provider, returnTo } = link
  const holder = link.email === undefined ? null : await users.findByEmail(link.email)
  if (!(await mayOpenOwn(context, link))) throw new PageRefusal('link-lost', { again: '/auth/sign-in', provider })
  await takeLink(context, link)
  const policy = { ...registry.policy, emailMatch: 'create-separate' } as const
  const profile = profileOf(link)
  const outcome = await new FederatedLoginService({ users, federated: identities, policy }).resolveUser(profile)
  if (!('userId' in outcome))
    throw new PageRefusal(outcome.kind === 'denied' ? outcome.reason : 'link-lost', {
      again: '/auth/sign-in',
      provider,
    })
  await withdrawConfirmation(context, request, holder, outcome.userId, provider)
  return startSession(context, request, { userId: outcome.userId, profile, returnTo })
}
