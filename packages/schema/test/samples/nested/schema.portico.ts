// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Geo {
  lat: number
  lng: number
}

export const Geo: portico.Schema<Geo> = portico.defineType({
  name: 'Geo',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { lat: { type: 'number' }, lng: { type: 'number' } },
    required: ['lat', 'lng'],
    additionalProperties: false,
  },
  check: checkGeo,
})

function checkGeo(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
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

export interface Address {
  city: string
  geo?: Geo
}

export const Address: portico.Schema<Address> = portico.defineType({
  name: 'Address',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { city: { type: 'string' }, geo: { $ref: '#/$defs/Geo' } },
    required: ['city'],
    additionalProperties: false,
    $defs: {
      Geo: {
        type: 'object',
        properties: { lat: { type: 'number' }, lng: { type: 'number' } },
        required: ['lat', 'lng'],
        additionalProperties: false,
      },
    },
  },
  check: checkAddress,
})

function checkAddress(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
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
    checkGeo(it, [...path, 'geo'], issues, portico.nested(mode))
  }
}

export interface Nested {
  id: number
  home: Address
  work?: { city: string; notes?: string }
  extra: { a?: string; b: Address }
  secret: { pin: string }
  past: Address[]
}

/** Input to insert a `Nested`. Fields with a default may be omitted; `null` means no value. */
export interface NestedInsert {
  id: number
  home: { city: string; geo?: Geo | null }
  work?: { city: string; notes?: string | null } | null
  extra: { a?: string; b: Address }
  secret: { pin: string }
  past: Address[]
}

/** Input to replace a `Nested`: every field except those filled in on write. */
export interface NestedReplace {
  id: number
  home: { city: string; geo?: Geo | null }
  work?: { city: string; notes?: string | null } | null
  extra: { a?: string; b: Address }
  secret: { pin: string }
  past: Address[]
}

/** Input to update a `Nested`: its key and any other fields. `null` clears an optional field. */
export interface NestedUpdate {
  id: number
  home?: { city: string; geo?: Geo | null }
  work?: { city: string; notes?: string | null } | null
  extra?: { a?: string; b: Address }
  secret?: { pin: string }
  past?: Address[]
}

/** The primary key of a `Nested`. */
export interface NestedKey {
  id: number
}

export const Nested: portico.TableDeclaration<Nested, NestedInsert, NestedUpdate, NestedKey, NestedReplace> = portico.defineTable({
  name: 'Nested',
  table: 'nested',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'home.city', name: 'home__city', type: 'string', storage: 'text' },
    { path: 'home.geo.lat', name: 'home__geo__lat', type: 'number', storage: 'real', nullable: true },
    { path: 'home.geo.lng', name: 'home__geo__lng', type: 'number', storage: 'real', nullable: true },
    { path: 'work.city', name: 'office__town', type: 'string', storage: 'text', nullable: true, renamedFrom: ['office__place', 'desk__town', 'desk__place'] },
    { path: 'work.notes', name: 'office__notes', type: 'string', storage: 'text', nullable: true, optional: true, renamedFrom: ['desk__notes'] },
    { path: 'extra', name: 'extra', type: 'json', storage: 'json', shape: 'object' },
    { path: 'secret.pin', name: 'secret__pin', type: 'string', storage: 'text', writeOnly: true },
    { path: 'past', name: 'past', type: 'json', storage: 'json', shape: 'array' },
  ],
  groups: [
    { path: 'home', optional: false },
    { path: 'home.geo', optional: true, presence: 'home__geo__lat' },
    { path: 'work', optional: true, presence: 'office__town' },
    { path: 'secret', optional: false },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      home: { $ref: '#/$defs/Address' },
      work: {
        type: 'object',
        properties: { city: { type: 'string' }, notes: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
      extra: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { $ref: '#/$defs/Address' } },
        required: ['b'],
        additionalProperties: false,
      },
      secret: {
        type: 'object',
        properties: { pin: { type: 'string' } },
        required: ['pin'],
        additionalProperties: false,
        writeOnly: true,
      },
      past: { type: 'array', items: { $ref: '#/$defs/Address' } },
    },
    required: ['id', 'home', 'extra', 'secret', 'past'],
    additionalProperties: false,
    $defs: {
      Address: {
        type: 'object',
        properties: { city: { type: 'string' }, geo: { $ref: '#/$defs/Geo' } },
        required: ['city'],
        additionalProperties: false,
      },
      Geo: {
        type: 'object',
        properties: { lat: { type: 'number' }, lng: { type: 'number' } },
        required: ['lat', 'lng'],
        additionalProperties: false,
      },
    },
  },
  check: checkNested,
})

function checkNested(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'home':
      case 'work':
      case 'extra':
      case 'secret':
      case 'past':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['home']
  if (it !== undefined) {
    checkAddress(it, [...path, 'home'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'home')
  it = value['work']
  if (portico.isPresent(it, mode)) {
    checkNestedWork(it, [...path, 'work'], issues, portico.nested(mode))
  }
  it = value['extra']
  if (it !== undefined) {
    checkNestedExtra(it, [...path, 'extra'], issues, 'record')
  } else if (mode !== 'update') portico.missing(issues, path, 'extra')
  it = value['secret']
  if (it !== undefined) {
    checkNestedSecret(it, [...path, 'secret'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'secret')
  it = value['past']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'past'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        checkAddress(item, [...path, 'past', index], issues, 'record')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'past')
}

function checkNestedWork(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'city':
      case 'notes':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['city']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'city'], 'text')
  } else portico.missing(issues, path, 'city')
  it = value['notes']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'notes'], 'text')
  }
}

function checkNestedExtra(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
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
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'a'], 'text')
  }
  it = value['b']
  if (it !== undefined) {
    checkAddress(it, [...path, 'b'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'b')
}

function checkNestedSecret(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'pin':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['pin']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'pin'], 'text')
  } else portico.missing(issues, path, 'pin')
}
