import type { HttpReply, HttpRequest } from '@portico/http'
import { FederatedLoginService } from '@portico/identity'
import type { Context } from '../context.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { startSession } from '../sign-in/start-session.ts'
import type { PendingLink } from '../tables/sign-ins.portico.ts'
import { profileOf, takeLink } from './pending-links.ts'

/**
 * Whether somebody may open an account although another one has their address: a provider that is trusted says that the
 * address is theirs, and of nobody who has it has one said so. Otherwise whoever came first with an address that is not
 * theirs would keep its owner out.
 */
export async function mayOpenOwn({ registry, users }: Context, link: PendingLink): Promise<boolean> {
  const { allowSignup, trustEmailVerifiedFrom } = registry.policy
  const { provider, email, emailVerified } = link
  if (!allowSignup || email === undefined) return false
  if (emailVerified !== true || !trustEmailVerifiedFrom.includes(provider)) return false
  return (await users.findByEmail(email))?.emailVerified !== true
}

/** Opens an account for a pending identity, beside the one with the same address, which stays as it is. */
export async function openOwn(context: Context, request: HttpRequest, link: PendingLink): Promise<HttpReply> {
  const { users, identities, registry } = context
  const { provider, returnTo } = link
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
  return startSession(context, request, { userId: outcome.userId, profile, returnTo })
}
