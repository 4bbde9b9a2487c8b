/** `$inc` has no upper bound, so writes skip documents whose version has reached its limit, and then look for them. */

import type { TablePlan } from '../../../contract/table-plan.ts'
import { MAX_INTEGER } from '../../../values/limits.ts'
import type { Document } from '../client/driver.ts'
import { layoutOf } from '../documents/document.ts'

/** Matches documents whose version can still be incremented. */
export function canRise(plan: TablePlan, condition: Document): Document {
  if (!plan.version) return condition
  const path = pathOf(plan)
  const rises = { $nor: [{ [path]: { $gte: MAX_INTEGER } }] }
  // Without `$and` if possible: an upsert takes the values to insert from its condition.
  return Object.hasOwn(condition, '$nor') || Object.hasOwn(condition, '$and')
    ? { $and: [condition, rises] }
    : { ...condition, ...rises }
}

/** Matches documents whose version has reached its limit. */
export function cannotRise(plan: TablePlan, condition: Document): Document {
  return { $and: [condition, { [pathOf(plan)]: { $gte: MAX_INTEGER } }] }
}

function pathOf(plan: TablePlan): string {
  return layoutOf(plan).pathOf(plan.version!)
}
