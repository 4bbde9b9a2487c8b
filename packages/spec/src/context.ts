import type { Components } from './components.ts'
import type { Security } from './security.ts'

/** What the parts of an operation are described with. */
export interface Context {
  readonly components: Components
  readonly security: Security
}
