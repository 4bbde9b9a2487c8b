import type { CompileResult } from '@portico/schema'
import { findAdapter, type LoadedConfig } from './load-config.ts'

/** What a sync of the database would do. */
export interface DatabasePlan {
  /** Whether there is something to do, or something in the way. */
  readonly differs: boolean
  /** Whether it would be refused. */
  readonly refused: boolean
  /** For people. */
  readonly told: string
}

/** Compares the database with its declaration. Changes nothing. */
export async function planDatabase(
  config: LoadedConfig,
  { models }: Pick<CompileResult, 'models'>,
): Promise<DatabasePlan> {
  const adapter = await findAdapter(config)
  // Commands that need no database do not wait for it to be loaded.
  const [{ openDatabase }, { isRefused, tellPlan }] = await Promise.all([
    import('@portico/db'),
    import('./tell-plan.ts'),
  ])
  const db = await openDatabase(adapter)
  try {
    const plan = await db.planSync(models.flatMap((it) => it.declarations).flatMap((it) => it.table ?? []))
    const differs = plan.steps.length + plan.problems.length > 0
    return { differs, refused: isRefused(plan), told: tellPlan(plan) }
  } finally {
    await db.close()
  }
}
