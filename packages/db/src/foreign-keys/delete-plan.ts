import type { ForeignKey } from '@portico/schema/model'
import type { Session } from '../adapter.ts'
import { inFilter } from '../filter.ts'
import type { Assignment, DeleteOperation, Filter, UpdateOperation } from '../operation.ts'
import { defaultOf, encodeColumn } from '../row-mapping.ts'
import type { PlanColumn, TablePlan } from '../table-plan.ts'
import { chunk, createFind, inTuples, isMissing, listTuples, nameTuple, violation } from './check-references.ts'
import type { ReferencePlans } from './reference-plans.ts'

/** A delete with what it brings along. */
export interface DeletePlan {
  /** What has to be written before, in order. None of it touches a record that the delete is for. */
  readonly steps: readonly DeleteStep[]
  /** The delete itself, in parts where it takes several. */
  readonly deletes: readonly DeleteStep[]
}

export interface DeleteStep {
  readonly operation: UpdateOperation | DeleteOperation
  readonly params: readonly unknown[]
}

/** Works out how these records can go. Refuses, before anything is written, what a `restrict` forbids. */
export async function planDelete(
  session: Session,
  plans: ReferencePlans,
  operation: DeleteOperation,
  params: readonly unknown[],
): Promise<DeletePlan> {
  const { plan, filter } = operation
  const planner = new DeletePlanner(session, plans, plan)
  const keys = await session.find(createFind(plan, plan.key, filter), params)
  await planner.begin(keys)
  await planner.refuseLeft()
  const steps = planner.steps()
  // What is changed in the same table may fit only since then.
  const isChanged = steps.some((it) => it.operation.kind === 'update' && isSameTable(it.operation.plan, plan))
  return { steps, deletes: isChanged ? deleteListed(operation, params, keys) : [{ operation, params }] }
}

function deleteListed(
  { plan, filter }: DeleteOperation,
  params: readonly unknown[],
  keys: readonly Tuple[],
): DeleteStep[] {
  return [...chunk(keys)].map((part) => {
    const listed = inFilter(plan.key, params.length, part.length).filter!
    const both: Filter = filter ? { kind: 'and', filters: [filter, listed] } : listed
    return { operation: { kind: 'delete', plan, filter: both }, params: [...params, listTuples(part)] }
  })
}

function isSameTable(one: TablePlan, other: TablePlan): boolean {
  return one.place.table === other.place.table
}

type Tuple = readonly unknown[]

/** Records that refer to some that will go. */
interface Followers {
  readonly plan: TablePlan
  readonly foreignKey: ForeignKey
  readonly keys: readonly Tuple[]
  /** What they refer to. */
  readonly tuples: readonly Tuple[]
}

class DeletePlanner {
  readonly #session: Session
  readonly #plans: ReferencePlans
  readonly #plan: TablePlan
  /** The keys of the records that the delete is for. */
  #own: ReadonlySet<string> = new Set()
  /** The keys of the records that will go, by table. */
  readonly #going = new Map<string, Set<string>>()
  /** Records that go along, that will refer to something else, and that must not be left behind. */
  readonly #cascaded: Followers[] = []
  readonly #moved: Followers[] = []
  readonly #held: Followers[] = []

  constructor(session: Session, plans: ReferencePlans, plan: TablePlan) {
    this.#session = session
    this.#plans = plans
    this.#plan = plan
  }

  async begin(keys: readonly Tuple[]): Promise<void> {
    this.#own = new Set(keys.map((key) => nameKey(this.#plan.key, key)))
    await this.#visit(this.#plan, keys)
  }

