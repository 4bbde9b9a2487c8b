/** Finds what each declared table and column is in the database now, also under a former name. Pure. */

import { type PlanColumn, type TableName, type TablePlan } from '../../contract/plan.ts'
import type { SyncProblem } from '../../contract/problem.ts'
import { type TableSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import { declaredNameOf, formatTableName, isSameTable, toTableName } from '../../values/table-name.ts'
import type { TableRecord } from './metadata-table.ts'

/** What is known of a database: its tables, and which of them sync made. */
export interface KnownDatabase {
  readonly tables: readonly TableSnapshot[]
  readonly records: readonly TableRecord[]
}

export interface TableMatch {
  readonly plan: TablePlan
  /** The table as it is now, under its present names. */
  readonly before: TableSnapshot | undefined
  readonly record: TableRecord | undefined
  /** For each declared column that is there, its present name. */
  readonly columns: ReadonlyMap<PlanColumn, string>
}

export function matchTables(
  plans: readonly TablePlan[],
  known: KnownDatabase,
  supports: Capabilities,
): { matches: TableMatch[]; problems: SyncProblem[] } {
  const problems: SyncProblem[] = []
  const matches = plans.map((plan) => {
    const fail = (message: string): void => void problems.push({ table: declaredNameOf(plan), message })
    const before = findTable(plan, plans, known, supports, fail)
    const record = before && known.records.find((it) => isSameTable(it.snapshot.tableName, before.tableName))
    return { plan, before, record, columns: before ? matchColumns(plan, before, fail) : new Map() }
  })
  return { matches, problems }
}

type Fail = (told: string) => void

function findTable(
  plan: TablePlan,
  plans: readonly TablePlan[],
  { tables, records }: KnownDatabase,
  supports: Capabilities,
  fail: Fail,
): TableSnapshot | undefined {
  const at = (tableName: TableName): TableSnapshot | undefined =>
    tables.find((it) => isSameTable(it.tableName, tableName))
  const isFree = (tableName: TableName): boolean => !plans.some((it) => isSameTable(it.tableName, tableName))
  const here = at(plan.tableName)
  const former = formerPlaces(plan, records, supports)
    .filter(isFree)
    .flatMap((tableName) => at(tableName) ?? [])
  const [first, second] = former
  if (!first) return here
  const found = `\`${formatTableName(first.tableName)}\``
  if (here)
    fail(
      `it was ${found}, which is still there: both have rows of their own. Remove one of them, or its @db.table.renamed`,
    )
  else if (second)
    fail(`it was ${found} and \`${formatTableName(second.tableName)}\`, which are both there: remove one of them`)
  return here ?? first
}

/** Where a table may have been: under its former names, and in the schema in which sync has made it. */
export function formerPlaces(
  { declaration, tableName }: TablePlan,
  records: readonly TableRecord[],
  supports: Capabilities,
): readonly TableName[] {
  const { name, schema, table, renamedFrom } = declaration
  const named = renamedFrom.map((it) =>
    toTableName({ ...(schema !== undefined && { schema }), table: it }, supports.schemas),
  )
  const moved = records
    .filter((it) => it.declaration === name && it.schema !== schema && [table, ...renamedFrom].includes(it.table))
    .map((it) => it.snapshot.tableName)
  const tableNames = [...named, ...moved].filter((it) => !isSameTable(it, tableName))
  return tableNames.filter((it, index) => tableNames.findIndex((other) => isSameTable(it, other)) === index)
}

function matchColumns(plan: TablePlan, before: TableSnapshot, fail: Fail): Map<PlanColumn, string> {
  const isThere = (name: string): boolean => before.columns.some((it) => it.name === name)
  const matched = new Map<PlanColumn, string>()
  for (const column of plan.columns) {
    const former = column.model.renamedFrom.filter((it) => isThere(it) && !plan.columns.some(({ name }) => name === it))
    const names = isThere(column.name) ? [column.name, ...former] : former
    if (names[0] !== undefined) matched.set(column, names[0])
    if (names.length < 2) continue
    const told = `column \`${column.name}\` was \`${former.at(-1)}\``
    if (names[0] === column.name) {
      fail(
        `${told}, which is still there: both have values of their own. Drop one of them, or remove its @db.column.renamed`,
      )
    } else fail(`${told} and \`${former[0]}\`, which are both there: drop one of them`)
  }
  return matched
}
