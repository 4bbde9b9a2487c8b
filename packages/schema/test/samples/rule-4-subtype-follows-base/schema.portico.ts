// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Subtypes {
  id: string
  email: string
  count: number
  at: number
  createdAt: number
}

/** Input to insert a `Subtypes`. Fields with a default may be omitted; `null` means no value. */
export interface SubtypesInsert {
  id: string
  email: string
  count: number
  at: number
  createdAt?: number
}

/** Input to replace a `Subtypes`: every field except those filled in on write. */
export interface SubtypesReplace {
  id: string
  email: string
  count: number
  at: number
  createdAt?: number
}

/** Input to update a `Subtypes`: its key and any other fields. `null` clears an optional field. */
export interface SubtypesUpdate {
  id: string
  email?: string
  count?: number
  at?: number
  createdAt?: number
}

/** The primary key of a `Subtypes`. */
export interface SubtypesKey {
  id: string
}

export const Subtypes: portico.TableDeclaration<Subtypes, SubtypesInsert, SubtypesUpdate, SubtypesKey, SubtypesReplace> = portico.defineTable({
  name: 'Subtypes',
  table: 'rule_4',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', key: true },
    { path: 'email', name: 'email', type: 'string', storage: 'text', subtype: 'email' },
    { path: 'count', name: 'count', type: 'number', storage: 'real', subtype: 'int', integer: true },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'string' },
      email: { type: 'string', format: 'email' },
      count: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      at: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'email', 'count', 'at', 'createdAt'],
    additionalProperties: false,
  },
  check: checkSubtypes,
})

function checkSubtypes(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'email':
      case 'count':
      case 'at':
      case 'createdAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'id'], 'text')
  } else portico.missing(issues, path, 'id')
  it = value['email']
  if (it !== undefined) {
    if (!portico.isEmail(it)) portico.wrong(issues, [...path, 'email'], 'an e-mail address')
  } else if (mode !== 'update') portico.missing(issues, path, 'email')
  it = value['count']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'count'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'count')
  it = value['at']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'at')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
}
