import type { JsonSchema, Schema } from '@portico/schema/runtime'
import { RouteError } from './errors.ts'

/**
 * The type of a parameter, body or response: `String`, `Number`, `Boolean`, a value that `portico generate` made, a
 * JSON Schema (draft 2020-12), or an array with one of these for a list.
 */
export type TypeToken =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | Schema<unknown>
  | JsonSchema
  | readonly [TypeToken]

/** The type of an input that may be absent. */
export interface OptionalType<T extends TypeToken> {
  readonly optional: T
}

/** Marks a parameter or body of {@link defineRoute} as optional. */
export function optional<T extends TypeToken>(type: T): OptionalType<T> {
  return Object.freeze({ optional: type })
}

/** True for a token made by {@link optional}. Schemas of other libraries may have a method of that name. */
export function isOptional(token: unknown): token is OptionalType<TypeToken> {
  return (
    typeof token === 'object' && token !== null && Object.isFrozen(token) && Object.keys(token).join() === 'optional'
  )
}

/** The TypeScript type of a token. */
export type TypeOf<T> = T extends StringConstructor
  ? string
  : T extends NumberConstructor
    ? number
    : T extends BooleanConstructor
      ? boolean
      : T extends Schema<infer V>
        ? V
        : T extends readonly [infer E]
          ? TypeOf<E>[]
          : T extends OptionalType<infer O>
            ? TypeOf<O> | undefined
            : unknown

/** A type token in its normal form, from which conversion, validation and description are derived. */
export type ResolvedType =
  | { readonly kind: 'any' }
  | { readonly kind: 'schema'; readonly schema: Schema<unknown> }
  /** With a name, it becomes a shared schema of the API description. */
  | { readonly kind: 'json-schema'; readonly schema: JsonSchema; readonly name?: string }
  | { readonly kind: 'array'; readonly element: ResolvedType }
  | { readonly kind: 'one-or-many'; readonly element: ResolvedType }

const primitives: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
])

/** Resolves a type token. An unknown type is a `RouteError` that names the `place`. */
export function resolveType(token: unknown, place: string): ResolvedType {
  const primitive = primitives.get(token)
  if (primitive) return { kind: 'json-schema', schema: primitive }
  if (isSchema(token)) return { kind: 'schema', schema: token }
  if (Array.isArray(token) && token.length === 1) return { kind: 'array', element: resolveType(token[0], place) }
  const vendor = foreignVendor(token)
  if (vendor !== undefined) {
    throw new RouteError(
      'TYPE_UNKNOWN',
      `${place}: a ${vendor} schema is not a JSON Schema: convert it first, as z.toJSONSchema(schema) does`,
    )
  }
  if (typeof token === 'object' && token !== null && !Array.isArray(token)) {
    return { kind: 'json-schema', schema: token as JsonSchema }
  }
  const name = typeof token === 'function' ? `the class ${token.name}` : String(token)
  throw new RouteError(
    'TYPE_UNKNOWN',
    `${place}: ${name} is not a type: use String, Number, Boolean, a generated schema, a JSON Schema, or a list of one of these such as [String]`,
  )
}

/** The JSON Schema of a type; `undefined` if any value is valid. */
export function describeType(type: ResolvedType): JsonSchema | undefined {
  switch (type.kind) {
    case 'any':
      return undefined
    case 'array':
      return { type: 'array', items: describeType(type.element) ?? {} }
    case 'one-or-many': {
      const one = describeType(type.element) ?? {}
      return { anyOf: [one, { type: 'array', items: one }] }
    }
    default:
      return type.kind === 'schema' ? type.schema.jsonSchema : type.schema
  }
}

function isSchema(value: unknown): value is Schema<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const { check, jsonSchema, validate } = value as Partial<Schema<unknown>>
  return typeof check === 'function' && typeof validate === 'function' && typeof jsonSchema === 'object'
}

/** The library that made a Standard Schema (https://standardschema.dev), if it is not ours. */
function foreignVendor(value: unknown): string | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const { '~standard': standard, safeParse } = value as { '~standard'?: { vendor?: unknown }; safeParse?: unknown }
  if (standard !== undefined) return typeof standard.vendor === 'string' ? standard.vendor : 'another library'
  return typeof safeParse === 'function' ? 'zod' : undefined
}
