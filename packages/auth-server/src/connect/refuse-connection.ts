import type { HttpRequest } from '@portico/http'
import { nameOf } from '../accounts/user-store.ts'
import type { Context } from '../context.ts'
import { capitalize } from '../pages/capitalize.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { accountPath } from './paths.ts'

/** What somebody who wanted to connect a provider sees where it gave no identity: they are signed in all the same. */
export async function refuseConnection(
  context: Context,
  request: HttpRequest,
  { connectTo, provider }: SignIn,
  refusal: unknown,
): Promise<unknown> {
  if (!(refusal instanceof PageRefusal)) return refusal
  const isDeclined = refusal.code === 'provider-declined'
  if (!isDeclined && refusal.code !== 'provider-failed') return refusal
  const session = await context.sessions.find(request)
  const label = context.settings.labelOf(provider)
  const what = isDeclined ? `The sign-in with ${label} was declined.` : `${capitalize(label)} could not answer.`
  const isOwn = session !== undefined && session.userId === connectTo
  const person = isOwn ? nameOf(await context.users.findById(session.userId)) : ''
  return new PageRefusal(isDeclined ? 'connect-declined' : 'connect-failed', {
    text: `${what} Nothing was changed${person === '' ? '.' : `; you are still signed in as ${person}.`}`,
    again: accountPath,
    againLabel: 'Back to the ways to sign in',
    reason: refusal.reason,
    provider,
    ...(isOwn && { userId: session.userId }),
  })
}
