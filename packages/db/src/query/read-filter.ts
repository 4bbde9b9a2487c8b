import type { Comparison, Filter } from '../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import { invalid } from '../errors.ts'
import { isPlainObject } from '../shared/objects.ts'
import { DEFAULT_DECIMAL } from '../values/codec.ts'
import { countWholeDigits, floorDigits, floorFiner } from '../values/decimal.ts'
import { explainNotPlain } from '../values/plain-object.ts'
import { encodeValue } from './encode-value.ts'
import { explainName } from './explain-name.ts'

/** A read condition: the filter without values, the values, and a text that is the same for every filter of this shape. */
export interface ReadFilter {
  readonly filter: Filter | undefined
  readonly shape: string
}

const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: '=',
  $ne: '<>',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
}

const UNKNOWN_OPERATOR = `is not a known operator; known are ${Object.keys(comparisons).join(', ')}, $in, $nin, $null, and for parts of text $like, $ilike`

/** How many values a filter may have, those of its lists included: what the narrowest engine takes with one statement. */
export const MOST_VALUES = 30_000

/** How many places its lists may have beyond that, to be as long as others. */
const MOST_SPARE = 512

/**
 * How long a pattern may be, in UTF-16 units. On MongoDB it becomes a regular expression, which takes 64 KB at most when
 * it is compiled, with up to 33 bytes for each letter of an `$ilike`.
 */
const MAX_PATTERN_LENGTH = 1000

/** Deeper conditions than this are nobody's, and engines have their limits too. */
const DEEPEST = 100

/**
 * Reads a condition as callers write it. Every name is looked up in the plan, every value checked and pushed to
 * `params`, encoded; what is unknown is refused.
 */
export function readFilter(plan: TablePlan, where: unknown, params: unknown[]): ReadFilter {
  if (where === undefined) return { filter: undefined, shape: '' }
  return new FilterReader(plan, params).read(where, 0)
}

class FilterReader {
  readonly #plan: TablePlan
  readonly #params: unknown[]
  readonly #subject: string
  #values = 0
  #spare = MOST_SPARE

  constructor(plan: TablePlan, params: unknown[]) {
    this.#plan = plan
    this.#params = params
    this.#subject = `table \`${plan.name}\`: the filter is not valid`
  }

