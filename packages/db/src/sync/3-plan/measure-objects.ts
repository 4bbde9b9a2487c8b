/** Counts rows that contain an optional object. */
import type { RowQuery } from '../../contract/row-query.ts'
import { pluralizeRows } from '../../values/pluralize-rows.ts'
import { backfillValue } from '../2-diff/backfill.ts'
import { presenceAround } from '../2-diff/diff-objects.ts'
import type { Difference, Presence, TableDifference } from '../2-diff/difference.ts'
import { type MeasureContext, type Measurement, requireNone } from './measurement.ts'
import type { Touches } from './steps.ts'

/** A new column that is required inside an optional object. */
export async function measureAddedInObject(
  { column }: Extract<Difference, { kind: 'addColumn' }>,
  table: TableDifference,
  { countRows }: MeasureContext,
  touches: Touches,
): Promise<Measurement> {
  const { optional, allowsNull, path } = column.model
  const within = optional || allowsNull ? undefined : presenceAround(column, table)
  if (within === undefined) return { touches, precheck: [] }
  const found = await countRows(objectsQuery(table, within))
  const object = path.slice(0, path.lastIndexOf('.'))
  const problem = `column \`${column.name}\` is required in \`${object}\` and has no default, but ${pluralizeRows(found, 'has', 'have')} that object. Declare it optional, sync, fill it in, then require it; or declare a @db.default`
  return requireNone('objects', found, touches, problem)
}

/** An existing column that becomes required inside an optional object. */
export async function measureRequiredInObject(
  { column, currentName, group, within }: Extract<Difference, { kind: 'requireInObject' }>,
  table: TableDifference,
  { countRows }: MeasureContext,
  rows: number,
): Promise<Measurement> {
  const nulls = await countRows(objectsQuery(table, within, { lacks: currentName }))
  const problem = `column \`${column.name}\` is required in \`${group}\`, but NULL in ${pluralizeRows(nulls, 'that has', 'that have')} this object: fill in the values, declare it optional, or declare a @db.default`
  const measured = requireNone('objects', nulls, { rows }, problem)
  // Consent cannot help without a default.
  return backfillValue(column) === undefined ? measured : { touches: { rows, nulls }, precheck: measured.precheck }
}

/** An optional object that becomes required: rows without it get one without values. */
export async function measureRequiredObject(
  { was }: Extract<Difference, { kind: 'requireObject' }>,
  table: TableDifference,
  { countRows }: MeasureContext,
  rows: number,
): Promise<Measurement> {
  const values = await countRows(objectsQuery(table, 'always', { none: was === 'always' ? [] : was }))
  return { touches: { rows, values }, precheck: [] }
}

function objectsQuery(
  { before }: TableDifference,
  within: Presence,
  more: { readonly lacks?: string; readonly none?: readonly string[] } = {},
): RowQuery {
  return { kind: 'objects', tableName: before!.tableName, ...(within !== 'always' && { any: within }), ...more }
}
