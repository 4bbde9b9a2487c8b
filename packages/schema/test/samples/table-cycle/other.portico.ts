// Generated from other.portico by `portico generate`. Do not edit: change other.portico and generate again.
import * as portico from '@portico/schema/runtime'
import { A } from './schema.portico.js'

portico.assertFormat(1, 'other.portico.ts')

export interface B {
  id: number
  aId?: number
}

/** Input to insert a `B`. Fields with a default may be omitted; `null` means no value. */
export interface BInsert {
  id: number
  aId?: number | null
}

/** Input to replace a `B`: every field except those filled in on write. */
export interface BReplace {
  id: number
  aId?: number | null
}

/** Input to update a `B`: its key and any other fields. `null` clears an optional field. */
export interface BUpdate {
  id: number
  aId?: number | null
}

/** The primary key of a `B`. */
export interface BKey {
  id: number
}

/** The relations of a `B`, by the names used in `with`. */
export interface BRelations {
  a?: typeof A
  as: (typeof A)[]
}

export const B: portico.TableDeclaration<B, BInsert, BUpdate, BKey, BReplace, BRelations> = portico.defineTable({
  name: 'B',
  table: 'b',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
    { path: 'aId', name: 'aId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'aId', constraint: 'b__aId__fk', paths: ['aId'], columns: ['aId'], references: { declaration: 'A', table: 'a', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  relations: [
    { name: 'a', kind: 'to', target: 'A', many: false, on: [{ here: 'aId', there: 'id' }], table: (): portico.AnyTable => A },
    { name: 'as', kind: 'from', target: 'A', many: true, on: [{ here: 'id', there: 'bId' }], table: (): portico.AnyTable => A },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      aId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      a: { type: 'object' },
      as: { type: 'array', items: { type: 'object' } },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkB,
})

function checkB(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'aId':
        break
      case 'a':
      case 'as':
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
  it = value['aId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'aId'], 'a whole number')
  }
  it = value['a']
  if (portico.isPresent(it, mode)) {
    if (!portico.isObject(it)) portico.wrong(issues, [...path, 'a'], 'an object')
  }
  it = value['as']
  if (portico.isPresent(it, mode)) {
    if (!portico.isArray(it) || !it.every(portico.isObject)) portico.wrong(issues, [...path, 'as'], 'an array of objects')
  }
}
