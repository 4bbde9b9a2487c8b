import type { FederatedIdentity } from '@portico/identity'
import type { Context } from '../context.ts'
import type { LiveSession } from '../stores/sessions.ts'
import { Session } from '../tables/sign-ins.portico.ts'

/** True if the identity can be used to sign in: its provider is configured. */
export function isUsable({ registry }: Context, { provider }: FederatedIdentity): boolean {
  return registry.has(provider)
}

/**
 * Removes an identity from an account unless it is the last way to sign in; returns true if it was removed. Of two
 * concurrent removals each looks at what remains afterwards and restores its identity if that is nothing, so at least
 * one stays.
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
  // Sessions that were opened through the removed identity end too.
  const isLeft = (await identities.listForUser(userId)).some((it) => it.provider === provider)
  if (!isLeft) await db.table(Session).deleteMany({ userId, provider, id: { $ne: sessionId } })
  return true
}
