// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface A {
  name: string
}

/** Input to insert an `A`. Fields with a default may be omitted; `null` means no value. */
export interface AInsert {
  name: string
}

/** Input to replace an `A`: every field except those filled in on write. */
export interface AReplace {
  name: string
}

/** Input to update an `A`: its key and any other fields. `null` clears an optional field. */
export interface AUpdate {
  name?: string
}

/** The primary key of an `A`. */
export type AKey = { [name: string]: never }

export const A: portico.TableDeclaration<A, AInsert, AUpdate, AKey, AReplace> = portico.defineTable({
  name: 'A',
  table: 'A',
  key: [],
  columns: [{ path: 'name', name: 'name', type: 'string', storage: 'text' }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  check: checkA,
})

function checkA(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
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
  } else if (mode !== 'update') portico.missing(issues, path, 'name')
}
