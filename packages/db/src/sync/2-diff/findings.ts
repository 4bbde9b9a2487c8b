import type { Capabilities } from '../../contract/storage.ts'
import type { Difference, KeptPart } from './difference.ts'

/** Collects the differences of one table. */
export interface Findings {
  readonly differences: Difference[]
  readonly kept: KeptPart[]
  readonly holding: readonly KeptPart[]
  /** Reports a problem that no consent can solve. */
  readonly fail: (message: string) => void
  readonly allow: ReadonlySet<string>
  readonly supports: Capabilities
}
