import { setTimeout as sleep } from 'node:timers/promises'
import type { BeginOptions } from '../../contract/adapter.ts'
import { SYNC_LOCK_WAIT_MS, waitForSyncLock } from '../../sql/pooled-adapter.ts'
import type { PostgresClientExecutor } from './driver.ts'

/** The key of the advisory lock that lets one sync run at a time: the letters of "portic". */
export const SYNC_LOCK = 0x70_6f_72_74_69_63

export const UNLOCK: string = `SELECT pg_advisory_unlock(${SYNC_LOCK}); RESET statement_timeout`

export async function startTransaction(
  client: PostgresClientExecutor,
  { isolation, purpose }: BeginOptions,
  timeoutMs: number,
): Promise<void> {
  if (purpose === 'sync') return startSync(client)
  const timeout = timeoutMs > 0 ? `; SET LOCAL statement_timeout = ${timeoutMs}` : ''
  const level = isolation === 'serializable' ? ' ISOLATION LEVEL SERIALIZABLE' : ''
  await client.execute({ text: `BEGIN${level}${timeout}` })
}

/**
 * Changes of big tables take the time they need, so only waiting for a table has a timeout: while a sync waits for its
 * lock on a table, all later statements on that table wait behind it, reads too.
 */
async function startSync(client: PostgresClientExecutor): Promise<void> {
  await waitForLock(client, 'pg_try_advisory_xact_lock', 'BEGIN', 'ROLLBACK')
  await client.execute({ text: 'SET LOCAL statement_timeout = 0' })
  // A lock timeout that somebody configured stays.
  const text = `SELECT set_config('lock_timeout', '${SYNC_LOCK_WAIT_MS}', true) WHERE current_setting('lock_timeout') = '0'`
  await client.execute({ text })
}

/** Acquires the sync lock outside of transactions. */
export async function acquireSyncLock(client: PostgresClientExecutor): Promise<void> {
  await waitForLock(client, 'pg_try_advisory_lock')
  await client.execute({ text: 'SET statement_timeout = 0' })
}

/**
 * Polls for the lock instead of waiting in the server: a transaction that waits there would block the concurrent index
 * builds of the very sync that it waits for.
 */
function waitForLock(client: PostgresClientExecutor, attempt: string, before?: string, after?: string): Promise<void> {
  const tryLock = async (): Promise<boolean> => {
    if (before !== undefined) await client.execute({ text: before })
    const { rows } = await client.execute({ text: `SELECT ${attempt}(${SYNC_LOCK})`, rowMode: 'array' })
    const [isLocked] = rows[0] as [boolean]
    if (!isLocked && after !== undefined) await client.execute({ text: after })
    return isLocked
  }
  return waitForSyncLock(tryLock, (count) => sleep(Math.min(5 * 1.5 ** count, 200)))
}
