import { printPlan, type SyncPlan } from '@portico/db'

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

/** What could go, and the command that lets it. */
export function tellUnused({ kept }: SyncPlan): string {
  if (kept.length === 0) return 'everything that sync made is declared'
  const consents = kept.map((it) => it.consent)
  return [...kept.map((it) => `  ${it.told}`), ...tellCommand('to drop it', consents)].join('\n')
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
