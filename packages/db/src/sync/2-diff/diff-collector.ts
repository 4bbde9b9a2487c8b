import type { Capabilities } from '../../contract/storage.ts'
import type { Difference, KeptPart } from './difference.ts'

/** Collects the differences of one table. */
export interface DiffCollector {
  readonly differences: Difference[]
  readonly kept: KeptPart[]
  readonly blocking: readonly KeptPart[]
  /** Reports a problem that no consent can solve. */
  readonly fail: (message: string) => void
  readonly allow: ReadonlySet<string>
  readonly supports: Capabilities
}
