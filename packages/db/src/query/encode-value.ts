import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import { invalid } from '../errors.ts'
import { normalizeDecimal } from '../values/decimal.ts'

/** Checks a bare value of a column, one of a key or a filter, and encodes it for the engine. */
export function encodeValue(plan: TablePlan, part: 'key' | 'filter', column: PlanColumn, value: unknown): unknown {
  const expected = expectedType(column, value)
  if (expected !== undefined) {
    throw invalid(`table \`${plan.name}\`: the ${part} is not valid`, column.path, `expected ${expected}`)
  }
  return column.storage.encode ? column.storage.encode(value) : value
}

/** What the value should have been, or `undefined` when it is. */
function expectedType({ model }: PlanColumn, value: unknown): string | undefined {
  switch (model.type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'text'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'a boolean'
    case 'number':
      if (model.integer) return Number.isSafeInteger(value) ? undefined : 'a whole number within ±(2^53 − 1)'
      return Number.isFinite(value) ? undefined : 'a number'
    case 'decimal': {
      const fits = typeof value === 'string' && normalizeDecimal(value, model.precision?.scale) !== undefined
      return fits ? undefined : 'a decimal as text'
    }
    case 'json':
      return 'no comparison: it is kept as JSON'
  }
}
