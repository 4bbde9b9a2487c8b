import type { Filter, FindOperation, Junction } from '../../../contract/operation.ts'
import type { Row } from '../../../contract/storage.ts'
import type { PlanColumn } from '../../../contract/table-plan.ts'

type Find = (operation: FindOperation, params: readonly unknown[]) => Promise<readonly Row[]>

/** The two finds that replace one through a junction table. */
interface Halves {
  readonly junction: FindOperation
  readonly target: FindOperation
  /** The slot of the linking values. */
  readonly slot: number
}

const halves = new WeakMap<FindOperation, Halves>()

/**
 * Finds records through a junction table: first its documents, then the target's, joined here. `$lookup` would need
 * one command, but not every server that speaks MongoDB's protocol supports it.
 */
export async function findThroughJunction(
  operation: FindOperation,
  params: readonly unknown[],
  find: Find,
): Promise<readonly Row[]> {
  let parts = halves.get(operation)
  if (!parts) {
    parts = splitFind(operation, operation.via!, params.length)
    halves.set(operation, parts)
  }
  const width = operation.via!.columns.length
  const links = new Map<string, Row[]>()
  const tuples: unknown[] = []
  for (const row of await find(parts.junction, params)) {
    const tuple = row.slice(width)
    const name = JSON.stringify(tuple)
    const known = links.get(name)
    if (known) known.push(row.slice(0, width))
    else {
      links.set(name, [row.slice(0, width)])
      tuples.push(tuple.length === 1 ? tuple[0] : tuple)
    }
  }
  if (tuples.length === 0) return []
  const values = [...params]
  values[parts.slot] = tuples
  const positions = operation.via!.on.map(({ target }) => parts.target.columns.indexOf(target))
  return (await find(parts.target, values)).flatMap((row) => {
    const found = links.get(JSON.stringify(positions.map((it) => row[it]))) ?? []
    return found.map((link) => [...row.slice(0, operation.columns.length), ...link])
  })
}

function splitFind(operation: FindOperation, via: Junction, slot: number): Halves {
  const { columns, filter } = operation
  const isLink = (it: Filter): boolean => columnsOf(it).every((column) => via.plan.columns.includes(column))
  const conditions = filter?.kind === 'and' ? filter.filters : filter ? [filter] : []
  const targets = via.on.map((it) => it.target)
  const linked: Filter = { kind: 'in', columns: targets, slot, size: 1 }
  const plain = { ...operation, via: undefined }
  return {
    slot,
    junction: {
      ...plain,
      plan: via.plan,
      columns: [...via.columns, ...via.on.map((it) => it.junction)],
      filter: { kind: 'and', filters: conditions.filter(isLink) },
      order: [],
    },
    target: {
      ...plain,
      columns: [...columns, ...targets.filter((it) => !columns.includes(it))],
      filter: { kind: 'and', filters: [...conditions.filter((it) => !isLink(it)), linked] },
    },
  }
}

function columnsOf(filter: Filter): readonly PlanColumn[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(columnsOf)
    case 'not':
      return columnsOf(filter.filter)
    case 'in':
    case 'after':
      return filter.columns
    default:
      return [filter.column]
  }
}
