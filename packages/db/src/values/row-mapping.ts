/**
 * Converts records to rows and back, with code generated once per table and list of columns. A second, interpreted version
 * is used where `eval` is forbidden (`--disallow-code-generation-from-strings`, a content security policy). Both are kept:
 * see `compileFunction` for the measured difference, and `without-code-generation.mjs` in the tests for the second.
 */
import type { Group } from '@portico/schema/model'
import type { Row } from '../contract/storage.ts'
import type { PlanColumn } from '../contract/table-plan.ts'
import { ownValue } from './plain-object.ts'
import { type ObjectNode, type RowNode, shapeRow } from './row-shape.ts'
import { createUuid } from './uuid.ts'

export type RowReader = (row: Row) => Record<string, unknown>
/** `now` is the value of generated timestamps. */
export type RowWriter = (record: object, now: number) => unknown[]

let canCompile: boolean | undefined

/** False if a policy of the page or of Node forbids `eval`. */
export function isCompilationAllowed(): boolean {
  try {
    canCompile ??= compileFunction([], 'return true')() as boolean
  } catch {
    canCompile = false
  }
  return canCompile
}

/** Creates a function that reads rows of these columns as records. Optional fields that are NULL are left out. */
export function createRowReader(columns: readonly PlanColumn[], groups: readonly Group[]): RowReader {
  const shape = shapeRow(columns, groups)
  return isCompilationAllowed() ? compileReader(shape, columns) : (row) => readObject(shape, row, columns)
}

/** Creates a function that writes input as a row of these columns. Only an insert uses defaults. */
export function createRowWriter(columns: readonly PlanColumn[], mode: 'insert' | 'replace'): RowWriter {
  const fills = mode === 'insert' ? hasDefault : () => false
  return isCompilationAllowed() ? compileWriter(columns, fills) : interpretWriter(columns, fills)
}

/** The value at a path of a record. `undefined` if an object on the path is missing. */
export function valueAt(record: object, path: string): unknown {
  if (!path.includes('.')) return ownValue(record, path)
  let value: unknown = record
  for (const name of path.split('.')) {
    if (value === null || value === undefined) return undefined
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }
  return value
}

/** The value that an insert stores for an omitted field. `undefined` without a default. */
export function defaultOf({ model }: PlanColumn, now: number): unknown {
  if (model.generated === 'version') return 1
  if (model.generated) return now
  switch (model.default?.kind) {
    case 'value':
      return model.default.value
    case 'uuid':
      return createUuid(now)
    case 'now':
      return now
    default:
      return undefined
  }
}

/** Encodes a value for the engine. A missing one is NULL. */
export function encodeColumn(column: PlanColumn, value: unknown): unknown {
  if (value === undefined || value === null) return null
  return column.storage.encode ? column.storage.encode(value) : value
}

function readObject(shape: ObjectNode, row: Row, columns: readonly PlanColumn[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const node of shape.nodes) {
    const value = readNode(node, row, columns)
    if (value !== undefined) Object.defineProperty(record, node.name, { value, ...plainProperty })
  }
  return record
}

const plainProperty = { writable: true, enumerable: true, configurable: true }

function readNode(node: RowNode, row: Row, columns: readonly PlanColumn[]): unknown {
  if (node.kind === 'object') {
    if (node.presence !== undefined && row[node.presence] === null) return undefined
    return readObject(node, row, columns)
  }
  const value = row[node.position]
  if (value === null) return node.optional ? undefined : node.missing
  const { decode } = columns[node.position]!.storage
  return decode ? decode(value) : value
}

type Fills = (column: PlanColumn) => boolean

function interpretWriter(columns: readonly PlanColumn[], fills: Fills): RowWriter {
  return (record, now) =>
    columns.map((column) =>
      encodeColumn(column, valueAt(record, column.path) ?? (fills(column) ? fallback(column, record, now) : null)),
    )
}

/** A default replaces an omitted field, but not `null`, and not a field of an omitted object. */
function fallback(column: PlanColumn, record: object, now: number): unknown {
  const parent = column.path.slice(0, Math.max(0, column.path.lastIndexOf('.')))
  const isAbsent = parent !== '' && (valueAt(record, parent) ?? undefined) === undefined
  return isAbsent || valueAt(record, column.path) === null ? undefined : defaultOf(column, now)
}

// The generated code. Field names come from the declaration and are written as JSON strings.

function compileFunction(names: readonly string[], body: string): (...args: unknown[]) => unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- generated code reads rows 1.4 times as fast as a loop over columns
  return new Function(...names, body) as (...args: unknown[]) => unknown
}

