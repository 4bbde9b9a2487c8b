import type { JsonSchema } from '@portico/schema/runtime'
import type { ResolvedType } from '../types.ts'
import type { QueryValue } from './query-string.ts'

/** Turns text into a value of a type. What does not fit stays text, for validation to refuse. */
export type Convert = (text: string) => unknown

/** Numbers as JSON writes them: no space, no `+`, no `0x`, no leading zeros. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const zeroPattern = /^-?0(?:\.0+)?(?:[eE]|$)/
const integerPattern = /^-?(?:0|[1-9]\d*)$/

/** A number, or `undefined` when the text is none, or one too great or too small for JavaScript to tell apart. */
export function readNumber(text: string): number | undefined {
  if (!numberPattern.test(text)) return undefined
  const value = Number(text)
  if (value === 0 && !zeroPattern.test(text)) return undefined
  return Number.isFinite(value) ? value : undefined
}

/** A whole number that JavaScript holds exactly, or `undefined`. */
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

/** The conversion that the schema of a scalar asks for. */
export function compileConvert(schema: JsonSchema, root: JsonSchema = schema): Convert | undefined {
  const target = resolve(schema, root)
  const { type, const: only } = target
  const values = Array.isArray(target['enum']) ? (target['enum'] as unknown[]) : only !== undefined ? [only] : undefined
  if (values) return (text) => values.find((it) => String(it) === text) ?? text
  if (typeof type === 'string') return converts[type]
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((it) => (target[it] ?? []) as JsonSchema[])
  for (const option of options) {
    const convert = compileConvert(option, root)
    if (convert) return convert
  }
  return undefined
}

/** The conversion of a named parameter: of each item where it is a list. */
export function compileParameter(type: ResolvedType): (value: QueryValue) => unknown {
  if (type.kind === 'any') return (value) => value
  if (type.kind === 'array' || type.kind === 'one-or-many') return listOf(compileParameter(type.element) as Convert)
  return compileProperty(jsonSchemaOf(type))
}

/** The conversion of a whole query into the object that the schema describes. */
export function compileObject(type: ResolvedType): (values: Readonly<Record<string, QueryValue>>) => unknown {
  const schema = type.kind === 'schema' || type.kind === 'json-schema' ? jsonSchemaOf(type) : {}
  const properties = (resolve(schema, schema)['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const conversions = new Map(Object.entries(properties).map(([name, it]) => [name, compileProperty(it, schema)]))
  return (values) => {
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(values)) {
      const value = conversions.get(name)?.(values[name]!) ?? values[name]
      // Plain assignment would set the prototype under this name.
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
  // A repeated parameter is a list, which no scalar type accepts.
  return (value) => (convert && typeof value === 'string' ? convert(value) : value)
}

function listOf(convert: Convert | undefined): (value: QueryValue) => unknown {
  return (value) => {
    const texts = typeof value === 'string' ? [value] : value
    return convert ? texts.map(convert) : texts
  }
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
