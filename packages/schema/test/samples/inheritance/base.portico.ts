// Generated from base.portico by `portico generate`. Do not edit: change base.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'base.portico.ts')

export type Hidden = { note: string }

export const Hidden: portico.Schema<Hidden> = portico.defineType({
  name: 'Hidden',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { note: { type: 'string' } },
    required: ['note'],
    additionalProperties: false,
  },
  check: checkHidden,
})

function checkHidden(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'note':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['note']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'note'], 'text')
  } else portico.missing(issues, path, 'note')
}

export interface Identified {
  id: number
}

export const Identified: portico.Schema<Identified> = portico.defineType({
  name: 'Identified',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 } },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkIdentified,
})

function checkIdentified(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
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
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
}

export interface Stamped extends Identified {
  createdAt: number
  hidden: Hidden
}

export const Stamped: portico.Schema<Stamped> = portico.defineType({
  name: 'Stamped',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      hidden: { $ref: '#/$defs/Hidden' },
    },
    required: ['id', 'createdAt', 'hidden'],
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
  check: checkStamped,
})

function checkStamped(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'createdAt':
      case 'hidden':
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
  } else portico.missing(issues, path, 'createdAt')
  it = value['hidden']
  if (it !== undefined) {
    checkHidden(it, [...path, 'hidden'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'hidden')
}
