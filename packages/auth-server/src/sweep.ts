import type { RouteHost } from '@portico/http'
import type { AnyTable } from '@portico/schema/runtime'
import type { Context } from './context.ts'
import { Invitation } from './tables/accounts.portico.ts'
import { AccessToken, AuthorizationCode, AuthorizationRequest } from './tables/grants.portico.ts'
import { AuditEvent, RateLimit, SigningKey } from './tables/operations.portico.ts'
import { FormPost, PendingLink, Session, SignIn } from './tables/sign-ins.portico.ts'

/** Limit per statement: deleting a long backlog must not block sign-ins. */
const MAX_ROWS = 1000

/** Statements per table and sweep: enough to keep up with heavy use, and still bounded. */
const ROUNDS = 20

const dayMs = 86_400_000

/** Tables whose rows expire, and for how long rows are kept after that. */
const expiring: readonly (readonly [table: AnyTable, keepMs: number])[] = [
  [AuthorizationRequest, 0],
  [SignIn, 0],
  [FormPost, 0],
  [PendingLink, 0],
  [Invitation, 0],
  [Session, 0],
  // A code that is used again must be recognised as a replay.
  [AuthorizationCode, dayMs],
  [AccessToken, 0],
  [SigningKey, 0],
  [RateLimit, 0],
  [AuditEvent, 0],
]

/**
 * Deletes expired rows, a bounded number per table, and returns how many. Any number of instances may sweep at once:
 * rows are deleted by key, and deleting a missing row does nothing. An abort takes effect after the current statement.
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
  // Each round continues where the last one ended. PostgreSQL keeps dead rows in the index until a vacuum, and would
  // otherwise walk over those of all previous rounds.
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
  /** The latest `expiresAt` of the rows found. */
  readonly last: number
}

async function deleteSome(
  { db }: Context,
  declaration: AnyTable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Deleted> {
  // Every table in the list has `id` and `expiresAt`; nothing else is used here.
  const table = db.table(declaration as typeof SignIn)
  const where = { expiresAt: { $gte: from, $lte: to } }
  // Ordered by the index on `expiresAt`: in any other order the engine may scan all rows that have not expired.
  const order = { expiresAt: 'asc' } as const
  const rows = await table.findMany({ where, select: ['id', 'expiresAt'], orderBy: order, limit: MAX_ROWS })
  if (rows.length === 0) return { found: 0, deleted: 0, last: from }
  // The condition is checked again: a session may have been used in the meantime.
  const { deletedCount } = await table.deleteMany({ ...where, id: { $in: rows.map(({ id }) => id) } })
  return { found: rows.length, deleted: deletedCount, last: rows.at(-1)!.expiresAt }
}

/**
 * Sweeps at an interval while the app runs, one sweep at a time. Failures are logged and retried at the next interval.
 */
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
    // The timer must not keep the process alive.
    timer = setInterval(run, sweepEverySec * 1000).unref()
  })
  host.onClose(async () => {
    clearInterval(timer)
    // A shutdown does not wait for a long backlog.
    closing.abort()
    await running
  })
}
