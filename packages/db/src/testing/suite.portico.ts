// Generated from suite.portico by `portico generate`. Do not edit: change suite.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'suite.portico.ts')

/** One field of every type, and fields that the table layer sets. */
export interface Thing {
  id: number
  name: string
  kind: 'small' | 'big'
  ratio: number
  whole: number
  flag: boolean
  price: string
  amount?: string
  note?: string
  score?: number
  checked?: boolean
  at?: number
  day?: string
  tags: string[]
  extra?: { a: number; b?: string[] }
  address: { city: string; geo?: { lat: number; lng: number } }
  state: string
  rank?: number
  createdAt: number
  updatedAt: number
  shownAs?: string
}

/** Input to insert a `Thing`. Fields with a default may be omitted; `null` means no value. */
export interface ThingInsert {
  id?: number
  name: string
  kind: 'small' | 'big'
  ratio: number
  whole: number
  flag: boolean
  price: string
  amount?: string | null
  note?: string | null
  score?: number | null
  checked?: boolean | null
  at?: number | null
  day?: string | null
  tags: string[]
  extra?: { a: number; b?: string[] } | null
  address: { city: string; geo?: { lat: number; lng: number } | null }
  state?: string
  rank?: number | null
  createdAt?: number
  updatedAt?: number
  shownAs?: string | null
}

/** Input to replace a `Thing`: every field except those filled in on write. */
export interface ThingReplace {
  id: number
  name: string
  kind: 'small' | 'big'
  ratio: number
  whole: number
  flag: boolean
  price: string
  amount?: string | null
  note?: string | null
  score?: number | null
  checked?: boolean | null
  at?: number | null
  day?: string | null
  tags: string[]
  extra?: { a: number; b?: string[] } | null
  address: { city: string; geo?: { lat: number; lng: number } | null }
  state: string
  rank?: number | null
  createdAt?: number
  updatedAt?: number
  shownAs?: string | null
}

/** Input to update a `Thing`: its key and any other fields. `null` clears an optional field. */
export interface ThingUpdate {
  id: number
  name?: string
  kind?: 'small' | 'big'
  ratio?: number
  whole?: number
  flag?: boolean
  price?: string
  amount?: string | null
  note?: string | null
  score?: number | null
  checked?: boolean | null
  at?: number | null
  day?: string | null
  tags?: string[]
  extra?: { a: number; b?: string[] } | null
  address?: { city: string; geo?: { lat: number; lng: number } | null }
  state?: string
  rank?: number | null
  createdAt?: number
  updatedAt?: number
  shownAs?: string | null
}

/** The primary key of a `Thing`. */
export interface ThingKey {
  id: number
}

