/** Compares the columns of a table with the declared ones. Pure. */
import type { TableSnapshot } from '../../contract/snapshot.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import type { TableMatch } from '../1-read/match-tables.ts'
import { isSameJson, rulesOf } from '../1-read/table-facts.ts'
import { classifyConversion } from './classify-conversion.ts'
import type { DiffCollector } from './diff-collector.ts'
import type { ColumnChange, Difference } from './difference.ts'
import { isOptionalOnInsert, isUsedBy } from './kept-parts.ts'

export function diffColumns(
  match: TableMatch,
  renamed: TableSnapshot,
  target: TableSnapshot,
  managed: TableSnapshot,
  collector: DiffCollector,
): void {
  diffDeclared(match, renamed, target, collector)
  diffUndeclared(match, renamed, managed, collector)
}

function diffDeclared(
  { plan, columns }: TableMatch,
  renamed: TableSnapshot,
  target: TableSnapshot,
  { differences, fail, blocking }: DiffCollector,
): void {
  for (const [index, column] of plan.columns.entries()) {
    const after = target.columns[index]!
    const before = renamed.columns.find((it) => it.name === column.name)
    if (!before) {
      differences.push({ kind: 'addColumn', column, after })
      continue
    }
    if (before.problem !== undefined) {
      fail(before.problem)
      continue
    }
    const former = columns.get(column)
    if (former !== undefined && former !== column.name) differences.push({ kind: 'renameColumn', column, from: former })
    // A kept index needs the current type: an engine may give indexed columns a shorter one.
    const isBlocked = before.storage === after.storage && isUsedBy(blocking, column.name)
    differences.push(...diffColumn({ column, before, after: isBlocked ? { ...after, type: before.type } : after }))
    if (classifyConversion(before, after) === 'impossible') {
      fail(
        `column \`${column.name}\` cannot change from ${before.type} to ${after.type}: no conversion keeps the meaning of its values. Declare a new column instead`,
      )
    }
  }
}

function diffUndeclared(
  { plan }: TableMatch,
  renamed: TableSnapshot,
  managed: TableSnapshot,
  { differences, kept, fail, allow }: DiffCollector,
): void {
  for (const column of renamed.columns) {
    if (plan.columns.some((it) => it.name === column.name)) continue
    const isManaged = managed.columns.some((it) => it.name === column.name)
    const isNeeded = !isOptionalOnInsert(column)
    if (!isManaged) {
      if (!isNeeded) continue
      fail(
        `column \`${column.name}\` is not declared, was not created by sync, and is required, so every insert would fail`,
      )
    } else if (isNeeded || allow.has(`drop ${declaredNameOf(plan)}.${column.name}`)) {
      differences.push({ kind: 'dropColumn', before: column })
    } else kept.push({ kind: 'column', column })
  }
}

/** Columns whose declared value rules differ from the stored ones. */
export function diffValues(
  { plan, record, columns }: TableMatch,
  renamed: TableSnapshot,
  target: TableSnapshot,
): Difference[] {
  const stored = record?.facts?.rules ?? {}
  return plan.columns.flatMap((column, index): Difference[] => {
    const before = renamed.columns.find((it) => it.name === column.name)
    const currentName = columns.get(column)
    // Unusable columns have been reported.
    if (!before || before.problem !== undefined || currentName === undefined) return []
    const formerRules = Object.hasOwn(stored, currentName) ? stored[currentName] : undefined
    if (formerRules && isSameJson(formerRules, rulesOf(column))) return []
    return [{ kind: 'checkValues', column, before, after: target.columns[index]!, formerRules }]
  })
}

function diffColumn(change: ColumnChange): Difference[] {
  const { before, after } = change
  const differences: Difference[] = []
  if (classifyConversion(before, after) !== 'same' || before.type !== after.type) {
    differences.push({ kind: 'changeType', ...change })
  }
  if (before.nullable !== after.nullable) {
    differences.push({ kind: after.nullable ? 'allowNull' : 'requireColumn', ...change })
  }
  if (before.default !== after.default) differences.push({ kind: 'changeDefault', ...change })
  if (before.autoIncrement !== after.autoIncrement) differences.push({ kind: 'changeAutoIncrement', ...change })
  return differences
}
