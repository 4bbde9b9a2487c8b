/** Finds what each declared table and column is in the database now, also under a former name. Pure. */

import { type PlanColumn, type TablePlace, type TablePlan } from '../../contract/plan.ts'
import type { SyncProblem } from '../../contract/problem.ts'
import { type TableSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import { isSamePlace, labelOf, placeTable, showPlace } from '../../values/place.ts'
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
  can: Capabilities,
): { matches: TableMatch[]; problems: SyncProblem[] } {
  const problems: SyncProblem[] = []
  const matches = plans.map((plan) => {
    const fail = (told: string): void => void problems.push({ table: labelOf(plan), told })
    const before = findTable(plan, plans, known, can, fail)
    const record = before && known.records.find((it) => isSamePlace(it.snapshot.place, before.place))
    return { plan, before, record, columns: before ? matchColumns(plan, before, fail) : new Map() }
  })
  return { matches, problems }
}

type Fail = (told: string) => void

function findTable(
  plan: TablePlan,
  plans: readonly TablePlan[],
  { tables, records }: KnownDatabase,
  can: Capabilities,
  fail: Fail,
): TableSnapshot | undefined {
  const at = (place: TablePlace): TableSnapshot | undefined => tables.find((it) => isSamePlace(it.place, place))
  const isFree = (place: TablePlace): boolean => !plans.some((it) => isSamePlace(it.place, place))
  const here = at(plan.place)
  const former = formerPlaces(plan, records, can)
    .filter(isFree)
    .flatMap((place) => at(place) ?? [])
  const [first, second] = former
  if (!first) return here
  const found = `\`${showPlace(first.place)}\``
  if (here)
    fail(
      `it was ${found}, which is still there: both have rows of their own. Remove one of them, or its @db.table.renamed`,
    )
  else if (second) fail(`it was ${found} and \`${showPlace(second.place)}\`, which are both there: remove one of them`)
  return here ?? first
}

/** Where a table may have been: under its former names, and in the schema in which sync has made it. */
export function formerPlaces(
  { declaration, place }: TablePlan,
  records: readonly TableRecord[],
  can: Capabilities,
): readonly TablePlace[] {
  const { name, schema, table, renamedFrom } = declaration
  const named = renamedFrom.map((it) => placeTable({ ...(schema !== undefined && { schema }), table: it }, can.schemas))
  const moved = records
    .filter((it) => it.declaration === name && it.schema !== schema && [table, ...renamedFrom].includes(it.table))
    .map((it) => it.snapshot.place)
  const places = [...named, ...moved].filter((it) => !isSamePlace(it, place))
  return places.filter((it, index) => places.findIndex((other) => isSamePlace(it, other)) === index)
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
