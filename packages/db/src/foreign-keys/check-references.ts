import type { ForeignKey } from '@portico/schema/model'
import type { Session } from '../contract/adapter.ts'
import type { Filter, FindOperation, InsertOperation, UpdateOperation, UpsertOperation } from '../contract/operation.ts'
import type { Row } from '../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'
import { inFilter, roundLength } from '../query/read-filter.ts'
import type { ReferencePlans } from './reference-plans.ts'

/** Refuses rows that refer to missing rows. Rows of one call may refer to each other. */
export async function checkRows(
  session: Session,
  plans: ReferencePlans,
  { plan, columns }: InsertOperation | UpsertOperation,
  rows: readonly Row[],
): Promise<void> {
  for (const foreignKey of plan.declaration.foreignKeys) {
    const own = foreignKey.paths.map((path) => columns.findIndex((it) => it.path === path))
    const isSelf = plans.foreignKeysTo(plan, plan).includes(foreignKey)
    const keys = isSelf ? foreignKey.references.paths.map((path) => columns.findIndex((it) => it.path === path)) : []
    const there = new Set(isSelf ? rows.map((row) => nameTuple(pick(row, keys))) : [])
    const tuples = rows.map((row) => pick(row, own)).filter((it) => !there.has(nameTuple(it)))
    if (await isMissing(session, plans, plan, foreignKey, tuples)) throw violation(plan, foreignKey)
  }
}

/** Refuses an update after which rows would refer to missing rows. */
export async function checkUpdate(
  session: Session,
  plans: ReferencePlans,
  foreignKey: ForeignKey,
  operation: UpdateOperation,
  params: readonly unknown[],
): Promise<void> {
  const { plan, set, filter } = operation
  const columns = foreignKey.paths.map((path) => plan.byPath.get(path)!)
  const slots = columns.map((column) => {
    const assignment = set.find((it) => it.column === column)
    return assignment?.kind === 'value' ? assignment.slot : undefined
  })
  const tuples = await readTuples()
  if (!(await isMissing(session, plans, plan, foreignKey, tuples))) return
  // An update that matches no rows is fine.
  if ((await session.count({ kind: 'count', plan, filter }, params)) > 0) throw violation(plan, foreignKey)

  async function readTuples(): Promise<(readonly unknown[])[]> {
    const given = slots.map((slot) => (slot === undefined ? undefined : params[slot]))
    if (!slots.includes(undefined)) return [given]
    // Columns that the update does not set have to be read.
    const rows = await session.find(createFind(plan, columns, filter), params)
    return rows.map((row) => row.map((value, index) => (slots[index] === undefined ? value : given[index])))
  }
}

/** True if the target table lacks one of the tuples. A tuple with NULL refers to nothing. */
export async function isMissing(
  session: Session,
  plans: ReferencePlans,
  plan: TablePlan,
  foreignKey: ForeignKey,
  tuples: readonly (readonly unknown[])[],
): Promise<boolean> {
  const wanted = new Map(tuples.filter((it) => !it.includes(null)).map((it) => [nameTuple(it), it]))
  const target = plans.targetOf(plan, foreignKey)
  for (const part of chunk([...wanted.values()])) {
    const found = await session.find(createFind(target.plan, target.columns, inTuples(target.columns, part.length)), [
      listTuples(part),
    ])
    if (new Set(found.map(nameTuple)).size < part.length) return true
  }
  return false
}

/** The maximum number of tuples in one operation. */
const MAX_TUPLES = 5000

export function* chunk<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += MAX_TUPLES) yield list.slice(start, start + MAX_TUPLES)
}

/** The columns equal one of the tuples in slot 0. */
export function inTuples(columns: readonly PlanColumn[], count: number): Filter {
  return inFilter(columns, 0, roundLength(count)).filter!
}

/** The value of an `in` slot: bare values for one column. */
export function listTuples(tuples: readonly (readonly unknown[])[]): readonly unknown[] {
  return tuples.map((it) => (it.length === 1 ? it[0] : it))
}

export function createFind(plan: TablePlan, columns: readonly PlanColumn[], filter: Filter | undefined): FindOperation {
  return {
    kind: 'find',
    plan,
    columns,
    filter,
    via: undefined,
    order: [],
    single: false,
    limit: undefined,
    offset: undefined,
  }
}

export function nameTuple(tuple: readonly unknown[]): string {
  return JSON.stringify(tuple)
}

function pick(row: Row, positions: readonly number[]): unknown[] {
  return positions.map((it) => row[it] ?? null)
}

export function violation({ name }: TablePlan, { paths, constraint }: ForeignKey): DbError {
  const message = `table \`${name}\`: foreign key \`${constraint}\` is violated`
  return new DbError('FOREIGN_KEY_VIOLATION', message, { fields: paths, constraint })
}
