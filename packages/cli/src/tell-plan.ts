import { printPlan, type SyncPlan } from '@portico/db'

/** A plan for people, with the command that allows what needs consent. */
export function tellPlan(plan: SyncPlan): string {
  return [printPlan(plan), ...tellConsent(plan)].join('\n')
}

/** The command that allows what a plan was refused for, where consent is what it lacks. */
export function tellConsent({ steps }: SyncPlan): string[] {
  const asked = steps.flatMap(({ consent, isAllowed }) => (consent === undefined || isAllowed ? [] : [consent]))
  if (asked.length === 0) return []
  return [`if you mean it: npx portico sync ${[...new Set(asked)].map((it) => `--allow '${it}'`).join(' ')}`]
}

/** Whether a sync would refuse to do this. */
export function isRefused({ problems, steps }: SyncPlan): boolean {
  return problems.length > 0 || steps.some((it) => !it.isAllowed)
}
