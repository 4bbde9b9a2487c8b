import { DbError } from '../../errors.ts'
import { count } from '../../shared/count.ts'
import type { SyncStep } from './steps.ts'
import type { SyncPlan } from './sync-plan.ts'

/** Throws `SYNC_REFUSED`, with all reasons at once, if a plan has problems or steps without consent. */
export function refusePlan(plan: SyncPlan): void {
  const reasons = describeRefusal(plan)
  if (reasons.length > 0) throw new DbError('SYNC_REFUSED', reasons.join('\n'))
}

/** The reasons to refuse a plan, one line each. */
export function describeRefusal({ problems, steps }: SyncPlan): string[] {
  return [
    ...problems.map(({ table, message }) => `table \`${table}\`: ${message}`),
    ...steps.filter((it) => !it.isAllowed).map(describeMissingConsent),
  ]
}

function describeMissingConsent(step: SyncStep): string {
  const losses = describeLosses(step)
  const loss = losses.length === 0 ? '' : ` (${losses.join(', ')})`
  const hint = step.hint === undefined ? '' : ` (${step.hint})`
  return `table \`${step.table}\`: cannot ${step.description} without consent${loss}: allow '${step.consent}'${hint}`
}

/** The values that a step loses, changes or copies, in numbers. */
export function describeLosses({ kind, class: stepClass, touches }: SyncStep): string[] {
  const { values = 0, nulls = 0, rows = 0, rebuild = 0 } = touches
  const losses: string[] = []
  if (kind === 'dropColumn') losses.push(`loses ${values === 0 ? 'no values' : count(values, 'value')}`)
  if (kind === 'dropTable') losses.push(`loses ${count(rows, 'row')}`)
  if (kind === 'requireColumn' || kind === 'requireInObject') {
    if (nulls > 0) losses.push(`sets ${count(nulls, 'NULL')} to the default`)
  }
  if (kind === 'requireObject') losses.push(`creates it in ${count(values, 'row')}`)
  if (stepClass === 'data' && kind === 'changeType') losses.push(`rewrites ${count(rows, 'row')}`)
  if (rebuild > 0) losses.push(`copies ${count(rebuild, 'row')}`)
  return losses
}
