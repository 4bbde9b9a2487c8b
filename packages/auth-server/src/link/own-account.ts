import type { HttpReply, HttpRequest } from '@portico/http'
import { type FederatedIdentity, FederatedLoginService, foldEmail, type UserRecord } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { startSession } from '../sign-in/start-session.ts'
import type { PendingLink } from '../tables/sign-ins.portico.ts'
import { profileOf, takeLink } from './pending-links.ts'

/**
 * Whether somebody may open an account although another one has their address: a provider that is trusted says that the
 * address is theirs, and of nobody who has it has one said so, or the same one says otherwise by now. Otherwise whoever came first with an address that is not
 * theirs would keep its owner out.
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

/** Whether the provider that confirmed the address of the other account gives it to this person now. */
function isGivenToAnother(
  identities: readonly FederatedIdentity[],
  { provider, subject, email }: PendingLink,
): boolean {
  const having = identities.filter((it) => it.email !== undefined && foldEmail(it.email) === foldEmail(email ?? ''))
  return having.length > 0 && having.every((it) => it.provider === provider && it.subject !== subject)
}

/** One address is confirmed of one account: the newer word of a provider replaces its older one. */
async function withdrawConfirmation(
  { users, audit }: Context,
  request: HttpRequest,
  holder: UserRecord | null,
  userId: string,
  provider: string,
): Promise<void> {
  if (!holder || holder.id === userId || holder.emailVerified !== true) return
  if ((await users.updateProfile(holder.id, { emailVerified: false })).length === 0) {
    // The other person has set the address, and keeps it.
    await users.updateProfile(userId, { emailVerified: false })
    return
  }
  const reason = 'follows the provider: emailVerified'
  await audit(request, { event: 'account', outcome: 'granted', userId: holder.id, provider, reason })
}

/** Opens an account for a pending identity, beside the one with the same address, which stays as it is. */
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
