import type { FederatedIdentity } from '@portico/identity'
import type { Context } from '../context.ts'
import type { LiveSession } from '../session/sessions.ts'
import { Session } from '../tables/sign-ins.portico.ts'

/** Whether an identity is a way in: its provider is offered here. */
export function isUsable({ registry }: Context, { provider }: FederatedIdentity): boolean {
  return registry.has(provider)
}

/**
 * Takes an identity from an account, unless it is the last way in; whether it was taken. Of two that go at the same moment
 * each looks at what is left after it, and comes back where that is nothing: at least one stays.
 */
export async function disconnect(
  context: Context,
  identity: FederatedIdentity,
  { id: sessionId, userId }: LiveSession,
): Promise<boolean> {
  const { db, identities } = context
  const { provider, subject } = identity
  const hasOther = async () =>
    (await identities.listForUser(userId)).some((it) => it.id !== identity.id && isUsable(context, it))
  if (!(await hasOther())) return false
  await identities.unlink(provider, subject)
  if (!(await hasOther())) {
    await identities.link(identity)
    return false
  }
  // Whoever has the account there has no business in sessions that it opened.
  const isLeft = (await identities.listForUser(userId)).some((it) => it.provider === provider)
  if (!isLeft) await db.table(Session).deleteMany({ userId, provider, id: { $ne: sessionId } })
  return true
}
