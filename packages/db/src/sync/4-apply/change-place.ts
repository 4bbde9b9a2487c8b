import type { TableChange } from '../../contract/change.ts'
import type { TablePlace } from '../../contract/plan.ts'
import { isSamePlace } from '../../values/place.ts'

/** The table of a change, under its name when the change runs. A schema has none. */
export function placeOf(change: TableChange): TablePlace | undefined {
  if ('plan' in change) return change.plan.place
  if (change.kind === 'createSchema') return undefined
  return change.kind === 'renameTable' ? change.from : change.place
}

/** The name of a table before anything is renamed. */
export function formerPlace(place: TablePlace, changes: readonly TableChange[]): TablePlace {
  const isRenaming = (it: TableChange): it is Extract<TableChange, { readonly kind: 'renameTable' }> =>
    it.kind === 'renameTable' && isSamePlace(it.to, place)
  return changes.find(isRenaming)?.from ?? place
}
