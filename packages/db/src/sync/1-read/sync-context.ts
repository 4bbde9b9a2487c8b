import type { Capabilities } from '../../contract/storage.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import type { MetadataTable } from './metadata-table.ts'

/** Everything one call of sync works with. */
export interface SyncContext {
  /** The declared tables. */
  readonly plans: readonly TablePlan[]
  readonly supports: Capabilities
  /** The consents of the caller, such as `drop users.bio`. */
  readonly allow: ReadonlySet<string>
  readonly registry: MetadataTable
  readonly journal: MetadataTable
}
