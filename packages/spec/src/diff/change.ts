import type { OpenApiDocument } from '../document.ts'

/** One way in which two descriptions differ. */
export interface SpecChange {
  /** Whether a caller that worked before may fail now. */
  readonly breaking: boolean
  /** The operation, as in `GET /users/{id}`; empty for the whole description. */
  readonly operation: string
  /** What changed, for people. */
  readonly message: string
}

/** Collects the changes of one operation. */
export class Changes {
  readonly found: SpecChange[] = []
  readonly #operation: string

  constructor(operation: string) {
    this.#operation = operation
  }

  add(breaking: boolean, message: string): void {
    this.found.push({ breaking, operation: this.#operation, message })
  }
}

/** Two descriptions, and where to tell what differs. */
export interface Comparison {
  readonly before: OpenApiDocument
  readonly after: OpenApiDocument
  readonly found: Changes
}
