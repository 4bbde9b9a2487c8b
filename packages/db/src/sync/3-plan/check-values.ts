/** Rows that are there, and would no longer fit what the declaration says of a column's values. */
import { isDate, isDateTime, isEmail, isUrl, isUuid } from '@portico/schema/runtime'
import type { Session } from '../../contract/adapter.ts'
import type { FindOperation } from '../../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../../contract/plan.ts'
import type { Row } from '../../contract/storage.ts'
import { count } from '../../shared/count.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { rulesOf, type ValueRules } from '../1-read/table-facts.ts'
import type { Difference, TableDifference } from '../2-diff/diff.ts'
import { countRows } from './refuse.ts'

/** Rows whose values contradict the declaration and can still be read. */
export interface SyncWarning {
  readonly table: string
  /** The column by its declared name. */
  readonly column: string
  /** How many rows; at least so many where `isPart` is set. */
  readonly rows: number
  /** Set where the table is so big that only a part of it was looked at. */
  readonly isPart?: true
  readonly told: string
}

interface Checked {
  readonly problem?: string
  readonly warning?: SyncWarning
}

/** How many rows are looked at, and how many at a time. */
const MAX_ROWS = 100_000
const PAGE = 1000

export async function checkValues(
  { column, before, after, formerly }: Extract<Difference, { kind: 'checkValues' }>,
  table: TableDifference,
  session: Session,
): Promise<Checked> {
  const rules = rulesOf(column)
  const present = table.columns.get(column) ?? column.name
  if (rules.integer && !formerly?.integer && after.storage === 'real' && before.storage !== 'boolean') {
    const to = { ...after, storage: 'integer', type: 'BIGINT' } as const
    const found = await session.countRows({
      kind: 'unconvertible',
      tableName: table.before!.tableName,
      from: { ...before, name: present },
      to,
    })
    const told = `column \`${column.name}\` has ${count(found, 'value')} that ${found === 1 ? 'is' : 'are'} not whole or beyond 2^53 - 1, and could not be read back as declared: change or clear them first`
    if (found > 0) return { problem: told }
  }
  // Without a note nobody knows that it has changed; values of another type are looked at when they are converted.
  if (!formerly || before.storage !== after.storage) return {}
  const rule = changedRule(formerly, rules)
  if (rule === undefined) return {}
  const { rows, isPart } = await countMisfits(column, rules, present, table, session)
  if (rows === 0) return {}
  const least = isPart ? 'at least ' : ''
  const told = `column \`${column.name}\`: ${least}${countRows(rows, 'has a value', 'have values')} that the declaration no longer allows (${rule})`
  return {
    warning: { table: declaredNameOf(table.plan), column: column.name, rows, ...(isPart && { isPart }), told },
  }
}

/** What has changed, in few words; nothing where values are only freer than before. */
function changedRule(
  formerly: ValueRules,
  { values, subtype, expect, element, shape }: ValueRules,
): string | undefined {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  if (values && !formerly.values?.every((it) => values.includes(it))) return 'another list of values'
  if (subtype && subtype in formats && subtype !== formerly.subtype) return `string.${subtype}`
  if (expect && !isSame(sorted(expect), sorted(formerly.expect))) return '@expect'
  if (element !== undefined && element !== formerly.element) return `elements are ${element}s`
  return shape !== undefined && shape !== 'mixed' && shape !== formerly.shape ? `an ${shape}` : undefined
}

function sorted(expect: ValueRules['expect']): unknown {
  return Object.entries(expect ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

const formats: Readonly<Record<string, (value: unknown) => boolean>> = {
  email: isEmail,
  uuid: isUuid,
  url: isUrl,
  date: isDate,
  datetime: isDateTime,
  required: (value) => value !== '',
}

/** Whether a value as it is read fits. */
export function createFits(rules: ValueRules): (value: unknown) => boolean {
  const { values, subtype, expect = {}, element, shape } = rules
  const format = subtype === undefined ? undefined : formats[subtype]
  const patterns = (expect.patterns ?? []).map((it) => new RegExp(it, 'u'))
  return (value) => {
    if (values && !values.includes(value as never)) return false
    if (format && !format(value)) return false
    if (shape === 'array') return Array.isArray(value) && (!element || value.every((it) => typeof it === element))
    if (shape === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
    if (typeof value === 'number') return value >= (expect.min ?? value) && value <= (expect.max ?? value)
    if (typeof value !== 'string') return true
    const length = Array.from(value).length
    const isLong = length >= (expect.minLength ?? length) && length <= (expect.maxLength ?? length)
    return isLong && patterns.every((it) => it.test(value))
  }
}

function countMisfits(
  { storage: { decode } }: PlanColumn,
  rules: ValueRules,
  present: string,
  table: TableDifference,
  session: Session,
): Promise<Counted> {
  const fits = createFits(rules)
  return countRowsOf((value) => fits(decode ? decode(value) : value), present, table, session, MAX_ROWS)
}

/** Texts that are not JSON as the column should hold it from now on: an array of strings, an object. */
export async function countUnfitJson(column: PlanColumn, table: TableDifference, session: Session): Promise<number> {
  const fits = createFits(rulesOf(column))
  const isJson = (text: unknown): boolean => {
    const value: unknown = JSON.parse(text as string)
    column.storage.encode?.(value)
    return value !== null && fits(value)
  }
  const present = table.columns.get(column) ?? column.name
  return (await countRowsOf(isJson, present, table, session, Number.POSITIVE_INFINITY)).rows
}

interface Counted {
  readonly rows: number
  readonly isPart?: true
}

/** Reads a column page by page, in the order of the key, and counts the values that do not fit. */
async function countRowsOf(
  fits: (value: unknown) => boolean,
  present: string,
  table: TableDifference,
  session: Session,
  most: number,
): Promise<Counted> {
  const plan = presentPlan(table)
  const own = plan.columns.find((it) => it.name === present)!
  const isMisfit = (value: unknown): boolean => {
    try {
      return value !== null && !fits(value)
    } catch {
      return true
    }
  }
  let rows = 0
  let seen = 0
  let last: Row | undefined
  for (;;) {
    // Without a key there is no way to go on where a page ended.
    const size = plan.key.length > 0 ? PAGE : Math.min(most, Number.MAX_SAFE_INTEGER)
    const page = await session.find(pageOf(plan, own, last !== undefined), [...(last ?? []), size])
    rows += page.filter((row) => isMisfit(row[0])).length
    seen += page.length
    last = page.at(-1)?.slice(1)
    if (page.length < size) return { rows }
    if (seen >= most) return { rows, isPart: true }
  }
}

function pageOf(plan: TablePlan, column: PlanColumn, isFurther: boolean): FindOperation {
  return {
    kind: 'find',
    plan,
    columns: [column, ...plan.key],
    filter: isFurther ? { kind: 'after', columns: plan.key, slot: 0 } : undefined,
    via: undefined,
    order: plan.key.map((it) => ({ column: it, direction: 'asc' })),
    single: false,
    limit: isFurther ? plan.key.length : 0,
    offset: undefined,
  }
}

/** The table as it is now: columns that are there, under their present names. */
function presentPlan({ plan, before, columns }: TableDifference): TablePlan {
  const own = plan.columns.flatMap((it) => {
    const name = columns.get(it)
    return name === undefined ? [] : [{ ...it, name, model: { ...it.model, name } }]
  })
  const key = before!.key.flatMap((name) => own.find((it) => it.name === name) ?? [])
  return { ...plan, tableName: before!.tableName, columns: own, key: key.length === before!.key.length ? key : [] }
}