function compileReader(shape: ObjectNode, columns: readonly PlanColumn[]): RowReader {
  const statements: string[] = []
  emitObject(shape, 'record', statements, columns)
  const decoders = columns.map((it) => it.storage.decode)
  const names = columns.map((_, index) => `d${index}`)
  const body = `return (row) => { ${statements.join('; ')}; return record }`
  return compileFunction(names, body)(...decoders) as RowReader
}

/** Required fields are part of the object literal. Optional ones are assigned if the row has them. */
function emitObject(shape: ObjectNode, name: string, out: string[], columns: readonly PlanColumn[]): void {
  const inner = new Map<RowNode, string>()
  for (const [index, node] of shape.nodes.entries()) {
    if (node.kind !== 'object' || node.presence !== undefined) continue
    inner.set(node, `${name}_${index}`)
    emitObject(node, `${name}_${index}`, out, columns)
  }
  const required = shape.nodes.filter((it) => !isOptional(it))
  const entries = required.map(
    (node) => `[${JSON.stringify(node.name)}]: ${inner.get(node) ?? emitValue(node, columns)}`,
  )
  out.push(`const ${name} = { ${entries.join(', ').replaceAll(/\[("[a-zA-Z]\w*")\]:/g, '$1:')} }`)
  for (const [index, node] of shape.nodes.entries()) {
    if (!isOptional(node)) continue
    const target = `${name}[${JSON.stringify(node.name)}]`
    const position = node.kind === 'object' ? node.presence! : node.position
    const block: string[] = []
    if (node.kind === 'object') emitObject(node, `${name}_${index}`, block, columns)
    const value = node.kind === 'object' ? `${name}_${index}` : decoded(node.position, columns)
    out.push(`if (row[${position}] !== null) { ${[...block, `${target} = ${value}`].join('; ')} }`)
  }
}

function isOptional(node: RowNode): boolean {
  return node.kind === 'object' ? node.presence !== undefined : node.optional
}

function emitValue(node: RowNode, columns: readonly PlanColumn[]): string {
  if (node.kind === 'object') throw new Error('nested objects are emitted before the object around them')
  const { position, missing } = node
  const value = decoded(position, columns)
  const isPlain = missing === null && value === `row[${position}]`
  if (!columns[position]!.nullable || isPlain) return value
  return `row[${position}] === null ? ${missing === null ? 'null' : JSON.stringify(missing)} : ${value}`
}

function decoded(position: number, columns: readonly PlanColumn[]): string {
  return columns[position]!.storage.decode ? `d${position}(row[${position}])` : `row[${position}]`
}

function compileWriter(columns: readonly PlanColumn[], fills: Fills): RowWriter {
  const objects = new Map<string, string>([['', 'record']])
  const statements: string[] = []
  for (const { path } of columns) declareParents(path, objects, statements)
  const values = columns.map((column, index) => {
    const parent = column.path.slice(0, Math.max(0, column.path.lastIndexOf('.')))
    const holder = objects.get(parent)!
    const read = readProperty(holder, column.path.slice(parent === '' ? 0 : parent.length + 1))
    const value = parent === '' ? read : `${holder} == null ? null : ${read}`
    statements.push(`let v${index} = ${value}`)
    if (fills(column)) statements.push(`if (v${index} === undefined) v${index} = f${index}(c${index}, now)`)
    const encoded = column.storage.encode ? `e${index}(v${index})` : `v${index}`
    return `v${index} == null ? null : ${encoded}`
  })
  const body = `return (record, now) => { ${statements.join('; ')}; return [${values.join(', ')}] }`
  const names = columns.flatMap((_, index) => [`e${index}`, `f${index}`, `c${index}`])
  const bound = columns.flatMap((column) => [column.storage.encode, defaultOf, column])
  return compileFunction(['own', ...names], body)(own, ...bound) as RowWriter
}

function hasDefault({ model }: PlanColumn): boolean {
  return model.generated !== undefined || (model.default !== undefined && model.default.kind !== 'increment')
}

function declareParents(path: string, objects: Map<string, string>, out: string[]): void {
  const parts = path.split('.')
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = parts.slice(0, depth).join('.')
    if (objects.has(parent)) continue
    const holder = objects.get(parts.slice(0, depth - 1).join('.'))!
    const name = `o${objects.size}`
    objects.set(parent, name)
    const read = readProperty(holder, parts[depth - 1]!)
    out.push(`const ${name} = ${holder === 'record' ? read : `${holder} == null ? null : ${read}`}`)
  }
}

/** A name that every object inherits is read only as an own property. */
function readProperty(holder: string, name: string): string {
  const text = JSON.stringify(name)
  return name in Object.prototype ? `own(${holder}, ${text})` : `${holder}[${text}]`
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
