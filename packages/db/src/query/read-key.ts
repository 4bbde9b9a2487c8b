import type { TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'
import { ownValue } from '../values/plain-object.ts'
import { encodeKeyValue } from './encode-value.ts'

/**
 * The encoded values of a key, in the key's order. A single key may come bare or as an object, a composite one only as
 * an object with every key field.
 */
export function readKey(plan: TablePlan, input: unknown): unknown[] {
  if (typeof input === 'object' && input !== null) {
    refuseOthers(plan, input)
    return readKeyFields(plan, input as Record<string, unknown>)
  }
  const [single] = plan.key
  if (plan.key.length === 1 && input !== undefined && input !== null) return [encodeKeyValue(plan, single!, input)]
  return readKeyFields(plan, {})
}

/** The encoded values of the key inside a whole record. */
export function readKeyFields(plan: TablePlan, record: Readonly<Record<string, unknown>>): unknown[] {
  if (plan.key.length === 0) throw new DbError('KEY_UNKNOWN', `table \`${plan.name}\` has no key`)
  const values: unknown[] = []
  for (const column of plan.key) {
    const value = ownValue(record, column.path)
    if (value === undefined || value === null) throw incomplete(plan, record)
    values.push(encodeKeyValue(plan, column, value))
  }
  return values
}

function refuseOthers(plan: TablePlan, fields: object): void {
  for (const name of Object.keys(fields)) {
    if (plan.key.some((it) => it.path === name)) continue
    throw new DbError('KEY_UNKNOWN', `table \`${plan.name}\`: \`${name}\` is not a key field`, { fields: [name] })
  }
}

function incomplete(plan: TablePlan, record: Readonly<Record<string, unknown>>): DbError {
  const names = plan.key
    .map((it) => it.path)
    .filter((it) => !Object.hasOwn(record, it) || (record[it] ?? null) === null)
  const missing = names.map((it) => `\`${it}\``).join(', ')
  const message = `table \`${plan.name}\`: the key lacks ${missing}${explainOthers(plan, record)}`
  return new DbError('KEY_INCOMPLETE', message, { fields: names })
}

/** The maximum number of names in a message. */
const MAX_NAMED = 5

/** Names unknown fields: a call in the style of another library, `{ where, data }`, has no key. */
function explainOthers(plan: TablePlan, record: Readonly<Record<string, unknown>>): string {
  const isKnown = (name: string) =>
    plan.fields.has(name) || plan.relations.has(name) || plan.declaration.ignored.includes(name)
  const others = Object.keys(record).filter((it) => !isKnown(it))
  if (others.length === 0) return ''
  const named = others.slice(0, MAX_NAMED).map((it) => `\`${it.slice(0, 100)}\``)
  return `, and not known as fields are ${named.join(', ')}${others.length > MAX_NAMED ? ' and others' : ''}`
}
