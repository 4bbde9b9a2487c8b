import type { OpenApiDocument } from '../document.ts'

/** One difference between two descriptions. */
export interface SpecChange {
  /** True if a caller that worked before may fail now. */
  readonly breaking: boolean
  /** The operation, as in `GET /users/{id}`; empty for the whole description. */
  readonly operation: string
  /** A description of the change, for people. */
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

/** Two descriptions, and the collector of their differences. */
export interface Comparison {
  readonly before: OpenApiDocument
  readonly after: OpenApiDocument
  readonly found: Changes
}
