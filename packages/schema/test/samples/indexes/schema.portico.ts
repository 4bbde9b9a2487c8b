// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Indexed {
  id: number
  email: string
  name: string
  at: number
  teamId: number
  slug: string
  place: { city: string }
}

/** Input to insert an `Indexed`. Fields with a default may be omitted; `null` means no value. */
export interface IndexedInsert {
  id: number
  email: string
  name: string
  at: number
  teamId: number
  slug: string
  place: { city: string }
}

/** Input to replace an `Indexed`: every field except those filled in on write. */
export interface IndexedReplace {
  id: number
  email: string
  name: string
  at: number
  teamId: number
  slug: string
  place: { city: string }
}

/** Input to update an `Indexed`: its key and any other fields. `null` clears an optional field. */
export interface IndexedUpdate {
  id: number
  email?: string
  name?: string
  at?: number
  teamId?: number
  slug?: string
  place?: { city: string }
}

/** The primary key of an `Indexed`. */
export interface IndexedKey {
  id: number
}

export const Indexed: portico.TableDeclaration<Indexed, IndexedInsert, IndexedUpdate, IndexedKey, IndexedReplace> = portico.defineTable({
  name: 'Indexed',
  table: 'indexes',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'email', name: 'email', type: 'string', storage: 'text', subtype: 'email' },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'teamId', name: 'teamId', type: 'number', storage: 'real' },
    { path: 'slug', name: 'slug', type: 'string', storage: 'text' },
    { path: 'place.city', name: 'place__city', type: 'string', storage: 'text' },
  ],
  groups: [{ path: 'place', optional: false }],
  indexes: [
    { name: 'indexes__email', unique: true, columns: [{ path: 'email', column: 'email', order: 'asc' }] },
    { name: 'indexes__name', unique: false, columns: [{ path: 'name', column: 'name', order: 'asc' }] },
    { name: 'indexes__at', unique: false, columns: [{ path: 'at', column: 'at', order: 'desc' }] },
    { name: 'indexes__slug_in_team', unique: true, columns: [{ path: 'teamId', column: 'teamId', order: 'asc' }, { path: 'slug', column: 'slug', order: 'asc' }] },
    { name: 'indexes__by_team', unique: false, columns: [{ path: 'teamId', column: 'teamId', order: 'desc' }, { path: 'slug', column: 'slug', order: 'asc' }] },
    { name: 'indexes__place__city', unique: false, columns: [{ path: 'place.city', column: 'place__city', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      email: { type: 'string', format: 'email' },
      name: { type: 'string' },
      at: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      teamId: { type: 'number' },
      slug: { type: 'string' },
      place: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
    },
    required: ['id', 'email', 'name', 'at', 'teamId', 'slug', 'place'],
    additionalProperties: false,
  },
  check: checkIndexed,
})

function checkIndexed(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'email':
      case 'name':
      case 'at':
      case 'teamId':
      case 'slug':
      case 'place':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['email']
  if (it !== undefined) {
    if (!portico.isEmail(it)) portico.wrong(issues, [...path, 'email'], 'an e-mail address')
  } else if (mode !== 'update') portico.missing(issues, path, 'email')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['at']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'at')
  it = value['teamId']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'teamId'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'teamId')
  it = value['slug']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'slug'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'slug')
  it = value['place']
  if (it !== undefined) {
    checkIndexedPlace(it, [...path, 'place'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'place')
}

function checkIndexedPlace(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'city':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
}
