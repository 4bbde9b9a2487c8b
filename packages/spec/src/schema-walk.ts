import type { SchemaObject } from './document.ts'
import { isObject } from './shared/objects.ts'

type Change = (schema: SchemaObject) => SchemaObject

const walks: ReadonlyMap<string, (inner: unknown, change: Change) => unknown> = new Map([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'].map((it) => [it, changeValues] as const),
  ...['anyOf', 'allOf', 'oneOf', 'prefixItems'].map((it) => [it, changeItems] as const),
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'].map((it) => [it, changeOne] as const),
  ...['propertyNames', 'unevaluatedItems', 'unevaluatedProperties'].map((it) => [it, changeOne] as const),
])

/**
 * Replaces each direct subschema, and returns the schema itself if none changes. Values, such as those of `enum`, are not
 * touched.
 */
export function mapSchema(schema: SchemaObject, change: Change): SchemaObject {
  return mapValues(schema, (inner, keyword) => walks.get(keyword)?.(inner, change) ?? inner)
}

/** Replaces the values of an object, and returns the object itself if none changes. */
function mapValues(object: SchemaObject, replace: (value: unknown, key: string) => unknown): SchemaObject {
  let changed: Record<string, unknown> | undefined
  // Plain data has own keys only, and `for in` is the fastest loop over them.
  for (const key in object) {
    const value = object[key]
    const next = replace(value, key)
    if (next === value) continue
    changed ??= { ...object }
    changed[key] = next
  }
  return changed ?? object
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
  return isObject(map) ? mapValues(map, (it) => changeOne(it, change)) : map
}
