import type { ForeignKey, TableModel } from '@portico/schema/model'
import type { Session } from '../contract/adapter.ts'
import type { Assignment, DeleteOperation, Filter, UpdateOperation } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { inFilter } from '../query/read-filter.ts'
import { defaultOf, encodeColumn } from '../values/row-mapping.ts'
import { type CascadeLink, CascadeOrder, nameKey } from './cascade-order.ts'
import { chunk, createFind, inTuples, isMissing, listTuples, nameTuple, violation } from './check-references.ts'
import type { ReferencePlans } from './reference-plans.ts'

/** A delete with its cascading changes. */
export interface DeletePlan {
  /** The changes to other records, in order, before the delete itself. */
  readonly steps: readonly DeleteStep[]
  /** The delete itself, in several parts if necessary. */
  readonly deletes: readonly DeleteStep[]
}

interface DeleteStep {
  readonly operation: UpdateOperation | DeleteOperation
  readonly params: readonly unknown[]
}

/**
 * Plans a delete and the actions of foreign keys. Throws if `restrict` forbids it, before anything is written.
 *
 * @param referrers The tables that refer to this one.
 */
export async function planDelete(
  session: Session,
  plans: ReferencePlans,
  operation: DeleteOperation,
  params: readonly unknown[],
  referrers: readonly TableModel[],
): Promise<DeletePlan> {
  const { plan, filter } = operation
  const planner = new DeletePlanner(session, plans, plan, referrers)
  const keys = await session.find(createFind(plan, plan.key, filter), params)
  await planner.collect(keys)
  await planner.checkRemaining()
  const steps = planner.steps()
  // After a change in the same table, the filter may match other records.
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
  return one.tableName.table === other.tableName.table
}

type Tuple = readonly unknown[]

/** Records that refer to records to be deleted. */
interface ReferringRecords {
  readonly plan: TablePlan
  readonly foreignKey: ForeignKey
  readonly keys: readonly Tuple[]
  /** The values of their foreign keys. */
  readonly tuples: readonly Tuple[]
}

/** Records of one table. */
interface Records {
  readonly plan: TablePlan
  readonly keys: Tuple[]
}

class DeletePlanner {
  readonly #session: Session
  readonly #plans: ReferencePlans
  readonly #plan: TablePlan
  /** The keys of the records that the caller deletes. */
  #requested: ReadonlySet<string> = new Set()
  /** The keys of all records to be deleted, by table. */
  readonly #deleted = new Map<string, Set<string>>()
  /** The tables that refer to each table, read from the database once. */
  readonly #referrers: Map<string, readonly TableModel[]>
  readonly #cascaded = new CascadeOrder()
  /** Records whose foreign key becomes NULL or its default. */
  readonly #updated: ReferringRecords[] = []
  /** Records that forbid the delete, unless they are deleted too. */
  readonly #restricted: ReferringRecords[] = []

  constructor(session: Session, plans: ReferencePlans, plan: TablePlan, referrers: readonly TableModel[]) {
    this.#session = session
    this.#plans = plans
    this.#plan = plan
    this.#referrers = new Map([[plan.tableName.table, referrers]])
  }

