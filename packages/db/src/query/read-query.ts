import type { Filter, Junction, Order } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { invalid } from '../errors.ts'
import { isPlainObject } from '../shared/objects.ts'
import { explainNotPlain } from '../values/plain-object.ts'
import { describeUnusableField } from './describe-unusable-field.ts'
import { joinFilters, type ReadFilter, readFilter } from './read-filter.ts'

/** A query as callers write it, unchecked. */
export interface Query {
  readonly where?: unknown
  readonly orderBy?: unknown
  readonly limit?: unknown
  readonly offset?: unknown
  readonly select?: unknown
  readonly with?: unknown
}

/** The parts of a query that the table layer adds. */
export interface QueryExtras {
  /** Columns to read even if they are not selected. */
  readonly needed?: readonly PlanColumn[]
  /** Adds a condition and pushes its values to the list. */
  readonly filter?: (params: unknown[]) => ReadFilter
  readonly via?: Junction
  /** Ends the order with the primary key. A limit or an offset does so too. */
  readonly byKey?: boolean
  readonly single?: boolean
}

/** A checked query: the parts of its operation, and the encoded values. */
export interface ReadQuery {
  /** The same text for all queries that share an operation. */
  readonly shape: string
  readonly params: readonly unknown[]
  /** The columns of the record. */
  readonly selected: readonly PlanColumn[]
  /** The columns of the row: `selected`, then those that were only needed. */
  readonly columns: readonly PlanColumn[]
  readonly filter: Filter | undefined
  readonly order: readonly Order[]
  readonly limit: number | undefined
  readonly offset: number | undefined
}

const options = new Set(['where', 'orderBy', 'limit', 'offset', 'select', 'with'])

/** Checks every part of a query. Relations are read by `readWith`. */
export function readQuery(plan: TablePlan, query: Query, extras: QueryExtras = {}): ReadQuery {
  // A misspelt `where` must not find, or delete, everything.
  for (const name in query) {
    if (!options.has(name)) throw invalid(`table \`${plan.name}\`: the query is not valid`, name, unknownHere(extras))
  }
  const params: unknown[] = []
  const own = readFilter(plan, query.where, params)
  const filter = extras.filter ? joinFilters('and', [own, extras.filter(params)]) : own
  const paged = query.limit !== undefined || query.offset !== undefined || extras.byKey === true
  const order = readOrder(plan, query.orderBy, paged)
  const selected = readSelection(plan, query.select)
  const columns = [...selected, ...(extras.needed ?? []).filter((it) => !selected.includes(it))]
  const limit = pushCount(plan, 'limit', query.limit, params)
  const offset = pushCount(plan, 'offset', query.offset, params)
  const shape = [
    columns === plan.columns ? '*' : columns.map((it) => it.index).join(),
    selected.length,
    extras.via ? nameJunction(extras.via) : '',
    filter.shape,
    order.map((it) => `${it.column.index}${it.direction}`).join(),
    `${limit === undefined ? '' : 'l'}${offset === undefined ? '' : 'o'}${extras.single ? 's' : ''}`,
  ].join('#')
  return { shape, params, selected, columns, filter: filter.filter, order, limit, offset }
}

/** Lists the options of the method that was called: `findOne` sets the limit itself, `stream` pages by the primary key. */
function unknownHere({ single, byKey }: QueryExtras): string {
  const own = byKey
    ? ['where', 'select', 'with', 'batchSize']
    : [...options].filter((it) => !(single && it === 'limit'))
  return `is not known here; known are ${own.join(', ')}`
}

/** Identifies the joined columns, for tables that are related through one junction in two ways. */
function nameJunction({ columns, on }: Junction): string {
  const links = on.map(({ junction, target }) => `${junction.index}=${target.index}`)
  return `${columns.map((it) => it.index).join()} ${links.join()}`
}

function readOrder(plan: TablePlan, orderBy: unknown, byKey: boolean): Order[] {
  const subject = `table \`${plan.name}\`: the order is not valid`
  if (orderBy !== undefined && !isPlainObject(orderBy)) {
    throw invalid(subject, '', explainNotPlain(orderBy, 'a plain object of fields and directions'))
  }
  const order = Object.entries(orderBy ?? {}).map(([path, direction]): Order => {
    const column = plan.byPath.get(path)
    if (!column) throw invalid(subject, path, explainOrder(plan, path), 'additionalProperties')
    if (column.model.type === 'json') throw invalid(subject, path, 'is kept as JSON, which has no order')
    if (direction !== 'asc' && direction !== 'desc') throw invalid(subject, path, "expected 'asc' or 'desc'")
    return { column, direction }
  })
  if (!byKey) return order
  const rest = plan.key.filter((column) => !order.some((it) => it.column === column))
  return [...order, ...rest.map((column) => ({ column, direction: 'asc' }) as const)]
}

function explainOrder(plan: TablePlan, path: string): string {
  const isObject = plan.declaration.groups.some((it) => it.path === path)
  return isObject
    ? 'is an object: order by its fields, with a dot between the names'
    : describeUnusableField(plan, path)
}

function readSelection(plan: TablePlan, select: unknown): readonly PlanColumn[] {
  if (select === undefined) return plan.columns
  const subject = `table \`${plan.name}\`: the selection is not valid`
  if (!Array.isArray(select)) throw invalid(subject, '', 'expected an array of field names')
  const names = new Set<string>()
  for (const name of select as unknown[]) {
    if (typeof name !== 'string') throw invalid(subject, '', 'expected an array of field names')
    if (!plan.fields.has(name)) throw invalid(subject, name, explainSelection(plan, name), 'additionalProperties')
    names.add(name)
  }
  return [...names].flatMap((name) => plan.fields.get(name)!.columns)
}

function explainSelection(plan: TablePlan, name: string): string {
  const isInside = plan.byPath.has(name) || plan.declaration.groups.some((it) => it.path === name)
  return isInside ? `is part of an object: select \`${name.split('.')[0]}\`` : describeUnusableField(plan, name)
}

function pushCount(plan: TablePlan, name: string, value: unknown, params: unknown[]): number | undefined {
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw invalid(`table \`${plan.name}\`: the query is not valid`, name, 'expected a whole number, 0 or more')
  }
  return params.push(value) - 1
}
