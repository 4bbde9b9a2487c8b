// Made from other.portico by `portico generate`. Change other.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'
import { A } from './schema.portico.js'

portico.assertFormat(1, 'other.portico.ts')

export interface B {
  id: number
  aId?: number
}

/** What an insert of a `B` takes: what has a default may be left out, `null` stands for absent. */
export interface BInsert {
  id: number
  aId?: number | null
}

/** What replaces a `B`: every field but those that are filled in at a write. */
export interface BReplace {
  id: number
  aId?: number | null
}

/** What changes a `B`: its key and any other fields; `null` clears an optional one. */
export interface BUpdate {
  id: number
  aId?: number | null
}

/** The key of a `B`. */
export interface BKey {
  id: number
}

/** The relations of a `B`, by the names that `with` loads them under. */
export interface BRelations {
  a?: typeof A
  as: (typeof A)[]
}

export const B: portico.Table<B, BInsert, BUpdate, BKey, BReplace, BRelations> = portico.defineTable({
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