export const Thing: portico.TableDeclaration<Thing, ThingInsert, ThingUpdate, ThingKey, ThingReplace, portico.NoRelations, 'price' | 'amount'> = portico.defineTable({
  name: 'Thing',
  table: 'things',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'name', name: 'thing_name', type: 'string', storage: 'text' },
    { path: 'kind', name: 'kind', type: 'string', storage: 'text', values: ['small', 'big'] },
    { path: 'ratio', name: 'ratio', type: 'number', storage: 'real' },
    { path: 'whole', name: 'whole', type: 'number', storage: 'real', subtype: 'int', integer: true },
    { path: 'flag', name: 'flag', type: 'boolean', storage: 'boolean' },
    { path: 'price', name: 'price', type: 'decimal', storage: 'decimal', precision: { precision: 12, scale: 2 } },
    { path: 'amount', name: 'amount', type: 'decimal', storage: 'decimal', nullable: true, optional: true },
    { path: 'note', name: 'note', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'score', name: 'score', type: 'number', storage: 'real', nullable: true, optional: true },
    { path: 'checked', name: 'checked', type: 'boolean', storage: 'boolean', nullable: true, optional: true },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'day', name: 'day', type: 'string', storage: 'text', subtype: 'date', nullable: true, optional: true },
    { path: 'tags', name: 'tags', type: 'json', storage: 'json', shape: 'array', element: 'string' },
    { path: 'extra', name: 'extra', type: 'json', storage: 'json', shape: 'object', nullable: true, optional: true },
    { path: 'address.city', name: 'address__city', type: 'string', storage: 'text' },
    { path: 'address.geo.lat', name: 'address__geo__lat', type: 'number', storage: 'real', nullable: true },
    { path: 'address.geo.lng', name: 'address__geo__lng', type: 'number', storage: 'real', nullable: true },
    { path: 'state', name: 'state', type: 'string', storage: 'text', default: { kind: 'value', value: 'new' } },
    { path: 'rank', name: 'rank', type: 'number', storage: 'real', subtype: 'int', integer: true, nullable: true, optional: true, default: { kind: 'value', value: 3 } },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
    { path: 'updatedAt', name: 'updatedAt', type: 'number', storage: 'real', subtype: 'timestamp.updated', integer: true, generated: 'updated' },
  ],
  groups: [
    { path: 'address', optional: false },
    { path: 'address.geo', optional: true, presence: 'address__geo__lat' },
  ],
  indexes: [
    { name: 'things__thing_name', unique: true, columns: [{ path: 'name', column: 'thing_name', order: 'asc' }] },
    { name: 'things__kind', unique: false, columns: [{ path: 'kind', column: 'kind', order: 'asc' }] },
  ],
  ignored: ['shownAs'],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'One field of every type, and fields that the table layer sets.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
      kind: { type: 'string', enum: ['small', 'big'] },
      ratio: { type: 'number' },
      whole: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      flag: { type: 'boolean' },
      price: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?$' },
      amount: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,28})(?:\\.[0-9]{1,9})?$' },
      note: { type: 'string' },
      score: { type: 'number' },
      checked: { type: 'boolean' },
      at: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      day: { type: 'string', format: 'date' },
      tags: { type: 'array', items: { type: 'string' } },
      extra: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'array', items: { type: 'string' } } },
        required: ['a'],
        additionalProperties: false,
      },
      address: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          geo: {
            type: 'object',
            properties: { lat: { type: 'number' }, lng: { type: 'number' } },
            required: ['lat', 'lng'],
            additionalProperties: false,
          },
        },
        required: ['city'],
        additionalProperties: false,
      },
      state: { type: 'string', default: 'new' },
      rank: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991, default: 3 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      updatedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      shownAs: { type: 'string' },
    },
    required: [
      'id',
      'name',
      'kind',
      'ratio',
      'whole',
      'flag',
      'price',
      'tags',
      'address',
      'state',
      'createdAt',
      'updatedAt',
    ],
    additionalProperties: false,
  },
  check: checkThing,
})

function checkThing(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'kind':
      case 'ratio':
      case 'whole':
      case 'flag':
      case 'price':
      case 'amount':
      case 'note':
      case 'score':
      case 'checked':
      case 'at':
      case 'day':
      case 'tags':
      case 'extra':
      case 'address':
      case 'state':
      case 'rank':
      case 'createdAt':
      case 'updatedAt':
      case 'shownAs':
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
  it = value['kind']
  if (it !== undefined) {
    if (!(it === 'small' || it === 'big')) portico.wrong(issues, [...path, 'kind'], "one of 'small', 'big'")
  } else if (mode !== 'update') portico.missing(issues, path, 'kind')
  it = value['ratio']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'ratio'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'ratio')
  it = value['whole']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'whole'], 'a whole number')
  } else if (mode !== 'update') portico.missing(issues, path, 'whole')
  it = value['flag']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'flag'], 'true or false')
  } else if (mode !== 'update') portico.missing(issues, path, 'flag')
  it = value['price']
  if (it !== undefined) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'price'], 'a decimal as text, with up to 12 digits and 2 after the point')
  } else if (mode !== 'update') portico.missing(issues, path, 'price')
  it = value['amount']
  if (portico.isPresent(it, mode)) {
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,28})(?:\.[0-9]{1,9})?$/)) portico.wrong(issues, [...path, 'amount'], 'a decimal as text, such as "1.50"')
  }
  it = value['note']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'note'], 'text')
  }
  it = value['score']
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'score'], 'a number')
  }
  it = value['checked']
  if (portico.isPresent(it, mode)) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'checked'], 'true or false')
  }
  it = value['at']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  }
  it = value['day']
  if (portico.isPresent(it, mode)) {
    if (!portico.isDate(it)) portico.wrong(issues, [...path, 'day'], 'a date, such as 2026-02-28')
  }
  it = value['tags']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'tags'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'tags', index], 'text')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'tags')
  it = value['extra']
  if (portico.isPresent(it, mode)) {
    checkThingExtra(it, [...path, 'extra'], issues, 'record')
  }
  it = value['address']
  if (it !== undefined) {
    checkThingAddress(it, [...path, 'address'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'address')
  it = value['state']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'state'], 'text')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'state')
  it = value['rank']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'rank'], 'a whole number')
  }
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['updatedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'updatedAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'updatedAt')
  it = value['shownAs']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'shownAs'], 'text')
  }
}

