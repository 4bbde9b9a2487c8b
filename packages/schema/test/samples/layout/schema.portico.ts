// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { Other, Tag } from './other.portico.js'

portico.assertFormat(1, 'schema.portico.ts')

/** It's */
export interface A extends Other, Tag {
  a: string
  b?: number
  c: boolean
  d: { x: number; y: { z: string } }
  e: { f: string }
  g: number
  h: 'aaaaaaaaaaaaaaaaaaaaaaaaaa' | 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' | 'cccccccccccccccccccccccccccc' | 'ddddddddd'
  i: 'one' | 'two'
  j: (string | number)[][]
  /**
   * A doc comment.
   * With two lines.
   */
  k: { looooooooooooooooooooooong: string; looooooooooooooooooooooooooooooong: string; more: string; z: 1 }
}

export const A: portico.Schema<A> = portico.defineType({
  name: 'A',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: "It's",
    type: 'object',
    properties: {
      v: { type: 'string' },
      t: { type: 'string' },
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'boolean' },
      d: {
        type: 'object',
        properties: {
          x: { type: 'number' },
          y: { type: 'object', properties: { z: { type: 'string' } }, required: ['z'], additionalProperties: false },
        },
        required: ['x', 'y'],
        additionalProperties: false,
      },
      e: { type: 'object', properties: { f: { type: 'string' } }, required: ['f'], additionalProperties: false },
      g: { type: 'number', minimum: 1, maximum: 2 },
      h: {
        type: 'string',
        enum: [
          'aaaaaaaaaaaaaaaaaaaaaaaaaa',
          'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
          'cccccccccccccccccccccccccccc',
          'ddddddddd',
        ],
      },
      i: { type: 'string', enum: ['one', 'two'] },
      j: { type: 'array', items: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      k: {
        description: 'A doc comment.\nWith two lines.',
        type: 'object',
        properties: {
          looooooooooooooooooooooong: { type: 'string' },
          looooooooooooooooooooooooooooooong: { type: 'string' },
          more: { type: 'string' },
          z: { type: 'integer', format: 'int64', const: 1 },
        },
        required: ['looooooooooooooooooooooong', 'looooooooooooooooooooooooooooooong', 'more', 'z'],
        additionalProperties: false,
      },
    },
    required: ['v', 't', 'a', 'c', 'd', 'e', 'g', 'h', 'i', 'j', 'k'],
    additionalProperties: false,
  },
  check: checkA,
})

function checkA(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'v':
      case 't':
      case 'a':
      case 'b':
      case 'c':
      case 'd':
      case 'e':
      case 'g':
      case 'h':
      case 'i':
      case 'j':
      case 'k':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['v']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'v'], 'text')
  } else portico.missing(issues, path, 'v')
  it = value['t']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 't'], 'text')
  } else portico.missing(issues, path, 't')
  it = value['a']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'a'], 'text')
  } else portico.missing(issues, path, 'a')
  it = value['b']
  if (portico.isPresent(it, mode)) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'b'], 'a number')
  }
  it = value['c']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'c'], 'true or false')
  } else portico.missing(issues, path, 'c')
  it = value['d']
  if (it !== undefined) {
    checkAD(it, [...path, 'd'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'd')
  it = value['e']
  if (it !== undefined) {
    checkAE(it, [...path, 'e'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'e')
  it = value['g']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'g'], 'a number')
    else {
      if (it < 1) portico.broken(issues, [...path, 'g'], 'minimum', 'expected at least 1')
      if (it > 2) portico.broken(issues, [...path, 'g'], 'maximum', 'expected at most 2')
    }
  } else portico.missing(issues, path, 'g')
  it = value['h']
  if (it !== undefined) {
    if (!(it === 'aaaaaaaaaaaaaaaaaaaaaaaaaa' || it === 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' || it === 'cccccccccccccccccccccccccccc' || it === 'ddddddddd')) portico.wrong(issues, [...path, 'h'], "one of 'aaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccccccccc', 'ddddddddd'")
  } else portico.missing(issues, path, 'h')
  it = value['i']
  if (it !== undefined) {
    if (!(it === 'one' || it === 'two')) portico.wrong(issues, [...path, 'i'], "one of 'one', 'two'")
  } else portico.missing(issues, path, 'i')
  it = value['j']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'j'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        if (!portico.isArray(item)) portico.wrong(issues, [...path, 'j', index], 'an array')
        else {
          for (const [index1, item1] of item.entries()) {
            if (!(portico.isString(item1) || portico.isNumber(item1))) portico.wrong(issues, [...path, 'j', index, index1], 'text or a number')
          }
        }
      }
    }
  } else portico.missing(issues, path, 'j')
  it = value['k']
  if (it !== undefined) {
    checkAK(it, [...path, 'k'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'k')
}

function checkAD(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'x':
      case 'y':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['x']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'x'], 'a number')
  } else portico.missing(issues, path, 'x')
  it = value['y']
  if (it !== undefined) {
    checkADY(it, [...path, 'y'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'y')
}

function checkAE(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'f':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['f']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'f'], 'text')
  } else portico.missing(issues, path, 'f')
}

function checkAK(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'looooooooooooooooooooooong':
      case 'looooooooooooooooooooooooooooooong':
      case 'more':
      case 'z':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['looooooooooooooooooooooong']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'looooooooooooooooooooooong'], 'text')
  } else portico.missing(issues, path, 'looooooooooooooooooooooong')
  it = value['looooooooooooooooooooooooooooooong']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'looooooooooooooooooooooooooooooong'], 'text')
  } else portico.missing(issues, path, 'looooooooooooooooooooooooooooooong')
  it = value['more']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'more'], 'text')
  } else portico.missing(issues, path, 'more')
  it = value['z']
  if (it !== undefined) {
    if (!(it === 1)) portico.wrong(issues, [...path, 'z'], '1')
  } else portico.missing(issues, path, 'z')
}

function checkADY(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'z':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['z']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'z'], 'text')
  } else portico.missing(issues, path, 'z')
}

export type B = string

export const B: portico.Schema<B> = portico.defineType({
  name: 'B',
  jsonSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' },
  check: checkB,
})

function checkB(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isString(value)) portico.wrong(issues, path, 'text')
}

export type C = { [name: string]: never }

export const C: portico.Schema<C> = portico.defineType({
  name: 'C',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {},
    additionalProperties: false,
  },
  check: checkC,
})

function checkC(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      default:
        portico.unknownField(issues, path, name)
    }
  }
}

export interface D {}

export const D: portico.Schema<D> = portico.defineType({
  name: 'D',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {},
    additionalProperties: false,
  },
  check: checkD,
})

function checkD(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      default:
        portico.unknownField(issues, path, name)
    }
  }
}
