import type { JsonSchema } from '@portico/schema/runtime'
import type { RequestIssue } from '../errors.ts'
import type { ResolvedType } from '../types.ts'
import type { QueryValue } from './query-string.ts'
import { compileValidate } from './validate.ts'

/** Converts text to a value of a type. Text that does not fit is returned as it is, for validation to refuse. */
type Convert = (text: string) => unknown

/** JSON's syntax of numbers: no space, no `+`, no `0x`, no leading zeros. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const zeroPattern = /^-?0(?:\.0+)?(?:[eE]|$)/
const integerPattern = /^-?(?:0|[1-9]\d*)$/

/** The number, or `undefined` if the text is not a number or overflows or underflows in JavaScript. */
export function readNumber(text: string): number | undefined {
  if (!numberPattern.test(text)) return undefined
  const value = Number(text)
  if (value === 0 && !zeroPattern.test(text)) return undefined
  return Number.isFinite(value) ? value : undefined
}

/** The safe integer, or `undefined`. */
export function readInteger(text: string): number | undefined {
  if (!integerPattern.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value + 0 : undefined
}

export function readBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

const converts: Readonly<Record<string, Convert>> = {
  number: (text) => readNumber(text) ?? text,
  integer: (text) => readInteger(text) ?? text,
  boolean: (text) => readBoolean(text) ?? text,
}

/** The conversion for a scalar schema. */
function compileConvert(schema: JsonSchema, root: JsonSchema = schema): Convert | undefined {
  const target = resolve(schema, root)
  const { type, const: only } = target
  const values = Array.isArray(target['enum']) ? (target['enum'] as unknown[]) : only !== undefined ? [only] : undefined
  if (values) return (text) => values.find((it) => String(it) === text) ?? text
  if (typeof type === 'string') return converts[type]
  const options = optionsOf(target)
  if (options.length > 0) return compileUnion(target, options, root)
  for (const part of (target['allOf'] ?? []) as JsonSchema[]) {
    const convert = compileConvert(part, root)
    if (convert) return convert
  }
  return undefined
}

/** The members of a union, written as a list of types, `anyOf` or `oneOf`. */
function optionsOf({ type, anyOf, oneOf, ...rest }: JsonSchema): JsonSchema[] {
  if (Array.isArray(type)) return (type as string[]).map((it) => ({ ...rest, type: it }))
  return (anyOf ?? oneOf ?? []) as JsonSchema[]
}

/** Tries the members in order, then the text itself, then `null`, and returns the first value that the schema allows. */
function compileUnion(schema: JsonSchema, options: readonly JsonSchema[], root: JsonSchema): Convert | undefined {
  const conversions = options.map((it) => compileConvert(it, root)).filter((it) => it !== undefined)
  const hasNull = options.some((it) => resolve(it, root)['type'] === 'null')
  if (conversions.length === 0 && !hasNull) return undefined
  const validate = compileValidate({ kind: 'json-schema', schema: { ...schema, $defs: root['$defs'] ?? {} } })
  const isAllowed = (value: unknown): boolean => {
    const issues: RequestIssue[] = []
    validate(value, [], issues)
    return issues.length === 0
  }
  return (text) => {
    const candidates = [...conversions.map((convert) => convert(text)), text, ...(text === 'null' ? [null] : [])]
    const found = candidates.find(isAllowed)
    return found === undefined ? candidates[0] : found
  }
}

/** The conversion of a named parameter. Of a list, each item is converted. */
export function compileParameter(type: ResolvedType): (value: QueryValue) => unknown {
  if (type.kind === 'any') return (value) => value
  if (type.kind === 'array' || type.kind === 'one-or-many') return listOf(compileParameter(type.element) as Convert)
  return compileProperty(jsonSchemaOf(type))
}

export function isList(type: ResolvedType): boolean {
  if (type.kind === 'any') return false
  if (type.kind === 'array' || type.kind === 'one-or-many') return true
  const schema = jsonSchemaOf(type)
  return resolve(schema, schema)['type'] === 'array'
}

/**
 * The reason why a parameter of this type is impossible, since text cannot nest; `undefined` if it is possible. For a
 * whole query, see {@link findUnwritableProperties}.
 */
export function findUnwritable(type: ResolvedType): 'an object' | 'a list of lists' | 'a list of objects' | undefined {
  if (type.kind === 'any') return undefined
  if (type.kind === 'array' || type.kind === 'one-or-many') {
    if (isList(type.element)) return 'a list of lists'
    return findUnwritable(type.element) && 'a list of objects'
  }
  const root = jsonSchemaOf(type)
  return findUnwritableSchema(root, root)
}

/** The properties of a whole query that are impossible, each with the reason. */
export function findUnwritableProperties(type: ResolvedType): readonly (readonly [name: string, what: string])[] {
  if (type.kind !== 'schema' && type.kind !== 'json-schema') return []
  const root = jsonSchemaOf(type)
  const properties = (resolve(root, root)['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).flatMap(([name, schema]) => {
    const what = findUnwritableSchema(schema, root)
    return what ? [[name, what] as const] : []
  })
}

function findUnwritableSchema(schema: JsonSchema, root: JsonSchema): ReturnType<typeof findUnwritable> {
  const { type, properties, items } = resolve(schema, root)
  if (type === 'object' || (type === undefined && properties !== undefined)) return 'an object'
  if (type !== 'array' || typeof items !== 'object' || items === null) return undefined
  const inner = resolve(items as JsonSchema, root)['type']
  return inner === 'array' ? 'a list of lists' : inner === 'object' ? 'a list of objects' : undefined
}

/** The `default` of a parameter's or body's schema. */
export function defaultOf(type: ResolvedType): unknown {
  if (type.kind !== 'json-schema') return undefined
  return resolve(type.schema, type.schema)['default']
}

/** The conversion of a whole query or form to the object that the schema describes. */
export function compileObject(type: ResolvedType): (values: Readonly<Record<string, QueryValue>>) => unknown {
  const schema = type.kind === 'schema' || type.kind === 'json-schema' ? jsonSchemaOf(type) : {}
  const properties = (resolve(schema, schema)['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const conversions = new Map(Object.entries(properties).map(([name, it]) => [name, compileProperty(it, schema)]))
  return (values) => {
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(values)) {
      const convert = conversions.get(name)
      const value = convert ? convert(values[name]!) : values[name]
      // Plain assignment would set the prototype.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true })
      else object[name] = value
    }
    return object
  }
}

function compileProperty(schema: JsonSchema, root: JsonSchema = schema): (value: QueryValue) => unknown {
  const target = resolve(schema, root)
  if (target['type'] === 'array') return listOf(compileConvert((target['items'] ?? {}) as JsonSchema, root))
  const convert = compileConvert(target, root)
  // A repeated parameter is a list, which validation refuses for a scalar.
  return (value) => (convert && typeof value === 'string' ? convert(value) : value)
}

function listOf(convert: Convert | undefined): (value: QueryValue) => unknown {
  return (value) => {
    const texts = typeof value === 'string' ? [value] : value
    return convert ? texts.map(convert) : texts
  }
}

/** True if an absent input has a default. A path parameter cannot be absent: the path would be another route. */
export function hasDefault(place: string, type: ResolvedType): boolean {
  return place !== 'path' && defaultOf(type) !== undefined
}

function jsonSchemaOf(type: Extract<ResolvedType, { kind: 'schema' | 'json-schema' }>): JsonSchema {
  return type.kind === 'schema' ? type.schema.jsonSchema : type.schema
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#/$defs/')) return schema
  const found = ((root['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>)[$ref.slice('#/$defs/'.length)]
  return found ? resolve(found, root) : schema
}
