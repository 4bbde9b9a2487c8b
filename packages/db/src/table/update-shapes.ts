import type { Assignment, UpdateOperation } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import { encodeColumn, valueAt } from '../values/row-mapping.ts'

/** The shape of an update: which columns it writes, in which order, and the operations made for it so far. */
export interface UpdateShape {
  /** Tells it apart from other shapes of the same table. */
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

/** More shapes than this are made anew. */
const MOST_SHAPES = 1000

/**
 * Finds the shape of an update field by field, as in a tree: a look-up per field costs less than putting a text together
 * to look up once.
 */
export class UpdateShapes {
  readonly #plan: TablePlan
  #root: Node
  #count = 0

  constructor(plan: TablePlan) {
    this.#plan = plan
    this.#root = this.#createNode([], [])
  }

  /**
   * Pushes the values of the columns that an input changes and returns their shape. What the table layer fills in is its
   * own: given time stamps are passed over, and the version says only what is expected.
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
    if (this.#count % MOST_SHAPES === 0) this.#root = { ...this.#root, next: new Map() }
    return { id: this.#count, columns, set, next: new Map() }
  }
}

/** Pushes what is written with every write: the time of it. */
export function pushStamps(plan: TablePlan, params: unknown[], now: () => number): void {
  for (const column of plan.updated) params.push(encodeColumn(column, now()))
}

/** The assignments for what `pushStamps` has pushed behind the others, and for the version. */
export function assignStamps(plan: TablePlan, set: readonly Assignment[]): Assignment[] {
  const stamps = plan.updated.map((column, index) => ({ kind: 'value', column, slot: set.length + index }) as const)
  return [...set, ...stamps, ...(plan.version ? [{ kind: 'increment', column: plan.version } as const] : [])]
}
