/** Values for existing rows that have none. */

import type { Capabilities } from '../../contract/storage.ts'
import type { PlanColumn } from '../../contract/table-plan.ts'
import { EachUuid } from '../../values/each-uuid.ts'
import { defaultOf, encodeColumn } from '../../values/row-mapping.ts'
import type { Difference } from './difference.ts'

/**
 * The value that existing rows get in a new column: the declared literal, the first version, the current time, or a
 * UUID for each row. `undefined` if the declaration has no default.
 */
export function backfillValue(column: PlanColumn, now: number = Date.now()): unknown {
  const { default: preset, generated } = column.model
  if (preset?.kind === 'uuid') return new EachUuid(now)
  const isDeclared = preset?.kind === 'value' || preset?.kind === 'now' || generated !== undefined
  return isDeclared ? encodeColumn(column, defaultOf(column, now)) : undefined
}

export function describeBackfill({ model }: PlanColumn): string {
  if (model.default?.kind === 'uuid') return 'a UUID each'
  return model.default?.kind === 'now' || model.generated === 'created' || model.generated === 'updated'
    ? 'the time of the sync'
    : 'the default'
}

/** True if an engine that cannot alter columns has to rebuild the table for the difference. */
export function needsRebuild(difference: Difference, { alterColumn }: Capabilities): boolean {
  if (alterColumn) return false
  switch (difference.kind) {
    // SQLite adds a required column in place only if the table has a default for it. Versions have none.
    case 'addColumn':
      return !difference.after.nullable && difference.after.default === undefined
    case 'requireInObject':
      return false
    case 'changeType':
      return difference.before.type !== difference.after.type
    case 'requireColumn':
    case 'allowNull':
    case 'changeDefault':
    case 'changeAutoIncrement':
    case 'dropColumn':
    case 'changeKey':
    case 'addForeignKey':
    case 'dropForeignKey':
      return true
    default:
      return false
  }
}
