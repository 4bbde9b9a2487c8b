import type { Comparison, Filter } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { invalid } from '../errors.ts'
import { isPlainObject } from '../shared/objects.ts'
import { DEFAULT_DECIMAL } from '../values/codec.ts'
import { floorDigits, floorFiner } from '../values/decimal.ts'
import { explainNotPlain } from '../values/plain-object.ts'
import { readCondition } from './condition.ts'
import { describeUnusableField } from './describe-unusable-field.ts'
import { encodeValue } from './encode-value.ts'
import { checkOperand, isOutOfRange, MAX_VALUES, type Operator, operators } from './operators.ts'

/** A checked filter without its values. `shape` is the same text for all filters that differ only in values. */
export interface ReadFilter {
  readonly filter: Filter | undefined
  readonly shape: string
}

/** The maximum number of values that pad the lists of a filter, beyond `MAX_VALUES`. */
const MAX_PADDING = 512

/** Nobody writes deeper conditions by hand, and engines have limits too. */
const MAX_DEPTH = 100

/** Checks a condition as callers write it, and pushes its encoded values to `params`. */
export function readFilter(plan: TablePlan, where: unknown, params: unknown[]): ReadFilter {
  if (where === undefined) return { filter: undefined, shape: '' }
  return new FilterReader(plan, params).read(where, 0)
}

class FilterReader {
  readonly #plan: TablePlan
  readonly #params: unknown[]
  readonly #subject: string
  #values = 0
  #padding = MAX_PADDING

  constructor(plan: TablePlan, params: unknown[]) {
    this.#plan = plan
    this.#params = params
    this.#subject = `table \`${plan.name}\`: the filter is not valid`
  }

