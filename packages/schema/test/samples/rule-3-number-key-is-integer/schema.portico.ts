// Generated from schema.portico by `portico generate`. Do not edit: change schema.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Counted {
  id: number
  other: number
  parentId?: number
}

/** Input to insert a `Counted`. Fields with a default may be omitted; `null` means no value. */
export interface CountedInsert {
  id?: number
  other: number
  parentId?: number | null
}

/** Input to replace a `Counted`: every field except those filled in on write. */
export interface CountedReplace {
  id: number
  other: number
  parentId?: number | null
}

/** Input to update a `Counted`: its key and any other fields. `null` clears an optional field. */
export interface CountedUpdate {
  id: number
  other?: number
  parentId?: number | null
}

/** The primary key of a `Counted`. */
export interface CountedKey {
  id: number
}

export const Counted: portico.TableDeclaration<Counted, CountedInsert, CountedUpdate, CountedKey, CountedReplace> = portico.defineTable({
  name: 'Counted',
  table: 'rule_3',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'other', name: 'other', type: 'number', storage: 'real' },
    { path: 'parentId', name: 'parentId', type: 'number', storage: 'integer', integer: true, nullable: true, optional: true },
  ],
  foreignKeys: [
    { name: 'parentId', constraint: 'rule_3__parentId__fk', paths: ['parentId'], columns: ['parentId'], references: { declaration: 'Counted', table: 'rule_3', paths: ['id'], columns: ['id'] }, onDelete: 'restrict', onUpdate: 'restrict' },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      other: { type: 'number' },
      parentId: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'other'],
    additionalProperties: false,
  },
  check: checkCounted,
})

function checkCounted(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'other':
      case 'parentId':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['other']
  if (it !== undefined) {
    if (!portico.isNumber(it)) portico.wrong(issues, [...path, 'other'], 'a number')
  } else if (mode !== 'update') portico.missing(issues, path, 'other')
  it = value['parentId']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'parentId'], 'a whole number')
  }
}
