import type { InsertOperation, Operation } from '../../contract/operation.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { compileOperation } from '../../sql/compile-operation.ts'
import { compileBulkInsert, postgresDialect } from './dialect.ts'
import type { StatementNames } from './driver.ts'

export interface CompiledStatement {
  readonly text: string
  /** The name of the prepared statement; without one, the text is sent each time. */
  readonly name: string | undefined
  readonly bind: ((params: readonly unknown[]) => unknown[]) | undefined
}

/** The statements of all sessions of one pool, compiled once per operation and kept as long as the operation. */
export class Statements {
  readonly #names: StatementNames
  readonly #compiled = new WeakMap<Operation, CompiledStatement>()
  readonly #bulk = new WeakMap<InsertOperation, CompiledStatement>()
  /** Tables whose sequence ran out in a transaction: the next insert restarts it. */
  readonly exhausted: Set<TablePlan> = new Set()

  constructor(names: StatementNames) {
    this.#names = names
  }

  compile(operation: Operation): CompiledStatement {
    const known = this.#compiled.get(operation)
    if (known) return known
    const { text, bind } = compileOperation(operation, postgresDialect)
    const compiled = { text, name: this.#names.nameOf(text), bind }
    this.#compiled.set(operation, compiled)
    return compiled
  }

  compileBulk(operation: InsertOperation): CompiledStatement {
    const known = this.#bulk.get(operation)
    if (known) return known
    const text = compileBulkInsert(operation)
    const compiled = { text, name: this.#names.nameOf(text), bind: undefined }
    this.#bulk.set(operation, compiled)
    return compiled
  }
}
