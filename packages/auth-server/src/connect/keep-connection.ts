import type { HttpReply, HttpRequest } from '@portico/http'
import type { NormalizedProfile } from '@portico/identity'
import type { Context } from '../context.ts'
import { keepLink } from '../link/pending-links.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { redirectTo } from '../web/answers.ts'
import { accountPath, confirmPath } from './paths.ts'

/**
 * Stores an identity that a signed-in person wants to connect, and asks them to confirm it by name: the browser may be
 * signed in at the provider as somebody else.
 */
export async function keepConnection(
  context: Context,
  request: HttpRequest,
  { connectTo, provider, browserHash, returnTo }: SignIn,
  profile: NormalizedProfile,
): Promise<HttpReply> {
  const session = await context.sessions.find(request)
  // Somebody else may have signed in in the meantime.
  if (!session || session.userId !== connectTo) throw new PageRefusal('link-lost', { again: accountPath, provider })
  const { userId } = session
  const known = await context.identities.find(provider, profile.subject)
  if (known && known.userId !== userId) throw new PageRefusal('connect-taken', { again: accountPath, userId, provider })
  if (known) return redirectTo(accountPath)
  return redirectTo(confirmPath(await keepLink(context, { profile, userId, returnTo, browserHash })))
}
