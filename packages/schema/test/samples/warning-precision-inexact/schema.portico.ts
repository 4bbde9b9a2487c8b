// Made from schema.portico by `portico generate`. Change schema.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface A {
  id: number
  a: string
}

/** What an insert of an `A` takes: what has a default may be left out, `null` stands for absent. */
export interface AInsert {
  id: number
  a: string
}

/** What replaces an `A`: every field but those that are filled in at a write. */
export interface AReplace {
  id: number
  a: string
}

/** What changes an `A`: its key and any other fields; `null` clears an optional one. */
export interface AUpdate {
  id: number
  a?: string
}

/** The key of an `A`. */
export interface AKey {
  id: number
}

export const A: portico.Table<A, AInsert, AUpdate, AKey, AReplace, portico.NoRelations, 'a'> = portico.defineTable({
  name: 'A',
  table: 'A',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'a', name: 'a', type: 'decimal', storage: 'decimal', precision: { precision: 16, scale: 2 } },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      a: { type: 'string', pattern: '^-?(?:0|[1-9][0-9]{0,13})(?:\\.[0-9]{1,2})?$' },
    },
    required: ['id', 'a'],
    additionalProperties: false,
  },
  check: checkA,
})

function checkA(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'a':
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
    if (!portico.fits(it, /^-?(?:0|[1-9][0-9]{0,13})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'a'], 'a decimal as text, with up to 16 digits and 2 after the point')
  } else if (mode !== 'update') portico.missing(issues, path, 'a')
}