function checkThingExtra(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'a':
      case 'b':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['a']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'a'], 'a number')
  } else portico.missing(issues, path, 'a')
  it = value['b']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'b'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'b', index], 'text')
      }
    }
  }
}

function checkThingAddress(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'city':
      case 'geo':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
  it = value['geo']
  if (portico.isPresent(it, mode)) {
    checkThingAddressGeo(it, [...path, 'geo'], issues, portico.nested(mode))
  }
}

function checkThingAddressGeo(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'lat':
      case 'lng':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['lat']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'lat'], 'a number')
  } else portico.missing(issues, path, 'lat')
  it = value['lng']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'lng'], 'a number')
  } else portico.missing(issues, path, 'lng')
}

export interface Team {
  id: number
  name: string
}

/** Input to insert a `Team`. Fields with a default may be omitted; `null` means no value. */
export interface TeamInsert {
  id?: number
  name: string
}

/** Input to replace a `Team`: every field except those filled in on write. */
export interface TeamReplace {
  id: number
  name: string
}

/** Input to update a `Team`: its key and any other fields. `null` clears an optional field. */
export interface TeamUpdate {
  id: number
  name?: string
}

/** The primary key of a `Team`. */
export interface TeamKey {
  id: number
}

/** The relations of a `Team`, by the names used in `with`. */
export interface TeamRelations {
  members: (typeof Person)[]
}

export const Team: portico.TableDeclaration<Team, TeamInsert, TeamUpdate, TeamKey, TeamReplace, TeamRelations> = portico.defineTable({
  name: 'Team',
  table: 'teams',
  schema: 'org',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 100 } },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
  ],
  indexes: [{ name: 'teams__name', unique: true, columns: [{ path: 'name', column: 'name', order: 'asc' }] }],
  relations: [
    { name: 'members', kind: 'from', target: 'Person', many: true, on: [{ here: 'id', there: 'teamId' }], table: (): portico.AnyTable => Person },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      name: { type: 'string' },
      members: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name'],
    additionalProperties: false,
  },
  check: checkTeam,
})

function checkTeam(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
        break
      case 'members':
        if (mode !== 'record') portico.unknownField(issues, path, name)
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
  it = value['members']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'members'], 'an array of objects')
  }
}

export interface Person {
  id: string
  name: string
  age?: number
  teamId?: number
  version: number
}

/** Input to insert a `Person`. Fields with a default may be omitted; `null` means no value. */
export interface PersonInsert {
  id?: string
  name: string
  age?: number | null
  teamId?: number | null
  version?: number
}

/** Input to replace a `Person`: every field except those filled in on write. */
export interface PersonReplace {
  id: string
  name: string
  age?: number | null
  teamId?: number | null
  version?: number
}

/** Input to update a `Person`: its key and any other fields. `null` clears an optional field. */
export interface PersonUpdate {
  id: string
  name?: string
  age?: number | null
  teamId?: number | null
  version?: number
}

