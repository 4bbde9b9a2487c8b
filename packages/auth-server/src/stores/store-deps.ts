import type { Database } from '@portico/db'
import type { Settings } from '../options.ts'
import type { UserStore } from './user-store.ts'

/** The dependencies of the stores for sessions and tokens. */
export interface StoreDeps {
  readonly db: Database
  readonly users: UserStore
  readonly settings: Settings
  /** Milliseconds since the epoch. */
  readonly now: () => number
}
