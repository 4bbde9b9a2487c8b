import { checkOptions } from '../check-options.ts'
import type { Adapter, Engine } from '../contract/adapter.ts'
import type { TablePlan } from '../contract/plan.ts'
import { anyFunction, listOf, nonEmptyString, nonNegativeInteger } from '../shared/option-checks.ts'
import type { OptionRules } from '../shared/options.ts'
import { retryRaces } from '../transaction/retry.ts'
import { JOURNAL, Notes, REGISTRY } from './1-read/metadata-table.ts'
import type { SyncPlan } from './3-plan/plan.ts'
import { applySync, type SyncProgress, type SyncResult } from './4-apply/apply.ts'
import { scriptPlan } from './4-apply/script.ts'
import { look, makePlan, type Subject } from './read-state.ts'

export interface SyncOptions {
  /** Steps that lose or rewrite something, by the words that their refusal tells: `['drop users.bio']`. */
  readonly allow?: readonly string[]
  /** Told before each step, and while the rows of a table are copied. */
  readonly onProgress?: (progress: SyncProgress) => void
  /**
   * From how many rows on the indexes of a table that is there are built without holding up writers, after everything
   * else, where the engine can do that. Default 100000.
   */
  readonly concurrentRows?: number
}

const rules: OptionRules<SyncOptions> = {
  allow: listOf(nonEmptyString, "a list of losses, such as ['drop users.bio']"),
  onProgress: anyFunction,
  concurrentRows: nonNegativeInteger,
}

function subjectOf(adapter: Adapter, plans: readonly TablePlan[], options: SyncOptions): Subject {
  checkOptions('db.sync', options, rules)
  return {
    plans,
    supports: adapter.supports,
    allow: new Set(options.allow),
    registry: new Notes(REGISTRY, adapter),
    journal: new Notes(JOURNAL, adapter),
  }
}

export async function runSync(
  engine: Engine,
  adapter: Adapter,
  plans: readonly TablePlan[],
  options: SyncOptions,
): Promise<SyncResult> {
  const { onProgress, concurrentRows = 100_000 } = options
  const subject = subjectOf(adapter, plans, options)
  const apply = (): Promise<SyncResult> =>
    applySync(engine, subject, { concurrentRows, ...(onProgress && { onProgress }) })
  return retryRaces(apply, (error) => engine.isRaced?.(error) === true)
}

/** What a sync would do. Changes nothing. */
export async function planSync(
  engine: Engine,
  adapter: Adapter,
  plans: readonly TablePlan[],
  options: SyncOptions,
): Promise<SyncPlan> {
  const subject = subjectOf(adapter, plans, options)
  return makePlan(engine.session, subject, await look(engine.session, subject))
}

export async function writeScript(
  engine: Engine,
  adapter: Adapter,
  plans: readonly TablePlan[],
  options: SyncOptions,
): Promise<string> {
  return scriptPlan(engine, subjectOf(adapter, plans, options))
}
