// Made from schema.portico by `portico generate`. Change schema.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface A {
  name: string
}

/** What an insert of an `A` takes: what has a default may be left out, `null` stands for absent. */
export interface AInsert {
  name: string
}

/** What replaces an `A`: every field but those that are filled in at a write. */
export interface AReplace {
  name: string
}

/** What changes an `A`: its key and any other fields; `null` clears an optional one. */
export interface AUpdate {
  name?: string
}

/** The key of an `A`. */
export type AKey = { [name: string]: never }

export const A: portico.Table<A, AInsert, AUpdate, AKey, AReplace> = portico.defineTable({
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
