// Made from suite-limits.portico by `portico generate`. Change suite-limits.portico and run it again; edits here are lost.
import * as portico from '@portico/schema/runtime'

portico.assertFormat(1, 'suite-limits.portico.ts')

/** A table whose numbers rise by themselves. */
export interface Counted {
  id: number
  label: string
  at?: number
  version: number
  createdAt: number
  updatedAt: number
}

/** What an insert of a `Counted` takes: what has a default may be left out, `null` stands for absent. */
export interface CountedInsert {
  id?: number
  label: string
  at?: number | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** What replaces a `Counted`: every field but those that are filled in at a write. */
export interface CountedReplace {
  id: number
  label: string
  at?: number | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** What changes a `Counted`: its key and any other fields; `null` clears an optional one. */
export interface CountedUpdate {
  id: number
  label?: string
  at?: number | null
  version?: number
  createdAt?: number
  updatedAt?: number
}

/** The key of a `Counted`. */
export interface CountedKey {
  id: number
}

export const Counted: portico.Table<Counted, CountedInsert, CountedUpdate, CountedKey, CountedReplace> = portico.defineTable({
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
    description: 'A table whose numbers rise by themselves.',
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

/** Its counter is moved far up, and stays there. */
export interface CountedHigh {
  id: number
  label?: string
}

/** What an insert of a `CountedHigh` takes: what has a default may be left out, `null` stands for absent. */
export interface CountedHighInsert {
  id?: number
  label?: string | null
}

/** What replaces a `CountedHigh`: every field but those that are filled in at a write. */
export interface CountedHighReplace {
  id: number
  label?: string | null
}

/** What changes a `CountedHigh`: its key and any other fields; `null` clears an optional one. */
export interface CountedHighUpdate {
  id: number
  label?: string | null
}

/** The key of a `CountedHigh`. */
export interface CountedHighKey {
  id: number
}

export const CountedHigh: portico.Table<CountedHigh, CountedHighInsert, CountedHighUpdate, CountedHighKey, CountedHighReplace> = portico.defineTable({
  name: 'CountedHigh',
  table: 'counted_high',
  key: ['id'],
  columns: [
    { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true, default: { kind: 'increment', start: 1 } },
    { path: 'label', name: 'label', type: 'string', storage: 'text', nullable: true, optional: true },
  ],
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'Its counter is moved far up, and stays there.',
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
