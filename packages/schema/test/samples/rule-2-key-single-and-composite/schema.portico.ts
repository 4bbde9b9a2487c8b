// Made from schema.portico by `portico generate`. Change schema.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Single {
  id: string
}

/** What an insert of a `Single` takes: what has a default may be left out, `null` stands for absent. */
export interface SingleInsert {
  id: string
}

/** What replaces a `Single`: every field but those that are filled in at a write. */
export interface SingleReplace {
  id: string
}

/** What changes a `Single`: its key and any other fields; `null` clears an optional one. */
export interface SingleUpdate {
  id: string
}

/** The key of a `Single`. */
export interface SingleKey {
  id: string
}

export const Single: portico.Table<Single, SingleInsert, SingleUpdate, SingleKey, SingleReplace> = portico.defineTable({
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

/** What an insert of a `Composite` takes: what has a default may be left out, `null` stands for absent. */
export interface CompositeInsert {
  tenant: string
  number: number
}

/** What replaces a `Composite`: every field but those that are filled in at a write. */
export interface CompositeReplace {
  tenant: string
  number: number
}

/** What changes a `Composite`: its key and any other fields; `null` clears an optional one. */
export interface CompositeUpdate {
  tenant: string
  number: number
}

/** The key of a `Composite`. */
export interface CompositeKey {
  tenant: string
  number: number
}

export const Composite: portico.Table<Composite, CompositeInsert, CompositeUpdate, CompositeKey, CompositeReplace> = portico.defineTable({
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
