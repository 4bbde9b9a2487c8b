import type { ForeignKey } from '@portico/schema/model'
import type { Abilities } from '../adapter.ts'
import { placeTable, type TablePlan } from '../table-plan.ts'

export interface OrderedTables {
  readonly tables: readonly { readonly plan: TablePlan; readonly foreignKeys: readonly ForeignKey[] }[]
  /** Foreign keys of circles: they can only be added when all tables are there. */
  readonly later: readonly { readonly plan: TablePlan; readonly foreignKey: ForeignKey }[]
}

/** Puts tables after those that they refer to. */
export function orderTables(plans: readonly TablePlan[], can: Abilities): OrderedTables {
  // An engine that looks at references only when rows are written takes tables in any order.
  if (can.forwardReferences) {
    return { tables: plans.map((plan) => ({ plan, foreignKeys: plan.declaration.foreignKeys })), later: [] }
  }
  const tables: { plan: TablePlan; foreignKeys: ForeignKey[] }[] = []
  const later: { plan: TablePlan; foreignKey: ForeignKey }[] = []
  const waiting = new Map(plans.map((plan) => [placeName(plan.place), plan]))
  const visiting = new Set<TablePlan>()
  const visit = (plan: TablePlan): void => {
    visiting.add(plan)
    waiting.delete(placeName(plan.place))
    const foreignKeys: ForeignKey[] = []
    for (const foreignKey of plan.declaration.foreignKeys) {
      const name = placeName(placeTable(foreignKey.references, can.schemas))
      const target = waiting.get(name)
      if (target) visit(target)
      const isOpen = [...visiting].some((it) => it !== plan && placeName(it.place) === name)
      if (isOpen) later.push({ plan, foreignKey })
      else foreignKeys.push(foreignKey)
    }
    visiting.delete(plan)
    tables.push({ plan, foreignKeys })
  }
  for (const plan of plans) if (waiting.has(placeName(plan.place))) visit(plan)
  return { tables, later }
}

function placeName({ schema, table }: TablePlan['place']): string {
  return JSON.stringify([schema, table])
}
