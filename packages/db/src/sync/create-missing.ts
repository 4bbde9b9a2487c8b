import type { Abilities, Engine, ExistingTable, Session } from '../adapter.ts'
import type { TableChange } from '../change.ts'
import { DbError } from '../errors.ts'
import type { TablePlan } from '../table-plan.ts'
import { orderTables } from './order.ts'
import { refuseDifferences, refuseOtherTables } from './refuse-differences.ts'

/** One thing that a sync did. */
export interface SyncStep {
  readonly kind: TableChange['kind']
  /** `additive` steps add what was not there and touch no row. */
  readonly class: 'additive'
  /** What it was done to: `users`, `auth.users`, `users_email`. */
  readonly name: string
}

export interface SyncResult {
  readonly steps: readonly SyncStep[]
}

/** Makes the tables and indexes that are missing, all or none. A table that is there but differs is refused. */
export async function createMissing(engine: Engine, plans: readonly TablePlan[], can: Abilities): Promise<SyncResult> {
  if (!can.transactions || !can.transactionalDdl) return { steps: await applyMissing(engine.session, plans, can) }
  const transaction = await engine.begin({ isolation: 'default', purpose: 'sync' })
  try {
    const steps = await applyMissing(transaction, plans, can)
    await transaction.commit()
    return { steps }
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}

async function applyMissing(session: Session, plans: readonly TablePlan[], can: Abilities): Promise<SyncStep[]> {
  const existing = await session.inspect(plans)
  for (const table of existing) refuseDifferences(table, can)
  await refuseOtherTables(session, plans, can)
  const changes = planMissing(plans, existing, can)
  for (const change of changes) await applyChange(session, change)
  return changes.map((it) => ({ kind: it.kind, class: 'additive', name: nameOf(it) }))
}

async function applyChange(session: Session, change: TableChange): Promise<void> {
  try {
    await session.change(change)
  } catch (error) {
    if (change.kind !== 'createIndex' || !(error instanceof DbError) || error.code !== 'UNIQUE_VIOLATION') throw error
    const told = `table \`${change.plan.place.table}\`: the unique index \`${change.index.name}\` cannot be made`
    throw new DbError('SYNC_REFUSED', `${told}: some rows have the same values in it`, { cause: error })
  }
}

/** What has to be made, in an order in which everything that is named is there already. */
export function planMissing(
  plans: readonly TablePlan[],
  existing: readonly ExistingTable[],
  can: Abilities,
): TableChange[] {
  const known = new Map(existing.map((it) => [it.plan, it]))
  const missing = plans.filter((it) => !known.has(it))
  const schemas = new Set(missing.flatMap((it) => it.place.schema ?? []))
  const { tables, later } = orderTables(missing, can)
  return [
    ...[...schemas].map((schema): TableChange => ({ kind: 'createSchema', schema })),
    ...tables.map(({ plan, foreignKeys }): TableChange => ({ kind: 'createTable', plan, foreignKeys })),
    ...plans.flatMap((plan) => missingIndexes(plan, known.get(plan))),
    ...later.map(({ plan, foreignKey }): TableChange => ({ kind: 'addForeignKey', plan, foreignKey })),
  ]
}

function missingIndexes(plan: TablePlan, existing: ExistingTable | undefined): TableChange[] {
  const isThere = (name: string): boolean =>
    existing?.indexes.some((it) => it === name || it === `${plan.declaration.schema}__${name}`) ?? false
  return plan.declaration.indexes
    .filter((index) => !isThere(index.name))
    .map((index) => ({ kind: 'createIndex', plan, index }))
}

function nameOf(change: TableChange): string {
  switch (change.kind) {
    case 'createSchema':
      return change.schema
    case 'createTable':
      return [change.plan.place.schema, change.plan.place.table].filter(Boolean).join('.')
    case 'createIndex':
      return change.index.name
    case 'addForeignKey':
      return change.foreignKey.constraint
  }
}
