import type { SchemaObject } from './document.ts'

type Change = (schema: SchemaObject) => SchemaObject

const walks: ReadonlyMap<string, (inner: unknown, change: Change) => unknown> = new Map([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'].map((it) => [it, changeValues] as const),
  ...['anyOf', 'allOf', 'oneOf', 'prefixItems'].map((it) => [it, changeItems] as const),
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'].map((it) => [it, changeOne] as const),
  ...['propertyNames', 'unevaluatedItems', 'unevaluatedProperties'].map((it) => [it, changeOne] as const),
])

/**
 * The schema with each schema right inside it replaced, or the schema itself when nothing is. Values, such as those
 * under `enum`, are left alone.
 */
export function mapSchema(schema: SchemaObject, change: Change): SchemaObject {
  let changed: Record<string, unknown> | undefined
  for (const keyword of Object.keys(schema)) {
    const inner = schema[keyword]
    const next = walks.get(keyword)?.(inner, change) ?? inner
    if (next === inner) continue
    changed ??= { ...schema }
    changed[keyword] = next
  }
  return changed ?? schema
}

function changeOne(value: unknown, change: Change): unknown {
  return isObject(value) ? change(value) : value
}

function changeItems(list: unknown, change: Change): unknown {
  if (!Array.isArray(list)) return list
  const changed = list.map((it) => changeOne(it, change))
  return changed.every((it, index) => it === list[index]) ? list : changed
}

function changeValues(map: unknown, change: Change): unknown {
  if (!isObject(map)) return map
  const entries = Object.entries(map).map(([key, it]) => [key, changeOne(it, change)] as const)
  return entries.every(([key, it]) => it === map[key]) ? map : Object.fromEntries(entries)
}

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
