import type { JsonSchema, Schema } from '@portico/schema/runtime'
import { RouteError } from './errors.ts'

/**
 * How the type of a parameter, body or answer is written: `String`, `Number`, `Boolean`, a value that
 * `portico generate` made, a JSON Schema (draft 2020-12), or an array with one of these for a list of them.
 */
export type TypeToken =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | Schema<unknown>
  | JsonSchema
  | readonly [TypeToken]

/** A type token that may be absent. */
export interface OptionalType<T extends TypeToken> {
  readonly optional: T
}

/** Marks a parameter or body of {@link defineRoute} as optional. */
export function optional<T extends TypeToken>(type: T): OptionalType<T> {
  return Object.freeze({ optional: type })
}

/** Whether a token was made by {@link optional}. Schemas of other libraries may have a method of that name. */
export function isOptional(token: unknown): token is OptionalType<TypeToken> {
  return (
    typeof token === 'object' && token !== null && Object.isFrozen(token) && Object.keys(token).join() === 'optional'
  )
}

/** The TypeScript type that a token stands for. */
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

/** A type, looked at: what converts text, validates and describes. */
export type ResolvedType =
  | { readonly kind: 'any' }
  | { readonly kind: 'schema'; readonly schema: Schema<unknown> }
  /** With a name it is shared in the API description under it. */
  | { readonly kind: 'json-schema'; readonly schema: JsonSchema; readonly name?: string }
  | { readonly kind: 'array'; readonly element: ResolvedType }
  | { readonly kind: 'one-or-many'; readonly element: ResolvedType }

const primitives: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
])

/** Looks at a token. `place` is told when there is no such type. */
export function resolveType(token: unknown, place: string): ResolvedType {
  const primitive = primitives.get(token)
  if (primitive) return { kind: 'json-schema', schema: primitive }
  if (isSchema(token)) return { kind: 'schema', schema: token }
  if (Array.isArray(token) && token.length === 1) return { kind: 'array', element: resolveType(token[0], place) }
  const vendor = foreignVendor(token)
  if (vendor !== undefined) {
    throw new RouteError(
      'TYPE_UNKNOWN',
      `${place}: a schema of ${vendor} is not a JSON Schema; give the JSON Schema that it makes, such as z.toJSONSchema(schema)`,
    )
  }
  if (typeof token === 'object' && token !== null && !Array.isArray(token)) {
    return { kind: 'json-schema', schema: token as JsonSchema }
  }
  const told = typeof token === 'function' ? `the class ${token.name}` : String(token)
  throw new RouteError(
    'TYPE_UNKNOWN',
    `${place}: ${told} says nothing about its values; give String, Number, Boolean, a generated schema, a JSON Schema, or a list of one of these such as [String]`,
  )
}

/** The JSON Schema of a type; `undefined` where anything goes. */
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

/** The library of a Standard Schema (https://standardschema.dev) that is not one of ours. */
function foreignVendor(value: unknown): string | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const { '~standard': standard, safeParse } = value as { '~standard'?: { vendor?: unknown }; safeParse?: unknown }
  if (standard !== undefined) return typeof standard.vendor === 'string' ? standard.vendor : 'another library'
  return typeof safeParse === 'function' ? 'zod' : undefined
}
