/** Creates the plan of a sync from its differences. Reads and counts rows, and changes nothing. */
import type { Session } from '../../contract/adapter.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { recordLabel, type TableRecord } from '../1-read/metadata-table.ts'
import type { DatabaseState } from '../1-read/read-state.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import type { DatabaseDifference } from '../2-diff/difference.ts'
import { describeKept, describeLeftover } from './describe-kept.ts'
import { detectRenamedTable } from './detect-renamed-table.ts'
import { orderChanges } from './order-changes.ts'
import { planSteps } from './plan-steps.ts'
import type { SyncStep } from './steps.ts'
import type { KeptItem, SyncPlan } from './sync-plan.ts'

export async function createPlan(
  session: Session,
  context: SyncContext,
  state: DatabaseState,
  difference: DatabaseDifference,
): Promise<SyncPlan> {
  const planned = await planSteps(difference, session, context)
  const steps: SyncStep[] = []
  for (const step of planned.steps) {
    const plan = context.plans.find((it) => declaredNameOf(it) === step.table)
    const isNew = step.kind === 'createTable' && plan !== undefined
    steps.push(isNew ? await detectRenamedTable(step, plan, session, { ...context, ...state, difference }) : step)
  }
  const preflight = (await session.preflight?.(orderChanges(difference, context.supports))) ?? []
  const leftovers = difference.leftovers.filter((it) => !belongsToOtherProgram(it, difference)).map(recordLabel)
  const parts = difference.tables.flatMap(({ plan, kept }) => kept.map((it) => describeKept(it, plan)))
  return {
    steps,
    problems: [...planned.problems, ...preflight],
    warnings: planned.warnings,
    kept: [...parts, ...leftovers.map(describeLeftover)].map((it) => markRenamed(it, steps)),
    leftovers,
  }
}

/**
 * Tables of another program in the same database are not listed or dropped. A program whose tables all have new names
 * is recognized by the names of its interfaces.
 */
function belongsToOtherProgram({ program, declaration }: TableRecord, { tables }: DatabaseDifference): boolean {
  const own = new Set(tables.flatMap(({ record }) => record?.program ?? []))
  const isDeclared = tables.some(({ plan }) => plan.name === declaration)
  return own.size > 0 && program !== undefined && !own.has(program) && !isDeclared
}

function markRenamed(item: KeptItem, steps: readonly SyncStep[]): KeptItem {
  return steps.some((it) => it.former === item.name && !it.isAllowed) ? { ...item, suspected: 'rename' } : item
}
