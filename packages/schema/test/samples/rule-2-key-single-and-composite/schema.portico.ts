// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Single {
  id: string
}

/** Input to insert a `Single`. Fields with a default may be omitted; `null` means no value. */
export interface SingleInsert {
  id: string
}

/** Input to replace a `Single`: every field except those filled in on write. */
export interface SingleReplace {
  id: string
}

/** Input to update a `Single`: its key and any other fields. `null` clears an optional field. */
export interface SingleUpdate {
  id: string
}

/** The primary key of a `Single`. */
export interface SingleKey {
  id: string
}

export const Single: portico.TableDeclaration<Single, SingleInsert, SingleUpdate, SingleKey, SingleReplace> = portico.defineTable({
  name: 'Single',
  table: 'single',
  key: ['id'],
  columns: [{ path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' } },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkSingle,
})

function checkSingle(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else portico.missing(issues, path, 'id')
}

export interface Composite {
  tenant: string
  number: number
}

/** Input to insert a `Composite`. Fields with a default may be omitted; `null` means no value. */
export interface CompositeInsert {
  tenant: string
  number: number
}

/** Input to replace a `Composite`: every field except those filled in on write. */
export interface CompositeReplace {
  tenant: string
  number: number
}

/** Input to update a `Composite`: its key and any other fields. `null` clears an optional field. */
export interface CompositeUpdate {
  tenant: string
  number: number
}

/** The primary key of a `Composite`. */
export interface CompositeKey {
  tenant: string
  number: number
}

export const Composite: portico.TableDeclaration<Composite, CompositeInsert, CompositeUpdate, CompositeKey, CompositeReplace> = portico.defineTable({
  name: 'Composite',
  table: 'composite',
  key: ['tenant', 'number'],
  columns: [
    { path: 'tenant', name: 'tenant', type: 'string', storage: 'text', key: true },
    { path: 'number', name: 'number', type: 'number', storage: 'integer', integer: true, key: true },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      tenant: { type: 'string' },
      number: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['tenant', 'number'],
    additionalProperties: false,
  },
  check: checkComposite,
})

function checkComposite(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'tenant':
      case 'number':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['tenant']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'tenant'], 'text')
  } else portico.missing(issues, path, 'tenant')
  it = value['number']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'number'], 'a whole number')
  } else portico.missing(issues, path, 'number')
}
