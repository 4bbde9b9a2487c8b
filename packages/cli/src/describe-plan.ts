import { printPlan, type SyncPlan, type SyncStep } from '@portico/db'
import { count } from './shared/count.ts'

/** The plan as text, with the command that allows the steps that need consent. */
export function describePlan(plan: SyncPlan): string {
  return [printPlan(plan), ...describeConsent(plan)].join('\n')
}

/**
 * The command that allows the steps that need consent. Possible renames are left out: a copied command must not drop
 * values by accident.
 */
export function describeConsent({ steps }: SyncPlan): string[] {
  const asked = steps.filter(({ consent, isAllowed, suspected }) => consent !== undefined && !isAllowed && !suspected)
  return formatCommand(
    'to allow this',
    asked.map((it) => it.consent!),
  )
}

/**
 * Lists what could be dropped, with what would be lost, and the command for it. Possible renames are not in the
 * command. `dropping` is the plan that drops everything.
 */
export function describeUnused({ kept }: SyncPlan, dropping: SyncPlan): string {
  if (kept.length === 0) return 'everything that sync created is still declared'
  const lines = kept.map(({ description, consent, suspected }) => {
    const loss = countLost(dropping.steps.find((it) => it.consent === consent))
    const notes = [...(suspected ? ['possibly renamed'] : []), ...(loss === undefined ? [] : [loss])]
    return `  ${description}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  })
  const consents = kept.filter((it) => !it.suspected).map((it) => it.consent)
  return [...lines, ...formatCommand('to drop it', consents)].join('\n')
}

function countLost(step: SyncStep | undefined): string | undefined {
  if (step?.kind === 'dropTable') return count(step.touches.rows ?? 0, 'row')
  return step?.kind === 'dropColumn' ? count(step.touches.values ?? 0, 'value') : undefined
}

function formatCommand(when: string, consents: readonly string[]): string[] {
  if (consents.length === 0) return []
  return [`${when}: npx portico sync ${[...new Set(consents)].map((it) => `--allow ${quoteShell(it)}`).join(' ')}`]
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** True if a sync would refuse this plan. */
export function isRefused({ problems, steps }: SyncPlan): boolean {
  return problems.length > 0 || steps.some((it) => !it.isAllowed)
}