  read(where: unknown, depth: number): ReadFilter {
    if (!isPlainObject(where)) throw invalid(this.#subject, '', explainNotPlain(where))
    if (depth > DEEPEST) throw invalid(this.#subject, '', `nests deeper than ${DEEPEST} levels`)
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
    return explainName(this.#plan, name)
  }

  /** A nested object is there or not; anything else is asked of its fields. */
  #readGroup(path: string, value: unknown): ReadFilter {
    const isNull = value === null || readNullAlone(value)
    if (isNull === undefined) {
      throw invalid(this.#subject, path, 'is an object: filter by its fields, with a dot between the names, or by null')
    }
    const presence = presenceOf(this.#plan, path)
    if (presence) return nullFilter(presence, isNull)
    // Without an optional object on the way it is in every record.
    return joinFilters(isNull ? 'or' : 'and', [])
  }

  #readList(name: '$and' | '$or', value: unknown, depth: number): ReadFilter {
    if (!Array.isArray(value)) throw invalid(this.#subject, name, 'expected an array of conditions')
    const before = this.#params.length
    // `map` would pass over holes in the list, and with them over conditions.
    const parts = Array.from(value as unknown[], (it) => this.read(it, depth + 1))
    if (name === '$and') return joinFilters('and', parts)
    if (parts.every((it) => it.filter !== undefined)) return joinFilters('or', parts)
    // An empty condition holds for every record, and so does "this or anything": the other values are not needed.
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

  #readOperator(column: PlanColumn, operator: string, value: unknown): ReadFilter {
    if (value === undefined) {
      throw invalid(this.#subject, column.path, 'is undefined: leave it out, or say null for absent')
    }
    if (operator === '$null') return this.#readNull(column, value)
    if (operator === '$in') return this.#readIn(column, value)
    if (operator === '$nin') return negate(this.#readIn(column, value))
    if (operator === '$like' || operator === '$ilike') return this.#readLike(column, operator, value)
    const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
    if (!comparison) throw invalid(this.#subject, `${column.path}.${operator}`, UNKNOWN_OPERATOR, 'operator')
    if (value === null && comparison === '=') return nullFilter(column, true)
    if (value === null && comparison === '<>') return nullFilter(column, false)
    const floor = floorOf(column, value)
    if (floor !== undefined) return this.#compareFiner(column, comparison, floor)
    return this.#compare(column, comparison, value)
  }

  #compare(column: PlanColumn, comparison: Comparison, value: unknown): ReadFilter {
    const slot = this.#push(encodeValue(this.#plan, 'filter', column, value))
    return {
      filter: { kind: 'compare', column, operator: comparison, slot },
      shape: `${column.index}${comparison}`,
    }
  }

  /** A decimal between two that the column can hold equals none; the others are above the lower one, or not. */
  #compareFiner(column: PlanColumn, comparison: Comparison, floor: string): ReadFilter {
    if (comparison === '=') return joinFilters('or', [])
    if (comparison === '<>') return joinFilters('and', [])
    return this.#compare(column, comparison.startsWith('>') ? '>' : '<=', floor)
  }

  #readNull(column: PlanColumn, value: unknown): ReadFilter {
    if (typeof value !== 'boolean') throw invalid(this.#subject, `${column.path}.$null`, 'expected true or false')
    return nullFilter(column, value)
  }

  #readIn(column: PlanColumn, value: unknown): ReadFilter {
    if (!Array.isArray(value)) throw invalid(this.#subject, column.path, 'expected an array of values')
    if (value.length > MOST_VALUES) throw invalid(this.#subject, column.path, `has more than ${MOST_VALUES} values`)
    const present = Array.from(value as unknown[]).filter((it) => it !== null)
    const possible = present.filter((it) => !isBeyond(column, it))
    const encoded = possible.map((it) => encodeValue(this.#plan, 'filter', column, it))
    const listed = encoded.length === 0 ? joinFilters('or', []) : this.#list(column, encoded)
    if (present.length === value.length) return listed
    return joinFilters('or', [listed, nullFilter(column, true)])
  }

  #readLike(column: PlanColumn, operator: '$like' | '$ilike', value: unknown): ReadFilter {
    if (column.model.type !== 'string') throw invalid(this.#subject, column.path, `${operator} is for text`)
    const pattern = encodeValue(this.#plan, 'filter', column, value) as string
    if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) {
      throw invalid(this.#subject, column.path, 'the pattern ends in the middle of an escape')
    }
    if (pattern.length > MAX_PATTERN_LENGTH) {
      throw invalid(this.#subject, column.path, `the pattern is longer than ${MAX_PATTERN_LENGTH} characters`)
    }
    const fold = operator === '$ilike'
    const slot = this.#push({ pattern, fold })
    return { filter: { kind: 'like', column, fold, slot }, shape: `${column.index}${fold ? '~*' : '~'}` }
  }

  #list(column: PlanColumn, values: readonly unknown[]): ReadFilter {
    const size = roundLength(values.length, this.#spare)
    this.#spare -= size - values.length
    return inFilter([column], this.#push(values, values.length), size)
  }

  #push(value: unknown, count = 1): number {
    this.#values += count
    if (this.#values > MOST_VALUES) throw invalid(this.#subject, '', `has more than ${MOST_VALUES} values in all`)
    return this.#params.push(value) - 1
  }
}

/** For a decimal that is finer than its column, or has more digits than the engine holds, the nearest one below that has not. */
function floorOf({ model, storage }: PlanColumn, value: unknown): string | undefined {
  if (model.type !== 'decimal' || typeof value !== 'string') return undefined
  const floor = floorFiner(value, (model.precision ?? DEFAULT_DECIMAL).scale)
  if (storage.digits === undefined) return floor
  return floorDigits(floor ?? value, storage.digits) ?? floor
}

/** Whether it is a decimal that its column cannot hold, so that no record has it. */
function isBeyond(column: PlanColumn, value: unknown): boolean {
  if (floorOf(column, value) !== undefined) return true
  const { type, precision: { precision, scale } = DEFAULT_DECIMAL } = column.model
  return type === 'decimal' && typeof value === 'string' && countWholeDigits(value) > precision - scale
}

/** A pattern of `$like` or `$ilike`: `%` for any text, `_` for one character, `\` before either for itself. */
export interface LikePattern {
  readonly pattern: string
  readonly fold: boolean
}

/** Columns that equal one of the tuples of a list, which is filled up to `size`. */
export function inFilter(columns: readonly PlanColumn[], slot: number, size: number): ReadFilter {
  return { filter: { kind: 'in', columns, slot, size }, shape: `${columns.map((it) => it.index).join()}@${size}` }
}

/** The length that lists of about this one share, and with it their statement, unless it takes more places than are spare. */
export function roundLength(length: number, spare: number = Number.POSITIVE_INFINITY): number {
  const size = length > 1024 ? Math.ceil(length / 256) * 256 : 2 ** Math.ceil(Math.log2(Math.max(length, 1)))
  return size - length <= spare ? size : length
}

/** All or one of several conditions. No condition at all holds for every record. */
export function joinFilters(kind: 'and' | 'or', parts: readonly ReadFilter[]): ReadFilter {
  const told = kind === 'and' ? parts.filter((it) => it.filter !== undefined) : parts
  if (told.length === 1) return told[0]!
  if (told.length === 0 && kind === 'and') return { filter: undefined, shape: '' }
  return {
    filter: { kind, filters: told.map((it) => it.filter!) },
    shape: `(${told.map((it) => it.shape).join(kind === 'and' ? '&' : '|')})`,
  }
}

function negate({ filter, shape }: ReadFilter): ReadFilter {
  return { filter: { kind: 'not', filter: filter ?? { kind: 'and', filters: [] } }, shape: `!(${shape})` }
}

function nullFilter(column: PlanColumn, isNull: boolean): ReadFilter {
  return { filter: { kind: 'null', column, isNull }, shape: `${column.index}${isNull ? '0' : '1'}?` }
}

/** The column that is NULL exactly when the nested object at this path is absent, alone or with one around it. */
function presenceOf({ declaration, columns }: TablePlan, path: string): PlanColumn | undefined {
  const around = declaration.groups.filter((it) => it.presence !== undefined && `${path}.`.startsWith(`${it.path}.`))
  const nearest = around.toSorted((a, b) => b.path.length - a.path.length)[0]
  return nearest && columns.find((it) => it.name === nearest.presence)
}

/** What `{ $null }` says, when it is all that there is. */
function readNullAlone(value: unknown): boolean | undefined {
  if (!isPlainObject(value) || Object.keys(value).join() !== '$null') return undefined
  return typeof value['$null'] === 'boolean' ? value['$null'] : undefined
}
