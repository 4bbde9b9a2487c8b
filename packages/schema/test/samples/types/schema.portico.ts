// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export type Level = 1 | 2 | 3

export const Level: portico.Schema<Level> = portico.defineType({
  name: 'Level',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'integer',
    format: 'int64',
    enum: [1, 2, 3],
  },
  check: checkLevel,
})

function checkLevel(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!(value === 1 || value === 2 || value === 3)) portico.wrong(issues, path, 'one of 1, 2, 3')
}

export interface Types {
  id: string
  text: string
  email: string
  url: string
  day: string
  moment: string
  name: string
  number: number
  whole: number
  at: number
  createdAt: number
  updatedAt: number
  flag: boolean
  yes: true
  amount: string
  price: string
  role: 'admin' | 'member'
  level: Level
  list: string[]
  matrix: number[][]
  mixed: (string | number)[]
}

/** Input to insert a `Types`. Fields with a default may be omitted; `null` means no value. */
export interface TypesInsert {
  id: string
  text: string
  email: string
  url: string
  day: string
  moment: string
  name: string
  number: number
  whole: number
  at: number
  createdAt?: number
  updatedAt?: number
  flag: boolean
  yes: true
  amount: string
  price: string
  role: 'admin' | 'member'
  level: Level
  list: string[]
  matrix: number[][]
  mixed: (string | number)[]
}

/** Input to replace a `Types`: every field except those filled in on write. */
export interface TypesReplace {
  id: string
  text: string
  email: string
  url: string
  day: string
  moment: string
  name: string
  number: number
  whole: number
  at: number
  createdAt?: number
  updatedAt?: number
  flag: boolean
  yes: true
  amount: string
  price: string
  role: 'admin' | 'member'
  level: Level
  list: string[]
  matrix: number[][]
  mixed: (string | number)[]
}

/** Input to update a `Types`: its key and any other fields. `null` clears an optional field. */
export interface TypesUpdate {
  id: string
  text?: string
  email?: string
  url?: string
  day?: string
  moment?: string
  name?: string
  number?: number
  whole?: number
  at?: number
  createdAt?: number
  updatedAt?: number
  flag?: boolean
  yes?: true
  amount?: string
  price?: string
  role?: 'admin' | 'member'
  level?: Level
  list?: string[]
  matrix?: number[][]
  mixed?: (string | number)[]
}

/** The primary key of a `Types`. */
export interface TypesKey {
  id: string
}

export const Types: portico.TableDeclaration<Types, TypesInsert, TypesUpdate, TypesKey, TypesReplace, portico.NoRelations, 'amount' | 'price'> = portico.defineTable({
  name: 'Types',
  table: 'types',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true },
    { path: 'text', name: 'text', type: 'string', storage: 'text' },
    { path: 'email', name: 'email', type: 'string', storage: 'text', subtype: 'email' },
    { path: 'url', name: 'url', type: 'string', storage: 'text', subtype: 'url' },
    { path: 'day', name: 'day', type: 'string', storage: 'text', subtype: 'date' },
    { path: 'moment', name: 'moment', type: 'string', storage: 'text', subtype: 'datetime' },
    { path: 'name', name: 'name', type: 'string', storage: 'text', subtype: 'required' },
    { path: 'number', name: 'number', type: 'number', storage: 'real' },
    { path: 'whole', name: 'whole', type: 'number', storage: 'real', subtype: 'int', integer: true },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
    { path: 'updatedAt', name: 'updatedAt', type: 'number', storage: 'real', subtype: 'timestamp.updated', integer: true, generated: 'updated' },
    { path: 'flag', name: 'flag', type: 'boolean', storage: 'boolean' },
    { path: 'yes', name: 'yes', type: 'boolean', storage: 'boolean', values: [true] },
    { path: 'amount', name: 'amount', type: 'decimal', storage: 'decimal' },
    { path: 'price', name: 'price', type: 'decimal', storage: 'decimal', precision: { precision: 12, scale: 2 } },
    { path: 'role', name: 'role', type: 'string', storage: 'text', values: ['admin', 'member'] },
    { path: 'level', name: 'level', type: 'number', storage: 'real', values: [1, 2, 3] },
    { path: 'list', name: 'list', type: 'json', storage: 'json', shape: 'array', element: 'string' },
    { path: 'matrix', name: 'matrix', type: 'json', storage: 'json', shape: 'array' },
    { path: 'mixed', name: 'mixed', type: 'json', storage: 'json', shape: 'array' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      text: { type: 'string' },
      email: { type: 'string', format: 'email' },
      url: { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#:@]' },
      day: { type: 'string', format: 'date' },
      moment: { type: 'string', format: 'date-time' },
      name: { type: 'string', minLength: 1 },
      number: { type: 'number' },
      whole: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      at: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      updatedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      flag: { type: 'boolean' },
      yes: { type: 'boolean', const: true },
      amount: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,28})(?:\\.[0-9]{1,9})?$' },
      price: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?$' },
      role: { type: 'string', enum: ['admin', 'member'] },
      level: { $ref: '#/$defs/Level' },
      list: { type: 'array', items: { type: 'string' } },
      matrix: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      mixed: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    },
    required: [
      'id',
      'text',
      'email',
      'url',
      'day',
      'moment',
      'name',
      'number',
      'whole',
      'at',
      'createdAt',
      'updatedAt',
      'flag',
      'yes',
      'amount',
      'price',
      'role',
      'level',
      'list',
      'matrix',
      'mixed',
    ],
    additionalProperties: false,
    $defs: { Level: { type: 'integer', format: 'int64', enum: [1, 2, 3] } },
  },
  check: checkTypes,
})

