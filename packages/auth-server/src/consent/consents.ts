import { isUniqueViolation } from '../accounts/unique-violation.ts'
import { isConfidential, type RegisteredClient } from '../clients.ts'
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

/** Whether the user need not be asked: the registered client has been granted all that it asks for now. */
export async function isConsentKnown(
  context: Context,
  userId: string,
  client: RegisteredClient | undefined,
  asked: AuthorizationRequest,
): Promise<boolean> {
  // RFC 8252 §8.6: without a secret, any program can call itself by this id and listen at a scheme or loopback address.
  if (!client || !(isConfidential(client) || asked.redirectUri.startsWith('https:'))) return false
  return isGranted(context, userId, client, asked)
}

/** Whether the user has granted the client all that it asks for, and has not taken it back. */
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
 * Remembers what was granted, beside what was granted before. It is written only over what was read: another answer that
 * comes in between is not lost, and what is taken back in between does not come again.
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

/** Whether what was inserted was not there before. */
async function isFirst(inserted: Promise<unknown>): Promise<boolean> {
  try {
    await inserted
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
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
