import type { BeginOptions } from '../../contract/adapter.ts'
import { waitForSyncLock } from '../../sql/pooled-adapter.ts'
import { limitStatements, type MysqlClientExecutor } from './driver.ts'
import { isLockContended } from './errors.ts'

export async function startTransaction(client: MysqlClientExecutor, { isolation }: BeginOptions): Promise<void> {
  // `SET TRANSACTION` applies only to the next transaction of this connection.
  if (isolation === 'serializable') await client.execute({ text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE' })
  await client.execute({ text: 'START TRANSACTION' })
}

/** The name of the lock that lets one sync of a database run at a time. */
const SYNC_LOCK = "CONCAT('portico:', MD5(DATABASE()))"

/** Acquires the sync lock. It belongs to the connection and is released with it. */
export async function acquireSyncLock(client: MysqlClientExecutor, hasTimeouts: boolean): Promise<void> {
  // The server waits in short turns, which are within any statement timeout.
  await waitForSyncLock(() => tryLock(client))
  if (hasTimeouts) await client.execute({ text: `SET SESSION ${limitStatements(0)}` })
}

/** If a change failed, its table may still be locked. */
export function unlockStatements(statementTimeoutMs: number | undefined): readonly string[] {
  const restore = statementTimeoutMs === undefined ? [] : [`SET SESSION ${limitStatements(statementTimeoutMs)}`]
  return ['UNLOCK TABLES', ...restore, `DO RELEASE_LOCK(${SYNC_LOCK})`]
}

async function tryLock(client: MysqlClientExecutor): Promise<boolean> {
  try {
    const { rows } = await client.execute({ text: `SELECT GET_LOCK(${SYNC_LOCK}, 0.2)` })
    return (rows[0] as [number | null])[0] === 1
  } catch (error) {
    // TiDB fails when several sessions ask for the lock at once.
    if (isLockContended(error)) return false
    throw error
  }
}