/** The primary key of a `Person`. */
export interface PersonKey {
  id: string
}

/** The relations of a `Person`, by the names used in `with`. */
export interface PersonRelations {
  team?: typeof Team
  groups: (typeof Group)[]
}

export const Person: portico.TableDeclaration<Person, PersonInsert, PersonUpdate, PersonKey, PersonReplace, PersonRelations> = portico.defineTable({
  name: 'Person',
  table: 'people',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'string', storage: 'text', subtype: 'uuid', key: true, default: { kind: 'uuid' } },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
    { path: 'age', name: 'age', type: 'number', storage: 'real', subtype: 'int', integer: true, nullable: true, optional: true },
    { path: 'teamId', name: 'teamId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
  ],
  foreignKeys: [
    { name: 'teamId', constraint: 'people__teamId__fk', paths: ['teamId'], columns: ['teamId'], references: { declaration: 'Team', table: 'teams', schema: 'org', paths: ['id'], columns: ['id'] }, onDelete: 'setNull', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'team', kind: 'to', target: 'Team', many: false, on: [{ here: 'teamId', there: 'id' }], table: (): portico.AnyTable => Team },
    { name: 'groups', kind: 'via', target: 'Group', many: true, on: [{ here: 'id', there: 'personId' }], via: { junction: 'Membership', on: [{ here: 'region', there: 'region' }, { here: 'code', there: 'code' }] }, table: (): portico.AnyTable => Group, junction: (): portico.AnyTable => Membership },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string' },
      age: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      teamId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      team: { type: 'object' },
      groups: { type: 'array', items: { type: 'object' } },
    },
    required: ['id', 'name', 'version'],
    additionalProperties: false,
  },
  check: checkPerson,
})

function checkPerson(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'name':
      case 'age':
      case 'teamId':
      case 'version':
        break
      case 'team':
      case 'groups':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'id'], 'a UUID')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['age']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'age'], 'a whole number')
  }
  it = value['teamId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'teamId'], 'a whole number')
  }
  it = value['version']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'version'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'version')
  it = value['team']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'team'], 'an object')
  }
  it = value['groups']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'groups'], 'an array of objects')
  }
}

export interface Group {
  region: string
  code: number
  title: string
}

/** Input to insert a `Group`. Fields with a default may be omitted; `null` means no value. */
export interface GroupInsert {
  region: string
  code: number
  title: string
}

/** Input to replace a `Group`: every field except those filled in on write. */
export interface GroupReplace {
  region: string
  code: number
  title: string
}

/** Input to update a `Group`: its key and any other fields. `null` clears an optional field. */
export interface GroupUpdate {
  region: string
  code: number
  title?: string
}

/** The primary key of a `Group`. */
export interface GroupKey {
  region: string
  code: number
}

/** The relations of a `Group`, by the names used in `with`. */
export interface GroupRelations {
  people: (typeof Person)[]
  memberships: (typeof Membership)[]
}

export const Group: portico.TableDeclaration<Group, GroupInsert, GroupUpdate, GroupKey, GroupReplace, GroupRelations> = portico.defineTable({
  name: 'Group',
  table: 'groups',
  key: ['region', 'code'],
  columns: [
    { path: 'region', name: 'region', type: 'string', storage: 'text', key: true },
    { path: 'code', name: 'code', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'title', name: 'title', type: 'string', storage: 'text' },
  ],
  relations: [
    { name: 'people', kind: 'via', target: 'Person', many: true, on: [{ here: 'region', there: 'region' }, { here: 'code', there: 'code' }], via: { junction: 'Membership', on: [{ here: 'personId', there: 'id' }] }, table: (): portico.AnyTable => Person, junction: (): portico.AnyTable => Membership },
    { name: 'memberships', kind: 'from', target: 'Membership', many: true, on: [{ here: 'region', there: 'region' }, { here: 'code', there: 'code' }], table: (): portico.AnyTable => Membership },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      region: { type: 'string' },
      code: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      title: { type: 'string' },
      people: { type: 'array', items: { type: 'object' } },
      memberships: { type: 'array', items: { type: 'object' } },
    },
    required: ['region', 'code', 'title'],
    additionalProperties: false,
  },
  check: checkGroup,
})

