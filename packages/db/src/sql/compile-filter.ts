import type { Filter } from '../contract/operation.ts'
import type { PlanColumn } from '../contract/table-plan.ts'
import type { Dialect } from './dialect.ts'
import type { ParameterList } from './statement.ts'

export interface FilterContext {
  readonly dialect: Dialect
  readonly parameters: ParameterList
  /** Returns the quoted, possibly qualified name of a column. */
  readonly nameOf: (column: PlanColumn) => string
}

/** Returns the SQL condition of a filter. */
export function compileFilter(filter: Filter, context: FilterContext): string {
  const { dialect, parameters, nameOf } = context
  switch (filter.kind) {
    case 'compare': {
      const name = nameOf(filter.column)
      const value = compileValue(filter.column, filter.slot, context)
      if (filter.operator === '<>' && filter.column.nullable) return dialect.isOther(name, value)
      return `${name} ${filter.operator} ${value}`
    }
    case 'null':
      return `${nameOf(filter.column)} IS ${filter.isNull ? 'NULL' : 'NOT NULL'}`
    case 'in':
      return dialect.isIn(filter.columns.map(nameOf), filter, parameters)
    case 'like':
      return dialect.like(nameOf(filter.column), filter, parameters)
    case 'and':
    case 'or':
      return compileList(filter.kind, filter.filters, context)
    case 'not':
      // A comparison with NULL is NULL, which counts as false, with and without a negation.
      return `(${compileFilter(filter.filter, context)}) IS NOT TRUE`
    case 'after':
      return compileAfter(filter, context)
  }
}

function compileValue(column: PlanColumn, slot: number, { dialect, parameters }: FilterContext): string {
  return dialect.compared ? dialect.compared(column, slot, parameters) : parameters.value(slot)
}

function compileList(kind: 'and' | 'or', filters: readonly Filter[], context: FilterContext): string {
  if (filters.length === 0) return kind === 'and' ? '1 = 1' : '1 = 0'
  const conditions = filters.map((it) =>
    it.kind === 'and' || it.kind === 'or' ? `(${compileFilter(it, context)})` : compileFilter(it, context),
  )
  return joinConditions(conditions, kind === 'and' ? ' AND ' : ' OR ')
}

/** In SQLite, `a AND b AND c …` nests one level per term, up to 1000. Splitting it in halves keeps the tree flat. */
function joinConditions(conditions: readonly string[], word: string): string {
  if (conditions.length <= 64) return conditions.join(word)
  const middle = conditions.length >> 1
  const halves = [conditions.slice(0, middle), conditions.slice(middle)]
  return halves.map((it) => `(${joinConditions(it, word)})`).join(word)
}

function compileAfter({ columns, slot }: Extract<Filter, { kind: 'after' }>, context: FilterContext): string {
  const names = columns.map(context.nameOf)
  const values = columns.map((column, index) => compileValue(column, slot + index, context))
  if (names.length === 1) return `${names[0]} > ${values[0]}`
  return `(${names.join(', ')}) > (${values.join(', ')})`
}
