// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { B } from './other.portico.js'

portico.assertFormat(1, 'schema.portico.ts')

export interface A {
  id: number
  bId?: number
}

/** Input to insert an `A`. Fields with a default may be omitted; `null` means no value. */
export interface AInsert {
  id: number
  bId?: number | null
}

/** Input to replace an `A`: every field except those filled in on write. */
export interface AReplace {
  id: number
  bId?: number | null
}

/** Input to update an `A`: its key and any other fields. `null` clears an optional field. */
export interface AUpdate {
  id: number
  bId?: number | null
}

/** The primary key of an `A`. */
export interface AKey {
  id: number
}

/** The relations of an `A`, by the names used in `with`. */
export interface ARelations {
  b?: typeof B
}

export const A: portico.TableDeclaration<A, AInsert, AUpdate, AKey, AReplace, ARelations> = portico.defineTable({
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
