import type { HttpRequest } from '@portico/http'
import type { Context } from '../context.ts'
import { capitalize } from '../pages/capitalize.ts'
import { PageRefusal } from '../pages/page-refusal.ts'
import { nameOf } from '../stores/user-store.ts'
import type { SignIn } from '../tables/sign-ins.portico.ts'
import { accountPath } from './paths.ts'

/** The refusal to show when a provider returned no identity to connect. The person is still signed in. */
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
    text: `${what} Nothing was changed${person === '' ? '.' : `, and you are still signed in as ${person}.`}`,
    again: accountPath,
    againLabel: 'Back to the ways to sign in',
    reason: refusal.reason,
    provider,
    userId: isOwn ? session.userId : undefined,
  })
}
