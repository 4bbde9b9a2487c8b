import type { AnyTable } from '@portico/schema/runtime'
import type { Context } from './context.ts'
import { AccessToken, AuthorizationCode, AuthorizationRequest } from './tables/grants.portico.ts'
import { AuditEvent, RateLimit, SigningKey } from './tables/operations.portico.ts'
import { FormPost, PendingLink, Session, SignIn } from './tables/sign-ins.portico.ts'

/** How many rows of a table one sweep deletes at most: a long backlog must not hold up sign-ins. */
const MOST = 1000

const dayMs = 86_400_000

/** What expires, and how long it is kept beyond that. */
const expiring: readonly (readonly [table: AnyTable, keepMs: number])[] = [
  [AuthorizationRequest, 0],
  [SignIn, 0],
  [FormPost, 0],
  [PendingLink, 0],
  [Session, 0],
  // A code that is used again is to be recognised.
  [AuthorizationCode, dayMs],
  [AccessToken, 0],
  [SigningKey, 0],
  [RateLimit, 0],
  [AuditEvent, 0],
]

/**
 * Deletes what has expired, a bounded number of rows of each table. Any number of instances may do it at once: each row
 * is named by its key, and deleting one that is gone is nothing. Returns how many rows went.
 */
export async function sweep({ db, now }: Context): Promise<number> {
  let count = 0
  for (const [declaration, keepMs] of expiring) {
    // They differ in what else they have; `id` and `expiresAt` are all that is used.
    const table = db.table(declaration as typeof SignIn)
    const where = { expiresAt: { $lte: now() - keepMs } }
    const ids = (await table.findMany({ where, select: ['id'], limit: MOST })).map(({ id }) => id)
    // Asked once more: a session may have been used in between.
    if (ids.length > 0) count += (await table.deleteMany({ ...where, id: { $in: ids } })).deletedCount
  }
  return count
}
