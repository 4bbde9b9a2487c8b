/** Indexes that are built after the commit of their sync, without holding up writers; each is noted until it is done. */
import type { Engine, Session } from '../../contract/adapter.ts'
import type { CreateIndex } from '../../contract/change.ts'
import { declaredNameOf, toIndexName } from '../../values/table-name.ts'
import type { Subject } from '../read-state.ts'
import { explainFailure, tellCommitted } from './failures.ts'

/**
 * Builds indexes on a connection of its own that holds the lock of sync all the while. One that fails is told as such
 * together with all that come after it; everything else of the sync is done by now.
 */
export async function buildConcurrently(
  engine: Engine,
  subject: Subject,
  indexes: readonly CreateIndex[],
): Promise<void> {
  let built = 0
  try {
    const session = await engine.acquireSyncLock!()
    try {
      for (const change of indexes) {
        await build(session, subject, change)
        built += 1
      }
    } finally {
      await session.release()
    }
  } catch (error) {
    throw tellCommitted(error, indexes.slice(built).map(nameOf))
  }
}

async function build(session: Session, { journal }: Subject, change: CreateIndex): Promise<void> {
  const state = await stateOf(session, change)
  // Another sync may have come between the commit and now.
  if (state !== 'valid') {
    // What is left of a build that was cut off.
    if (state === 'invalid') await drop(session, change)
    try {
      await session.change({ ...change, concurrently: true })
    } catch (error) {
      // Where that fails too, as without a connection, the next sync finds the half and drops it.
      await drop(session, change).catch(() => {})
      throw explainFailure(error, change, declaredNameOf(change.plan))
    }
  }
  await journal.remove(session, `index ${nameOf(change)}`)
}

async function stateOf(session: Session, change: CreateIndex): Promise<'missing' | 'valid' | 'invalid'> {
  const { tables } = await session.inspect([change.plan.tableName])
  const found = tables[0]?.indexes.find((it) => it.name === nameOf(change))
  if (!found) return 'missing'
  return found.isValid ? 'valid' : 'invalid'
}

async function drop(session: Session, change: CreateIndex): Promise<void> {
  await session.change({
    kind: 'dropIndex',
    tableName: change.plan.tableName,
    name: nameOf(change),
    concurrently: true,
  })
}

function nameOf({ index, plan }: CreateIndex): string {
  return toIndexName(index.name, plan)
}
