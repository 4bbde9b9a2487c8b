import type { Check, Mode } from './checks.ts'
import type { Issue } from './issues.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A JSON Schema of draft 2020-12, as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The result of a validation: the typed value, or the issues. */
export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/**
 * A declared type at run time: a validator with a JSON Schema. It implements Standard Schema.
 *
 * ```ts
 * const result = Address.validate(JSON.parse(body))
 * if (!result.ok) throw new Error(result.issues[0].message)
 * ```
 */
export interface Schema<T> extends StandardSchema<T> {
  readonly kind: 'type' | 'table'
  /** The name of the declaration. */
  readonly name: string
  readonly jsonSchema: JsonSchema
  /** Validates a value without changing it. Unknown fields are rejected. */
  validate(value: unknown): ValidationResult<T>
  /** A type guard: true if the value is valid. */
  is(value: unknown): value is T
  /** The underlying check function, used to validate parts of a value. */
  readonly check: Check
}

/** A declared type in a generated module. */
export interface SchemaDefinition {
  readonly name: string
  readonly jsonSchema: JsonSchema
  readonly check: Check
}

/** Creates the frozen schema of a declared type. Called by generated modules. */
export function defineType<T>(definition: SchemaDefinition): Schema<T> {
  deepFreeze(definition.jsonSchema)
  return createSchema<T>(definition.name, definition.check, 'record', () => definition.jsonSchema)
}

/** Creates a schema that computes its JSON Schema on first access. */
export function createSchema<T>(name: string, check: Check, mode: Mode, describe: () => JsonSchema): Schema<T> {
  let jsonSchema: JsonSchema | undefined
  const validate = createValidate<T>(check, mode)
  return Object.freeze({
    kind: 'type' as const,
    name,
    get jsonSchema(): JsonSchema {
      jsonSchema ??= describe()
      return jsonSchema
    },
    validate,
    is: (value: unknown): value is T => validate(value).ok,
    check: mode === 'record' ? check : (value: unknown, path, issues) => check(value, path, issues, mode),
    '~standard': createStandard(validate),
  } satisfies Schema<T>)
}

export function createValidate<T>(check: Check, mode: Mode): (value: unknown) => ValidationResult<T> {
  return (value) => {
    const issues: Issue[] = []
    check(value, [], issues, mode)
    return issues.length === 0 ? { ok: true, value: value as T } : { ok: false, issues }
  }
}

export function createStandard<T>(validate: (value: unknown) => ValidationResult<T>): StandardSchema<T>['~standard'] {
  return Object.freeze({
    version: 1,
    vendor: 'portico',
    validate(value: unknown) {
      const result = validate(value)
      return result.ok ? { value: result.value } : { issues: result.issues }
    },
  } as const)
}

export function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
}
