// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Cat {
  meows: boolean
}

export const Cat: portico.Schema<Cat> = portico.defineType({
  name: 'Cat',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { meows: { type: 'boolean' } },
    required: ['meows'],
    additionalProperties: false,
  },
  check: checkCat,
})

function checkCat(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'meows':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['meows']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'meows'], 'true or false')
  } else portico.missing(issues, path, 'meows')
}

export interface Dog {
  barks: boolean
}

export const Dog: portico.Schema<Dog> = portico.defineType({
  name: 'Dog',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { barks: { type: 'boolean' } },
    required: ['barks'],
    additionalProperties: false,
  },
  check: checkDog,
})

function checkDog(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'barks':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['barks']
  if (it !== undefined) {
    if (!portico.isBoolean(it)) portico.wrong(issues, [...path, 'barks'], 'true or false')
  } else portico.missing(issues, path, 'barks')
}

export type Pet = Cat | Dog

export const Pet: portico.Schema<Pet> = portico.defineType({
  name: 'Pet',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
    $defs: {
      Cat: {
        type: 'object',
        properties: { meows: { type: 'boolean' } },
        required: ['meows'],
        additionalProperties: false,
      },
      Dog: {
        type: 'object',
        properties: { barks: { type: 'boolean' } },
        required: ['barks'],
        additionalProperties: false,
      },
    },
  },
  check: checkPet,
})

function checkPet(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!(portico.passes(checkCat, value) || portico.passes(checkDog, value))) portico.wrong(issues, path, 'Cat or Dog')
}

export interface Owner {
  pet: Pet
  pets: Pet[]
  maybe: Cat | null
  any: string | number[] | { x: string } | null
  number: -1.5 | 2000 | true
  none: null
  quote: "it's" | 'say "so"' | 'line\nbreak' | 'é'
}

export const Owner: portico.Schema<Owner> = portico.defineType({
  name: 'Owner',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      pet: { $ref: '#/$defs/Pet' },
      pets: { type: 'array', items: { $ref: '#/$defs/Pet' } },
      maybe: { anyOf: [{ $ref: '#/$defs/Cat' }, { type: 'null' }] },
      any: {
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'number' } },
          { type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false },
          { type: 'null' },
        ],
      },
      number: {
        anyOf: [
          { type: 'number', const: -1.5 },
          { type: 'integer', format: 'int64', const: 2000 },
          { type: 'boolean', const: true },
        ],
      },
      none: { type: 'null' },
      quote: { type: 'string', enum: ["it's", 'say "so"', 'line\nbreak', 'é'] },
    },
    required: ['pet', 'pets', 'maybe', 'any', 'number', 'none', 'quote'],
    additionalProperties: false,
    $defs: {
      Pet: { anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
      Cat: {
        type: 'object',
        properties: { meows: { type: 'boolean' } },
        required: ['meows'],
        additionalProperties: false,
      },
      Dog: {
        type: 'object',
        properties: { barks: { type: 'boolean' } },
        required: ['barks'],
        additionalProperties: false,
      },
    },
  },
  check: checkOwner,
})

function checkOwner(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'pet':
      case 'pets':
      case 'maybe':
      case 'any':
      case 'number':
      case 'none':
      case 'quote':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['pet']
  if (it !== undefined) {
    checkPet(it, [...path, 'pet'], issues, portico.nested(mode))
  } else portico.missing(issues, path, 'pet')
  it = value['pets']
  if (it !== undefined) {
    if (!portico.isArray(it)) portico.wrong(issues, [...path, 'pets'], 'an array')
    else {
      for (const [index, item] of it.entries()) {
        checkPet(item, [...path, 'pets', index], issues, 'record')
      }
    }
  } else portico.missing(issues, path, 'pets')
  it = value['maybe']
  if (it !== undefined) {
    if (it !== null) {
      checkCat(it, [...path, 'maybe'], issues, portico.nested(mode))
    }
  } else portico.missing(issues, path, 'maybe')
  it = value['any']
  if (it !== undefined) {
    if (!(portico.isString(it) || portico.passes(checkOwnerAny, it) || portico.passes(checkOwnerAny_2, it) || (it === null))) portico.wrong(issues, [...path, 'any'], 'text, an array, an object, or null')
  } else portico.missing(issues, path, 'any')
  it = value['number']
  if (it !== undefined) {
    if (!(it === -1.5 || it === 2000 || it === true)) portico.wrong(issues, [...path, 'number'], 'one of -1.5, 2000, true')
  } else portico.missing(issues, path, 'number')
  it = value['none']
  if (it !== undefined) {
    if (!(it === null)) portico.wrong(issues, [...path, 'none'], 'null')
  } else portico.missing(issues, path, 'none')
  it = value['quote']
  if (it !== undefined) {
    if (!(it === "it's" || it === 'say "so"' || it === 'line\nbreak' || it === 'é')) portico.wrong(issues, [...path, 'quote'], 'one of "it\'s", \'say "so"\', \'line\\nbreak\', \'é\'')
  } else portico.missing(issues, path, 'quote')
}

function checkOwnerAny(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isArray(value)) portico.wrong(issues, path, 'an array')
  else {
    for (const [index, item] of value.entries()) {
      if (!portico.isNumber(item)) portico.wrong(issues, [...path, index], 'a number')
    }
  }
}

function checkOwnerAny_2(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'x':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['x']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'x'], 'text')
  } else portico.missing(issues, path, 'x')
}
