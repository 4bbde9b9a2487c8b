// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface A {
  id: number
  a: string
}

/** Input to insert an `A`. Fields with a default may be omitted; `null` means no value. */
export interface AInsert {
  id: number
  a: string
}

/** Input to replace an `A`: every field except those filled in on write. */
export interface AReplace {
  id: number
  a: string
}

/** Input to update an `A`: its key and any other fields. `null` clears an optional field. */
export interface AUpdate {
  id: number
  a?: string
}

/** The primary key of an `A`. */
export interface AKey {
  id: number
}

export const A: portico.TableDeclaration<A, AInsert, AUpdate, AKey, AReplace, portico.NoRelations, 'a'> = portico.defineTable({
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
    if (!portico.matches(it, /^-?(?:0|[1-9][0-9]{0,13})(?:\.[0-9]{1,2})?$/)) portico.wrong(issues, [...path, 'a'], 'a decimal as text, with up to 16 digits and 2 after the point')
  } else if (mode !== 'update') portico.missing(issues, path, 'a')
}
