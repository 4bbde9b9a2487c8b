import type { SyncProblem } from '../../contract/sync-problem.ts'
import { isSameTable } from '../../values/table-name.ts'
import { matchTables, type TableMatch } from '../1-read/match-tables.ts'
import { recordLabel, type TableRecord } from '../1-read/metadata-table.ts'
import type { DatabaseState } from '../1-read/read-state.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import { areFactsCurrent } from '../1-read/table-facts.ts'
import { diffTable, partKey } from './diff-table.ts'
import type { DatabaseDifference, Difference, KeptPart, TableDifference } from './difference.ts'
import { changedColumns } from './kept-parts.ts'
import { renameSnapshot } from './rename-snapshot.ts'

export function diffDatabase(state: DatabaseState, { plans, supports, allow }: SyncContext): DatabaseDifference {
  const { matches, problems } = matchTables(plans, state, supports)
  const undeclared = state.records.filter((it) => !matches.some((match) => isRecordOf(it, match)))
  const dropped = undeclared.filter((it) => allow.has(`drop ${recordLabel(it)}`))
  const unblocked = new Set<string>()
  // An index that turns out to be dropped lets its columns change type. Each round unblocks more, or is the last.
  for (;;) {
    const found: SyncProblem[] = [...problems]
    const context = { supports, allow, unblocked, problems: found }
    const compared = matches.map((match) => diffTable(match, renameSnapshot(match, matches), context))
    const tables = compared.map((table) => dropBrokenForeignKeys(table, compared, dropped))
    const newlyUnblocked = tables.flatMap(unblockedParts)
    if (newlyUnblocked.length === 0) {
      const leftovers = state.records.filter(
        (it) => !tables.some(({ before }) => isAt(it, before)) && !dropped.includes(it),
      )
      return { tables, dropped, leftovers, problems: [...found, ...state.missingTargets] }
    }
    for (const it of newlyUnblocked) unblocked.add(it)
  }
}

function isRecordOf({ snapshot }: TableRecord, { plan, before }: TableMatch): boolean {
  return isSameTable(before?.tableName ?? plan.tableName, snapshot.tableName)
}

function isAt({ snapshot }: TableRecord, table: TableDifference['before']): boolean {
  return table !== undefined && isSameTable(table.tableName, snapshot.tableName)
}

/** Parts that were taken as blocking, but are dropped. */
function unblockedParts({ plan, blocking, kept }: TableDifference): string[] {
  const staying = new Set(kept.map((it) => partKey(plan, it)))
  return blocking.map((it) => partKey(plan, it)).filter((it) => !staying.has(it))
}

/** Kept foreign keys are dropped if the table they refer to is dropped, or if its key or columns change. */
function dropBrokenForeignKeys(
  table: TableDifference,
  tables: readonly TableDifference[],
  dropped: readonly TableRecord[],
): TableDifference {
  const isBroken = (part: KeptPart): part is Extract<KeptPart, { kind: 'foreignKey' }> => {
    if (part.kind !== 'foreignKey') return false
    const { tableName, references } = part.foreignKey
    if (dropped.some((it) => isSameTable(it.snapshot.tableName, tableName))) return true
    const target = tables.find((it) => isSameTable(it.plan.tableName, tableName))
    const isRekeyed = target?.differences.some((it) => it.kind === 'changeKey')
    const changed = changedColumns(target?.differences ?? [])
    return isRekeyed === true || references.some((it) => changed.has(it))
  }
  const broken = table.kept.filter(isBroken)
  if (broken.length === 0) return table
  const drops = broken.map(({ foreignKey }): Difference => ({ kind: 'dropForeignKey', foreignKey }))
  return {
    ...table,
    kept: table.kept.filter((it) => !isBroken(it)),
    differences: [...drops, ...table.differences],
  }
}

/** True if sync has nothing to do, not even in its own tables. */
export function isUpToDate(difference: DatabaseDifference, { pending }: DatabaseState): boolean {
  const { tables, dropped, problems } = difference
  const isSame = problems.length + dropped.length + pending.length === 0
  return isSame && tables.every((it) => it.differences.length === 0) && !hasStaleFacts(difference)
}

/** True if the stored facts differ from the declaration, which the tables themselves do not show. */
export function hasStaleFacts({ tables }: DatabaseDifference): boolean {
  return tables.some(({ plan, record }) => record !== undefined && !areFactsCurrent(plan, record.facts))
}
