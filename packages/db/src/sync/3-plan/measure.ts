/** Counts the rows that a difference affects. */
import type { PlanColumn } from '../../contract/table-plan.ts'
import { count } from '../../shared/count.ts'
import { backfillValue, needsRebuild } from '../2-diff/backfill.ts'
import type { Difference, TableDifference } from '../2-diff/difference.ts'
import { countUnconvertible } from './measure-conversion.ts'
import { measureForeignKey } from './measure-foreign-key.ts'
import { measureAddedInObject, measureRequiredInObject, measureRequiredObject } from './measure-objects.ts'
import { countDuplicates, measureUnique } from './measure-unique.ts'
import { currentNameOf, type MeasureContext, type Measurement, requireNone } from './measurement.ts'
import type { Touches } from './steps.ts'

export async function measure(
  difference: Difference,
  table: TableDifference,
  context: MeasureContext,
): Promise<Measurement> {
  const { plan, before } = table
  if (!before) return { touches: {}, precheck: [] }
  const rows = await context.countRows({ kind: 'rows', tableName: before.tableName })
  const touches = { rows, ...(needsRebuild(difference, context.supports) && { rebuild: rows }) }
  switch (difference.kind) {
    case 'addColumn': {
      if (backfillValue(difference.column) !== undefined) return { touches, precheck: [] }
      if (difference.after.nullable) return measureAddedInObject(difference, table, context, touches)
      const problem = `column \`${difference.column.name}\` is required and has no default, but the table has ${count(rows, 'row')}. Declare it optional, sync, fill it in, then require it; or declare a @db.default`
      return requireNone('rows', rows, touches, problem)
    }
    case 'requireColumn':
      return measureRequired(difference, table, context, touches)
    case 'changeType': {
      const found = await countUnconvertible(difference, table, context)
      const problem = `column \`${difference.column.name}\` has ${count(found, 'value')} that cannot be kept exactly as ${difference.after.storage}: change or clear them first`
      return requireNone('unconvertible', found, touches, problem)
    }
    case 'dropColumn': {
      const nulls = await context.countRows({
        kind: 'nulls',
        tableName: before.tableName,
        column: difference.before.name,
      })
      return { touches: { ...touches, values: rows - nulls }, precheck: [] }
    }
    case 'changeKey': {
      const names = plan.key.map((it) => it.name).join(', ')
      return measureUnique(plan.key, table, context, touches, `the primary key (${names}) is not unique`)
    }
    case 'createIndex': {
      const { index } = difference
      if (!index.unique) return { touches, precheck: [] }
      const columns = index.columns.map((it) => plan.byPath.get(it.path)!)
      return measureUnique(columns, table, context, touches, `cannot create the unique index \`${index.name}\``)
    }
    case 'addForeignKey':
      return measureForeignKey(difference, table, context, touches)
    case 'requireInObject':
      return measureRequiredInObject(difference, table, context, rows)
    case 'requireObject':
      return measureRequiredObject(difference, table, context, rows)
    default:
      return { touches, precheck: [] }
  }
}

async function measureRequired(
  { column }: Extract<Difference, { kind: 'requireColumn' }>,
  table: TableDifference,
  context: MeasureContext,
  touches: Touches,
): Promise<Measurement> {
  const tableName = table.before!.tableName
  const nulls = await context.countRows({ kind: 'nulls', tableName, column: currentNameOf(table, column) })
  const measured = requireNone(
    'nulls',
    nulls,
    touches,
    `column \`${column.name}\` is required, but NULL in ${nulls} of ${count(touches.rows ?? 0, 'row')}: fill in the values, declare it optional, or declare a @db.default`,
  )
  // Consent cannot help without a default.
  if (backfillValue(column) === undefined) return measured
  const problem = nulls > 0 ? await findNewDuplicates(column, table, context, nulls) : undefined
  return {
    touches: { ...touches, nulls },
    precheck: measured.precheck,
    ...(problem !== undefined && { problem }),
  }
}

/** Filling NULLs with the default may violate an existing unique index. New unique indexes have their own step. */
async function findNewDuplicates(
  column: PlanColumn,
  table: TableDifference,
  { countRows }: MeasureContext,
  rows: number,
): Promise<string | undefined> {
  for (const index of table.plan.declaration.indexes) {
    const isCreated = table.differences.some((it) => it.kind === 'createIndex' && it.index === index)
    if (!index.unique || isCreated || !index.columns.some((it) => it.column === column.name)) continue
    const columns = index.columns.map((it) => table.plan.byPath.get(it.path)!)
    const duplicates = (await countDuplicates(columns, table, countRows, rows)) ?? 0
    if (duplicates > 0) {
      return `replacing NULL by the default would create ${count(duplicates, 'duplicate')} in the unique index \`${index.name}\``
    }
  }
  return undefined
}
