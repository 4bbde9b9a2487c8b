import type { Column } from '@portico/schema/model'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { invalid } from '../errors.ts'
import { normalizeDecimal } from '../values/decimal.ts'

/** Checks one value of a key and encodes it for the engine. */
export function encodeKeyValue(plan: TablePlan, column: PlanColumn, value: unknown): unknown {
  const expected = expectedType(column.model, value)
  if (expected !== undefined) {
    throw invalid(`table \`${plan.name}\`: the key is not valid`, column.path, `expected ${expected}`)
  }
  return encodeValue(column, value)
}

export function encodeValue({ storage }: PlanColumn, value: unknown): unknown {
  return storage.encode ? storage.encode(value) : value
}

/** Names the expected type. Returns nothing if the value has it. */
export function expectedType(model: Column, value: unknown): string | undefined {
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
