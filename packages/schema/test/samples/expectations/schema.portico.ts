// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export type Tags = string[]

export const Tags: portico.Schema<Tags> = portico.defineType({
  name: 'Tags',
  jsonSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array', items: { type: 'string' } },
  check: checkTags,
})

function checkTags(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isArray(value)) portico.wrong(issues, path, 'an array')
  else {
    for (const [index, item] of value.entries()) {
      if (!portico.isString(item)) portico.wrong(issues, [...path, index], 'text')
    }
  }
}

export interface Expectations {
  id: number
  percent: number
  whole: number
  slug: string
  list?: string[]
  named: Tags
  maybe: number | null
  address: string
}

/** Input to insert an `Expectations`. Fields with a default may be omitted; `null` means no value. */
export interface ExpectationsInsert {
  id: number
  percent: number
  whole: number
  slug: string
  list?: string[] | null
  named: Tags
  maybe: number | null
  address: string
}

/** Input to replace an `Expectations`: every field except those filled in on write. */
export interface ExpectationsReplace {
  id: number
  percent: number
  whole: number
  slug: string
  list?: string[] | null
  named: Tags
  maybe: number | null
  address: string
}

/** Input to update an `Expectations`: its key and any other fields. `null` clears an optional field. */
export interface ExpectationsUpdate {
  id: number
  percent?: number
  whole?: number
  slug?: string
  list?: string[] | null
  named?: Tags
  maybe?: number | null
  address?: string
}

/** The primary key of an `Expectations`. */
export interface ExpectationsKey {
  id: number
}

export const Expectations: portico.TableDeclaration<Expectations, ExpectationsInsert, ExpectationsUpdate, ExpectationsKey, ExpectationsReplace> = portico.defineTable({
  name: 'Expectations',
  table: 'expectations',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'percent', name: 'percent', type: 'number', storage: 'real', expect: { min: 0, max: 100 } },
    { path: 'whole', name: 'whole', type: 'number', storage: 'real', integer: true, expect: { min: -5 } },
    { path: 'slug', name: 'slug', type: 'string', storage: 'text', expect: { minLength: 3, maxLength: 10, patterns: ['^[a-z/]+$'] } },
    { path: 'list', name: 'list', type: 'json', storage: 'json', shape: 'array', element: 'string', nullable: true, optional: true },
    { path: 'named', name: 'named', type: 'json', storage: 'json', shape: 'array', element: 'string' },
    { path: 'maybe', name: 'maybe', type: 'number', storage: 'real', nullable: true, allowsNull: true, expect: { max: 10 } },
    { path: 'address', name: 'address', type: 'string', storage: 'text', subtype: 'email', expect: { patterns: ['x'] } },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      percent: { type: 'number', minimum: 0, maximum: 100 },
      whole: { type: 'integer', minimum: -5, format: 'int64', maximum: 9007199254740991 },
      slug: { type: 'string', minLength: 3, maxLength: 10, pattern: '^[a-z/]+$' },
      list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
      named: { $ref: '#/$defs/Tags', maxItems: 2 },
      maybe: { anyOf: [{ type: 'number' }, { type: 'null' }], maximum: 10 },
      address: { type: 'string', format: 'email', pattern: 'x' },
    },
    required: ['id', 'percent', 'whole', 'slug', 'named', 'maybe', 'address'],
    additionalProperties: false,
    $defs: { Tags: { type: 'array', items: { type: 'string' } } },
  },
  check: checkExpectations,
})

function checkExpectations(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'percent':
      case 'whole':
      case 'slug':
      case 'list':
      case 'named':
      case 'maybe':
      case 'address':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['percent']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'percent'], 'a number')
    else {
      if (it < 0) portico.broken(issues, [...path, 'percent'], 'minimum', 'expected at least 0')
      if (it > 100) portico.broken(issues, [...path, 'percent'], 'maximum', 'At most a hundred')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'percent')
  it = value['whole']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'whole'], 'a number')
    else {
      if (it < -5) portico.broken(issues, [...path, 'whole'], 'minimum', 'expected at least -5')
      if (!portico.isInteger(it)) portico.broken(issues, [...path, 'whole'], 'integer', 'expected a whole number')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'whole')
  it = value['slug']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'slug'], 'text')
    else {
      if (portico.lengthOf(it) < 3) portico.broken(issues, [...path, 'slug'], 'minLength', 'expected a length of at least 3')
      if (portico.lengthOf(it) > 10) portico.broken(issues, [...path, 'slug'], 'maxLength', "It's too long")
      if (!/^[a-z/]+$/u.test(it)) portico.broken(issues, [...path, 'slug'], 'pattern', 'Lower-case letters')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'slug')
  it = value['list']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'list'], 'an array')
    else {
      if (portico.lengthOf(it) < 1) portico.broken(issues, [...path, 'list'], 'minLength', 'expected a length of at least 1')
      if (portico.lengthOf(it) > 3) portico.broken(issues, [...path, 'list'], 'maxLength', 'expected a length of at most 3')
      for (const [index, item] of it.entries()) {
        if (!portico.isString(item)) portico.wrong(issues, [...path, 'list', index], 'text')
      }
    }
  }
  it = value['named']
  if (it !== undefined) {
    checkTags(it, [...path, 'named'], issues, portico.nested(mode))
    if (portico.isArray(it) && portico.lengthOf(it) > 2) portico.broken(issues, [...path, 'named'], 'maxLength', 'expected a length of at most 2')
  } else if (mode !== 'update') portico.missing(issues, path, 'named')
  it = value['maybe']
  if (it !== undefined) {
    if (it !== null) {
      if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'maybe'], 'a number')
      else {
        if (it > 10) portico.broken(issues, [...path, 'maybe'], 'maximum', 'expected at most 10')
      }
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'maybe')
  it = value['address']
  if (it !== undefined) {
    if (!portico.isEmail(it)) portico.wrong(issues, [...path, 'address'], 'an e-mail address')
    else {
      if (!/x/u.test(it)) portico.broken(issues, [...path, 'address'], 'pattern', 'expected text that matches x')
    }
  } else if (mode !== 'update') portico.missing(issues, path, 'address')
}
