/** Builds the indexes of large tables after the sync has committed, without blocking writers. */
import type { Engine, Session } from '../../contract/adapter.ts'
import type { CreateIndex } from '../../contract/change.ts'
import { declaredNameOf, toIndexName } from '../../values/table-name.ts'
import type { DatabaseState } from '../1-read/read-state.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import { explainFailure, reportCommitted } from './explain-failure.ts'

/** Writes the indexes to the journal, where each entry stays until its index is built. */
export async function journalIndexes(
  session: Session,
  { journal }: SyncContext,
  { hasJournal }: DatabaseState,
  indexes: readonly CreateIndex[],
): Promise<void> {
  if (indexes.length === 0) return
  if (!hasJournal) await session.change({ kind: 'createTable', plan: journal.plan, foreignKeys: [] })
  for (const change of indexes) {
    await journal.write(session, journalKey(change), { table: declaredNameOf(change.plan), index: change.index.name })
  }
}

/**
 * Builds the indexes on a separate connection, which holds the sync lock meanwhile. If one fails, the error lists it
 * and all that follow; everything else has been committed.
 */
export async function buildIndexes(
  engine: Engine,
  context: SyncContext,
  indexes: readonly CreateIndex[],
): Promise<void> {
  let built = 0
  try {
    const session = await engine.acquireSyncLock!()
    try {
      for (const change of indexes) {
        await build(session, context, change)
        built += 1
      }
    } finally {
      await session.release()
    }
  } catch (error) {
    throw reportCommitted(error, indexes.slice(built).map(nameOf))
  }
}

async function build(session: Session, { journal }: SyncContext, change: CreateIndex): Promise<void> {
  const state = await stateOf(session, change)
  // Another sync may have built it since the commit.
  if (state !== 'valid') {
    // Left over from an interrupted build.
    if (state === 'invalid') await drop(session, change)
    try {
      await session.change({ ...change, concurrently: true })
    } catch (error) {
      // If this fails too, for example without a connection, the next sync drops the invalid index.
      await drop(session, change).catch(() => {})
      throw explainFailure(error, change, declaredNameOf(change.plan))
    }
  }
  await journal.remove(session, journalKey(change))
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

function journalKey(change: CreateIndex): string {
  return `index ${nameOf(change)}`
}

function nameOf({ index, plan }: CreateIndex): string {
  return toIndexName(index.name, plan)
}
