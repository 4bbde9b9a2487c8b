// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

/**
 * People who sign in.
 *
 * The address is verified by a message.
 */
export interface Words {
  id: number
  /** Taken from the comment. */
  a: string
  /** This one, with *\/ inside. */
  b: string
  /** @deprecated */
  c: string
  /** @deprecated Use a. */
  d: number
}

/** Input to insert a `Words`. Fields with a default may be omitted; `null` means no value. */
export interface WordsInsert {
  id: number
  a: string
  b: string
  c: string
  d: number
}

/** Input to replace a `Words`: every field except those filled in on write. */
export interface WordsReplace {
  id: number
  a: string
  b: string
  c: string
  d: number
}

/** Input to update a `Words`: its key and any other fields. `null` clears an optional field. */
export interface WordsUpdate {
  id: number
  a?: string
  b?: string
  c?: string
  d?: number
}

/** The primary key of a `Words`. */
export interface WordsKey {
  id: number
}

export const Words: portico.TableDeclaration<Words, WordsInsert, WordsUpdate, WordsKey, WordsReplace> = portico.defineTable({
  name: 'Words',
  table: 'words',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'a', name: 'a', type: 'string', storage: 'text' },
    { path: 'b', name: 'b', type: 'string', storage: 'text' },
    { path: 'c', name: 'c', type: 'string', storage: 'text' },
    { path: 'd', name: 'd', type: 'number', storage: 'real' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Person',
    description: 'People who sign in.\n\nThe address is verified by a message.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      a: { description: 'Taken from the comment.', type: 'string' },
      b: { title: 'B', description: 'This one, with */ inside.', examples: ['bee'], type: 'string' },
      c: { deprecated: true, type: 'string' },
      d: { examples: [3], deprecated: true, type: 'number' },
    },
    required: ['id', 'a', 'b', 'c', 'd'],
    additionalProperties: false,
  },
  check: checkWords,
})

function checkWords(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'a':
      case 'b':
      case 'c':
      case 'd':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['a']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'a'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'a')
  it = value['b']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'b'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'b')
  it = value['c']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'c'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'c')
  it = value['d']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'd'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'd')
}

/** A colour. */
export type Colour = 'red' | 'green'

export const Colour: portico.Schema<Colour> = portico.defineType({
  name: 'Colour',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A colour.',
    examples: ['red'],
    type: 'string',
    enum: ['red', 'green'],
  },
  check: checkColour,
})

function checkColour(value: unknown, path: portico.Path, issues: portico.Issue[], _mode: portico.Mode): void {
  if (!(value === 'red' || value === 'green')) portico.wrong(issues, path, "one of 'red', 'green'")
}
