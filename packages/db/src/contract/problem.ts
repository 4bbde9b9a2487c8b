/** Why a sync cannot go on, whatever is allowed. */
export interface SyncProblem {
  readonly table: string
  /** What is wrong, and what to do. */
  readonly told: string
}
