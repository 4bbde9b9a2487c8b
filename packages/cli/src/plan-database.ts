import type { CompileResult } from '@portico/schema'
import { findAdapter, type LoadedConfig, listTables } from './load-config.ts'

/** The changes that a sync of the database would make. */
export interface DatabasePlan {
  /** True if there are steps or problems. */
  readonly differs: boolean
  /** True if the sync would be refused. */
  readonly refused: boolean
  /** The plan as text. */
  readonly description: string
}

const timeoutMs = 10_000

/** Compares the database with its declaration, with a time limit. Changes nothing. */
export async function planDatabase(
  config: LoadedConfig,
  declared: Pick<CompileResult, 'models'>,
  signal?: AbortSignal,
): Promise<DatabasePlan> {
  const answered = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${timeoutMs / 1000} s`)), timeoutMs)
    answered.signal.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', () => reject(new Error('aborted')), { signal: answered.signal })
  })
  try {
    return await Promise.race([createPlan(config, declared), late])
  } finally {
    answered.abort()
  }
}

async function createPlan(config: LoadedConfig, declared: Pick<CompileResult, 'models'>): Promise<DatabasePlan> {
  const adapter = await findAdapter(config)
  // Imported lazily, so that commands without a database start faster.
  const [{ openDatabase }, { isRefused, describePlan }] = await Promise.all([
    import('@portico/db'),
    import('./describe-plan.ts'),
  ])
  const db = await openDatabase(adapter.preview?.() ?? adapter)
  try {
    const plan = await db.planSync(listTables(config, declared))
    const differs = plan.steps.length + plan.problems.length > 0
    return { differs, refused: isRefused(plan), description: describePlan(plan) }
  } finally {
    await db.close()
  }
}
