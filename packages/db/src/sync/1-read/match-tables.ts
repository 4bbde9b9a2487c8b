/** Matches declared tables and columns with those in the database, under their current or a former name. Pure. */

import type { TableSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { PlanColumn, TableName, TablePlan } from '../../contract/table-plan.ts'
import { declaredNameOf, formatTableName, isSameTable, toTableName } from '../../values/table-name.ts'
import type { TableRecord } from './metadata-table.ts'

export interface KnownDatabase {
  readonly tables: readonly TableSnapshot[]
  readonly records: readonly TableRecord[]
}

export interface TableMatch {
  readonly plan: TablePlan
  /** The table as it is now, under its current names. */
  readonly before: TableSnapshot | undefined
  readonly record: TableRecord | undefined
  /** The current name of each declared column that exists. */
  readonly columns: ReadonlyMap<PlanColumn, string>
}

export function matchTables(
  plans: readonly TablePlan[],
  known: KnownDatabase,
  supports: Capabilities,
): { matches: TableMatch[]; problems: SyncProblem[] } {
  const problems: SyncProblem[] = []
  const matches = plans.map((plan) => {
    const fail: Fail = (message) => void problems.push({ table: declaredNameOf(plan), message })
    const before = findTable(plan, plans, known, supports, fail)
    const record = before && known.records.find((it) => isSameTable(it.snapshot.tableName, before.tableName))
    return { plan, before, record, columns: before ? matchColumns(plan, before, fail) : new Map() }
  })
  return { matches, problems }
}

type Fail = (message: string) => void

function findTable(
  plan: TablePlan,
  plans: readonly TablePlan[],
  { tables, records }: KnownDatabase,
  supports: Capabilities,
  fail: Fail,
): TableSnapshot | undefined {
  const at = (tableName: TableName): TableSnapshot | undefined =>
    tables.find((it) => isSameTable(it.tableName, tableName))
  const isUndeclared = (tableName: TableName): boolean => !plans.some((it) => isSameTable(it.tableName, tableName))
  const current = at(plan.tableName)
  const former = possibleFormerNames(plan, records, supports)
    .filter(isUndeclared)
    .flatMap((tableName) => at(tableName) ?? [])
  const [first, second] = former
  if (!first) return current
  const name = `\`${formatTableName(first.tableName)}\``
  if (current) {
    fail(
      `it was renamed from ${name}, but both tables exist, each with its own rows: drop one of them, or remove @db.table.renamed`,
    )
  } else if (second) {
    fail(
      `it was renamed from ${name} and from \`${formatTableName(second.tableName)}\`, and both tables exist: drop one of them`,
    )
  }
  return current ?? first
}

/** Names that a table may have had: its declared former names, and its name in the schema that sync created it in. */
export function possibleFormerNames(
  { declaration, tableName }: TablePlan,
  records: readonly TableRecord[],
  supports: Capabilities,
): readonly TableName[] {
  const { name, schema, table, renamedFrom } = declaration
  const renamed = renamedFrom.map((it) =>
    toTableName({ ...(schema !== undefined && { schema }), table: it }, supports.schemas),
  )
  const moved = records
    .filter((it) => it.declaration === name && it.schema !== schema && [table, ...renamedFrom].includes(it.table))
    .map((it) => it.snapshot.tableName)
  const tableNames = [...renamed, ...moved].filter((it) => !isSameTable(it, tableName))
  return tableNames.filter((it, index) => tableNames.findIndex((other) => isSameTable(it, other)) === index)
}

function matchColumns(plan: TablePlan, before: TableSnapshot, fail: Fail): Map<PlanColumn, string> {
  const exists = (name: string): boolean => before.columns.some((it) => it.name === name)
  const matched = new Map<PlanColumn, string>()
  for (const column of plan.columns) {
    const former = column.model.renamedFrom.filter((it) => exists(it) && !plan.columns.some(({ name }) => name === it))
    const names = exists(column.name) ? [column.name, ...former] : former
    if (names[0] !== undefined) matched.set(column, names[0])
    if (names.length < 2) continue
    const renamed = `column \`${column.name}\` was renamed from \`${former.at(-1)}\``
    if (names[0] === column.name) {
      fail(
        `${renamed}, but both columns exist, each with its own values: drop one of them, or remove @db.column.renamed`,
      )
    } else fail(`${renamed} and from \`${former[0]}\`, and both columns exist: drop one of them`)
  }
  return matched
}
