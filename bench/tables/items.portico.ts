// Generated from items.portico by `portico generate`. Do not edit: change items.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'items.portico.ts')

export interface Item {
  id: number
  name: string
  email: string
  groupId: number
  active: boolean
  score: number
  tags: string[]
  address: { city: string; zip: string }
}

/** Input to insert an `Item`. Fields with a default may be omitted; `null` means no value. */
export interface ItemInsert {
  id?: number
  name: string
  email: string
  groupId: number
  active: boolean
  score: number
  tags: string[]
  address: { city: string; zip: string }
}

/** Input to replace an `Item`: every field except those filled in on write. */
export interface ItemReplace {
  id: number
  name: string
  email: string
  groupId: number
  active: boolean
  score: number
  tags: string[]
  address: { city: string; zip: string }
}

/** Input to update an `Item`: its key and any other fields. `null` clears an optional field. */
export interface ItemUpdate {
  id: number
  name?: string
  email?: string
  groupId?: number
  active?: boolean
  score?: number
  tags?: string[]
  address?: { city: string; zip: string }
}

/** The primary key of an `Item`. */
export interface ItemKey {
  id: number
}

export const Item: portico.TableDeclaration<Item, ItemInsert, ItemUpdate, ItemKey, ItemReplace> = portico.defineTable({
  name: 'Item',
  table: 'items',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
    { path: 'email', name: 'email', type: 'string', storage: 'text' },
    { path: 'groupId', name: 'groupId', type: 'number', storage: 'real' },
    { path: 'active', name: 'active', type: 'boolean', storage: 'boolean' },
    { path: 'score', name: 'score', type: 'number', storage: 'real' },
    { path: 'tags', name: 'tags', type: 'json', storage: 'json', shape: 'array', element: 'string' },
    { path: 'address.city', name: 'address__city', type: 'string', storage: 'text' },
    { path: 'address.zip', name: 'address__zip', type: 'string', storage: 'text' },
  ],
  groups: [{ path: 'address', optional: false }],
  indexes: [
    { name: 'items__groupId', unique: false, columns: [{ path: 'groupId', column: 'groupId', order: 'asc' }] },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
      email: { type: 'string' },
      groupId: { type: 'number' },
      active: { type: 'boolean' },
      score: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      address: {
        type: 'object',
        properties: { city: { type: 'string' }, zip: { type: 'string' } },
        required: ['city', 'zip'],
        additionalProperties: false,
      },
    },
    required: ['id', 'name', 'email', 'groupId', 'active', 'score', 'tags', 'address'],
    additionalProperties: false,
  },
  check: checkItem,
})

function checkItem(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'email':
      case 'groupId':
      case 'active':
      case 'score':
      case 'tags':
      case 'address':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['email']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'email'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'email')
  it = value['groupId']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'groupId'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'groupId')
  it = value['active']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'active'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'active')
  it = value['score']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'score'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'score')
  it = value['tags']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'tags'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'tags', index], 'text')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'tags')
  it = value['address']
  if (it !== undefined) {
    checkItemAddress(it, [...path, 'address'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'address')
}

function checkItemAddress(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'city':
      case 'zip':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
  it = value['zip']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'zip'], 'text')
  } else portico.missing(issues, path, 'zip')
}
