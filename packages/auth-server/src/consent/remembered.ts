import type { Context } from '../context.ts'
import { type AuthorizationRequest, Consent } from '../tables/grants.portico.ts'

/** Whether the user has granted the registered client all that it asks for now. */
export async function isConsentKnown(
  { db }: Context,
  userId: string,
  { clientId, scope }: AuthorizationRequest,
): Promise<boolean> {
  if (clientId === undefined) return false
  const known = await db.table(Consent).findById({ userId, clientId })
  const granted = known?.scope.split(' ') ?? []
  return known !== undefined && scope.split(' ').every((name) => name === '' || granted.includes(name))
}

/** Remembers what was granted, beside what was granted before. Loopback clients have no name to remember it under. */
export async function rememberConsent(
  { db, now }: Context,
  userId: string,
  { clientId, scope }: AuthorizationRequest,
): Promise<void> {
  if (clientId === undefined) return
  const consents = db.table(Consent)
  const known = await consents.findById({ userId, clientId })
  const names = new Set(`${known?.scope ?? ''} ${scope}`.split(' ').filter((name) => name !== ''))
  await consents.upsertOne({ userId, clientId, scope: [...names].join(' '), grantedAt: now() })
}