function checkTypes(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'text':
      case 'email':
      case 'url':
      case 'day':
      case 'moment':
      case 'name':
      case 'number':
      case 'whole':
      case 'at':
      case 'createdAt':
      case 'updatedAt':
      case 'flag':
      case 'yes':
      case 'amount':
      case 'price':
      case 'role':
      case 'level':
      case 'list':
      case 'matrix':
      case 'mixed':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else portico.missing(issues, path, 'id')
  it = value['text']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'text'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'text')
  it = value['email']
  if (it !== undefined) {
    if (!portico.isEmail(it)) portico.wrong(issues, [...path, 'email'], 'an e-mail address')
  } else if (mode !== 'update') portico.missing(issues, path, 'email')
  it = value['url']
  if (it !== undefined) {
    if (!portico.isUrl(it)) portico.wrong(issues, [...path, 'url'], 'an http or https URL')
  } else if (mode !== 'update') portico.missing(issues, path, 'url')
  it = value['day']
  if (it !== undefined) {
    if (!portico.isDate(it)) portico.wrong(issues, [...path, 'day'], 'a date, such as 2026-02-28')
  } else if (mode !== 'update') portico.missing(issues, path, 'day')
  it = value['moment']
  if (it !== undefined) {
    if (!portico.isDateTime(it)) portico.wrong(issues, [...path, 'moment'], 'a date and time with offset, such as 2026-02-28T12:00:00Z')
  } else if (mode !== 'update') portico.missing(issues, path, 'moment')
  it = value['name']
  if (it !== undefined) {
    if (!portico.matches(it, /[^]/)) portico.wrong(issues, [...path, 'name'], 'text that is not empty')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['number']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'number'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'number')
  it = value['whole']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'whole'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'whole')
  it = value['at']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'at')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['updatedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'updatedAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'updatedAt')
  it = value['flag']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'flag'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'flag')
  it = value['yes']
  if (it !== undefined) {
    if (!(it === true)) portico.wrong(issues, [...path, 'yes'], 'true')
  } else if (mode !== 'update') portico.missing(issues, path, 'yes')
  it = value['amount']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,28})(?:\.[0-9]{1,9})?$/)) portico.wrong(issues, [...path, 'amount'], 'a decimal as text, such as "1.50"')
  } else if (mode !== 'update') portico.missing(issues, path, 'amount')
  it = value['price']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'price'], 'a decimal as text, with up to 12 digits and 2 after the point')
  } else if (mode !== 'update') portico.missing(issues, path, 'price')
  it = value['role']
  if (it !== undefined) {
    if (!(it === 'admin' || it === 'member')) portico.wrong(issues, [...path, 'role'], "one of 'admin', 'member'")
  } else if (mode !== 'update') portico.missing(issues, path, 'role')
  it = value['level']
  if (it !== undefined) {
    if (!(it === 1 || it === 2 || it === 3)) portico.wrong(issues, [...path, 'level'], 'one of 1, 2, 3')
  } else if (mode !== 'update') portico.missing(issues, path, 'level')
  it = value['list']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'list'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'list', index], 'text')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'list')
  it = value['matrix']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'matrix'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isArray(item)) portico.wrong(issues, [...path, 'matrix', index], 'an array')
        else {
          for (const [index1, item1] of item.entries()) {
            if (!portico.isNumber(item1)) portico.wrong(issues, [...path, 'matrix', index, index1], 'a number')
          }
        }
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'matrix')
  it = value['mixed']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'mixed'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!(portico.isString(item) || portico.isNumber(item))) portico.wrong(issues, [...path, 'mixed', index], 'text or a number')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'mixed')
}
