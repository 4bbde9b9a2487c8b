// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { Hidden, Stamped } from './base.portico.js'

portico.assertFormat(1, 'schema.portico.ts')

export interface Named {
  name: string
}

export const Named: portico.Schema<Named> = portico.defineType({
  name: 'Named',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  check: checkNamed,
})

function checkNamed(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'name':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else portico.missing(issues, path, 'name')
}

export interface Labelled extends Named {
  label?: string
}

export const Labelled: portico.Schema<Labelled> = portico.defineType({
  name: 'Labelled',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { name: { type: 'string' }, label: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  check: checkLabelled,
})

function checkLabelled(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'name':
      case 'label':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else portico.missing(issues, path, 'name')
  it = value['label']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'label'], 'text')
  }
}

export interface Thing extends Stamped, Labelled, Named {
  amount: number
}

/** Input to insert a `Thing`. Fields with a default may be omitted; `null` means no value. */
export interface ThingInsert {
  id?: number
  createdAt?: number
  hidden: Hidden
  name: string
  label?: string | null
  amount: number
}

/** Input to replace a `Thing`: every field except those filled in on write. */
export interface ThingReplace {
  id: number
  createdAt?: number
  hidden: Hidden
  name: string
  label?: string | null
  amount: number
}

/** Input to update a `Thing`: its key and any other fields. `null` clears an optional field. */
export interface ThingUpdate {
  id: number
  createdAt?: number
  hidden?: Hidden
  name?: string
  label?: string | null
  amount?: number
}

/** The primary key of a `Thing`. */
export interface ThingKey {
  id: number
}

export const Thing: portico.TableDeclaration<Thing, ThingInsert, ThingUpdate, ThingKey, ThingReplace> = portico.defineTable({
  name: 'Thing',
  table: 'things',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
    { path: 'hidden.note', name: 'hidden__note', type: 'string', storage: 'text' },
    { path: 'name', name: 'name', type: 'string', storage: 'text' },
    { path: 'label', name: 'label', type: 'string', storage: 'text', nullable: true, optional: true },
    { path: 'amount', name: 'amount', type: 'number', storage: 'real' },
  ],
  groups: [{ path: 'hidden', optional: false }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      hidden: { $ref: '#/$defs/Hidden' },
      name: { type: 'string' },
      label: { type: 'string' },
      amount: { type: 'number' },
    },
    required: ['id', 'createdAt', 'hidden', 'name', 'amount'],
    additionalProperties: false,
    $defs: {
      Hidden: {
        type: 'object',
        properties: { note: { type: 'string' } },
        required: ['note'],
        additionalProperties: false,
      },
    },
  },
  check: checkThing,
})

function checkThing(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'createdAt':
      case 'hidden':
      case 'name':
      case 'label':
      case 'amount':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['hidden']
  if (it !== undefined) {
    Hidden.check(it, [...path, 'hidden'], issues, portico.nested(mode))
  } else if (mode !== 'update') portico.missing(issues, path, 'hidden')
  it = value['name']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'name'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
  it = value['label']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'label'], 'text')
  }
  it = value['amount']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'amount'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'amount')
}
