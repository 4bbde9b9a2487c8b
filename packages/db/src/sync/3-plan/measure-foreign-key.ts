import type { ForeignKey } from '@portico/schema/model'
import type { ColumnSnapshot } from '../../contract/snapshot.ts'
import type { PlanColumn } from '../../contract/table-plan.ts'
import { describeForeignKeyOrphans } from '../../values/describe-orphans.ts'
import { isSameTable } from '../../values/table-name.ts'
import type { Difference, TableDifference } from '../2-diff/difference.ts'
import { unconvertibleQuery } from './measure-conversion.ts'
import { type CountRows, currentNameOf, type MeasureContext, type Measurement, requireNone } from './measurement.ts'
import type { Touches } from './steps.ts'

/** Counts orphans: rows that refer to a row that does not exist. */
export async function measureForeignKey(
  { foreignKey }: Extract<Difference, { kind: 'addForeignKey' }>,
  table: TableDifference,
  { countRows, all, supports }: MeasureContext,
  touches: Touches,
): Promise<Measurement> {
  const wanted = table.target.foreignKeys.find((it) => it.name === foreignKey.constraint)!
  const other = all.find((it) => isSameTable(it.plan.tableName, wanted.tableName))
  const declared = foreignKey.paths.map((path) => table.plan.byPath.get(path)!)
  const from = declared.map((it) => findPresent(table, it))
  const to = foreignKey.references.paths.map((path) => other && findPresent(other, other.plan.byPath.get(path)))
  if (other && !other.before && from.length === 1 && from[0]) {
    const nulls = await countRows({ kind: 'nulls', tableName: table.before!.tableName, column: from[0].name })
    return requireNoOrphans(foreignKey, touches.rows! - nulls, touches)
  }
  const exists = other?.before && from.every((it, index) => it && to[index])
  const isComparable = exists && from.every((it, index) => to[index]?.type === it?.type)
  if (exists && !isComparable) {
    const orphans = await countConverted(foreignKey, table, other, countRows)
    return orphans === undefined ? { touches, precheck: [] } : requireNoOrphans(foreignKey, orphans, touches)
  }
  // Engines with foreign keys check when the key is added. A table that is not part of this sync stays as it is.
  const isUnchanged = from.every((it, index) => it && (other || it.type === declared[index]!.storage.type))
  const isUnchecked = !supports.foreignKeys && !other?.before && isUnchanged
  if (!isComparable && !isUnchecked) return { touches, precheck: [] }
  const orphans = await countRows({
    kind: 'orphans',
    tableName: table.before!.tableName,
    columns: from.map((it) => it!.name),
    target: other?.before?.tableName ?? wanted.tableName,
    references: to.map((it, index) => it?.name ?? wanted.references[index]!),
  })
  return requireNoOrphans(foreignKey, orphans, touches)
}

/**
 * Orphans among values that are converted to the type of their target in the same sync. `undefined` if some values
 * cannot be converted, which has its own problem, or if the target changes type as well.
 */
async function countConverted(
  foreignKey: ForeignKey,
  table: TableDifference,
  other: TableDifference,
  countRows: CountRows,
): Promise<number | undefined> {
  const converted: ({ from: ColumnSnapshot; to: ColumnSnapshot } | undefined)[] = []
  for (const path of foreignKey.paths) {
    const column = table.plan.byPath.get(path)!
    const change = table.differences.find((it) => it.kind === 'changeType' && it.column === column)
    if (change?.kind !== 'changeType') converted.push(undefined)
    else {
      const query = unconvertibleQuery(change, table)
      if (!query || (await countRows(query)) > 0) return undefined
      converted.push({ from: { ...change.before, name: currentNameOf(table, column) }, to: change.after })
    }
  }
  const target = foreignKey.references.paths.map((path) => other.plan.byPath.get(path)!)
  if (other.differences.some((it) => it.kind === 'changeType' && target.includes(it.column))) return undefined
  return countRows({
    kind: 'orphans',
    tableName: table.before!.tableName,
    columns: foreignKey.paths.map((path) => currentNameOf(table, table.plan.byPath.get(path)!)),
    target: other.before!.tableName,
    references: target.map((it) => currentNameOf(other, it)),
    converted,
  })
}

function requireNoOrphans(foreignKey: ForeignKey, orphans: number, touches: Touches): Measurement {
  return requireNone('orphans', orphans, touches, describeForeignKeyOrphans(foreignKey, orphans))
}

/** A declared column as it is now. */
function findPresent({ before, columns }: TableDifference, column: PlanColumn | undefined) {
  const name = column && columns.get(column)
  return before?.columns.find((it) => it.name === name)
}