  read(where: unknown, depth: number): ReadFilter {
    if (!isPlainObject(where)) return this.#readCondition(where)
    if (depth > MAX_DEPTH) throw invalid(this.#subject, '', `nests deeper than ${MAX_DEPTH} levels`)
    const parts: ReadFilter[] = []
    for (const name of Object.keys(where)) parts.push(this.#readEntry(name, where[name], depth))
    return joinFilters('and', parts)
  }

  #readEntry(name: string, value: unknown, depth: number): ReadFilter {
    if (name === '$and' || name === '$or') return this.#readList(name, value, depth)
    if (name === '$not') return negate(this.read(value, depth + 1))
    if (this.#plan.declaration.groups.some((it) => it.path === name)) return this.#readGroup(name, value)
    const column = this.#plan.byPath.get(name)
    if (!column) throw invalid(this.#subject, name, this.#explainUnknown(name), 'additionalProperties')
    if (isPlainObject(value)) return this.#readOperators(column, value)
    return this.#readOperator(column, '$eq', value)
  }

  #explainUnknown(name: string): string {
    if (name.startsWith('$')) return 'is not a known operator here; known are $and, $or, $not'
    return describeUnusableField(this.#plan, name)
  }

  /** A nested object can only be compared with null. */
  #readGroup(path: string, value: unknown): ReadFilter {
    const isNull = value === null || readNullAlone(value)
    if (isNull === undefined) {
      throw invalid(this.#subject, path, 'is an object: filter by its fields, with a dot between the names, or by null')
    }
    const presence = presenceOf(this.#plan, path)
    if (presence) return nullFilter(presence, isNull)
    // It is not optional, and neither is an object around it.
    return joinFilters(isNull ? 'or' : 'and', [])
  }

  #readList(name: '$and' | '$or', value: unknown, depth: number): ReadFilter {
    if (!Array.isArray(value)) throw invalid(this.#subject, name, 'expected an array of conditions')
    const before = this.#params.length
    // `map` would skip holes in the list.
    const parts = Array.from(value as unknown[], (it) => this.read(it, depth + 1))
    if (name === '$and') return joinFilters('and', parts)
    if (parts.every((it) => it.filter !== undefined)) return joinFilters('or', parts)
    // An empty condition matches every record, so the whole `$or` does, and its values are not needed.
    this.#params.length = before
    return { filter: undefined, shape: '' }
  }

  #readOperators(column: PlanColumn, operators: Readonly<Record<string, unknown>>): ReadFilter {
    const names = Object.keys(operators)
    if (names.length === 0) throw invalid(this.#subject, column.path, 'expected a value or operators')
    return joinFilters(
      'and',
      names.map((name) => this.#readOperator(column, name, operators[name])),
    )
  }

  #readOperator(column: PlanColumn, name: string, value: unknown): ReadFilter {
    const problem = checkOperand(column.model, name, value)
    if (problem) throw invalid(this.#subject, problem.path, problem.message, problem.code)
    return this.#apply(column, operators.get(name)!, value)
  }

  /** A condition that was checked when it was created. */
  #readCondition(where: unknown): ReadFilter {
    const condition = readCondition(where)
    if (!condition) throw invalid(this.#subject, '', explainNotPlain(where))
    const { table, terms } = condition
    if (table !== this.#plan.declaration) throw invalid(this.#subject, '', `is a condition on \`${table.name}\``)
    return joinFilters(
      'and',
      terms.map(({ column, operator, value }) =>
        this.#apply(this.#plan.byPath.get(column.path)!, operators.get(operator)!, value),
      ),
    )
  }

  #apply(column: PlanColumn, operator: Operator, value: unknown): ReadFilter {
    switch (operator.kind) {
      case 'null':
        return nullFilter(column, value as boolean)
      case 'list': {
        const listed = this.#listValues(column, value as readonly unknown[])
        return operator.isNegated ? negate(listed) : listed
      }
      case 'pattern': {
        const { fold } = operator
        const slot = this.#push({ pattern: encodeValue(column, value), fold })
        return { filter: { kind: 'like', column, fold, slot }, shape: `${column.index}${fold ? '~*' : '~'}` }
      }
      case 'compare': {
        const { comparison } = operator
        if (value === null) return nullFilter(column, comparison === '=')
        const floor = floorOf(column, value)
        if (floor !== undefined) return this.#compareFiner(column, comparison, floor)
        return this.#compare(column, comparison, value)
      }
    }
  }

  #compare(column: PlanColumn, comparison: Comparison, value: unknown): ReadFilter {
    const slot = this.#push(encodeValue(column, value))
    return {
      filter: { kind: 'compare', column, operator: comparison, slot },
      shape: `${column.index}${comparison}`,
    }
  }

  /** Compares with a decimal between two that the column can hold: nothing equals it. */
  #compareFiner(column: PlanColumn, comparison: Comparison, floor: string): ReadFilter {
    if (comparison === '=') return joinFilters('or', [])
    if (comparison === '<>') return joinFilters('and', [])
    return this.#compare(column, comparison.startsWith('>') ? '>' : '<=', floor)
  }

  #listValues(column: PlanColumn, values: readonly unknown[]): ReadFilter {
    const present = values.filter((it) => it !== null)
    const possible = present.filter((it) => floorOf(column, it) === undefined && !isOutOfRange(column.model, it))
    const encoded = possible.map((it) => encodeValue(column, it))
    const listed = encoded.length === 0 ? joinFilters('or', []) : this.#list(column, encoded)
    if (present.length === values.length) return listed
    return joinFilters('or', [listed, nullFilter(column, true)])
  }

  #list(column: PlanColumn, values: readonly unknown[]): ReadFilter {
    const size = roundLength(values.length, this.#padding)
    this.#padding -= size - values.length
    return inFilter([column], this.#push(values, values.length), size)
  }

  #push(value: unknown, count = 1): number {
    this.#values += count
    if (this.#values > MAX_VALUES) throw invalid(this.#subject, '', `has more than ${MAX_VALUES} values in all`)
    return this.#params.push(value) - 1
  }
}

/** Rounds down a decimal with more digits than its column or the engine can hold. Returns nothing for any other value. */
function floorOf({ model, storage }: PlanColumn, value: unknown): string | undefined {
  if (model.type !== 'decimal' || typeof value !== 'string') return undefined
  const floor = floorFiner(value, (model.precision ?? DEFAULT_DECIMAL).scale)
  if (storage.digits === undefined) return floor
  return floorDigits(floor ?? value, storage.digits) ?? floor
}

/** A pattern of `$like` or `$ilike`: `%` matches any text, `_` one character; `\` escapes either. */
export interface LikePattern {
  readonly pattern: string
  readonly fold: boolean
}

/** Matches columns that equal one of the tuples of a list, which is padded to `size`. */
export function inFilter(columns: readonly PlanColumn[], slot: number, size: number): ReadFilter {
  return { filter: { kind: 'in', columns, slot, size }, shape: `${columns.map((it) => it.index).join()}@${size}` }
}

/** Rounds up the length of a list, so that lists of similar length share a statement, if `padding` allows it. */
export function roundLength(length: number, padding: number = Number.POSITIVE_INFINITY): number {
  const size = length > 1024 ? Math.ceil(length / 256) * 256 : 2 ** Math.ceil(Math.log2(Math.max(length, 1)))
  return size - length <= padding ? size : length
}

/** Joins conditions. An empty `and` matches every record, an empty `or` none. */
export function joinFilters(kind: 'and' | 'or', parts: readonly ReadFilter[]): ReadFilter {
  const kept = kind === 'and' ? parts.filter((it) => it.filter !== undefined) : parts
  if (kept.length === 1) return kept[0]!
  if (kept.length === 0 && kind === 'and') return { filter: undefined, shape: '' }
  return {
    filter: { kind, filters: kept.map((it) => it.filter!) },
    shape: `(${kept.map((it) => it.shape).join(kind === 'and' ? '&' : '|')})`,
  }
}

function negate({ filter, shape }: ReadFilter): ReadFilter {
  return { filter: { kind: 'not', filter: filter ?? { kind: 'and', filters: [] } }, shape: `!(${shape})` }
}

function nullFilter(column: PlanColumn, isNull: boolean): ReadFilter {
  return { filter: { kind: 'null', column, isNull }, shape: `${column.index}${isNull ? '0' : '1'}?` }
}

/** The column that is NULL exactly when the nested object at this path, or one around it, is missing. */
function presenceOf({ declaration, columns }: TablePlan, path: string): PlanColumn | undefined {
  const around = declaration.groups.filter((it) => it.presence !== undefined && `${path}.`.startsWith(`${it.path}.`))
  const nearest = around.toSorted((a, b) => b.path.length - a.path.length)[0]
  return nearest && columns.find((it) => it.name === nearest.presence)
}

/** Reads `{ $null: boolean }` without other operators. */
function readNullAlone(value: unknown): boolean | undefined {
  if (!isPlainObject(value) || Object.keys(value).join() !== '$null') return undefined
  return typeof value['$null'] === 'boolean' ? value['$null'] : undefined
}