  /** Throws when something would be left that refers to nothing. */
  async refuseLeft(): Promise<void> {
    for (const { plan, foreignKey, keys } of this.#held) {
      if (!keys.every((key) => this.#isGoing(plan, key))) throw violation(plan, foreignKey)
    }
    for (const { plan, foreignKey, keys } of this.#moved) {
      if (keys.every((key) => this.#isGoing(plan, key))) continue
      const columns = columnsOf(plan, foreignKey)
      const tuple = replacementOf(columns, foreignKey)
      const isLost =
        columns.some((it, index) => !it.nullable && tuple[index] === null) ||
        this.#isGoing(this.#plans.targetOf(plan, foreignKey).plan, tuple) ||
        (await isMissing(this.#session, this.#plans, plan, foreignKey, [tuple]))
      if (isLost) throw violation(plan, foreignKey)
    }
  }

  steps(): readonly DeleteStep[] {
    const moves = this.#moved.flatMap((it): DeleteStep[] => {
      const { plan, foreignKey } = it
      const columns = columnsOf(plan, foreignKey)
      const set = columns.map((column, slot): Assignment => ({ kind: 'value', column, slot }))
      // What goes is left as it is: other conditions are about what it is now.
      const selected = select(it, replacementOf(columns, foreignKey), (key) => this.#isGoing(plan, key))
      return selected.map(({ filter, params }) => ({ operation: { kind: 'update', plan, set, filter }, params }))
    })
    const deletes = this.#cascaded.flatMap((it): DeleteStep[] => {
      const { plan } = it
      const selected = select(it, [], (key) => this.#isOwn(plan, key))
      return selected.map(({ filter, params }) => ({ operation: { kind: 'delete', plan, filter }, params }))
    })
    return [...moves, ...deletes]
  }

  /** Works out what the end of records, given by their keys, does to others. */
  async #visit(plan: TablePlan, keys: readonly Tuple[]): Promise<void> {
    const fresh = this.#addGoing(plan, keys)
    if (fresh.length === 0) return
    for (const model of await this.#session.referrers!(plan.place)) {
      const referrer = this.#plans.planOf(model)
      for (const foreignKey of this.#plans.linksTo(referrer, plan)) {
        // By columns: what the database knows of the referrer may be older than the names of fields here.
        const order = foreignKey.references.columns.map((name) => plan.key.findIndex((it) => it.name === name))
        const tuples = fresh.map((key) => order.map((it) => key[it]))
        for (const part of chunk(tuples)) await this.#follow(referrer, foreignKey, part)
      }
    }
  }

  async #follow(plan: TablePlan, foreignKey: ForeignKey, tuples: readonly Tuple[]): Promise<void> {
    const filter = inTuples(columnsOf(plan, foreignKey), tuples.length)
    const keys = await this.#session.find(createFind(plan, plan.key, filter), [listTuples(tuples)])
    if (keys.length === 0) return
    const followers = { plan, foreignKey, keys, tuples }
    switch (foreignKey.onDelete) {
      case 'cascade':
        await this.#visit(plan, keys)
        this.#cascaded.push(followers)
        return
      case 'setNull':
      case 'setDefault':
        this.#moved.push(followers)
        return
      case 'restrict':
      case 'noAction':
        this.#held.push(followers)
    }
  }

  #isOwn(plan: TablePlan, key: Tuple): boolean {
    return isSameTable(plan, this.#plan) && this.#own.has(nameKey(plan.key, key))
  }

  #isGoing({ place, key: columns }: TablePlan, key: Tuple): boolean {
    return key.length > 0 && (this.#going.get(place.table)?.has(nameKey(columns, key)) ?? false)
  }

  /** Gives those that were not known yet: tables may refer to each other in circles. */
  #addGoing({ place, key: columns }: TablePlan, keys: readonly Tuple[]): Tuple[] {
    const known = this.#going.get(place.table) ?? new Set()
    this.#going.set(place.table, known)
    return keys.filter((key) => {
      const name = nameKey(columns, key)
      if (known.has(name)) return false
      known.add(name)
      return true
    })
  }
}

/** One name for a key, in whatever order its columns are told. */
function nameKey(columns: readonly PlanColumn[], key: Tuple): string {
  if (columns.length === 1) return nameTuple(key)
  return nameTuple(columns.map(({ name }, index) => nameTuple([name, key[index]])).sort())
}

function columnsOf(plan: TablePlan, { paths }: ForeignKey): readonly PlanColumn[] {
  return paths.map((path) => plan.byPath.get(path)!)
}

/** What records refer to when what they referred to is gone: nothing, or their default. */
function replacementOf(columns: readonly PlanColumn[], { onDelete }: ForeignKey): readonly unknown[] {
  return columns.map((it) => (onDelete === 'setDefault' ? encodeColumn(it, defaultOf(it, Date.now())) : null))
}

/** The condition of those that refer to the tuples, but for some; nothing where none is left. Its values follow others. */
function select(
  { plan, foreignKey, keys, tuples }: Followers,
  values: readonly unknown[],
  isLeftOut: (key: Tuple) => boolean,
): { filter: Filter; params: readonly unknown[] }[] {
  const slot = values.length
  const filter = inFilter(columnsOf(plan, foreignKey), slot, tuples.length).filter!
  const params = [...values, listTuples(tuples)]
  const leftOut = keys.filter(isLeftOut)
  if (leftOut.length === 0) return [{ filter, params }]
  if (leftOut.length === keys.length) return []
  const others: Filter = { kind: 'not', filter: inFilter(plan.key, slot + 1, leftOut.length).filter! }
  return [{ filter: { kind: 'and', filters: [filter, others] }, params: [...params, listTuples(leftOut)] }]
}
