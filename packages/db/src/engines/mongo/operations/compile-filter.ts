import type { Filter } from '../../../contract/operation.ts'
import type { PlanColumn } from '../../../contract/table-plan.ts'
import type { LikePattern } from '../../../query/read-filter.ts'
import type { Document } from '../client/driver.ts'
import { compareDecimal } from './decimal.ts'
import { type Backtracking, toRegex } from './like.ts'

export type Condition = (params: readonly unknown[]) => Document

const comparisons = { '<>': '$ne', '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const

const nothing: Document = Object.freeze({ _id: Object.freeze({ $in: Object.freeze([]) }) })

/** Compiles a filter. Names come from the plan, and values are never read as operators. */
export function compileFilter(
  filter: Filter,
  pathOf: (column: PlanColumn) => string,
  backtracking: Backtracking,
): Condition {
  switch (filter.kind) {
    case 'compare':
      return compileCompare(filter, pathOf(filter.column))
    case 'null':
      return compileNull(filter, pathOf(filter.column))
    case 'in':
      return compileIn(filter, filter.columns.map(pathOf))
    case 'like': {
      const path = pathOf(filter.column)
      return (params) => ({
        [path]: { $regex: toRegex(params[filter.slot] as LikePattern, backtracking), $options: 's' },
      })
    }
    case 'and':
    case 'or': {
      const parts = filter.filters.map((it) => compileFilter(it, pathOf, backtracking))
      const join = filter.kind === 'and' ? allOf : anyOf
      return (params) => join(parts.map((it) => it(params)))
    }
    case 'not': {
      // `$nor` takes one level less than `$not` of `$or`.
      const filters =
        filter.filter.kind === 'or' && filter.filter.filters.length > 0 ? filter.filter.filters : [filter.filter]
      const parts = filters.map((it) => compileFilter(it, pathOf, backtracking))
      return (params) => ({ $nor: parts.map((it) => it(params)) })
    }
    case 'after':
      return compileAfter(filter, pathOf)
  }
}

function compileCompare({ column, operator, slot }: Extract<Filter, { kind: 'compare' }>, path: string): Condition {
  if (operator === '=') return (params) => equals(path, params[slot])
  if (column.model.type === 'decimal' && operator !== '<>') {
    return (params) => compareDecimal(path, operator, params[slot] as string)
  }
  return (params) => ({ [path]: { [comparisons[operator]]: params[slot] } })
}

/** Uses a bare value if it cannot be read as an operator, since every server finds the index for it. */
function equals(path: string, value: unknown): Document {
  return { [path]: typeof value === 'object' ? { $eq: value } : value }
}

function compileNull({ column, isNull }: Extract<Filter, { kind: 'null' }>, path: string): Condition {
  // A comparison with null would also match array elements; absent values have no field.
  if (column.model.type === 'json') return () => ({ [path]: { $exists: !isNull } })
  return () => ({ [path]: isNull ? { $eq: null } : { $ne: null } })
}

function compileIn({ slot }: Extract<Filter, { kind: 'in' }>, paths: readonly string[]): Condition {
  const [path] = paths
  if (paths.length === 1) return (params) => ({ [path!]: { $in: params[slot] } })
  return (params) => anyOf(groupTuples(params[slot] as unknown[][], paths))
}

/** Joins tuples that differ only in their last value into one condition. */
function groupTuples(tuples: readonly (readonly unknown[])[], paths: readonly string[]): Document[] {
  const groups = new Map<string, { first: readonly unknown[]; last: unknown[] }>()
  for (const tuple of tuples) {
    const first = tuple.slice(0, -1)
    const name = JSON.stringify(first)
    const known = groups.get(name)
    if (known) known.last.push(tuple.at(-1))
    else groups.set(name, { first, last: [tuple.at(-1)] })
  }
  return [...groups.values()].map(({ first, last }) =>
    allOf([...first.map((value, index) => equals(paths[index]!, value)), { [paths.at(-1)!]: { $in: last } }]),
  )
}

function compileAfter(
  { columns, slot }: Extract<Filter, { kind: 'after' }>,
  pathOf: (column: PlanColumn) => string,
): Condition {
  const steps = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((it, at) => compare(it, '=', slot + at))
    return [...equal, compare(column, '>', slot + index)]
  })
  return (params) => anyOf(steps.map((step) => allOf(step.map((it) => it(params)))))

  function compare(column: PlanColumn, operator: '=' | '>', place: number): Condition {
    return compileCompare({ kind: 'compare', column, operator, slot: place }, pathOf(column))
  }
}

function allOf(parts: readonly Document[]): Document {
  const names = new Set(parts.flatMap((it) => Object.keys(it)))
  const isDisjoint = names.size === parts.reduce((sum, it) => sum + Object.keys(it).length, 0)
  // `Object.assign` would set the prototype for a field named `__proto__`, and lose the condition.
  return isDisjoint ? Object.fromEntries(parts.flatMap((it) => Object.entries(it))) : { $and: parts }
}

function anyOf(parts: readonly Document[]): Document {
  if (parts.length === 0) return nothing
  return parts.length === 1 ? parts[0]! : { $or: parts }
}
