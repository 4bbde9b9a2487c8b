import type { ForeignKey } from '@portico/schema/model'
import type { Session } from '../adapter.ts'
import type { Assignment, DeleteOperation, UpdateOperation } from '../operation.ts'
import { defaultOf, encodeColumn } from '../row-mapping.ts'
import type { PlanColumn, TablePlan } from '../table-plan.ts'
import { chunk, createFind, inTuples, listTuples, nameTuple, violation } from './check-references.ts'
import type { ReferencePlans } from './reference-plans.ts'

/** A write to other tables that a delete brings along. */
export interface DeleteStep {
  readonly operation: UpdateOperation | DeleteOperation
  readonly params: readonly unknown[]
}

/**
 * What has to be written before these records can go, in order: those furthest away first. Refuses, before anything is
 * written, what a `restrict` forbids.
 */
export async function planDelete(
  session: Session,
  plans: ReferencePlans,
  { plan, filter }: DeleteOperation,
  params: readonly unknown[],
): Promise<readonly DeleteStep[]> {
  const planner = new DeletePlanner(session, plans)
  const rows = await session.find(createFind(plan, plan.key, filter), params)
  await planner.visit(plan, rows)
  planner.refuseLeft()
  return planner.steps
}

type Tuple = readonly unknown[]

class DeletePlanner {
  readonly steps: DeleteStep[] = []
  readonly #session: Session
  readonly #plans: ReferencePlans
  /** The keys of the records that will go, by table. */
  readonly #going = new Map<string, Set<string>>()
  /** Records that must not be left behind. */
  readonly #held: { readonly plan: TablePlan; readonly foreignKey: ForeignKey; readonly key: Tuple }[] = []

  constructor(session: Session, plans: ReferencePlans) {
    this.#session = session
    this.#plans = plans
  }

  /** Works out what the end of records, given by their keys, does to others. */
  async visit(plan: TablePlan, keys: readonly Tuple[]): Promise<void> {
    const fresh = this.#addGoing(plan, keys)
    if (fresh.length === 0) return
    for (const model of await this.#session.referrers!(plan.place)) {
      const referrer = this.#plans.planOf(model)
      for (const foreignKey of this.#plans.linksTo(referrer, plan)) {
        const order = foreignKey.references.paths.map((path) => plan.key.findIndex((it) => it.path === path))
        const tuples = fresh.map((key) => order.map((it) => key[it]))
        for (const part of chunk(tuples)) await this.#follow(referrer, foreignKey, part)
      }
    }
  }

  refuseLeft(): void {
    for (const { plan, foreignKey, key } of this.#held) {
      const isGoing = key.length > 0 && this.#going.get(plan.place.table)?.has(nameTuple(key))
      if (!isGoing) throw violation(plan, foreignKey)
    }
  }

  async #follow(plan: TablePlan, foreignKey: ForeignKey, tuples: readonly Tuple[]): Promise<void> {
    const columns = foreignKey.paths.map((path) => plan.byPath.get(path)!)
    const filter = inTuples(columns, tuples.length)
    const params = [listTuples(tuples)]
    const keys = await this.#session.find(createFind(plan, plan.key, filter), params)
    if (keys.length === 0) return
    switch (foreignKey.onDelete) {
      case 'cascade':
        await this.visit(plan, keys)
        this.steps.push({ operation: { kind: 'delete', plan, filter }, params })
        return
      case 'setNull':
      case 'setDefault':
        this.#assign(plan, columns, { filter, params }, foreignKey.onDelete)
        return
      case 'restrict':
      case 'noAction':
        for (const key of keys) this.#held.push({ plan, foreignKey, key })
    }
  }

  #assign(
    plan: TablePlan,
    columns: readonly PlanColumn[],
    { filter, params }: Pick<UpdateOperation, 'filter'> & { params: readonly unknown[] },
    action: 'setNull' | 'setDefault',
  ): void {
    const set = columns.map((column, index): Assignment => ({ kind: 'value', column, slot: index + 1 }))
    const values = columns.map((it) => (action === 'setNull' ? null : encodeColumn(it, defaultOf(it, Date.now()))))
    this.steps.push({ operation: { kind: 'update', plan, set, filter }, params: [...params, ...values] })
  }

  /** Gives those that were not known yet: tables may refer to each other in circles. */
  #addGoing(plan: TablePlan, keys: readonly Tuple[]): Tuple[] {
    const known = this.#going.get(plan.place.table) ?? new Set()
    this.#going.set(plan.place.table, known)
    return keys.filter((key) => {
      const name = nameTuple(key)
      if (known.has(name)) return false
      known.add(name)
      return true
    })
  }
}
