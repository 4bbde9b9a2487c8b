/** The order of cascading deletes: each record before the one it refers to, so that none is orphaned. */
import type { ForeignKey } from '@portico/schema/model'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { chunk, nameTuple } from './check-references.ts'

type Tuple = readonly unknown[]

/** A record that is deleted because it refers to a deleted one. */
export interface CascadeLink {
  readonly plan: TablePlan
  readonly key: Tuple
  readonly foreignKey: ForeignKey
  /** The values of the foreign key. */
  readonly tuple: Tuple
  readonly target: TablePlan
  readonly targetKey: Tuple
}

/** Records of one table that can be deleted together, by one of its foreign keys. */
export interface Layer {
  readonly plan: TablePlan
  readonly foreignKey: ForeignKey
  readonly keys: readonly Tuple[]
  readonly tuples: readonly Tuple[]
}

export class CascadeOrder {
  readonly #links: CascadeLink[] = []

  add(link: CascadeLink): void {
    this.#links.push(link)
  }

  /** Layers, starting with records that nothing refers to. A cycle starts at any of its records. */
  layers(isExcluded: (plan: TablePlan, key: Tuple) => boolean): Layer[] {
    const heights = this.#measure()
    const byHeight: Map<ForeignKey, CascadeLink[]>[] = []
    for (const link of this.#links) {
      if (isExcluded(link.plan, link.key)) continue
      const height = heights.get(nameRecord(link.plan, link.key))!
      byHeight[height] ??= new Map()
      const layer = byHeight[height]
      const known = layer.get(link.foreignKey)
      if (known) known.push(link)
      else layer.set(link.foreignKey, [link])
    }
    return byHeight.flatMap((layer) => [...layer.values()].flatMap(toLayers))
  }

  /** The length of the longest chain of references to each record. */
  #measure(): Map<string, number> {
    const referrers = new Map<string, string[]>()
    for (const { plan, key, target, targetKey } of this.#links) {
      const [own, other] = [nameRecord(plan, key), nameRecord(target, targetKey)]
      const known = referrers.get(other)
      if (known) known.push(own)
      else referrers.set(other, [own])
    }
    const heights = new Map<string, number>()
    for (const record of referrers.keys()) measureFrom(record, referrers, heights)
    return heights
  }
}

/** Not recursive: a chain may be longer than the call stack. */
function measureFrom(
  record: string,
  referrers: ReadonlyMap<string, readonly string[]>,
  heights: Map<string, number>,
): void {
  if (heights.has(record)) return
  const open = new Set([record])
  const stack = [{ record, next: 0, height: 0 }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const referrer = referrers.get(top.record)?.[top.next++]
    if (referrer === undefined) {
      stack.pop()
      open.delete(top.record)
      heights.set(top.record, top.height)
      const below = stack.at(-1)
      if (below) below.height = Math.max(below.height, top.height + 1)
    } else if (heights.has(referrer)) top.height = Math.max(top.height, heights.get(referrer)! + 1)
    else if (!open.has(referrer)) {
      open.add(referrer)
      stack.push({ record: referrer, next: 0, height: 0 })
    }
  }
}

/** Splits links into layers that fit into one operation. */
function toLayers(links: readonly CascadeLink[]): Layer[] {
  return [...chunk(links)].map((part) => ({
    plan: part[0]!.plan,
    foreignKey: part[0]!.foreignKey,
    keys: part.map((it) => it.key),
    tuples: [...new Map(part.map((it) => [nameTuple(it.tuple), it.tuple])).values()],
  }))
}

function nameRecord({ tableName, key: columns }: TablePlan, key: Tuple): string {
  return `${tableName.table} ${nameKey(columns, key)}`
}

/** Identifies a key, independent of the order of its columns. */
export function nameKey(columns: readonly PlanColumn[], key: Tuple): string {
  if (columns.length === 1) return nameTuple(key)
  return nameTuple(columns.map(({ name }, index) => nameTuple([name, key[index]])).sort())
}
