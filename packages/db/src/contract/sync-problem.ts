/** A reason why a sync is refused that no consent can override. */
export interface SyncProblem {
  readonly table: string
  /** Says what is wrong and how to fix it. */
  readonly message: string
}
