import { printPlan, type SyncPlan, type SyncStep } from '@portico/db'
import { count } from './shared/count.ts'

/** A plan for people, with the command that gives the missing consent. */
export function describePlan(plan: SyncPlan): string {
  return [printPlan(plan), ...suggestConsent(plan)].join('\n')
}

/**
 * The command that gives the missing consent. Steps that may be undeclared renamings are left out: a user who copies
 * the line would lose data.
 */
export function suggestConsent({ steps }: SyncPlan): string[] {
  const refused = steps.filter(({ consent, isAllowed, suspected }) => consent !== undefined && !isAllowed && !suspected)
  return suggestCommand(
    'to allow this',
    refused.map((it) => it.consent!),
  )
}

/**
 * Lists everything that is no longer declared, the data that would be lost, and the command that drops it. Items that
 * may have been renamed are not in the command. `dropping` is the plan that drops all of it.
 */
export function describeUnused({ kept }: SyncPlan, dropping: SyncPlan): string {
  if (kept.length === 0) return 'nothing to drop: everything that sync created is still declared'
  const lines = kept.map(({ description, consent, suspected }) => {
    const loss = describeLoss(dropping.steps.find((it) => it.consent === consent))
    return `  ${description}${suspected ? '; it may have been renamed' : ''}${loss}`
  })
  const consents = kept.filter((it) => !it.suspected).map((it) => it.consent)
  return [...lines, ...suggestCommand('to drop it', consents)].join('\n')
}

function describeLoss(step: SyncStep | undefined): string {
  if (step?.kind === 'dropTable') return ` (${count(step.touches.rows ?? 0, 'row')})`
  return step?.kind === 'dropColumn' ? ` (${count(step.touches.values ?? 0, 'value')})` : ''
}

function suggestCommand(purpose: string, consents: readonly string[]): string[] {
  if (consents.length === 0) return []
  return [`${purpose}: npx portico sync ${[...new Set(consents)].map((it) => `--allow ${quoteShell(it)}`).join(' ')}`]
}

/** Names may contain quotes. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** True if a sync would be refused. */
export function isRefused({ problems, steps }: SyncPlan): boolean {
  return problems.length > 0 || steps.some((it) => !it.isAllowed)
}
