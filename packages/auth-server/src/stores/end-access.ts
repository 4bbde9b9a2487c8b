import type { Database } from '@portico/db'
import { AccessToken, AuthorizationCode } from '../tables/grants.portico.ts'
import { Session } from '../tables/sign-ins.portico.ts'

/**
 * Ends the sessions, codes and tokens of a user. Codes are deleted before tokens: a code that is being redeemed
 * concurrently is found missing afterwards, and its token ends too.
 */
export async function endAccess(db: Database, userId: string, now: number): Promise<void> {
  await db.table(Session).deleteMany({ userId })
  await db.table(AuthorizationCode).deleteMany({ userId })
  await db.table(AccessToken).updateMany({ userId, revokedAt: null }, { revokedAt: now })
}
