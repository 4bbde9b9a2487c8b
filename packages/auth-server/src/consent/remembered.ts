import { isConfidential } from '../clients.ts'
import type { Context } from '../context.ts'
import { readScope } from '../scope.ts'
import { type AuthorizationRequest, Consent } from '../tables/grants.portico.ts'

/** Whether the user has granted the registered client all that it asks for now. */
export async function isConsentKnown(
  { db, settings }: Context,
  userId: string,
  { clientId, scope, redirectUri }: AuthorizationRequest,
): Promise<boolean> {
  const client = clientId === undefined ? undefined : settings.clients.get(clientId)
  if (clientId === undefined || !client) return false
  // RFC 8252 §8.6: without a secret, any program can call itself by this id and listen at a scheme or loopback address.
  if (!isConfidential(client) && !redirectUri.startsWith('https:')) return false
  const known = await db.table(Consent).findById({ userId, clientId })
  const granted = readScope(known?.scope ?? '')
  return known !== undefined && readScope(scope).every((name) => granted.includes(name))
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
  const names = readScope(`${known?.scope ?? ''} ${scope}`)
  await consents.upsertOne({ userId, clientId, scope: names.join(' '), grantedAt: now() })
}
