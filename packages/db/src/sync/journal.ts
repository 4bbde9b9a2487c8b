/** Indexes that are built after the commit of their sync, without holding up writers; each is noted until it is done. */
import type { Engine, Session } from '../adapter.ts'
import type { CreateIndex } from '../change.ts'
import { DbError } from '../errors.ts'
import { placeIndex } from '../table-plan.ts'
import type { Subject } from './look.ts'
import { labelOf } from './match.ts'

/** Builds indexes on a connection of its own that holds the lock of sync all the while. */
export async function buildConcurrently(
  engine: Engine,
  subject: Subject,
  indexes: readonly CreateIndex[],
): Promise<void> {
  const session = await engine.pin!()
  try {
    for (const change of indexes) await build(session, subject, change)
  } finally {
    await session.release()
  }
}

async function build(session: Session, { journal }: Subject, change: CreateIndex): Promise<void> {
  const name = placeIndex(change.index.name, change.plan)
  const state = await stateOf(session, change)
  // Another sync may have come between the commit and now.
  if (state !== 'valid') {
    // What is left of a build that was cut off.
    if (state === 'invalid') await drop(session, change)
    try {
      await session.change({ ...change, concurrently: true })
    } catch (error) {
      await drop(session, change)
      if (!(error instanceof DbError) || error.code !== 'UNIQUE_VIOLATION') throw error
      const told = `table \`${labelOf(change.plan)}\`: the unique index \`${change.index.name}\` cannot be made`
      throw new DbError('SYNC_REFUSED', `${told}: some rows have the same values in it`, { cause: error })
    }
  }
  await journal.remove(session, `index ${name}`)
}

async function stateOf(session: Session, { plan, index }: CreateIndex): Promise<'missing' | 'valid' | 'invalid'> {
  const { tables } = await session.inspect([plan.place])
  const found = tables[0]?.indexes.find((it) => it.name === placeIndex(index.name, plan))
  if (!found) return 'missing'
  return found.isValid ? 'valid' : 'invalid'
}

async function drop(session: Session, { plan, index }: CreateIndex): Promise<void> {
  await session.change({ kind: 'dropIndex', place: plan.place, name: placeIndex(index.name, plan), concurrently: true })
}
