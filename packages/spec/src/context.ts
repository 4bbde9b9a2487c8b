import type { Components } from './components.ts'
import type { Security } from './security.ts'

/** The state shared by all parts of a document. */
export interface Context {
  readonly components: Components
  readonly security: Security
}
