import type { ForeignKey } from '@portico/schema/model'
import { DbError } from '../../errors.ts'
import { count } from '../../shared/count.ts'
import type { SyncPlan } from './plan.ts'
import type { SyncStep } from './steps.ts'

/** Throws `SYNC_REFUSED` where a plan has problems, or steps that nobody allowed; all of them are told at once. */
export function refusePlan(plan: SyncPlan): void {
  const told = tellRefusal(plan)
  if (told.length > 0) throw new DbError('SYNC_REFUSED', told.join('\n'))
}

/** Why a plan would be refused, one line for each reason. */
export function tellRefusal({ problems, steps }: SyncPlan): string[] {
  return [
    ...problems.map(({ table, message }) => `table \`${table}\`: ${message}`),
    ...steps.filter((it) => !it.isAllowed).map(tellConsent),
  ]
}

function tellConsent(step: SyncStep): string {
  const loss = tellLoss(step)
  const hint = step.hint === undefined ? '' : ` (${step.hint})`
  return `table \`${step.table}\`: to ${step.told}${loss} needs consent: allow '${step.consent}'${hint}`
}

/** What a step would lose or rewrite, in numbers. */
export function tellLoss({ kind, class: stepClass, touches: { values, nulls, rows, rebuild } }: SyncStep): string {
  const parts = [
    values !== undefined && kind === 'dropColumn' && `loses ${values === 0 ? 'no value' : count(values, 'value')}`,
    kind === 'dropTable' && `loses ${count(rows ?? 0, 'row')}`,
    (kind === 'requireColumn' || kind === 'requireInside') &&
      nulls !== undefined &&
      nulls > 0 &&
      `sets ${count(nulls, 'NULL')} to the default`,
    kind === 'makeObject' && `makes it in ${count(values ?? 0, 'row')} that had none`,
    stepClass === 'data' && kind === 'changeType' && `rewrites ${count(rows ?? 0, 'row')}`,
    rebuild !== undefined && rebuild > 0 && `copies ${count(rebuild, 'row')}`,
  ].filter((it) => it !== false)
  return parts.length === 0 ? '' : `, which ${parts.join(' and ')},`
}

export function tellOrphans({ constraint, references }: ForeignKey, orphans: number): string {
  const refer = countRows(orphans, 'refers', 'refer')
  return `foreign key \`${constraint}\` cannot be added: ${refer} to rows of \`${references.table}\` that are not there`
}

/** So many rows, and what they do. */
export function countRows(number: number, one: string, many: string): string {
  return `${count(number, 'row')} ${number === 1 ? one : many}`
}
