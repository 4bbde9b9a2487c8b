import type { FilledColumn } from '../../contract/row-query.ts'
import type { PlanColumn } from '../../contract/table-plan.ts'
import { EachUuid } from '../../values/each-uuid.ts'
import { pluralizeRows } from '../../values/pluralize-rows.ts'
import { backfillValue } from '../2-diff/backfill.ts'
import type { TableDifference } from '../2-diff/difference.ts'
import { type CountRows, currentNameOf, type MeasureContext, type Measurement, requireNone } from './measurement.ts'
import type { Touches } from './steps.ts'

export async function measureUnique(
  columns: readonly PlanColumn[],
  table: TableDifference,
  { countRows }: MeasureContext,
  touches: Touches,
  problem: string,
): Promise<Measurement> {
  const duplicates = await countDuplicates(columns, table, countRows, touches.rows ?? 0)
  if (duplicates === undefined) return { touches, precheck: [] }
  const reason = `${problem}: ${pluralizeRows(duplicates, 'duplicates', 'duplicate')} the values of another row`
  return requireNone('duplicates', duplicates, { ...touches, duplicates }, reason)
}

/** Rows with the same values as another row; `undefined` if there can be none, since new columns are NULL or distinct. */
export async function countDuplicates(
  columns: readonly PlanColumn[],
  table: TableDifference,
  countRows: CountRows,
  rows: number,
): Promise<number | undefined> {
  const present = columns.flatMap((it) => table.columns.get(it) ?? [])
  const added = columns.filter((it) => !table.columns.has(it))
  const isDistinct = (it: PlanColumn): boolean =>
    backfillValue(it) === undefined || backfillValue(it) instanceof EachUuid
  if (columns.length === 0 || added.some(isDistinct)) return undefined
  // A new column has the same value in all rows.
  if (present.length === 0) return Math.max(rows - 1, 0)
  const filled = columns.flatMap((it) => filledColumn(it, table))
  const tableName = table.before!.tableName
  return countRows({ kind: 'duplicates', tableName, columns: present, ...(filled.length > 0 && { filled }) })
}

/** The default that replaces NULL in a column that becomes required. */
function filledColumn(column: PlanColumn, table: TableDifference): FilledColumn[] {
  const { differences } = table
  const isRequired = differences.some((it) => it.kind === 'requireColumn' && it.column === column)
  // After a type change the engine itself compares the values, when it creates the index.
  const isConverted = differences.some(
    (it) => it.kind === 'changeType' && it.column === column && it.before.storage !== it.after.storage,
  )
  const value = backfillValue(column)
  if (!isRequired || isConverted || value === undefined || value instanceof EachUuid) return []
  return [{ column: currentNameOf(table, column), type: column.storage.type, value }]
}
