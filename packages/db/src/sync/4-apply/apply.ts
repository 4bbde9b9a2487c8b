/** Applies a plan: in one transaction if the engine supports it, otherwise change by change with a journal. */
import type { Engine, Session } from '../../contract/adapter.ts'
import type { CreateIndex, TableChange } from '../../contract/change.ts'
import { retryConflicts } from '../../transaction/retry.ts'
import { declaredNameOf, formatTableName } from '../../values/table-name.ts'
import { type DatabaseState, readState } from '../1-read/read-state.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import { diffDatabase, hasStaleFacts, isUpToDate } from '../2-diff/diff-database.ts'
import type { DatabaseDifference } from '../2-diff/difference.ts'
import { createPlan } from '../3-plan/create-plan.ts'
import { orderChanges } from '../3-plan/order-changes.ts'
import { refusePlan } from '../3-plan/refuse-plan.ts'
import type { SyncStep } from '../3-plan/steps.ts'
import type { SyncPlan } from '../3-plan/sync-plan.ts'
import { buildIndexes, journalIndexes } from './build-indexes.ts'
import { explainFailure, reportApplied } from './explain-failure.ts'
import { writeIntents, writeRecords } from './table-record.ts'
import { verify } from './verify.ts'

export interface SyncProgress {
  readonly table: string
  /** Rows copied so far, if the table is rebuilt, and their total. */
  readonly copied?: number
  readonly rows?: number
}

export interface ApplyOptions {
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
  /** Indexes of tables with at least this many rows are built without blocking writers, if the engine supports it. */
  readonly concurrentRows: number
}

export interface SyncResult {
  /** The steps that were applied. */
  readonly steps: readonly SyncStep[]
}

export async function applySync(engine: Engine, context: SyncContext, options: ApplyOptions): Promise<SyncResult> {
  // Most starts of a program find nothing to do, and need no lock for that.
  const state = await readState(engine.session, context)
  if (isUpToDate(diffDatabase(state, context), state)) return { steps: [] }
  return context.supports.transactionalDdl
    ? applyInTransaction(engine, context, options)
    : applyWithJournal(engine, context, options)
}

interface Prepared {
  readonly state: DatabaseState
  readonly difference: DatabaseDifference
  readonly plan: SyncPlan
  readonly changes: readonly TableChange[]
}

/** Reads the database again under the lock, plans, and throws if the plan is refused. */
async function prepare(session: Session, context: SyncContext): Promise<Prepared> {
  const state = await readState(session, context)
  const difference = diffDatabase(state, context)
  const plan = await createPlan(session, context, state, difference)
  refusePlan(plan)
  return { state, difference, plan, changes: orderChanges(difference, context.supports) }
}

async function applyInTransaction(engine: Engine, context: SyncContext, options: ApplyOptions): Promise<SyncResult> {
  // A transaction that uses the same tables in another order can deadlock with sync, which then retries.
  const { steps, late } = await retryConflicts(() => applyAll(engine, context, options))
  if (late.length > 0) await buildIndexes(engine, context, late)
  return { steps }
}

/** Applies everything except the indexes of large tables, which are only journaled. */
async function applyAll(
  engine: Engine,
  context: SyncContext,
  options: ApplyOptions,
): Promise<{ steps: readonly SyncStep[]; late: readonly CreateIndex[] }> {
  const transaction = await engine.begin({ isolation: 'default', purpose: 'sync' })
  try {
    const prepared = await prepare(transaction, context)
    const { state, difference, plan } = prepared
    const { now, late } = splitIndexes(prepared, context, options)
    for (const change of now) await applyChange(transaction, change, plan, options)
    if (plan.steps.length > 0 || hasStaleFacts(difference)) {
      await writeRecords(transaction, context, difference, state.hasRegistry)
    }
    await clearJournal(transaction, context, state)
    await journalIndexes(transaction, context, state, late)
    await verify(transaction, context, difference, late)
    await transaction.commit()
    return { steps: plan.steps, late }
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

/** Indexes of large tables are built after the commit, so that nobody waits for them. */
function splitIndexes(
  { changes, difference, plan }: Prepared,
  { supports }: SyncContext,
  { concurrentRows }: ApplyOptions,
): { now: TableChange[]; late: CreateIndex[] } {
  const isLarge = (change: CreateIndex): boolean => {
    const table = difference.tables.find((it) => it.plan === change.plan)
    const rows = plan.steps.find((it) => it.table === declaredNameOf(change.plan))?.touches.rows ?? 0
    return supports.concurrentIndexes && table?.before !== undefined && rows >= concurrentRows
  }
  const late = changes.filter((it): it is CreateIndex => it.kind === 'createIndex' && isLarge(it))
  return { now: changes.filter((it) => !late.includes(it as CreateIndex)), late }
}

async function applyWithJournal(engine: Engine, context: SyncContext, options: ApplyOptions): Promise<SyncResult> {
  const { journal } = context
  const locked = await engine.acquireSyncLock?.()
  const session = locked ?? engine.session
  try {
    // Changes of an interrupted sync stay. The others show up as differences again.
    const { state, difference, plan, changes } = await prepare(session, context)
    await clearJournal(session, context, state)
    if (plan.steps.length === 0) {
      if (hasStaleFacts(difference)) await writeRecords(session, context, difference, state.hasRegistry)
      return { steps: [] }
    }
    if (!state.hasJournal) await session.change({ kind: 'createTable', plan: journal.plan, foreignKeys: [] })
    const entries = changes.map(
      (change, index) => [`${String(index).padStart(6, '0')} ${change.kind}`, change] as const,
    )
    for (const [entry, change] of entries) await journal.write(session, entry, { table: tableOfChange(change) })
    await writeIntents(session, context, difference, state.hasRegistry)
    for (const [index, [entry, change]] of entries.entries()) {
      try {
        await applyChange(session, change, plan, options)
      } catch (error) {
        throw reportApplied(error, index)
      }
      await journal.remove(session, entry)
    }
    await writeRecords(session, context, difference, true)
    await verify(session, context, difference, [])
    return { steps: plan.steps }
  } finally {
    await locked?.release()
  }
}

/** Entries of an interrupted sync are obsolete: this one holds the lock and has compared again. */
async function clearJournal(session: Session, { journal }: SyncContext, { pending }: DatabaseState): Promise<void> {
  for (const entry of pending) await journal.remove(session, entry)
}

async function applyChange(
  session: Session,
  change: TableChange,
  plan: SyncPlan,
  { onProgress }: ApplyOptions,
): Promise<void> {
  const table = tableOfChange(change)
  const rows = plan.steps.find((it) => it.table === table)?.touches.rows
  const report = (copied?: number): void =>
    onProgress?.({ table, ...(copied !== undefined && { copied }), ...(rows !== undefined && { rows }) })
  report()
  try {
    await session.change(change, report)
  } catch (error) {
    throw explainFailure(error, change, table)
  }
}

function tableOfChange(change: TableChange): string {
  if ('plan' in change) return declaredNameOf(change.plan)
  if (change.kind === 'createSchema') return change.schema
  return formatTableName(change.kind === 'renameTable' ? change.to : change.tableName)
}
