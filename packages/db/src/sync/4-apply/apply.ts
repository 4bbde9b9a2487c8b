/** Carries out a plan: all of it in one transaction where the engine can, step by step with a journal where not. */
import type { Engine, Session } from '../../contract/adapter.ts'
import type { CreateIndex, TableChange } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'
import { retryConflicts } from '../../transaction/retry.ts'
import { declaredNameOf, formatTableName, toIndexName } from '../../values/table-name.ts'
import type { TableRecord } from '../1-read/metadata-table.ts'
import { programOf } from '../1-read/renamed-table.ts'
import { isSameNote, noteFacts, renameFacts } from '../1-read/table-facts.ts'
import type { DatabaseDifference, Difference, TableDifference } from '../2-diff/diff.ts'
import { orderChanges } from '../3-plan/order-changes.ts'
import type { SyncPlan } from '../3-plan/plan.ts'
import { refusePlan } from '../3-plan/refuse.ts'
import type { SyncStep } from '../3-plan/steps.ts'
import { isSettled, isUnnoted, look, makePlan, type Sight, type Subject } from '../read-state.ts'
import { explainFailure, tellDone } from './failures.ts'
import { buildConcurrently } from './journal.ts'

/** How far a sync has come. */
export interface SyncProgress {
  readonly table: string
  /** Rows copied so far, where the table is made anew, and how many there are. */
  readonly copied?: number
  readonly rows?: number
}

export interface ApplyOptions {
  readonly onProgress?: (progress: SyncProgress) => void
  /** Indexes of tables with at least so many rows are built without holding up writers, where the engine can. */
  readonly concurrentRows: number
}

export interface SyncResult {
  /** What was done. */
  readonly steps: readonly SyncStep[]
}

export async function applySync(engine: Engine, subject: Subject, options: ApplyOptions): Promise<SyncResult> {
  // Most starts of a program find nothing to do, and need no lock to find that.
  if (isSettled(await look(engine.session, subject))) return { steps: [] }
  return subject.supports.transactionalDdl
    ? applyAtOnce(engine, subject, options)
    : applyOneByOne(engine, subject, options)
}

interface Prepared {
  readonly sight: Sight
  readonly plan: SyncPlan
  readonly changes: readonly TableChange[]
}

/** Looks again under the lock, plans, and refuses what must not be done. */
async function prepare(session: Session, subject: Subject): Promise<Prepared> {
  const sight = await look(session, subject)
  const plan = await makePlan(session, subject, sight)
  refusePlan(plan)
  return { sight, plan, changes: orderChanges(sight.difference, subject.supports) }
}

async function applyAtOnce(engine: Engine, subject: Subject, options: ApplyOptions): Promise<SyncResult> {
  // Who uses several of the tables meanwhile, in another order, and sync may wait for each other: one has to give way.
  const { steps, late } = await retryConflicts(() => applyWhole(engine, subject, options))
  if (late.length > 0) await buildConcurrently(engine, subject, late)
  return { steps }
}

