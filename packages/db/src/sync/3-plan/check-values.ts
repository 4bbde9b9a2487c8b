/** Finds existing rows that violate the declared rules for the values of a column. */
import { isDate, isDateTime, isEmail, isUrl, isUuid } from '@portico/schema/runtime'
import type { Session } from '../../contract/adapter.ts'
import type { FindOperation } from '../../contract/operation.ts'
import type { Row } from '../../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../../contract/table-plan.ts'
import { count } from '../../shared/count.ts'
import { pluralizeRows } from '../../values/pluralize-rows.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { rulesOf, type ValueRules } from '../1-read/table-facts.ts'
import type { Difference, TableDifference } from '../2-diff/difference.ts'
import { currentNameOf } from './measurement.ts'
import type { SyncWarning } from './sync-plan.ts'

interface CheckResult {
  /** Set if rows could not be read back. */
  readonly problem?: string
  readonly warning?: SyncWarning
}

const MAX_ROWS = 100_000
const PAGE_SIZE = 1000

export async function checkValues(
  { column, before, after, formerRules }: Extract<Difference, { kind: 'checkValues' }>,
  table: TableDifference,
  session: Session,
): Promise<CheckResult> {
  const rules = rulesOf(column)
  const currentName = currentNameOf(table, column)
  if (rules.integer && !formerRules?.integer && after.storage === 'real' && before.storage !== 'boolean') {
    const from = { ...before, name: currentName }
    const to = { ...after, storage: 'integer', type: 'BIGINT' } as const
    const found = await session.countRows({ kind: 'unconvertible', tableName: table.before!.tableName, from, to })
    const problem = `column \`${column.name}\` is declared as an integer, but has ${count(found, 'value')} with a fraction or beyond 2^53 - 1, which could not be read back: change or clear them first`
    if (found > 0) return { problem }
  }
  // Without stored rules nothing is known to have changed. Values that change type are checked when they are converted.
  if (!formerRules || before.storage !== after.storage) return {}
  const rule = stricterRule(formerRules, rules)
  if (rule === undefined) return {}
  const { rows, isPart } = await countInvalid(column, rules, table, session)
  if (rows === 0) return {}
  const bound = isPart ? 'at least ' : ''
  const message = `column \`${column.name}\`: ${bound}${pluralizeRows(rows, 'has a value', 'have values')} that the declaration no longer allows (${rule})`
  return {
    warning: { table: declaredNameOf(table.plan), column: column.name, rows, ...(isPart && { isPart }), message },
  }
}

/** The rule that became stricter; `undefined` if the rules only allow more than before. */
function stricterRule(former: ValueRules, { values, subtype, expect, element, shape }: ValueRules): string | undefined {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  if (values && !former.values?.every((it) => values.includes(it))) return 'another list of values'
  if (subtype && subtype in formats && subtype !== former.subtype) return `string.${subtype}`
  if (expect && !isSame(sorted(expect), sorted(former.expect))) return '@expect'
  if (element !== undefined && element !== former.element) return `elements are ${element}s`
  return shape !== undefined && shape !== 'mixed' && shape !== former.shape ? `an ${shape}` : undefined
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

/** Checks a value as it is read. */
function createValueCheck(rules: ValueRules): (value: unknown) => boolean {
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
    const isInRange = length >= (expect.minLength ?? length) && length <= (expect.maxLength ?? length)
    return isInRange && patterns.every((it) => it.test(value))
  }
}

function countInvalid(
  column: PlanColumn,
  rules: ValueRules,
  table: TableDifference,
  session: Session,
): Promise<RowCount> {
  const { decode } = column.storage
  const isValid = createValueCheck(rules)
  const check = (value: unknown): boolean => isValid(decode ? decode(value) : value)
  return countRejected(check, column, table, session, MAX_ROWS)
}

/** Counts texts that are not JSON of the declared shape, such as an array of strings or an object. */
export async function countInvalidJson(column: PlanColumn, table: TableDifference, session: Session): Promise<number> {
  const isValid = createValueCheck(rulesOf(column))
  const check = (text: unknown): boolean => {
    const value: unknown = JSON.parse(text as string)
    column.storage.encode?.(value)
    return value !== null && isValid(value)
  }
  return (await countRejected(check, column, table, session, Number.POSITIVE_INFINITY)).rows
}

interface RowCount {
  readonly rows: number
  readonly isPart?: true
}

/** Reads a column page by page, ordered by the primary key, and counts the values that a check rejects. */
async function countRejected(
  check: (value: unknown) => boolean,
  column: PlanColumn,
  table: TableDifference,
  session: Session,
  maxRows: number,
): Promise<RowCount> {
  const plan = presentPlan(table)
  const currentName = currentNameOf(table, column)
  const own = plan.columns.find((it) => it.name === currentName)!
  const isRejected = (value: unknown): boolean => {
    try {
      return value !== null && !check(value)
    } catch {
      return true
    }
  }
  let rows = 0
  let seen = 0
  let last: Row | undefined
  for (;;) {
    // Without a key there is no cursor, so one page reads everything.
    const size = plan.key.length > 0 ? PAGE_SIZE : Math.min(maxRows, Number.MAX_SAFE_INTEGER)
    const page = await session.find(findPage(plan, own, last !== undefined), [...(last ?? []), size])
    rows += page.filter((row) => isRejected(row[0])).length
    seen += page.length
    last = page.at(-1)?.slice(1)
    if (page.length < size) return { rows }
    if (seen >= maxRows) return { rows, isPart: true }
  }
}

function findPage(plan: TablePlan, column: PlanColumn, hasCursor: boolean): FindOperation {
  return {
    kind: 'find',
    plan,
    columns: [column, ...plan.key],
    filter: hasCursor ? { kind: 'after', columns: plan.key, slot: 0 } : undefined,
    via: undefined,
    order: plan.key.map((it) => ({ column: it, direction: 'asc' })),
    single: false,
    limit: hasCursor ? plan.key.length : 0,
    offset: undefined,
  }
}

/** A plan of the table as it is now: the existing columns under their current names. */
function presentPlan({ plan, before, columns }: TableDifference): TablePlan {
  const own = plan.columns.flatMap((it) => {
    const name = columns.get(it)
    return name === undefined ? [] : [{ ...it, name, model: { ...it.model, name } }]
  })
  const key = before!.key.flatMap((name) => own.find((it) => it.name === name) ?? [])
  return { ...plan, tableName: before!.tableName, columns: own, key: key.length === before!.key.length ? key : [] }
}
