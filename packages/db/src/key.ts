import { DbError } from './errors.ts'
import type { TablePlan } from './table-plan.ts'
import { encodeValue } from './value-check.ts'

/**
 * The encoded values of a key, in the key's order. A single key may come bare or as an object, a composite one only as
 * an object with every key field.
 */
export function readKey(plan: TablePlan, input: unknown): unknown[] {
  const fields = asObject(plan, input)
  for (const name of Object.keys(fields)) {
    if (!plan.key.some((it) => it.path === name)) {
      throw new DbError('KEY_UNKNOWN', `table \`${plan.name}\`: \`${name}\` is not a key field`, { fields: [name] })
    }
  }
  return readKeyFields(plan, fields)
}

/** The encoded values of the key inside a whole record. */
export function readKeyFields(plan: TablePlan, record: Readonly<Record<string, unknown>>): unknown[] {
  if (plan.key.length === 0) throw new DbError('KEY_UNKNOWN', `table \`${plan.name}\` has no key`)
  const missing = plan.key.filter((it) => !Object.hasOwn(record, it.path) || isAbsent(record[it.path]))
  if (missing.length > 0) {
    const names = missing.map((it) => it.path)
    const told = names.map((it) => `\`${it}\``).join(', ')
    throw new DbError('KEY_INCOMPLETE', `table \`${plan.name}\`: the key lacks ${told}`, { fields: names })
  }
  const subject = `table \`${plan.name}\`: the key is not valid`
  return plan.key.map((column) => encodeValue(subject, column, record[column.path]))
}

function asObject(plan: TablePlan, input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null) return input as Record<string, unknown>
  const [single] = plan.key
  return single && plan.key.length === 1 && !isAbsent(input) ? { [single.path]: input } : {}
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
