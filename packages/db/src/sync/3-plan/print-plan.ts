import { count } from '../../shared/count.ts'
import type { Kept } from '../2-diff/kept.ts'
import type { SyncPlan } from './plan.ts'
import { tellLoss, tellRefusal } from './refuse.ts'
import type { SyncStep } from './steps.ts'

/**
 * A plan for people: what would happen, to how many rows, and what it would lose.
 *
 * ```ts
 * console.log(printPlan(await db.planSync([User])))
 * ```
 */
export function printPlan(plan: SyncPlan): string {
  const refusal = tellRefusal(plan)
  const lines = [
    ...plan.steps.map(printStep),
    ...(refusal.length > 0 ? ['', 'refused:', ...refusal.map((it) => `  ${it}`)] : []),
    ...plan.warnings.map(({ table, told }) => `warning: table \`${table}\`: ${told}`),
    ...plan.kept.map(printKept),
  ]
  return lines.length === 0 ? 'the database is as declared' : lines.join('\n')
}

function printKept({ told, consent, suspected }: Kept): string {
  return suspected ? `${told}, and may have got another name` : `${told}: '${consent}' would drop it`
}

function printStep(step: SyncStep): string {
  const { rows } = step.touches
  const loss = tellLoss(step).replace(/^, which |,$/g, '')
  const notes = [rows !== undefined && rows > 0 && count(rows, 'row'), loss !== '' && loss].filter(Boolean)
  // What is refused tells its hint there.
  const hint = step.hint !== undefined && step.isAllowed ? ` (${step.hint})` : ''
  return `  ${step.class.padEnd(11)} ${step.told}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}${hint}`
}
