// Generated from suite-limits.portico by `portico generate`. Do not edit: change suite-limits.portico and generate again.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'suite-limits.portico.ts')

/** A table with an auto-increment key, a version and timestamps. */
export interface Counted {
  id: number
  label: string
  at?: number
  version: number
  createdAt: number
  updatedAt: number
}

/** Input to insert a `Counted`. Fields with a default may be omitted; `null` means no value. */
export interface CountedInsert {
  id?: number
  label: string
  at?: number | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** Input to replace a `Counted`: every field except those filled in on write. */
export interface CountedReplace {
  id: number
  label: string
  at?: number | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** Input to update a `Counted`: its key and any other fields. `null` clears an optional field. */
export interface CountedUpdate {
  id: number
  label?: string
  at?: number | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** The primary key of a `Counted`. */
export interface CountedKey {
  id: number
}

export const Counted: portico.TableDeclaration<Counted, CountedInsert, CountedUpdate, CountedKey, CountedReplace> = portico.defineTable({
  name: 'Counted',
  table: 'counted',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'label', name: 'label', type: 'string', storage: 'text' },
    { path: 'at', name: 'at', type: 'number', storage: 'real', subtype: 'timestamp', integer: true, nullable: true, optional: true },
    { path: 'version', name: 'version', type: 'number', storage: 'real', subtype: 'int', integer: true, generated: 'version' },
    { path: 'createdAt', name: 'createdAt', type: 'number', storage: 'real', subtype: 'timestamp.created', integer: true, generated: 'created' },
    { path: 'updatedAt', name: 'updatedAt', type: 'number', storage: 'real', subtype: 'timestamp.updated', integer: true, generated: 'updated' },
  ],
  indexes: [{ name: 'counted__label', unique: true, columns: [{ path: 'label', column: 'label', order: 'asc' }] }],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A table with an auto-increment key, a version and timestamps.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      label: { type: 'string' },
      at: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      version: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      createdAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      updatedAt: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: ['id', 'label', 'version', 'createdAt', 'updatedAt'],
    additionalProperties: false,
  },
  check: checkCounted,
})

function checkCounted(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'label':
      case 'at':
      case 'version':
      case 'createdAt':
      case 'updatedAt':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['label']
  if (it !== undefined) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'label'], 'text')
  } else if (mode !== 'update') portico.missing(issues, path, 'label')
  it = value['at']
  if (portico.isPresent(it, mode)) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'at'], 'a whole number')
  }
  it = value['version']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'version'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'version')
  it = value['createdAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'createdAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'createdAt')
  it = value['updatedAt']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'updatedAt'], 'a whole number')
  } else if (mode === 'record') portico.missing(issues, path, 'updatedAt')
}

/** A separate table, since its sequence stays at a high number. */
export interface CountedHigh {
  id: number
  label?: string
}

/** Input to insert a `CountedHigh`. Fields with a default may be omitted; `null` means no value. */
export interface CountedHighInsert {
  id?: number
  label?: string | null
}

/** Input to replace a `CountedHigh`: every field except those filled in on write. */
export interface CountedHighReplace {
  id: number
  label?: string | null
}

/** Input to update a `CountedHigh`: its key and any other fields. `null` clears an optional field. */
export interface CountedHighUpdate {
  id: number
  label?: string | null
}

/** The primary key of a `CountedHigh`. */
export interface CountedHighKey {
  id: number
}

export const CountedHigh: portico.TableDeclaration<CountedHigh, CountedHighInsert, CountedHighUpdate, CountedHighKey, CountedHighReplace> = portico.defineTable({
  name: 'CountedHigh',
  table: 'counted_high',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'label', name: 'label', type: 'string', storage: 'text', nullable: true, optional: true },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'A separate table, since its sequence stays at a high number.',
    type: 'object',
    properties: {
      id: { type: 'integer', format: 'int64', minimum: -9007199254740991, maximum: 9007199254740991 },
      label: { type: 'string' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  check: checkCountedHigh,
})

function checkCountedHigh(value: unknown, path: portico.Path, issues: portico.Issue[], mode: portico.Mode): void {
  if (!portico.isObject(value)) return portico.wrong(issues, path, 'an object')
  for (const name in value) {
    switch (name) {
      case 'id':
      case 'label':
        break
      default:
        portico.unknownField(issues, path, name)
    }
  }
  let it = value['id']
  if (it !== undefined) {
    if (!portico.isInteger(it)) portico.wrong(issues, [...path, 'id'], 'a whole number')
  } else if (mode !== 'insert') portico.missing(issues, path, 'id')
  it = value['label']
  if (portico.isPresent(it, mode)) {
    if (!portico.isString(it)) portico.wrong(issues, [...path, 'label'], 'text')
  }
}
