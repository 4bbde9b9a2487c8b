/**
 * Creating what is missing changes nothing that is there. So whatever is there and differs from the declaration is
 * refused, loudly: nothing is guessed and nothing passed over.
 */
import type { ForeignKey } from '@portico/schema/model'
import type { Abilities, ExistingColumn, ExistingTable, Session } from '../adapter.ts'
import { DbError } from '../errors.ts'
import { type PlanColumn, placeTable, type TablePlace, type TablePlan } from '../table-plan.ts'

const wayOut = 'sync creates what is missing and changes nothing: change the table by hand, or the declaration'

/** Throws `SYNC_REFUSED` for the first difference between a table that is there and its declaration. */
export function refuseDifferences({ plan, columns, foreignKeys }: ExistingTable, can: Abilities): void {
  const found = new Map(columns.map((it) => [it.name, it]))
  for (const column of plan.columns) {
    const problem = describeColumn(column, found)
    if (problem !== undefined) throw refused(plan, `column \`${column.name}\` ${problem}`)
  }
  for (const { name, nullable, hasDefault } of columns) {
    if (nullable || hasDefault || plan.columns.some((it) => it.name === name)) continue
    throw refused(plan, `column \`${name}\` is not declared, but needs a value in every row`)
  }
  for (const declared of plan.declaration.foreignKeys) {
    const problem = describeForeignKey(declared, foreignKeys, placeTable(declared.references, can.schemas))
    if (problem !== undefined) throw refused(plan, `foreign key \`${declared.constraint}\` ${problem}`)
  }
}

function describeColumn(column: PlanColumn, found: ReadonlyMap<string, ExistingColumn>): string | undefined {
  const former = column.model.renamedFrom.find((it) => found.has(it))
  if (former !== undefined) return `was \`${former}\`, which is still there`
  const existing = found.get(column.name)
  if (!existing) return 'is missing'
  if (existing.type !== column.storage.type) return `is ${existing.type}, and declared as ${column.storage.type}`
  if (existing.nullable === column.nullable) return undefined
  return existing.nullable ? 'may be NULL, and is declared as required' : 'is NOT NULL, and declared as optional'
}

function describeForeignKey(
  declared: ForeignKey,
  foreignKeys: ExistingTable['foreignKeys'],
  { table }: TablePlace,
): string | undefined {
  const existing = foreignKeys.find((it) => it.table === table && it.columns.join() === declared.columns.join())
  if (!existing) return 'is missing'
  if (existing.onDelete === declared.onDelete && existing.onUpdate === declared.onUpdate) return undefined
  return 'has other actions than declared'
}

/** Throws where a table has a former name under which there is one, or refers to one that is nowhere. */
export async function refuseOtherTables(session: Session, plans: readonly TablePlan[], can: Abilities): Promise<void> {
  const former = plans.flatMap((plan) =>
    plan.declaration.renamedFrom.map((table) => ({
      plan,
      place: placeTable({ ...plan.declaration, table }, can.schemas),
    })),
  )
  const isThere = await session.hasTables(former.map((it) => it.place))
  const left = former.find((_, index) => isThere[index])
  if (left) throw refused(left.plan, `it was \`${left.place.table}\`, which is still there`)
  const targets = plans.flatMap((plan) =>
    plan.declaration.foreignKeys
      .map(({ constraint, references }) => ({ plan, constraint, place: placeTable(references, can.schemas) }))
      .filter(({ place }) => !plans.some((it) => it.place.table === place.table && it.place.schema === place.schema)),
  )
  const exist = await session.hasTables(targets.map((it) => it.place))
  const lost = targets.find((_, index) => !exist[index])
  if (!lost) return
  const told = `foreign key \`${lost.constraint}\` refers to \`${lost.place.table}\`, which is not there: list it too`
  throw new DbError('SYNC_REFUSED', `table \`${lost.plan.place.table}\`: ${told}`)
}

function refused(plan: TablePlan, problem: string): DbError {
  return new DbError('SYNC_REFUSED', `table \`${plan.place.table}\`: ${problem}. ${wayOut}`)
}