function checkGroup(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'region':
      case 'code':
      case 'title':
        break
      case 'people':
      case 'memberships':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['region']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'region'], 'text')
  } else portico.missing(issues, path, 'region')
  it = value['code']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'code'], 'a whole number')
  } else portico.missing(issues, path, 'code')
  it = value['title']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'title'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'title')
  it = value['people']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'people'], 'an array of objects')
  }
  it = value['memberships']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'memberships'], 'an array of objects')
  }
}

/** A key of three columns, two of them a reference. */
export interface Membership {
  personId: string
  region: string
  code: number
  role: string
}

/** Input to insert a `Membership`. Fields with a default may be omitted; `null` means no value. */
export interface MembershipInsert {
  personId: string
  region: string
  code: number
  role?: string
}

/** Input to replace a `Membership`: every field except those filled in on write. */
export interface MembershipReplace {
  personId: string
  region: string
  code: number
  role: string
}

/** Input to update a `Membership`: its key and any other fields. `null` clears an optional field. */
export interface MembershipUpdate {
  personId: string
  region: string
  code: number
  role?: string
}

/** The primary key of a `Membership`. */
export interface MembershipKey {
  personId: string
  region: string
  code: number
}

/** The relations of a `Membership`, by the names used in `with`. */
export interface MembershipRelations {
  group: typeof Group
}

export const Membership: portico.TableDeclaration<Membership, MembershipInsert, MembershipUpdate, MembershipKey, MembershipReplace, MembershipRelations> = portico.defineTable({
  name: 'Membership',
  table: 'memberships',
  key: ['personId', 'region', 'code'],
  columns: [
    { path: 'personId', name: 'personId', type: 'string', storage: 'text', subtype: 'uuid', key: true },
    { path: 'region', name: 'region', type: 'string', storage: 'text', key: true },
    { path: 'code', name: 'code', type: 'number', storage: 'integer', subtype: 'int', integer: true, key: true },
    { path: 'role', name: 'role', type: 'string', storage: 'text', default: { kind: 'value', value: 'guest' } },
  ],
  foreignKeys: [
    { name: 'personId', constraint: 'memberships__personId__fk', paths: ['personId'], columns: ['personId'], references: { declaration: 'Person', table: 'people', paths: ['id'], columns: ['id'] }, onDelete: 'cascade', onUpdate: 'restrict' },
    { name: 'group', constraint: 'memberships__group__fk', paths: ['region', 'code'], columns: ['region', 'code'], references: { declaration: 'Group', table: 'groups', paths: ['region', 'code'], columns: ['region', 'code'] }, onDelete: 'cascade', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'group', kind: 'to', target: 'Group', many: false, on: [{ here: 'region', there: 'region' }, { here: 'code', there: 'code' }], table: (): portico.AnyTable => Group },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A key of three columns, two of them a reference.',
    type: 'object',
    properties: {
      personId: { type: 'string', format: 'uuid' },
      region: { type: 'string' },
      code: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      role: { type: 'string', default: 'guest' },
      group: { type: 'object' },
    },
    required: ['personId', 'region', 'code', 'role'],
    additionalProperties: false,
  },
  check: checkMembership,
})

function checkMembership(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'personId':
      case 'region':
      case 'code':
      case 'role':
        break
      case 'group':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['personId']
  if (it !== undefined) {
    if (!portico.isUuid(it)) portico.wrong(issues, [...path, 'personId'], 'a UUID')
  } else portico.missing(issues, path, 'personId')
  it = value['region']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'region'], 'text')
  } else portico.missing(issues, path, 'region')
  it = value['code']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'code'], 'a whole number')
  } else portico.missing(issues, path, 'code')
  it = value['role']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'role'], 'text')
  } else if (mode === 'record' || mode === 'replace') portico.missing(issues, path, 'role')
  it = value['group']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'group'], 'an object')
  }
}
