import type { TablePlan } from '../contract/table-plan.ts'

/** Explains why a name cannot be used in a filter, an order or a selection. */
export function describeUnusableField(plan: TablePlan, name: string): string {
  const [top = ''] = name.split('.')
  if (plan.relations.has(top)) return 'is a relation: load it with `with`'
  if (plan.declaration.ignored.includes(top)) return 'is ignored by storage'
  if (name !== top && isInJson(plan, name)) return 'is inside a JSON column, which cannot be queried'
  return 'is not a known field'
}

function isInJson({ columns }: TablePlan, name: string): boolean {
  return columns.some((it) => it.model.type === 'json' && name.startsWith(`${it.path}.`))
}
