import type { OpenApiDocument, SchemaObject } from '../document.ts'
import { isObject } from '../shared/objects.ts'

/** Resolves a reference within a document. */
export function follow<T>(document: OpenApiDocument, value: T, before: readonly string[] = []): T {
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || before.includes($ref)) return value
  const parts = $ref
    .slice(2)
    .split('/')
    .map((it) => decodeURIComponent(it).replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = parts.reduce<unknown>(
    (it, part) => (isObject(it) && Object.hasOwn(it, part) ? it[part] : undefined),
    document,
  )
  return found === undefined ? value : follow(document, found as T, [...before, $ref])
}

/**
 * The alternatives of a schema, each with at most one type and without references, unions, `const` and `nullable`. Equal
 * schemas have equal alternatives, however they are written and in any version of OpenAPI.
 */
export function alternativesOf(document: OpenApiDocument, schema: unknown): SchemaObject[] {
  return gatherValues(expand(document, schema, []))
}

function expand(document: OpenApiDocument, schema: unknown, within: readonly string[]): SchemaObject[] {
  if (schema === false) return []
  if (!isObject(schema)) return [{}]
  const { $ref, allOf, anyOf, oneOf, ...own } = schema
  let alternatives = splitTypes(own)
  if (typeof $ref === 'string') {
    // A union that contains itself adds no further alternatives.
    if (within.includes($ref)) return []
    const target = follow(document, { $ref })
    if ('$ref' in target) return [{ ...own, $ref }]
    alternatives = combine(alternatives, expand(document, target, [...within, $ref]))
  }
  for (const part of listOf(allOf)) alternatives = combine(alternatives, expand(document, part, within))
  for (const union of [anyOf, oneOf].map(listOf).filter((it) => it.length > 0)) {
    const options = union.flatMap((it) => expand(document, it, within))
    alternatives = combine(alternatives, options)
  }
  return alternatives
}

/** One alternative for each type: the declared ones, or those of the declared values. */
function splitTypes({ type, nullable, const: only, enum: some, ...rest }: SchemaObject): SchemaObject[] {
  const schema = readFlags(rest)
  const values = only !== undefined ? [only] : Array.isArray(some) ? (some as unknown[]) : undefined
  const declared = type === undefined ? undefined : ((Array.isArray(type) ? type : [type]) as string[])
  if (!values) {
    if (!declared) return [schema]
    const types = nullable === true && !declared.includes('null') ? [...declared, 'null'] : declared
    return types.map((it) => (it === 'null' ? { type: it } : { ...schema, type: it }))
  }
  const groups = new Map<string, unknown[]>()
  for (const value of values) {
    const own = typeOf(value)
    if (declared && !declared.some((it) => it === own || isNumeric(it, own)) && !(own === 'null' && nullable === true))
      continue
    groups.set(own, [...(groups.get(own) ?? []), value])
  }
  return [...groups].map(([own, list]) => (own === 'null' ? { type: own } : { ...schema, type: own, enum: list }))
}

/** Exclusive limits are flags beside the limit in OpenAPI 3.0. */
function readFlags(schema: SchemaObject): SchemaObject {
  if (typeof schema['exclusiveMinimum'] !== 'boolean' && typeof schema['exclusiveMaximum'] !== 'boolean') return schema
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const lower = exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'
  const upper = exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'
  return {
    ...rest,
    ...(minimum !== undefined && { [lower]: minimum }),
    ...(maximum !== undefined && { [upper]: maximum }),
  }
}

/** The alternatives that satisfy one of each list. */
function combine(some: readonly SchemaObject[], others: readonly SchemaObject[]): SchemaObject[] {
  return some.flatMap((one) => others.flatMap((other) => merged(one, other)))
}

/** The schema of values that satisfy both; none if their types or values differ. */
function merged(one: SchemaObject, other: SchemaObject): SchemaObject[] {
  if (Object.keys(one).length === 0) return [other]
  if (Object.keys(other).length === 0) return [one]
  const [type, otherType] = [one['type'], other['type']] as (string | undefined)[]
  if (type !== undefined && otherType !== undefined && type !== otherType && !isNumeric(type, otherType)) return []
  const both: Record<string, unknown> = { ...one }
  for (const [keyword, value] of Object.entries(other)) {
    const own = both[keyword]
    both[keyword] = own === undefined || textOf(own) === textOf(value) ? value : mergedValue(keyword, own, value)
  }
  return Array.isArray(both['enum']) && both['enum'].length === 0 ? [] : [both]
}

function mergedValue(keyword: string, one: unknown, other: unknown): unknown {
  if (keyword === 'type') return 'integer'
  if (keyword === 'required') return [...new Set([...listOf(one), ...listOf(other)])]
  if (keyword === 'enum') return listOf(one).filter((it) => listOf(other).some((value) => textOf(value) === textOf(it)))
  if (keyword === 'properties' && isObject(one) && isObject(other)) {
    const fields = new Map(Object.entries(one))
    for (const [name, field] of Object.entries(other)) {
      const own = fields.get(name)
      fields.set(name, own === undefined || textOf(own) === textOf(field) ? field : { allOf: [own, field] })
    }
    return Object.fromEntries(fields)
  }
  if (schemaKeywords.has(keyword)) return one === false || other === false ? false : { allOf: [one, other] }
  if (typeof one === 'number' && typeof other === 'number') {
    if (/^(?:exclusiveM|m)in/.test(keyword)) return Math.max(one, other)
    if (/^(?:exclusiveM|m)ax/.test(keyword)) return Math.min(one, other)
  }
  return keyword === 'pattern' ? `${String(one)} and ${String(other)}` : other
}

const schemaKeywords: ReadonlySet<string> = new Set(['items', 'additionalProperties'])

/** Joins the values of one type, so that a union of single values equals an `enum`. */
function gatherValues(alternatives: readonly SchemaObject[]): SchemaObject[] {
  const gathered: SchemaObject[] = []
  for (const it of alternatives) {
    const isBare = Object.keys(it).every((key) => key === 'type' || key === 'enum' || annotations.has(key))
    const index = isBare
      ? gathered.findIndex((other) => other['type'] === it['type'] && (other['enum'] === undefined) === !it['enum'])
      : -1
    const known = gathered[index]
    if (!known) gathered.push(it)
    else if (it['enum']) gathered[index] = { ...known, enum: [...listOf(known['enum']), ...listOf(it['enum'])] }
    else if (!isBareType(known)) gathered.push(it)
  }
  return gathered
}

function isBareType(schema: SchemaObject): boolean {
  return Object.keys(schema).every((it) => it === 'type' || annotations.has(it))
}

/** Keywords that do not affect validation. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
  'discriminator',
  '$comment',
  '$schema',
  '$id',
])

export function textOf(value: unknown): string {
  return JSON.stringify(value)
}

function isNumeric(one: string, other: string): boolean {
  return (one === 'integer' && other === 'number') || (one === 'number' && other === 'integer')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
