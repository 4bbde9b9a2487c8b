import type { TableRelation } from '@portico/schema/runtime'
import type { Junction } from '../contract/operation.ts'
import type { Row } from '../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { MAX_VALUES } from '../query/operators.ts'
import { inFilter, roundLength } from '../query/read-filter.ts'
import type { Query } from '../query/read-query.ts'
import { columnsFor, type RelationStep, readWith } from '../query/read-with.ts'
import { type PreparedQuery, prepareQuery } from './prepare-query.ts'
import type { PreparedTable } from './prepared-table.ts'
import { readRows } from './read-rows.ts'

/** The parts of a table that loading relations uses. */
export interface RelationContext {
  readonly tableOf: (declaration: ReturnType<TableRelation['table']>) => PreparedTable
  readonly find: (query: PreparedQuery) => Promise<readonly Row[]>
}

/** Records, with the rows that they were read from. */
export interface ReadRecords {
  readonly columns: readonly PlanColumn[]
  readonly rows: readonly Row[]
  readonly records: readonly Record<string, unknown>[]
}

/** Loads relations and sets them on the records: one query for each relation, per level. */
export async function loadRelations(
  context: RelationContext,
  plan: TablePlan,
  from: ReadRecords,
  steps: readonly RelationStep[],
): Promise<void> {
  for (const { relation, query } of steps) {
    const here = relation.on.map((it) => from.columns.indexOf(plan.byPath.get(it.here)!))
    const keys = from.rows.map((row) => tupleKey(row, here))
    const found = await findRelated(context, relation, query, collectTuples(from.rows, here, keys))
    for (const [index, record] of from.records.entries()) {
      const matches = found.get(keys[index]) ?? []
      const value = relation.many ? matches : matches[0]
      if (value !== undefined) record[relation.name] = value
    }
  }
}

type Grouped = Map<unknown, Record<string, unknown>[]>

/** Finds related records, grouped by the values that link them. */
async function findRelated(
  context: RelationContext,
  relation: TableRelation,
  query: Query,
  tuples: readonly unknown[],
): Promise<Grouped> {
  const target = context.tableOf(relation.table())
  const steps = readWith(target.plan, query.with)
  const via = relation.junction && createJunction(context.tableOf(relation.junction()).plan, target.plan, relation)
  const linked = via ? via.columns : relation.on.map((it) => target.plan.byPath.get(it.there)!)
  const needed = [...(via ? [] : linked), ...columnsFor(target.plan, steps)]
  const grouped: Grouped = new Map()
  // The condition of the query may already have close to the maximum number of values.
  const max = query.where === undefined ? MAX_VALUES / 2 : 1000
  const size = Math.floor(max / linked.length)
  // Runs once even without tuples, so that a wrong query is always refused.
  for (let start = 0; start === 0 || start < tuples.length; start += size) {
    const part = tuples.slice(start, start + size)
    const prepared = prepareQuery(target, query, {
      needed,
      byKey: true,
      ...(via && { via }),
      filter: (params) => inFilter(linked, params.push(part) - 1, roundLength(part.length)),
    })
    const rows = part.length > 0 ? await context.find(prepared) : []
    const { columns } = prepared.shape.operation
    const records = readRows(prepared.shape, rows)
    const positions = linked.map((it, index) => (via ? columns.length + index : columns.indexOf(it)))
    for (const [index, row] of rows.entries()) addTo(grouped, tupleKey(row, positions), records[index]!)
    await loadRelations(context, target.plan, { columns, rows, records }, steps)
  }
  return grouped
}

function createJunction(plan: TablePlan, target: TablePlan, { on, via }: TableRelation): Junction {
  return {
    plan,
    columns: on.map((it) => plan.byPath.get(it.there)!),
    on: (via?.on ?? []).map(({ here, there }) => ({
      junction: plan.byPath.get(here)!,
      target: target.byPath.get(there)!,
    })),
  }
}

function addTo(grouped: Grouped, key: unknown, record: Record<string, unknown>): void {
  const known = grouped.get(key)
  if (known) known.push(record)
  else grouped.set(key, [record])
}

/** Joins linking values into one that can be compared. `undefined` if one of them is NULL. */
function tupleKey(row: Row, positions: readonly number[]): unknown {
  if (positions.some((it) => row[it] === null)) return undefined
  return positions.length === 1 ? row[positions[0]!] : JSON.stringify(positions.map((it) => row[it]))
}

/** The distinct tuples: bare values for one column, lists for several. */
function collectTuples(rows: readonly Row[], positions: readonly number[], keys: readonly unknown[]): unknown[] {
  const tuples = new Map<unknown, unknown>()
  for (const [index, key] of keys.entries()) {
    if (key === undefined || tuples.has(key)) continue
    const values = positions.map((it) => rows[index]![it])
    tuples.set(key, values.length === 1 ? values[0] : values)
  }
  return [...tuples.values()]
}
