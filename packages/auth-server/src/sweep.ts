import type { AnyTable } from '@portico/schema/runtime'
import type { Context } from './context.ts'
import { AccessToken, AuthorizationCode, AuthorizationRequest } from './tables/grants.portico.ts'
import { AuditEvent, RateLimit, SigningKey } from './tables/operations.portico.ts'
import { FormPost, PendingLink, Session, SignIn } from './tables/sign-ins.portico.ts'

/** How many rows one statement deletes at most: a long backlog must not hold up sign-ins. */
const MOST = 1000

/** How many such statements a table gets in one sweep: enough to keep up with many visitors, and still an end. */
const ROUNDS = 20

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
export async function sweep(context: Context): Promise<number> {
  let count = 0
  for (const [declaration, keepMs] of expiring) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { found, deleted } = await deleteSome(context, declaration, keepMs)
      count += deleted
      if (found < MOST) break
    }
  }
  return count
}

async function deleteSome(
  { db, now }: Context,
  declaration: AnyTable,
  keepMs: number,
): Promise<{ found: number; deleted: number }> {
  // They differ in what else they have; `id` and `expiresAt` are all that is used.
  const table = db.table(declaration as typeof SignIn)
  const where = { expiresAt: { $lte: now() - keepMs } }
  const ids = (await table.findMany({ where, select: ['id'], limit: MOST })).map(({ id }) => id)
  if (ids.length === 0) return { found: 0, deleted: 0 }
  // Asked once more: a session may have been used in between.
  const { deletedCount } = await table.deleteMany({ ...where, id: { $in: ids } })
  return { found: ids.length, deleted: deletedCount }
}
