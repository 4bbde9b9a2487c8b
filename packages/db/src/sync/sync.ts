import type { Adapter, Engine } from '../contract/adapter.ts'
import type { TablePlan } from '../contract/table-plan.ts'
import { anyFunction, listOf, nonEmptyString, nonNegativeInteger } from '../shared/option-checks.ts'
import type { OptionRules } from '../shared/options.ts'
import { retryRaces } from '../transaction/retry.ts'
import { checkOptions } from '../values/check-options.ts'
import { JOURNAL, MetadataTable, REGISTRY } from './1-read/metadata-table.ts'
import { readState } from './1-read/read-state.ts'
import type { SyncContext } from './1-read/sync-context.ts'
import { diffDatabase } from './2-diff/diff-database.ts'
import { createPlan } from './3-plan/create-plan.ts'
import type { SyncPlan } from './3-plan/sync-plan.ts'
import { applySync, type SyncProgress, type SyncResult } from './4-apply/apply.ts'
import { writeScript } from './4-apply/write-script.ts'

export interface SyncOptions {
  /** Consent to steps that lose or rewrite data, as their refusal names them: `['drop users.bio']`. */
  readonly allow?: readonly string[] | undefined
  /** Called before each change, and while the rows of a table are copied. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
  /**
   * Tables with at least this many rows get their indexes after everything else, without blocking writers, if the
   * engine supports it. Default 100000.
   */
  readonly concurrentRows?: number | undefined
}

/** Reads, compares, plans and applies. */
export async function runSync(
  engine: Engine,
  adapter: Adapter,
  plans: readonly TablePlan[],
  options: SyncOptions,
): Promise<SyncResult> {
  const context = createContext(adapter, plans, options)
  const { onProgress, concurrentRows = 100_000 } = options
  return retryRaces(
    () => applySync(engine, context, { concurrentRows, onProgress }),
    (error) => engine.isRaced?.(error) === true,
  )
}

/** Reads, compares and plans. Changes nothing. */
export async function planSync(
  engine: Engine,
  adapter: Adapter,
  plans: readonly TablePlan[],
  options: SyncOptions,
): Promise<SyncPlan> {
  const context = createContext(adapter, plans, options)
  const state = await readState(engine.session, context)
  const difference = diffDatabase(state, context)
  return createPlan(engine.session, context, state, difference)
}

/** Writes the sync as a script. Changes nothing. */
export async function scriptSync(
  engine: Engine,
  adapter: Adapter,
  plans: readonly TablePlan[],
  options: SyncOptions,
): Promise<string> {
  return writeScript(engine, createContext(adapter, plans, options))
}

function createContext(adapter: Adapter, plans: readonly TablePlan[], options: SyncOptions): SyncContext {
  checkOptions('db.sync', options, optionRules)
  return {
    plans,
    supports: adapter.supports,
    allow: new Set(options.allow),
    registry: new MetadataTable(REGISTRY, adapter),
    journal: new MetadataTable(JOURNAL, adapter),
  }
}

const optionRules: OptionRules<SyncOptions> = {
  allow: listOf(nonEmptyString, "a list of consents, such as ['drop users.bio']"),
  onProgress: anyFunction,
  concurrentRows: nonNegativeInteger,
}
