/** Compares one table with its declaration. Pure. */

import type { ForeignKeySnapshot, TableSnapshot } from '../../contract/snapshot.ts'
import type { Capabilities } from '../../contract/storage.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { TableName, TablePlan } from '../../contract/table-plan.ts'
import { describeTable } from '../../table/describe-table.ts'
import { declaredNameOf, isSameTable } from '../../values/table-name.ts'
import type { TableMatch } from '../1-read/match-tables.ts'
import { recordLabel } from '../1-read/metadata-table.ts'
import type { DiffCollector } from './diff-collector.ts'
import { diffColumns, diffValues } from './diff-columns.ts'
import { diffObjects } from './diff-objects.ts'
import { diffForeignKeys, diffIndexes, undeclaredParts } from './diff-parts.ts'
import type { Difference, KeptPart, TableDifference } from './difference.ts'
import { renameRecord } from './rename-snapshot.ts'

interface DiffContext {
  readonly supports: Capabilities
  readonly allow: ReadonlySet<string>
  /** Indexes and foreign keys that are dropped, and no longer block changes of their columns. */
  readonly unblocked: ReadonlySet<string>
  readonly problems: SyncProblem[]
}

export function diffTable(
  match: TableMatch,
  renamed: TableSnapshot | undefined,
  { supports, allow, unblocked, problems }: DiffContext,
): TableDifference {
  const { plan, before, record, columns } = match
  const target = describeTable(plan, supports)
  const differences: Difference[] = []
  const kept: KeptPart[] = []
  const table = { plan, target, before, renamed, columns, record, differences, kept, blocking: [] }
  if (!before || !renamed) return { ...table, differences: [{ kind: 'createTable' }] }
  const label = declaredNameOf(plan)
  const fail = (message: string): void => void problems.push({ table: label, message })
  const isAdopted = !record && allow.has(`adopt ${label}`)
  const managed = isAdopted ? adoptedParts(renamed, target) : recordedParts(match)
  const blocking = undeclaredParts(renamed, target, managed, label, allow).filter(
    (it) => !unblocked.has(partKey(plan, it)),
  )
  const collector: DiffCollector = { differences, kept, blocking, fail, allow, supports }
  differences.push(...diffName(match))
  diffColumns(match, renamed, target, managed, collector)
  if (renamed.key.join('\0') !== target.key.join('\0')) differences.push({ kind: 'changeKey', before: renamed.key })
  diffIndexes(plan, renamed, target, managed, collector)
  diffForeignKeys(plan, renamed, target, managed, collector)
  if (record || isAdopted) differences.push(...diffObjects(match), ...diffValues(match, renamed, target))
  if (isAdopted) differences.unshift({ kind: 'adoptTable' })
  if (record || isAdopted || differences.length === 0) return { ...table, blocking }
  fail(
    `sync did not create this table and does not change it, and it differs from the declaration: ${summarize(differences)}. Allow \`adopt ${label}\` to let sync manage it, or change the table or the declaration`,
  )
  return { ...table, differences: [], kept: [] }
}

/** Identifies an index or a foreign key among those of all tables. */
export function partKey(plan: TablePlan, part: KeptPart): string {
  const name = part.kind === 'foreignKey' ? part.name : part.kind === 'index' ? part.index.name : part.column.name
  return [declaredNameOf(plan), part.kind, name].join('\0')
}

function diffName({ plan, before, record }: TableMatch): Difference[] {
  if (!before || isSameTable(before.tableName, plan.tableName)) return []
  const isMoved = record !== undefined && record.schema !== plan.declaration.schema
  return [{ kind: 'renameTable', from: before.tableName, ...(isMoved && { movedFrom: recordLabel(record) }) }]
}

/**
 * Consent to adopt a table does not cover its own indexes and foreign keys: only those that a declared one replaces
 * become managed.
 */
function adoptedParts(renamed: TableSnapshot, { indexes, foreignKeys }: TableSnapshot): TableSnapshot {
  const columnsOf = (it: ForeignKeySnapshot): string => it.columns.join('\0')
  return {
    ...renamed,
    indexes: renamed.indexes.filter(({ name }) => indexes.some((it) => it.name === name)),
    foreignKeys: renamed.foreignKeys.filter((it) => foreignKeys.some((other) => columnsOf(other) === columnsOf(it))),
  }
}

function recordedParts(match: TableMatch): TableSnapshot {
  return match.record ? renameRecord(match.record.snapshot, match) : emptySnapshot(match.plan.tableName)
}

function emptySnapshot(tableName: TableName): TableSnapshot {
  return { tableName, columns: [], key: [], indexes: [], foreignKeys: [] }
}

function summarize(differences: readonly Difference[]): string {
  const [first] = differences
  const subject =
    first &&
    ('column' in first
      ? `column \`${first.column.name}\``
      : 'before' in first && 'name' in first.before
        ? `column \`${first.before.name}\``
        : first.kind)
  return `${subject}${differences.length > 1 ? ` and ${differences.length - 1} more` : ''}`
}
