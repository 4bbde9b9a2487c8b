/** `$inc` has no bound of its own: documents whose version is at its end are left out of a write, and looked for. */

import type { TablePlan } from '../../../contract/plan.ts'
import { MAX_INTEGER } from '../../../values/limits.ts'
import type { Document } from '../client/driver.ts'
import { layoutOf } from '../documents/document.ts'

/** The documents of a condition whose version can still rise. */
export function canRise(plan: TablePlan, condition: Document): Document {
  if (!plan.version) return condition
  const path = pathOf(plan)
  const rises = { $nor: [{ [path]: { $gte: MAX_INTEGER } }] }
  // Side by side where they can be: what an upsert stores is read from its condition.
  return Object.hasOwn(condition, '$nor') || Object.hasOwn(condition, '$and')
    ? { $and: [condition, rises] }
    : { ...condition, ...rises }
}

/** The documents of a condition whose version cannot rise any more. */
export function cannotRise(plan: TablePlan, condition: Document): Document {
  return { $and: [condition, { [pathOf(plan)]: { $gte: MAX_INTEGER } }] }
}

function pathOf(plan: TablePlan): string {
  return layoutOf(plan).pathOf(plan.version!)
}
