// Generated from other.portico by `portico generate`. Do not edit: change other.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'other.portico.ts')

export interface Inner {
  there: number
}

export const Inner: portico.Schema<Inner> = portico.defineType({
  name: 'Inner',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { there: { type: 'number' } },
    required: ['there'],
    additionalProperties: false,
  },
  check: checkInner,
})

function checkInner(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'there':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['there']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'there'], 'a number')
  } else portico.missing(issues, path, 'there')
}

export interface Outer {
  inner: Inner
  toString: string
  constructor?: number
}

export const Outer: portico.Schema<Outer> = portico.defineType({
  name: 'Outer',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { inner: { $ref: '#/$defs/Inner' }, toString: { type: 'string' }, constructor: { type: 'number' } },
    required: ['inner', 'toString'],
    additionalProperties: false,
    $defs: {
      Inner: {
        type: 'object',
        properties: { there: { type: 'number' } },
        required: ['there'],
        additionalProperties: false,
      },
    },
  },
  check: checkOuter,
})

function checkOuter(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'inner':
      case 'toString':
      case 'constructor':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['inner']
  if (it !== undefined) {
    checkInner(it, [...path, 'inner'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'inner')
  it = portico.own(value, 'toString')
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'toString'], 'text')
  } else portico.missing(issues, path, 'toString')
  it = portico.own(value, 'constructor')
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'constructor'], 'a number')
  }
}
