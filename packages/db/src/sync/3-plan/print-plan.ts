import { count } from '../../shared/count.ts'
import { describeLosses, describeRefusal } from './refuse-plan.ts'
import type { SyncStep } from './steps.ts'
import type { KeptItem, SyncPlan } from './sync-plan.ts'

/**
 * Formats a plan for people: the steps, the rows they affect, and the data they would lose.
 *
 * ```ts
 * console.log(printPlan(await db.planSync([User])))
 * ```
 */
export function printPlan(plan: SyncPlan): string {
  const refusal = describeRefusal(plan)
  const lines = [
    ...plan.steps.map(printStep),
    ...(refusal.length > 0 ? ['', 'refused:', ...refusal.map((it) => `  ${it}`)] : []),
    ...plan.warnings.map(({ table, message }) => `warning: table \`${table}\`: ${message}`),
    ...plan.kept.map(printKept),
  ]
  return lines.length === 0 ? 'the database is up to date' : lines.join('\n')
}

function printKept({ description, consent, suspected }: KeptItem): string {
  return suspected ? `${description} (possibly renamed)` : `${description}: allow '${consent}' to drop it`
}

function printStep(step: SyncStep): string {
  const { rows = 0 } = step.touches
  const notes = [...(rows > 0 ? [count(rows, 'row')] : []), ...describeLosses(step)]
  // The hint of a refused step is part of its refusal.
  const hint = step.hint !== undefined && step.isAllowed ? ` (${step.hint})` : ''
  return `  ${step.class.padEnd(11)} ${step.description}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}${hint}`
}
