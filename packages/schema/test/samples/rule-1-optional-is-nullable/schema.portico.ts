// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Optional {
  id: number
  required: string
  optional?: string
  object?: { required: string; optional?: number }
}

/** Input to insert an `Optional`. Fields with a default may be omitted; `null` means no value. */
export interface OptionalInsert {
  id: number
  required: string
  optional?: string | null
  object?: { required: string; optional?: number | null } | null
}

/** Input to replace an `Optional`: every field except those filled in on write. */
export interface OptionalReplace {
  id: number
  required: string
  optional?: string | null
  object?: { required: string; optional?: number | null } | null
}

/** Input to update an `Optional`: its key and any other fields. `null` clears an optional field. */
export interface OptionalUpdate {
  id: number
  required?: string
  optional?: string | null
  object?: { required: string; optional?: number | null } | null
}

/** The primary key of an `Optional`. */
export interface OptionalKey {
  id: number
}

export const Optional: portico.TableDeclaration<Optional, OptionalInsert, OptionalUpdate, OptionalKey, OptionalReplace> = portico.defineTable({
  name: 'Optional',
  table: 'rule_1',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'required', name: 'required', type: 'string', storage: 'text' },
    { path: 'optional', name: 'optional', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'object.required', name: 'object__required', type: 'string', storage: 'text', nullable: true },
    { path: 'object.optional', name: 'object__optional', type: 'number', storage: 'real', nullable: true, optional: true },
  ],
  groups: [{ path: 'object', optional: true, presence: 'object__required' }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      required: { type: 'string' },
      optional: { type: 'string' },
      object: {
        type: 'object',
        properties: { required: { type: 'string' }, optional: { type: 'number' } },
        required: ['required'],
        additionalProperties: false,
      },
    },
    required: ['id', 'required'],
    additionalProperties: false,
  },
  check: checkOptional,
})

function checkOptional(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'required':
      case 'optional':
      case 'object':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['required']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'required'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'required')
  it = value['optional']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'optional'], 'text')
  }
  it = value['object']
  if (portico.isPresent(it, mode)) {
    checkOptionalObject(it, [...path, 'object'], issues, portico.nested(mode))
  }
}

function checkOptionalObject(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'required':
      case 'optional':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['required']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'required'], 'text')
  } else portico.missing(issues, path, 'required')
  it = value['optional']
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'optional'], 'a number')
  }
}
