import type { SchemaObject } from '../document.ts'
import { mapSchema } from '../schema-walk.ts'
import { isObject } from '../shared/objects.ts'

/** Keywords of draft 2020-12 that OpenAPI 3.0 lacks. Without them a schema allows more, never less. */
const unknownKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  '$vocabulary',
  '$dynamicRef',
  '$dynamicAnchor',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'prefixItems',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** The schema of null in OpenAPI 3.0, where `nullable` needs a `type` beside it. */
const onlyNull: SchemaObject = { type: 'string', nullable: true, enum: [null] }

/** Converts a schema of draft 2020-12 (OpenAPI 3.1) to OpenAPI 3.0. */
export function toSchema30(schema: SchemaObject): SchemaObject {
  const inner = mapSchema(schema, toSchema30)
  const steps = [closeGaps, writeConst, writeExamples, writeLimits, writeTypes, writeNullUnion, wrapReference]
  return steps.reduce((it, step) => step(it), dropUnknown(inner))
}

function dropUnknown(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !unknownKeywords.has(keyword)))
}

/** Replaces boolean schemas, drops empty lists, and allows the properties of `patternProperties`. */
function closeGaps(schema: SchemaObject): SchemaObject {
  const { patternProperties, required, ...rest } = schema
  const closed: Record<string, unknown> = { ...rest }
  if (Array.isArray(required) && required.length > 0) closed['required'] = required
  if (patternProperties !== undefined) closed['additionalProperties'] = true
  if (typeof rest['items'] === 'boolean') closed['items'] = rest['items'] ? {} : { not: {} }
  for (const [name, property] of Object.entries((rest['properties'] ?? {}) as Record<string, unknown>)) {
    if (typeof property !== 'boolean') continue
    closed['properties'] = { ...(closed['properties'] as object), [name]: property ? {} : { not: {} } }
  }
  return closed
}

function writeConst({ const: only, ...schema }: SchemaObject): SchemaObject {
  const values = only !== undefined ? [only] : schema['enum']
  if (!Array.isArray(values)) return schema
  const types = [...new Set(values.filter((it) => it !== null).map(typeOf))]
  const type = schema['type'] ?? (types.length === 1 ? types[0] : undefined)
  const isNullable = values.includes(null)
  if (values.every((it) => it === null)) return { ...schema, ...onlyNull }
  return {
    ...schema,
    ...(type !== undefined && { type }),
    ...(isNullable && type !== undefined && { nullable: true }),
    enum: values,
  }
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

function writeExamples({ examples, ...schema }: SchemaObject): SchemaObject {
  return Array.isArray(examples) && examples.length > 0 ? { ...schema, example: examples[0] as unknown } : schema
}

/** In OpenAPI 3.0, exclusive limits are flags beside the limit. */
function writeLimits({ exclusiveMinimum, exclusiveMaximum, ...schema }: SchemaObject): SchemaObject {
  const limits: Record<string, unknown> = {}
  const { minimum, maximum } = schema
  if (typeof exclusiveMinimum === 'number' && !(Number(minimum) > exclusiveMinimum)) {
    Object.assign(limits, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  }
  if (typeof exclusiveMaximum === 'number' && !(Number(maximum) < exclusiveMaximum)) {
    Object.assign(limits, { maximum: exclusiveMaximum, exclusiveMaximum: true })
  }
  return { ...schema, ...limits }
}

/** OpenAPI 3.0 allows one type, with null as a flag beside it. */
function writeTypes(schema: SchemaObject): SchemaObject {
  const { type, ...rest } = schema
  if (type === 'null') return { ...rest, ...onlyNull }
  if (!Array.isArray(type)) return type === 'array' && !rest['items'] ? { ...schema, items: {} } : schema
  const types = (type as string[]).filter((it) => it !== 'null')
  const isNullable = types.length < type.length
  if (types.length === 0) return { ...rest, ...onlyNull }
  if (types.length === 1) return writeTypes({ ...rest, type: types[0], ...(isNullable && { nullable: true }) })
  const options = types.map((it) => writeTypes({ type: it, ...(isNullable && { nullable: true }) }))
  return rest['anyOf'] === undefined ? { ...rest, anyOf: options } : { ...rest, allOf: [{ anyOf: options }] }
}

/** A union of one schema and null becomes that schema with `nullable`. A reference cannot have it and stays a union. */
function writeNullUnion(schema: SchemaObject): SchemaObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(isOnlyNull)) return schema
  const other = anyOf.find((it) => !isOnlyNull(it)) as SchemaObject | undefined
  const isMergeable = other && typeof other['type'] === 'string' && Object.keys(rest).every((it) => !(it in other))
  if (!isMergeable) return schema
  const values = other['enum']
  return { ...other, ...rest, nullable: true, ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }) }
}

function isOnlyNull(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const values = schema['enum']
  return Array.isArray(values) && values.length === 1 && values[0] === null
}

/** In OpenAPI 3.0, keywords beside a reference are ignored. */
function wrapReference(schema: SchemaObject): SchemaObject {
  const { $ref, ...rest } = schema
  if ($ref === undefined || Object.keys(rest).length === 0) return schema
  return { ...rest, allOf: [{ $ref }, ...((rest['allOf'] ?? []) as SchemaObject[])] }
}
