import type { Junction, Order } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import { invalid } from '../errors.ts'
import { explainName } from '../query/explain-name.ts'
import { joinFilters, type ReadFilter, readFilter } from '../query/read-filter.ts'
import { isPlainObject } from '../shared/objects.ts'
import { explainNotPlain } from '../values/plain-object.ts'
import type { FindShape, PreparedTable } from './prepared-table.ts'

/** A query as callers write it, not yet looked at. */
export interface Query {
  readonly where?: unknown
  readonly orderBy?: unknown
  readonly limit?: unknown
  readonly offset?: unknown
  readonly select?: unknown
  readonly with?: unknown
}

/** What the table layer adds to a query by itself. */
export interface QueryExtras {
  /** Columns that have to be read, selected or not. */
  readonly needed?: readonly PlanColumn[]
  /** A condition of its own; pushes its values to the list. */
  readonly filter?: (params: unknown[]) => ReadFilter
  readonly via?: Junction
  /** Whether the key ends the order in any case. */
  readonly byKey?: boolean
  readonly single?: boolean
}

export interface PreparedQuery {
  readonly shape: FindShape
  readonly params: readonly unknown[]
}

const options = new Set(['where', 'orderBy', 'limit', 'offset', 'select', 'with'])

/** Reads a query into the operation for its shape and the values for this call. */
export function prepareQuery(table: PreparedTable, query: Query, extras: QueryExtras = {}): PreparedQuery {
  const { plan } = table
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
  const { via } = extras
  const key = [
    columns === plan.columns ? '*' : columns.map((it) => it.index).join(),
    selected.length,
    via ? nameJunction(via) : '',
    filter.shape,
    order.map((it) => `${it.column.index}${it.direction}`).join(),
    `${limit === undefined ? '' : 'l'}${offset === undefined ? '' : 'o'}${extras.single ? 's' : ''}`,
  ].join('#')
  const shape = table.findsVia(via).get(key, () => {
    const { single = false } = extras
    const made = table.createFind({ selected, filter: filter.filter, via, order, limit, offset, single })
    return { read: made.read, operation: Object.freeze({ ...made.operation, columns }) }
  })
  return { shape, params }
}

/** Names the options that the caller has: `findOne` sets the limit itself, and `stream` goes by the key. */
function unknownHere({ single, byKey }: QueryExtras): string {
  const own = byKey
    ? ['where', 'select', 'with', 'batchSize']
    : [...options].filter((it) => !(single && it === 'limit'))
  return `is not known here; known are ${own.join(', ')}`
}

/** Tells the ways through one junction apart. */
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
  return isObject ? 'is an object: order by its fields, with a dot between the names' : explainName(plan, path)
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
  return isInside ? `is part of an object: select \`${name.split('.')[0]}\`` : explainName(plan, name)
}

function pushCount(plan: TablePlan, name: string, value: unknown, params: unknown[]): number | undefined {
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw invalid(`table \`${plan.name}\`: the query is not valid`, name, 'expected a whole number, 0 or more')
  }
  return params.push(value) - 1
}
