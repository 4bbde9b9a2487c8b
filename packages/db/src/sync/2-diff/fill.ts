/** What rows that are there get where they have no value. */

import type { PlanColumn } from '../../contract/plan.ts'
import type { Capabilities } from '../../contract/storage.ts'
import { EachUuid } from '../../values/each-uuid.ts'
import { defaultOf, encodeColumn } from '../../values/row-mapping.ts'
import type { Difference } from './diff.ts'

/**
 * What rows that are there get in a column that they do not have: a declared literal, where versions begin, the present
 * time, or a uuid each. Nothing where the declaration has no default.
 */
export function fillOf(column: PlanColumn, now: number = Date.now()): unknown {
  const { default: preset, generated } = column.model
  if (preset?.kind === 'uuid') return new EachUuid(now)
  const isDeclared = preset?.kind === 'value' || preset?.kind === 'now' || generated !== undefined
  return isDeclared ? encodeColumn(column, defaultOf(column, now)) : undefined
}

/** How a plan tells of it, where it is not a literal that the declaration shows. */
export function tellFill({ model }: PlanColumn): string {
  if (model.default?.kind === 'uuid') return 'a uuid each'
  return model.default?.kind === 'now' || model.generated === 'created' || model.generated === 'updated'
    ? 'the time of the sync'
    : 'the default'
}

/** Whether an engine that cannot change columns in place has to make the table anew for it. */
export function needsRebuild(difference: Difference, { alterColumn }: Capabilities): boolean {
  if (alterColumn) return false
  switch (difference.kind) {
    // In place a required column needs a default in the table itself, which a version has not.
    case 'addColumn':
      return !difference.after.nullable && difference.after.default === undefined
    // A plain update.
    case 'requireInside':
      return false
    case 'changeType':
      return difference.before.type !== difference.after.type
    case 'requireColumn':
    case 'relaxColumn':
    case 'changeDefault':
    case 'changeCounting':
    case 'dropColumn':
    case 'changeKey':
    case 'addForeignKey':
    case 'dropForeignKey':
      return true
    default:
      return false
  }
}
