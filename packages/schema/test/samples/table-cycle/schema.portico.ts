// Made from schema.portico by `portico generate`. Change schema.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'
import { B } from './other.portico.js'

portico.assertFormat(1, 'schema.portico.ts')

export interface A {
  id: number
  bId?: number
}

/** What an insert of an `A` takes: what has a default may be left out, `null` stands for absent. */
export interface AInsert {
  id: number
  bId?: number | null
}

/** What replaces an `A`: every field but those that are filled in at a write. */
export interface AReplace {
  id: number
  bId?: number | null
}

/** What changes an `A`: its key and any other fields; `null` clears an optional one. */
export interface AUpdate {
  id: number
  bId?: number | null
}

/** The key of an `A`. */
export interface AKey {
  id: number
}

/** The relations of an `A`, by the names that `with` loads them under. */
export interface ARelations {
  b?: typeof B
}

export const A: portico.Table<A, AInsert, AUpdate, AKey, AReplace, ARelations> = portico.defineTable({
  name: 'A',
  table: 'a',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'bId', name: 'bId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'bId', constraint: 'a__bId__fk', paths: ['bId'], columns: ['bId'], references: { declaration: 'B', table: 'b', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'b', kind: 'to', target: 'B', many: false, on: [{ here: 'bId', there: 'id' }], table: (): portico.AnyTable => B },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      bId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      b: { type: 'object' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkA,
})

function checkA(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'bId':
        break
      case 'b':
        if (mode !== 'record') portico.unknownField(issues, path, name)
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else portico.missing(issues, path, 'id')
  it = value['bId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'bId'], 'a whole number')
  }
  it = value['b']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'b'], 'an object')
  }
}