  /** Follows references level by level, with one query for all records of a level. */
  async collect(keys: readonly Tuple[]): Promise<void> {
    this.#requested = new Set(keys.map((key) => nameKey(this.#plan.key, key)))
    let level: readonly Records[] = [{ plan: this.#plan, keys: this.#addDeleted(this.#plan, keys) }]
    while (level.length > 0) {
      const next = new Map<string, Records>()
      for (const records of level) await this.#collectLevel(records, next)
      level = [...next.values()]
    }
  }

  /** Throws if a remaining record would refer to a deleted one. */
  async checkRemaining(): Promise<void> {
    for (const { plan, foreignKey, keys } of this.#restricted) {
      if (!keys.every((key) => this.#isDeleted(plan, key))) throw violation(plan, foreignKey)
    }
    for (const { plan, foreignKey, keys } of this.#updated) {
      if (keys.every((key) => this.#isDeleted(plan, key))) continue
      const columns = columnsOf(plan, foreignKey)
      const tuple = replacementOf(columns, foreignKey)
      const isBroken =
        columns.some((it, index) => !it.nullable && tuple[index] === null) ||
        this.#isDeleted(this.#plans.targetOf(plan, foreignKey).plan, tuple) ||
        (await isMissing(this.#session, this.#plans, plan, foreignKey, [tuple]))
      if (isBroken) throw violation(plan, foreignKey)
    }
  }

  steps(): readonly DeleteStep[] {
    const updates = this.#updated.flatMap((it): DeleteStep[] => {
      const { plan, foreignKey } = it
      const columns = columnsOf(plan, foreignKey)
      const set = columns.map((column, slot): Assignment => ({ kind: 'value', column, slot }))
      // Records to be deleted are not updated: the other filters still have to match them.
      const selected = select(it, replacementOf(columns, foreignKey), (key) => this.#isDeleted(plan, key))
      return selected.map(({ filter, params }) => ({ operation: { kind: 'update', plan, set, filter }, params }))
    })
    const deletes = this.#cascaded.layers((plan, key) => this.#isRequested(plan, key)).flatMap(deleteReferring)
    return [...updates, ...deletes]
  }

  /** Finds the records that refer to deleted ones. Adds those to be deleted too to the next level. */
  async #collectLevel({ plan, keys }: Records, next: Map<string, Records>): Promise<void> {
    if (keys.length === 0) return
    for (const model of await this.#readReferrers(plan)) {
      const referrer = this.#plans.planOf(model)
      for (const foreignKey of this.#plans.foreignKeysTo(referrer, plan)) {
        // Matches columns, not fields: the stored declaration of the referrer may have older field names.
        const order = foreignKey.references.columns.map((name) => plan.key.findIndex((it) => it.name === name))
        const parents = new Map(keys.map((key) => [nameTuple(order.map((it) => key[it])), key]))
        const tuples = keys.map((key) => order.map((it) => key[it]))
        for (const part of chunk(tuples)) {
          for (const link of await this.#findReferring(referrer, foreignKey, part)) {
            this.#cascaded.add({ ...link, target: plan, targetKey: parents.get(nameTuple(link.tuple))! })
            const added = this.#addDeleted(referrer, [link.key])
            const known = next.get(referrer.tableName.table)
            if (known) known.keys.push(...added)
            else if (added.length > 0) next.set(referrer.tableName.table, { plan: referrer, keys: added })
          }
        }
      }
    }
  }

  async #readReferrers({ tableName }: TablePlan): Promise<readonly TableModel[]> {
    const known = this.#referrers.get(tableName.table)
    const found = known ?? (await this.#session.referrers!(tableName))
    this.#referrers.set(tableName.table, found)
    return found
  }

  /** Finds the records that refer to the tuples. Returns those to be deleted too. */
  async #findReferring(
    plan: TablePlan,
    foreignKey: ForeignKey,
    tuples: readonly Tuple[],
  ): Promise<Omit<CascadeLink, 'target' | 'targetKey'>[]> {
    const columns = columnsOf(plan, foreignKey)
    const find = createFind(plan, [...plan.key, ...columns], inTuples(columns, tuples.length))
    const rows = await this.#session.find(find, [listTuples(tuples)])
    if (rows.length === 0) return []
    const width = plan.key.length
    const keys = rows.map((row) => row.slice(0, width))
    switch (foreignKey.onDelete) {
      case 'cascade':
        return rows.map((row) => ({ plan, foreignKey, key: row.slice(0, width), tuple: row.slice(width) }))
      case 'setNull':
      case 'setDefault':
        this.#updated.push({ plan, foreignKey, keys, tuples })
        return []
      case 'restrict':
      case 'noAction':
        this.#restricted.push({ plan, foreignKey, keys, tuples })
        return []
    }
  }

  #isRequested(plan: TablePlan, key: Tuple): boolean {
    return isSameTable(plan, this.#plan) && this.#requested.has(nameKey(plan.key, key))
  }

  #isDeleted({ tableName, key: columns }: TablePlan, key: Tuple): boolean {
    return key.length > 0 && (this.#deleted.get(tableName.table)?.has(nameKey(columns, key)) ?? false)
  }

  /** Returns the keys that are new. The others were reached before: references can be circular. */
  #addDeleted({ tableName, key: columns }: TablePlan, keys: readonly Tuple[]): Tuple[] {
    const known = this.#deleted.get(tableName.table) ?? new Set()
    this.#deleted.set(tableName.table, known)
    return keys.filter((key) => {
      const name = nameKey(columns, key)
      if (known.has(name)) return false
      known.add(name)
      return true
    })
  }
}

/** Deletes records that still refer to deleted ones. */
function deleteReferring({ plan, foreignKey, keys, tuples }: ReferringRecords): DeleteStep[] {
  const isLinked = inFilter(columnsOf(plan, foreignKey), 0, tuples.length).filter!
  // Records without a key cannot be identified otherwise, and nothing refers to them.
  if (plan.key.length === 0)
    return [{ operation: { kind: 'delete', plan, filter: isLinked }, params: [listTuples(tuples)] }]
  const isListed = inFilter(plan.key, 1, keys.length).filter!
  const filter: Filter = { kind: 'and', filters: [isLinked, isListed] }
  return [{ operation: { kind: 'delete', plan, filter }, params: [listTuples(tuples), listTuples(keys)] }]
}

function columnsOf(plan: TablePlan, { paths }: ForeignKey): readonly PlanColumn[] {
  return paths.map((path) => plan.byPath.get(path)!)
}

/** The new values of a foreign key after the delete: NULL or the defaults. */
function replacementOf(columns: readonly PlanColumn[], { onDelete }: ForeignKey): readonly unknown[] {
  return columns.map((it) => (onDelete === 'setDefault' ? encodeColumn(it, defaultOf(it, Date.now())) : null))
}

/** Selects the records that refer to the tuples, without the excluded ones. `values` fill the first slots. */
function select(
  { plan, foreignKey, keys, tuples }: ReferringRecords,
  values: readonly unknown[],
  isExcluded: (key: Tuple) => boolean,
): { filter: Filter; params: readonly unknown[] }[] {
  const slot = values.length
  const filter = inFilter(columnsOf(plan, foreignKey), slot, tuples.length).filter!
  const params = [...values, listTuples(tuples)]
  const excluded = keys.filter(isExcluded)
  if (excluded.length === 0) return [{ filter, params }]
  if (excluded.length === keys.length) return []
  const others: Filter = { kind: 'not', filter: inFilter(plan.key, slot + 1, excluded.length).filter! }
  return [{ filter: { kind: 'and', filters: [filter, others] }, params: [...params, listTuples(excluded)] }]
}
