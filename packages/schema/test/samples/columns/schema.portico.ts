// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Columns {
  id: number
  name: string
  display?: string
  passwordHash: string
  maybe?: boolean
  nothing: string | null
}

/** Input to insert a `Columns`. Fields with a default may be omitted; `null` means no value. */
export interface ColumnsInsert {
  id: number
  name: string
  display?: string | null
  passwordHash: string
  maybe?: boolean | null
  nothing: string | null
}

/** Input to replace a `Columns`: every field except those filled in on write. */
export interface ColumnsReplace {
  id: number
  name: string
  display?: string | null
  passwordHash: string
  maybe?: boolean | null
  nothing: string | null
}

/** Input to update a `Columns`: its key and any other fields. `null` clears an optional field. */
export interface ColumnsUpdate {
  id: number
  name?: string
  display?: string | null
  passwordHash?: string
  maybe?: boolean | null
  nothing?: string | null
}

/** The primary key of a `Columns`. */
export interface ColumnsKey {
  id: number
}

export const Columns: portico.TableDeclaration<Columns, ColumnsInsert, ColumnsUpdate, ColumnsKey, ColumnsReplace> = portico.defineTable({
  name: 'Columns',
  table: 'columns',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'name', name: 'given_name', type: 'string', storage: 'text', renamedFrom: ['first_name'] },
    { path: 'passwordHash', name: 'passwordHash', type: 'string', storage: 'text', writeOnly: true },
    { path: 'maybe', name: 'maybe', type: 'boolean', storage: 'boolean', nullable: true, optional: true },
    { path: 'nothing', name: 'nothing', type: 'string', storage: 'text', nullable: true, allowsNull: true },
  ],
  ignored: ['display'],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
      display: { type: 'string' },
      passwordHash: { type: 'string', writeOnly: true },
      maybe: { type: 'boolean' },
      nothing: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    required: ['id', 'name', 'passwordHash', 'nothing'],
    additionalProperties: false,
  },
  check: checkColumns,
})

function checkColumns(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'display':
      case 'passwordHash':
      case 'maybe':
      case 'nothing':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['display']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'display'], 'text')
  }
  it = value['passwordHash']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'passwordHash'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'passwordHash')
  it = value['maybe']
  if (portico.isPresent(it, mode)) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'maybe'], 'true or false')
  }
  it = value['nothing']
  if (it !== undefined) {
    if (it !== null) {
      if (!portico.isString(it)) portico.wrong(issues, [...path, 'nothing'], 'text')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'nothing')
}
