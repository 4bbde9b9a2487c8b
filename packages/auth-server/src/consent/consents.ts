import { isConfidential, type RegisteredClient } from '../clients.ts'
import type { Context } from '../context.ts'
import { readScope } from '../scope.ts'
import { AccessToken, AuthorizationCode, type AuthorizationRequest, Consent } from '../tables/grants.portico.ts'
import { isUniqueViolation } from '../unique-violation.ts'

/** A consent that is remembered: the user is not asked for these scopes again. */
export interface GrantedConsent {
  readonly clientId: string
  /** The name of the client; absent if it is no longer registered. */
  readonly clientName?: string
  readonly scope: readonly string[]
  /** Time of the last grant, in milliseconds since the epoch. */
  readonly grantedAt: number
}

/** True if the user need not be asked: the registered client already has every scope that it requests. */
export async function isConsentKnown(
  context: Context,
  userId: string,
  client: RegisteredClient | undefined,
  asked: AuthorizationRequest,
): Promise<boolean> {
  // RFC 8252 §8.6: without a secret, any program can use this id and listen at a private-use scheme or loopback
  // address.
  if (!client || !(isConfidential(client) || asked.redirectUri.startsWith('https:'))) return false
  return isGranted(context, userId, client, asked)
}

/** True if the user has granted the client every requested scope and has not withdrawn it. */
export async function isGranted(
  { db }: Context,
  userId: string,
  { id: clientId }: RegisteredClient,
  { scope }: AuthorizationRequest,
): Promise<boolean> {
  const known = await db.table(Consent).findById({ userId, clientId })
  const granted = readScope(known?.scope ?? '')
  return known !== undefined && readScope(scope).every((name) => granted.includes(name))
}

/**
 * Adds the granted scopes to those granted before. The row is written only if it is unchanged since it was read, so a
 * concurrent grant is not lost and a concurrent withdrawal is not undone.
 */
export async function rememberConsent(
  { db, now }: Context,
  userId: string,
  { id: clientId }: RegisteredClient,
  { scope }: AuthorizationRequest,
): Promise<void> {
  const consents = db.table(Consent)
  for (;;) {
    const known = await consents.findById({ userId, clientId })
    const grantedAt = now()
    if (known) {
      const where = { userId, clientId, scope: known.scope }
      const names = readScope(`${known.scope} ${scope}`)
      if ((await consents.updateMany(where, { scope: names.join(' '), grantedAt })).modifiedCount > 0) return
    } else if (await isFirst(consents.insertOne({ userId, clientId, scope, grantedAt }))) return
  }
}

/** Returns false if the row already existed. */
async function isFirst(inserted: Promise<unknown>): Promise<boolean> {
  try {
    await inserted
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** The consents of a user, newest first. */
export async function listConsents({ db, settings }: Context, userId: string): Promise<GrantedConsent[]> {
  const consents = await db.table(Consent).findMany({ where: { userId }, orderBy: { grantedAt: 'desc' } })
  return consents.map(({ clientId, scope, grantedAt }) => {
    const clientName = settings.clients.get(clientId)?.name
    return { clientId, ...(clientName !== undefined && { clientName }), scope: readScope(scope), grantedAt }
  })
}

/**
 * Withdraws a consent; returns false if there was none. Codes are deleted before tokens: a code that is being redeemed
 * concurrently is found missing afterwards, and its token ends too.
 */
export async function revokeConsent({ db, now, audit }: Context, userId: string, clientId: string): Promise<boolean> {
  const { deletedCount } = await db.table(Consent).deleteMany({ userId, clientId })
  await db.table(AuthorizationCode).deleteMany({ userId, clientId })
  await db.table(AccessToken).updateMany({ userId, clientId, revokedAt: null }, { revokedAt: now() })
  if (deletedCount === 0) return false
  await audit(undefined, { event: 'revocation', outcome: 'granted', userId, clientId })
  return true
}
