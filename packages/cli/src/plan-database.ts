import type { CompileResult } from '@portico/schema'
import { findAdapter, type LoadedConfig, listTables } from './load-config.ts'

/** What a sync of the database would do. */
export interface DatabasePlan {
  /** Whether there is something to do, or something in the way. */
  readonly differs: boolean
  /** Whether it would be refused. */
  readonly refused: boolean
  /** For people. */
  readonly told: string
}

/** How long a database may take to answer. */
const patienceMs = 10_000

/** Compares the database with its declaration. Changes nothing, and does not wait for a database that does not answer. */
export async function planDatabase(
  config: LoadedConfig,
  declared: Pick<CompileResult, 'models'>,
  signal?: AbortSignal,
): Promise<DatabasePlan> {
  const answered = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs)
    answered.signal.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', () => reject(new Error('nobody waits any more')), { signal: answered.signal })
  })
  try {
    return await Promise.race([makePlan(config, declared), late])
  } finally {
    answered.abort()
  }
}

async function makePlan(config: LoadedConfig, declared: Pick<CompileResult, 'models'>): Promise<DatabasePlan> {
  const adapter = await findAdapter(config)
  // Commands that need no database do not wait for it to be loaded.
  const [{ openDatabase }, { isRefused, tellPlan }] = await Promise.all([
    import('@portico/db'),
    import('./tell-plan.ts'),
  ])
  const db = await openDatabase(adapter.preview?.() ?? adapter)
  try {
    const plan = await db.planSync(listTables(config, declared))
    const differs = plan.steps.length + plan.problems.length > 0
    return { differs, refused: isRefused(plan), told: tellPlan(plan) }
  } finally {
    await db.close()
  }
}
