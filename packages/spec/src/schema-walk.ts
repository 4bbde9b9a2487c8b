import type { SchemaObject } from './document.ts'

const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
const lists = ['anyOf', 'allOf', 'oneOf', 'prefixItems']
const singles = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]

type Change = (schema: SchemaObject) => SchemaObject

/** The schema with each schema right inside it replaced. Values, such as those under `enum`, are left alone. */
export function mapSchema(schema: SchemaObject, change: Change): SchemaObject {
  const changed: Record<string, unknown> = { ...schema }
  for (const keyword of maps) {
    const inner = schema[keyword]
    if (isObject(inner)) changed[keyword] = mapValues(inner, (it) => changeOne(it, change))
  }
  for (const keyword of lists) {
    const inner = schema[keyword]
    if (Array.isArray(inner)) changed[keyword] = inner.map((it) => changeOne(it, change))
  }
  for (const keyword of singles) if (isObject(schema[keyword])) changed[keyword] = change(schema[keyword])
  return changed
}

function changeOne(value: unknown, change: Change): unknown {
  return isObject(value) ? change(value) : value
}

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with the same keys and each value changed. */
export function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T, key: string) => R) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)])) as Record<
    string,
    R
  >
}
