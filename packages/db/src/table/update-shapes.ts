import type { Assignment, UpdateOperation } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { encodeColumn, valueAt } from '../values/row-mapping.ts'

/** The columns that an update writes, in order, and the operations that were created for it. */
export interface UpdateShape {
  /** Unique within the table. */
  readonly id: number
  readonly set: readonly Assignment[]
  byKey?: UpdateOperation
  byKeyAndVersion?: UpdateOperation
}

interface Node extends UpdateShape {
  readonly next: Map<string, Node>
  /** The columns of the field that leads here. */
  readonly columns: readonly PlanColumn[]
}

/** The cache is cleared after this many shapes. */
const MAX_SHAPES = 1000

/** Finds the shape of an update in a tree, field by field. That is faster than building a text to look up. */
export class UpdateShapes {
  readonly #plan: TablePlan
  #root: Node
  #count = 0

  constructor(plan: TablePlan) {
    this.#plan = plan
    this.#root = this.#createNode([], [])
  }

  /**
   * Pushes the values that an input changes and returns their shape. Given timestamps are ignored, since the table layer
   * sets them, and a given version is only compared.
   */
  push(input: Record<string, unknown>, params: unknown[]): UpdateShape {
    let node = this.#root
    for (const name in input) {
      const value = input[name]
      if (value === undefined) continue
      const next = node.next.get(name) ?? this.#follow(node, name)
      if (next === node) continue
      for (const column of next.columns) {
        params.push(encodeColumn(column, column.path === name ? value : valueAt(input, column.path)))
      }
      node = next
    }
    return node
  }

  #follow(node: Node, name: string): Node {
    const columns = this.#plan.fields.get(name)?.writable ?? []
    const values = columns.map(
      (column, index): Assignment => ({ kind: 'value', column, slot: node.set.length + index }),
    )
    const next = columns.length === 0 ? node : this.#createNode(columns, [...node.set, ...values])
    node.next.set(name, next)
    return next
  }

  #createNode(columns: readonly PlanColumn[], set: readonly Assignment[]): Node {
    this.#count += 1
    if (this.#count % MAX_SHAPES === 0) this.#root = { ...this.#root, next: new Map() }
    return { id: this.#count, columns, set, next: new Map() }
  }
}

/** Pushes the timestamps of a write. */
export function pushStamps(plan: TablePlan, params: unknown[], now: () => number): void {
  for (const column of plan.updated) params.push(encodeColumn(column, now()))
}

/** Adds the assignments for the values of `pushStamps` and for the version. */
export function assignStamps(plan: TablePlan, set: readonly Assignment[]): Assignment[] {
  const stamps = plan.updated.map((column, index) => ({ kind: 'value', column, slot: set.length + index }) as const)
  return [...set, ...stamps, ...(plan.version ? [{ kind: 'increment', column: plan.version } as const] : [])]
}
