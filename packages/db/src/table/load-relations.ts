import type { TableRelation } from '@portico/schema/runtime'
import type { Junction } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import type { Row } from '../contract/storage.ts'
import { invalid } from '../errors.ts'
import { inFilter, MOST_VALUES, roundLength } from '../query/read-filter.ts'
import { isPlainObject } from '../shared/objects.ts'
import { explainNotPlain } from '../values/plain-object.ts'
import { type PreparedQuery, prepareQuery, type Query } from './prepare-query.ts'
import type { PreparedTable } from './prepared-table.ts'
import { readRows } from './read-rows.ts'

/** What reading related records needs of the table around it. */
export interface RelationContext {
  readonly tableOf: (declaration: ReturnType<TableRelation['table']>) => PreparedTable
  readonly find: (query: PreparedQuery) => Promise<readonly Row[]>
}

/** Records that were read, with the rows that they were made of. */
export interface ReadRecords {
  readonly columns: readonly PlanColumn[]
  readonly rows: readonly Row[]
  readonly records: readonly Record<string, unknown>[]
}

/** One relation to follow. */
interface Step {
  readonly relation: TableRelation
  readonly query: Query
}

const allowed = new Set(['where', 'orderBy', 'select', 'with'])

/** Reads what `with` asks for: names of relations, each `true` or a query of its own. */
export function readWith(plan: TablePlan, wanted: unknown): readonly Step[] {
  if (wanted === undefined) return []
  const subject = `table \`${plan.name}\`: \`with\` is not valid`
  if (!isPlainObject(wanted)) {
    throw invalid(subject, '', explainNotPlain(wanted, 'an object of relations, such as { team: true }'))
  }
  return Object.entries(wanted).flatMap(([name, query]: [string, unknown]): Step[] => {
    const relation = plan.relations.get(name)
    if (!relation) throw invalid(subject, name, explainRelation(plan), 'additionalProperties')
    if (query === false || query === undefined) return []
    if (query === true) return [{ relation, query: {} }]
    if (!isPlainObject(query)) throw invalid(subject, name, 'expected true or a query, which is a plain object')
    const unknown = Object.keys(query).find((it) => !allowed.has(it))
    if (unknown !== undefined) {
      const message = `is not known here; known are ${[...allowed].join(', ')}`
      throw invalid(subject, `${name}.${unknown}`, message, 'additionalProperties')
    }
    return [{ relation, query }]
  })
}

function explainRelation({ relations }: TablePlan): string {
  if (relations.size === 0) return 'is not a relation; the table has none'
  return `is not a relation; known are ${[...relations.keys()].join(', ')}`
}

/** The columns that following the relations needs of the records to start from. */
export function columnsFor(plan: TablePlan, steps: readonly Step[]): PlanColumn[] {
  const paths = new Set(steps.flatMap(({ relation }) => relation.on.map((it) => it.here)))
  return [...paths].map((path) => plan.byPath.get(path)!)
}

/** Follows relations from records that were read, and sets what it finds on them: one query for each, per level. */
export async function loadRelations(
  context: RelationContext,
  plan: TablePlan,
  from: ReadRecords,
  steps: readonly Step[],
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

/** Related records by what links them. */
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
  // A condition of its own may have as many values as a filter can, and fewer are left then.
  const most = query.where === undefined ? MOST_VALUES / 2 : 1000
  const size = Math.floor(most / linked.length)
  // Once also without any: what is asked for is looked at whether there is something to find or not.
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

/** Values that link records, as one value that is equal when they are; `undefined` where one is absent. */
function tupleKey(row: Row, positions: readonly number[]): unknown {
  if (positions.some((it) => row[it] === null)) return undefined
  return positions.length === 1 ? row[positions[0]!] : JSON.stringify(positions.map((it) => row[it]))
}

/** Each tuple once: bare values for one column, lists for several. */
function collectTuples(rows: readonly Row[], positions: readonly number[], keys: readonly unknown[]): unknown[] {
  const tuples = new Map<unknown, unknown>()
  for (const [index, key] of keys.entries()) {
    if (key === undefined || tuples.has(key)) continue
    const values = positions.map((it) => rows[index]![it])
    tuples.set(key, values.length === 1 ? values[0] : values)
  }
  return [...tuples.values()]
}
