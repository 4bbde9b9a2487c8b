/** The plan of a sync. Plain data: as JSON it is the same. */
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { SyncStep } from './steps.ts'

export interface SyncPlan {
  readonly steps: readonly SyncStep[]
  /** Reasons to refuse the sync that no consent can override. */
  readonly problems: readonly SyncProblem[]
  /** Existing rows that violate changed value rules. They do not stop the sync. */
  readonly warnings: readonly SyncWarning[]
  /** Created by sync, no longer declared, and kept until `allow` names it. */
  readonly kept: readonly KeptItem[]
  /** The undeclared tables among `kept`. */
  readonly leftovers: readonly string[]
}

/** Rows whose values violate the declaration but can still be read. */
export interface SyncWarning {
  readonly table: string
  /** The declared name of the column. */
  readonly column: string
  /** The number of rows, or a lower bound if `isPart` is set. */
  readonly rows: number
  /** Set if the table is so large that only part of it was checked. */
  readonly isPart?: true
  readonly message: string
}

/** A table, column, index or foreign key that is no longer declared. */
export interface KeptItem {
  readonly kind: 'table' | 'column' | 'index' | 'foreignKey'
  /** The table as it was declared: `users`, `auth.users`. */
  readonly table: string
  /** Its full name: `users`, `users.bio`, `users__email`. */
  readonly name: string
  /** A sentence for people, including its effect on writes. */
  readonly description: string
  /** The entry in `allow` that drops it. */
  readonly consent: string
  /** Set if it may have been renamed, so that dropping it could lose data. */
  readonly suspected?: 'rename'
}
