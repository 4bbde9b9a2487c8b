import { isConfidential } from '../clients.ts'
import type { Context } from '../context.ts'
import { readScope } from '../scope.ts'
import { AccessToken, AuthorizationCode, type AuthorizationRequest, Consent } from '../tables/grants.portico.ts'

/** What a user has granted a registered client, and is not asked about again. */
export interface GrantedConsent {
  readonly clientId: string
  /** What the client is called; absent where it is no longer registered. */
  readonly clientName?: string
  readonly scope: readonly string[]
  /** When it was last granted, in milliseconds since the epoch. */
  readonly grantedAt: number
}

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

/** What a user has granted, newest first. */
export async function listConsents({ db, settings }: Context, userId: string): Promise<GrantedConsent[]> {
  const consents = await db.table(Consent).findMany({ where: { userId }, orderBy: { grantedAt: 'desc' } })
  return consents.map(({ clientId, scope, grantedAt }) => {
    const clientName = settings.clients.get(clientId)?.name
    return { clientId, ...(clientName !== undefined && { clientName }), scope: readScope(scope), grantedAt }
  })
}

/**
 * Takes back what a user has granted a client; whether there was something. The codes go before the tokens: a code that
 * is being redeemed meanwhile is missed afterwards, and its token ends too.
 */
export async function revokeConsent({ db, now, audit }: Context, userId: string, clientId: string): Promise<boolean> {
  const { deletedCount } = await db.table(Consent).deleteMany({ userId, clientId })
  await db.table(AuthorizationCode).deleteMany({ userId, clientId })
  await db.table(AccessToken).updateMany({ userId, clientId, revokedAt: null }, { revokedAt: now() })
  if (deletedCount === 0) return false
  await audit(undefined, { event: 'revocation', outcome: 'granted', userId, clientId })
  return true
}