/** All in one transaction, but for the indexes of big tables, which are only noted. */
async function applyWhole(
  engine: Engine,
  subject: Subject,
  options: ApplyOptions,
): Promise<{ steps: readonly SyncStep[]; late: readonly CreateIndex[] }> {
  const transaction = await engine.begin({ isolation: 'default', purpose: 'sync' })
  try {
    const prepared = await prepare(transaction, subject)
    const { steps } = prepared.plan
    const [now, late] = splitConcurrent(prepared, subject, options)
    for (const change of now) await applyChange(transaction, change, prepared, options)
    if (steps.length > 0 || isUnnoted(prepared.sight)) await recordTables(transaction, subject, prepared.sight)
    await forget(transaction, subject, prepared.sight.pending)
    await noteBuilds(transaction, subject, prepared.sight, late)
    await verify(transaction, subject, prepared.sight, late)
    await transaction.commit()
    return { steps, late }
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

/** Big tables get their indexes after the commit, so that nobody waits for them. */
function splitConcurrent(
  { changes, sight, plan }: Prepared,
  { supports }: Subject,
  { concurrentRows }: ApplyOptions,
): [now: TableChange[], late: CreateIndex[]] {
  const isBig = (change: CreateIndex): boolean => {
    const table = sight.difference.tables.find((it) => it.plan === change.plan)
    const rows = plan.steps.find((it) => it.table === declaredNameOf(change.plan))?.touches.rows ?? 0
    return supports.concurrentIndexes && table?.before !== undefined && rows >= concurrentRows
  }
  const late = changes.filter((it): it is CreateIndex => it.kind === 'createIndex' && isBig(it))
  return [changes.filter((it) => !late.includes(it as CreateIndex)), late]
}

async function noteBuilds(
  session: Session,
  { journal }: Subject,
  { hasJournal }: Sight,
  late: readonly CreateIndex[],
): Promise<void> {
  if (late.length === 0) return
  if (!hasJournal) await session.change({ kind: 'createTable', plan: journal.plan, foreignKeys: [] })
  for (const { plan, index } of late) {
    await journal.write(session, `index ${toIndexName(index.name, plan)}`, {
      table: declaredNameOf(plan),
      index: index.name,
    })
  }
}

async function applyOneByOne(engine: Engine, subject: Subject, options: ApplyOptions): Promise<SyncResult> {
  const { journal } = subject
  const pinned = await engine.acquireSyncLock?.()
  const session = pinned ?? engine.session
  try {
    // A sync that was cut off left what it had done; what it had not shows as a difference again.
    const prepared = await prepare(session, subject)
    const { sight, plan, changes } = prepared
    await forget(session, subject, sight.pending)
    if (plan.steps.length === 0) {
      if (isUnnoted(sight)) await recordTables(session, subject, sight)
      return { steps: [] }
    }
    if (!sight.hasJournal) await session.change({ kind: 'createTable', plan: journal.plan, foreignKeys: [] })
    const rows = changes.map((change, index) => [`${String(index).padStart(6, '0')} ${change.kind}`, change] as const)
    for (const [name, change] of rows) await journal.write(session, name, { table: subjectOf(change) })
    await noteIntents(session, subject, sight)
    for (const [index, [name, change]] of rows.entries()) {
      try {
        await applyChange(session, change, prepared, options)
      } catch (error) {
        throw tellDone(error, index)
      }
      await journal.remove(session, name)
    }
    await recordTables(session, subject, { ...sight, hasRegistry: true })
    await verify(session, subject, sight, [])
    return { steps: plan.steps }
  } finally {
    await pinned?.release()
  }
}

/** What another sync noted is over: we hold its lock, and have compared again. */
async function forget(session: Session, { journal }: Subject, pending: readonly string[]): Promise<void> {
  for (const name of pending) await journal.remove(session, name)
}

/** Who is cut off after a table came, or got its new name, must know afterwards that the table is sync's own. */
async function noteIntents(session: Session, { registry }: Subject, { difference, hasRegistry }: Sight): Promise<void> {
  if (!hasRegistry) await session.change({ kind: 'createTable', plan: registry.plan, foreignKeys: [] })
  for (const table of difference.tables) {
    const { before, record, plan } = table
    const place = formatTableName(plan.tableName)
    if (!before) await registry.write(session, place, recordOf(table, programOf(difference)))
    else if (record && place !== formatTableName(before.tableName)) {
      await registry.write(session, place, { ...record, snapshot: { ...record.snapshot, tableName: plan.tableName } })
    }
  }
}

async function applyChange(
  session: Session,
  change: TableChange,
  { plan }: Prepared,
  { onProgress }: ApplyOptions,
): Promise<void> {
  const table = subjectOf(change)
  const rows = plan.steps.find((it) => it.table === table)?.touches.rows
  const tell = (copied?: number): void =>
    onProgress?.({ table, ...(copied !== undefined && { copied }), ...(rows !== undefined && { rows }) })
  tell()
  try {
    await session.change(change, tell)
  } catch (error) {
    throw explainFailure(error, change, table)
  }
}

function subjectOf(change: TableChange): string {
  if ('plan' in change) return declaredNameOf(change.plan)
  if (change.kind === 'createSchema') return change.schema
  return formatTableName(change.kind === 'renameTable' ? change.to : change.tableName)
}

/** Writes down what sync made, under the names that it has now. */
async function recordTables(
  session: Session,
  { registry }: Subject,
  { difference, hasRegistry }: Sight,
): Promise<void> {
  const wanted = difference.tables.filter(isMade)
  if (!hasRegistry) {
    if (wanted.length === 0) return
    await session.change({ kind: 'createTable', plan: registry.plan, foreignKeys: [] })
  }
  for (const table of wanted) {
    const record = recordOf(table, programOf(difference))
    const { noted, ...known } = table.record ?? {}
    if (noted !== undefined && noted !== formatTableName(table.plan.tableName)) await registry.remove(session, noted)
    else if (isSameNote(record, known)) continue
    await registry.write(session, formatTableName(table.plan.tableName), record)
  }
  for (const { noted } of difference.dropped) await registry.remove(session, noted!)
}

/** Whether sync made a table, or makes it, or takes it over: others that fit as they are stay strangers. */
export function isMade({ before, record, differences }: TableDifference): boolean {
  return !before || record !== undefined || differences.some((it) => it.kind === 'adoptTable')
}

/** What is noted of a table: what is declared, and what is kept without a declaration. */
export function recordOf({ plan, target, kept, record, columns }: TableDifference, program: string): TableRecord {
  const { name, schema, table } = plan.declaration
  const renamed = new Map([...columns].map(([it, former]) => [former, it.name]))
  const own = record?.snapshot
  const keptColumns = kept.flatMap((it) => (it.kind === 'column' ? [it.column] : []))
  const snapshot = {
    ...target,
    columns: [
      ...target.columns,
      ...keptColumns.map((it) => own?.columns.find(({ name: noted }) => noted === it.name) ?? it),
    ],
    indexes: [...target.indexes, ...kept.flatMap((it) => (it.kind === 'index' ? [it.index] : []))],
    foreignKeys: [
      ...target.foreignKeys,
      ...kept.flatMap((it) => (it.kind === 'foreignKey' ? [{ ...it.foreignKey, name: it.name }] : [])),
    ],
  }
  const facts = noteFacts(
    plan,
    record?.facts && renameFacts(record.facts, renamed),
    keptColumns.map((it) => it.name),
  )
  return {
    declaration: name,
    ...(schema !== undefined && { schema }),
    table,
    snapshot,
    facts,
    program: record?.program ?? program,
  }
}

/** Reads everything again: what was done has to show. */
async function verify(session: Session, subject: Subject, before: Sight, late: readonly CreateIndex[]): Promise<void> {
  const { difference } = await look(session, { ...subject, allow: new Set() })
  // Engines with `preflight` already reported these.
  if (!session.preflight) refuseLosses(before.difference, difference)
  const left = difference.tables.flatMap(({ plan, differences }) =>
    differences
      .filter((it) => it.kind !== 'createIndex' || !late.some((other) => other.index === it.index))
      .map((it) => `${it.kind} in \`${declaredNameOf(plan)}\``),
  )
  const problems = difference.problems.map((it) => `table \`${it.table}\`: ${it.message}`)
  if (left.length + problems.length === 0) return
  const told = [...left, ...problems].join(', ')
  const kept = subject.supports.transactionalDdl ? ', so nothing was kept' : ''
  throw new DbError('SYNC_FAILED', `the database did not become what was declared${kept}: ${told}`)
}

/** What a difference takes away, or names otherwise. */
function formerName(difference: Difference): unknown {
  if (difference.kind === 'dropForeignKey') return difference.foreignKey.name
  return 'name' in difference ? difference.name : 'from' in difference ? difference.from : undefined
}

/** With a column an engine drops what hangs on it, asked or not. What sync did not make must still be there. */
function refuseLosses(before: DatabaseDifference, after: DatabaseDifference): void {
  for (const { plan, before: former, record, differences } of before.tables) {
    const now = after.tables.find((it) => it.plan === plan)?.before
    if (!former || !now) continue
    const gone = new Set<unknown>(differences.map(formerName))
    const made = [...(record?.snapshot.indexes ?? []), ...(record?.snapshot.foreignKeys ?? [])].map((it) => it.name)
    const isLost = ({ name }: { name?: string }, left: readonly { name?: string }[]): boolean =>
      name !== undefined && !gone.has(name) && !made.includes(name) && !left.some((it) => it.name === name)
    const index = former.indexes.find((it) => isLost(it, now.indexes))
    const rule =
      former.rules?.find((it) => !now.rules?.includes(it)) ??
      former.foreignKeys.find((it) => isLost(it, now.foreignKeys))?.name
    const lost = index ? `index \`${index.name}\`` : rule && `constraint \`${rule}\``
    if (lost === undefined) continue
    const told = `the ${lost}, which sync did not create, would be dropped with a column: drop it first`
    throw new DbError('SYNC_REFUSED', `table \`${declaredNameOf(plan)}\`: ${told}`)
  }
}
