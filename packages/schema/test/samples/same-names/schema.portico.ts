// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { Inner as Inner_2, Outer } from './other.portico.js'

portico.assertFormat(1, 'schema.portico.ts')

/** Another one than that of the other file. */
export interface Inner {
  here: string
}

export const Inner: portico.Schema<Inner> = portico.defineType({
  name: 'Inner',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Another one than that of the other file.',
    type: 'object',
    properties: { here: { type: 'string' } },
    required: ['here'],
    additionalProperties: false,
  },
  check: checkInner,
})

function checkInner(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'here':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['here']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'here'], 'text')
  } else portico.missing(issues, path, 'here')
}

export interface Both {
  outer: Outer
  inner: Inner
  outers: Outer[]
}

export const Both: portico.Schema<Both> = portico.defineType({
  name: 'Both',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      outer: { $ref: '#/$defs/Outer' },
      inner: { $ref: '#/$defs/Inner2' },
      outers: { type: 'array', items: { $ref: '#/$defs/Outer' } },
    },
    required: ['outer', 'inner', 'outers'],
    additionalProperties: false,
    $defs: {
      Outer: {
        type: 'object',
        properties: {
          inner: { $ref: '#/$defs/Inner' },
          toString: { type: 'string' },
          constructor: { type: 'number' },
        },
        required: ['inner', 'toString'],
        additionalProperties: false,
      },
      Inner: {
        type: 'object',
        properties: { there: { type: 'number' } },
        required: ['there'],
        additionalProperties: false,
      },
      Inner2: {
        description: 'Another one than that of the other file.',
        type: 'object',
        properties: { here: { type: 'string' } },
        required: ['here'],
        additionalProperties: false,
      },
    },
  },
  check: checkBoth,
})

function checkBoth(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'outer':
      case 'inner':
      case 'outers':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['outer']
  if (it !== undefined) {
    Outer.check(it, [...path, 'outer'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'outer')
  it = value['inner']
  if (it !== undefined) {
    checkInner(it, [...path, 'inner'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'inner')
  it = value['outers']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'outers'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        Outer.check(item, [...path, 'outers', index], issues, 'record')
      }
    }
  } else portico.missing(issues, path, 'outers')
}

export interface Wide extends Outer {
  own: Inner
}

export const Wide: portico.Schema<Wide> = portico.defineType({
  name: 'Wide',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      inner: { $ref: '#/$defs/Inner' },
      toString: { type: 'string' },
      constructor: { type: 'number' },
      own: { $ref: '#/$defs/Inner2' },
    },
    required: ['inner', 'toString', 'own'],
    additionalProperties: false,
    $defs: {
      Inner: {
        type: 'object',
        properties: { there: { type: 'number' } },
        required: ['there'],
        additionalProperties: false,
      },
      Inner2: {
        description: 'Another one than that of the other file.',
        type: 'object',
        properties: { here: { type: 'string' } },
        required: ['here'],
        additionalProperties: false,
      },
    },
  },
  check: checkWide,
})

function checkWide(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'inner':
      case 'toString':
      case 'constructor':
      case 'own':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['inner']
  if (it !== undefined) {
    Inner_2.check(it, [...path, 'inner'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'inner')
  it = portico.own(value, 'toString')
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'toString'], 'text')
  } else portico.missing(issues, path, 'toString')
  it = portico.own(value, 'constructor')
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'constructor'], 'a number')
  }
  it = value['own']
  if (it !== undefined) {
    checkInner(it, [...path, 'own'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'own')
}
