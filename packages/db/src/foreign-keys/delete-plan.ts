import type { ForeignKey } from '@portico/schema/model'
import type { Session } from '../adapter.ts'
import type { Assignment, DeleteOperation, Filter, UpdateOperation } from '../operation.ts'
import { defaultOf, encodeColumn } from '../row-mapping.ts'
import type { TablePlan } from '../table-plan.ts'
import { chunk, createFind, inTuples, isMissing, listTuples, nameTuple, violation } from './check-references.ts'
import type { ReferencePlans } from './reference-plans.ts'

/** A delete with what it brings along. */
export interface DeletePlan {
  /** How many records it is asked to delete: some of them may go with others of their own table. */
  readonly count: number
  readonly steps: readonly DeleteStep[]
}

/** A write that has to come before. */
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
): Promise<DeletePlan> {
  const planner = new DeletePlanner(session, plans)
  const rows = await session.find(createFind(plan, plan.key, filter), params)
  await planner.visit(plan, rows)
  await planner.refuseLeft()
  return { count: rows.length, steps: planner.steps }
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
  /** What records will refer to instead. */
  readonly #moved: { readonly plan: TablePlan; readonly foreignKey: ForeignKey; readonly tuple: Tuple }[] = []

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

  /** Throws when something would be left that refers to nothing. */
  async refuseLeft(): Promise<void> {
    for (const { plan, foreignKey, key } of this.#held) {
      if (!this.#isGoing(plan, key)) throw violation(plan, foreignKey)
    }
    for (const { plan, foreignKey, tuple } of this.#moved) {
      const target = this.#plans.targetOf(plan, foreignKey)
      const isLost = await isMissing(this.#session, this.#plans, plan, foreignKey, [tuple])
      if (isLost || this.#isGoing(target.plan, tuple)) throw violation(plan, foreignKey)
    }
  }

  #isGoing({ place }: TablePlan, key: Tuple): boolean {
    return key.length > 0 && (this.#going.get(place.table)?.has(nameTuple(key)) ?? false)
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
        this.#move(plan, foreignKey, { filter, params })
        return
      case 'restrict':
      case 'noAction':
        for (const key of keys) this.#held.push({ plan, foreignKey, key })
    }
  }

  /** Lets records refer to nothing, or to their default. */
  #move(
    plan: TablePlan,
    foreignKey: ForeignKey,
    { filter, params }: { filter: Filter; params: readonly unknown[] },
  ): void {
    const columns = foreignKey.paths.map((path) => plan.byPath.get(path)!)
    const isDefault = foreignKey.onDelete === 'setDefault'
    const tuple = columns.map((it) => (isDefault ? encodeColumn(it, defaultOf(it, Date.now())) : null))
    if (columns.some((it, index) => !it.nullable && tuple[index] === null)) throw violation(plan, foreignKey)
    const set = columns.map((column, index): Assignment => ({ kind: 'value', column, slot: index + 1 }))
    this.#moved.push({ plan, foreignKey, tuple })
    this.steps.push({ operation: { kind: 'update', plan, set, filter }, params: [...params, ...tuple] })
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
