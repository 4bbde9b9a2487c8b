import type { RowQuery } from '../../contract/row-query.ts'
import { classifyConversion } from '../2-diff/classify-conversion.ts'
import type { Difference, TableDifference } from '../2-diff/difference.ts'
import { countInvalidJson } from './check-values.ts'
import { currentNameOf, type MeasureContext } from './measurement.ts'

type TypeChange = Extract<Difference, { kind: 'changeType' }>

/** Values that the new type cannot store exactly. */
export async function countUnconvertible(
  change: TypeChange,
  table: TableDifference,
  { countRows, session }: MeasureContext,
): Promise<number> {
  const query = unconvertibleQuery(change, table)
  if (!query) return 0
  const { before, after, column } = change
  // Engines disagree on what valid JSON is and do not know the declared shape, so text is read and checked here.
  if (before.storage === 'text' && after.storage === 'json') return countInvalidJson(column, table, session)
  return countRows(query)
}

/** Counts values that would be rounded or truncated; `undefined` if there can be none. */
export function unconvertibleQuery(
  { before, after, column }: TypeChange,
  table: Pick<TableDifference, 'before' | 'columns'>,
): RowQuery | undefined {
  const conversion = classifyConversion(before, after)
  // Text that stays text may still get a shorter type.
  if (conversion === 'impossible' || (conversion === 'same' && before.type === after.type)) return undefined
  const from = { ...before, name: currentNameOf(table, column) }
  return { kind: 'unconvertible', tableName: table.before!.tableName, from, to: after }
}
