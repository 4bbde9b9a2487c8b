/** Reads the database again after a sync, and checks that it matches the declaration. */
import type { Session } from '../../contract/adapter.ts'
import type { CreateIndex } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { readState } from '../1-read/read-state.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import { diffDatabase } from '../2-diff/diff-database.ts'
import type { DatabaseDifference, Difference } from '../2-diff/difference.ts'

/** `late` are the indexes that are built after the commit. */
export async function verify(
  session: Session,
  context: SyncContext,
  before: DatabaseDifference,
  late: readonly CreateIndex[],
): Promise<void> {
  const difference = diffDatabase(await readState(session, context), { ...context, allow: new Set() })
  // Engines with `preflight` already reported these.
  if (!session.preflight) refuseLosses(before, difference)
  const remaining = difference.tables.flatMap(({ plan, differences }) =>
    differences
      .filter((it) => it.kind !== 'createIndex' || !late.some((other) => other.index === it.index))
      .map((it) => `${it.kind} in \`${declaredNameOf(plan)}\``),
  )
  const problems = difference.problems.map((it) => `table \`${it.table}\`: ${it.message}`)
  if (remaining.length + problems.length === 0) return
  const effect = context.supports.transactionalDdl ? ', so nothing was changed' : ''
  const details = [...remaining, ...problems].join(', ')
  throw new DbError('SYNC_FAILED', `the database does not match the declaration after the sync${effect}: ${details}`)
}

/** Engines drop the indexes and constraints of a column with it. Those that sync did not create must still exist. */
function refuseLosses(before: DatabaseDifference, after: DatabaseDifference): void {
  for (const { plan, before: former, record, differences } of before.tables) {
    const current = after.tables.find((it) => it.plan === plan)?.before
    if (!former || !current) continue
    const removed = new Set<unknown>(differences.map(removedName))
    const managed = [...(record?.snapshot.indexes ?? []), ...(record?.snapshot.foreignKeys ?? [])].map((it) => it.name)
    const isLost = ({ name }: { name?: string }, remaining: readonly { name?: string }[]): boolean =>
      name !== undefined && !removed.has(name) && !managed.includes(name) && !remaining.some((it) => it.name === name)
    const index = former.indexes.find((it) => isLost(it, current.indexes))
    const constraint =
      former.rules?.find((it) => !current.rules?.includes(it)) ??
      former.foreignKeys.find((it) => isLost(it, current.foreignKeys))?.name
    const lost = index ? `index \`${index.name}\`` : constraint && `constraint \`${constraint}\``
    if (lost === undefined) continue
    const reason = `the ${lost}, which sync did not create, would be dropped with a column: drop it first`
    throw new DbError('SYNC_REFUSED', `table \`${declaredNameOf(plan)}\`: ${reason}`)
  }
}

/** The name of the object that a difference drops or renames. */
function removedName(difference: Difference): unknown {
  if (difference.kind === 'dropForeignKey') return difference.foreignKey.name
  return 'name' in difference ? difference.name : 'from' in difference ? difference.from : undefined
}
