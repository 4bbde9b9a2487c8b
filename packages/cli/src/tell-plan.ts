import { printPlan, type SyncPlan, type SyncStep } from '@portico/db'
import { count } from './shared/count.ts'

/** A plan for people, with the command that allows what needs consent. */
export function tellPlan(plan: SyncPlan): string {
  return [printPlan(plan), ...tellConsent(plan)].join('\n')
}

/**
 * The command that allows what a plan was refused for, where consent is what it lacks. What looks like a renaming that
 * nobody declared is left out: whoever copies the line would lose sight of values.
 */
export function tellConsent({ steps }: SyncPlan): string[] {
  const asked = steps.filter(({ consent, isAllowed, suspected }) => consent !== undefined && !isAllowed && !suspected)
  return tellCommand(
    'if you mean it',
    asked.map((it) => it.consent!),
  )
}

/**
 * What could go, with what would be lost, and the command that drops it. What may only have got another name is not in
 * the command. `dropping` is the plan that drops all of it.
 */
export function tellUnused({ kept }: SyncPlan, dropping: SyncPlan): string {
  if (kept.length === 0) return 'everything that sync made is declared'
  const lines = kept.map(({ told, consent, suspected }) => {
    const lost = tellLost(dropping.steps.find((it) => it.consent === consent))
    return `  ${told}${suspected ? ', and may have got another name' : ''}${lost}`
  })
  const consents = kept.filter((it) => !it.suspected).map((it) => it.consent)
  return [...lines, ...tellCommand('to drop it', consents)].join('\n')
}

function tellLost(step: SyncStep | undefined): string {
  if (step?.kind === 'dropTable') return ` (${count(step.touches.rows ?? 0, 'row')})`
  return step?.kind === 'dropColumn' ? ` (${count(step.touches.values ?? 0, 'value')})` : ''
}

function tellCommand(when: string, consents: readonly string[]): string[] {
  if (consents.length === 0) return []
  return [`${when}: npx portico sync ${[...new Set(consents)].map((it) => `--allow ${quoteShell(it)}`).join(' ')}`]
}

/** A name may have a quote in it. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether a sync would refuse to do this. */
export function isRefused({ problems, steps }: SyncPlan): boolean {
  return problems.length > 0 || steps.some((it) => !it.isAllowed)
}
