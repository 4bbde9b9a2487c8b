import type { RouteHost } from '@portico/http'
import type { AnyTable } from '@portico/schema/runtime'
import type { Context } from './context.ts'
import { Invitation } from './tables/accounts.portico.ts'
import { AccessToken, AuthorizationCode, AuthorizationRequest } from './tables/grants.portico.ts'
import { AuditEvent, RateLimit, SigningKey } from './tables/operations.portico.ts'
import { FormPost, PendingLink, Session, SignIn } from './tables/sign-ins.portico.ts'

/** How many rows one statement deletes at most: a long backlog must not hold up sign-ins. */
const MAX_ROWS = 1000

/** How many such statements a table gets in one sweep: enough to keep up with many visitors, and still an end. */
const ROUNDS = 20

const dayMs = 86_400_000

/** What expires, and how long it is kept beyond that. */
const expiring: readonly (readonly [table: AnyTable, keepMs: number])[] = [
  [AuthorizationRequest, 0],
  [SignIn, 0],
  [FormPost, 0],
  [PendingLink, 0],
  [Invitation, 0],
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
 * is named by its key, and deleting one that is gone is nothing. Returns how many rows went. It stops after the statement
 * that it is at when the signal comes.
 */
export async function sweep(context: Context, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const [declaration, keepMs] of expiring) count += await sweepTable(context, declaration, keepMs, signal)
  return count
}

async function sweepTable(
  context: Context,
  declaration: AnyTable,
  keepMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0
  // Each round goes on where the last one ended. An engine that keeps the traces of deleted rows, as PostgreSQL does until
  // they are vacuumed, would otherwise walk over those of all rounds before.
  let from = 0
  for (let round = 0; round < ROUNDS && signal?.aborted !== true; round += 1) {
    const { found, deleted, last } = await deleteSome(context, declaration, { from, to: context.now() - keepMs })
    count += deleted
    if (found < MAX_ROWS) break
    from = last
  }
  return count
}

interface Deleted {
  readonly found: number
  readonly deleted: number
  /** The latest expiry among them. */
  readonly last: number
}

async function deleteSome(
  { db }: Context,
  declaration: AnyTable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Deleted> {
  // They differ in what else they have; `id` and `expiresAt` are all that is used.
  const table = db.table(declaration as typeof SignIn)
  const where = { expiresAt: { $gte: from, $lte: to } }
  // In the order of the index on `expiresAt`: in any other the engine may walk through all rows that are not expired.
  const order = { expiresAt: 'asc' } as const
  const rows = await table.findMany({ where, select: ['id', 'expiresAt'], orderBy: order, limit: MAX_ROWS })
  if (rows.length === 0) return { found: 0, deleted: 0, last: from }
  // Asked once more: a session may have been used in between.
  const { deletedCount } = await table.deleteMany({ ...where, id: { $in: rows.map(({ id }) => id) } })
  return { found: rows.length, deleted: deletedCount, last: rows.at(-1)!.expiresAt }
}

/** Sweeps now and then while an app is there, one sweep at a time. What fails is logged, and tried again next time. */
export function sweepWhileServing(context: Context, host: RouteHost): void {
  const { sweepEverySec } = context.settings
  if (sweepEverySec === 0) return
  let running: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined
  const closing = new AbortController()
  const run = (): void => {
    running ??= sweep(context, closing.signal)
      .catch((error: unknown) => host.log.error({ err: error }, 'expired rows could not be deleted'))
      .finally(() => {
        running = undefined
      })
  }
  host.onReady(() => {
    // Not a reason to keep the process alive.
    timer = setInterval(run, sweepEverySec * 1000).unref()
  })
  host.onClose(async () => {
    clearInterval(timer)
    // A long backlog is for the next time: a restart does not wait for it.
    closing.abort()
    await running
  })
}
