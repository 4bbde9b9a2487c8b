// Made from schema.portico by `portico generate`. Change schema.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'schema.portico.ts')

export interface Counted {
  id: number
  other: number
  parentId?: number
}

/** What an insert of a `Counted` takes: what has a default may be left out, `null` stands for absent. */
export interface CountedInsert {
  id?: number
  other: number
  parentId?: number | null
}

/** What replaces a `Counted`: every field but those that are filled in at a write. */
export interface CountedReplace {
  id: number
  other: number
  parentId?: number | null
}

/** What changes a `Counted`: its key and any other fields; `null` clears an optional one. */
export interface CountedUpdate {
  id: number
  other?: number
  parentId?: number | null
}

/** The key of a `Counted`. */
export interface CountedKey {
  id: number
}

export const Counted: portico.Table<Counted, CountedInsert, CountedUpdate, CountedKey, CountedReplace> = portico.defineTable({
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
