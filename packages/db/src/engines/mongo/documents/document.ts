/** The paths of columns in a document: flattened columns are stored inside the objects they come from. */

import type { Assignment } from '../../../contract/operation.ts'
import type { Row } from '../../../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import { encodeColumn } from '../../../values/row-mapping.ts'
import type { Document } from '../client/driver.ts'
import { checkNames, checkTable } from './reserved-names.ts'

export interface DocumentLayout {
  /** The path of a column's value. */
  readonly partsOf: (column: PlanColumn) => readonly string[]
  /** The path as MongoDB writes it: `address.city`. */
  readonly pathOf: (column: PlanColumn) => string
}

const layouts = new WeakMap<TablePlan, DocumentLayout>()

export function layoutOf(plan: TablePlan): DocumentLayout {
  let layout = layouts.get(plan)
  if (!layout) {
    layout = createLayout(plan)
    layouts.set(plan, layout)
  }
  return layout
}

function createLayout(plan: TablePlan): DocumentLayout {
  const single = plan.key.length === 1 ? plan.key[0] : undefined
  const placed = placeNames(
    plan.columns.map((it) => it.name),
    single?.name,
  )
  const parts = new Map(plan.columns.map((it) => [it, placed.get(it.name)!]))
  checkTable(plan)
  for (const [column, names] of parts) checkNames(plan, column, names, column === single)
  const paths = new Map([...parts].map(([column, names]) => [column, names.join('.')]))
  return { partsOf: (column) => parts.get(column)!, pathOf: (column) => paths.get(column)! }
}

/** The paths of columns, one of which may be `_id`. */
export function placeNames(columns: readonly string[], id: string | undefined): Map<string, readonly string[]> {
  const nested = new Map(columns.map((it) => [it, it === id ? ['_id'] : splitName(it)]))
  const leaves = new Set([...nested.values()].map((it) => it.join('.')))
  return new Map(
    [...nested].map(([column, names]) => {
      // If another column is stored where the object would be, the column keeps its flat name.
      const isTaken = names.some((_, index) => index > 0 && leaves.has(names.slice(0, index).join('.')))
      return [column, isTaken ? [column] : names]
    }),
  )
}

/** `address__city` is stored in `address`. The path depends only on the column's name, not on the field's position. */
export function splitName(name: string): string[] {
  const parts = name.split('__')
  return parts.includes('') ? [name] : parts
}

/** The parents of a path, innermost first. */
export function parentsOf(path: string): string[] {
  const names = path.split('.')
  return names.slice(1).map((_, index) => names.slice(0, names.length - 1 - index).join('.'))
}

/** Returns a function that turns rows of these columns into documents. Absent values have no field. */
export function createDocumentWriter(plan: TablePlan, columns: readonly PlanColumn[]): (row: Row) => Document {
  const layout = layoutOf(plan)
  const parts = columns.map((it) => layout.partsOf(it))
  const identity = plan.key.length > 1 ? createIdentity(plan, columns) : undefined
  return (row) => {
    const document: Document = identity ? { _id: identity(row) } : {}
    for (const [index, names] of parts.entries()) setPart(document, names, row[index])
    return document
  }
}

/** The `_id` of a composite key: its columns in key order, which matters to MongoDB. */
function createIdentity({ key }: TablePlan, columns: readonly PlanColumn[]): (row: Row) => Document {
  const positions = key.map((it) => columns.indexOf(it))
  return (row) => Object.fromEntries(key.map((it, index) => [it.name, row[positions[index]!]]))
}

export function setPart(document: Document, names: readonly string[], value: unknown): void {
  if (value === null) return
  let holder = document
  for (const name of names.slice(0, -1)) {
    const inner = (ownValue(holder, name) ?? {}) as Document
    setOwn(holder, name, inner)
    holder = inner
  }
  setOwn(holder, names.at(-1)!, value)
}

/** Returns a function that turns documents into rows of these columns. */
export function createDocumentReader(plan: TablePlan, columns: readonly PlanColumn[]): (document: Document) => Row {
  const layout = layoutOf(plan)
  const parts = columns.map((it) => layout.partsOf(it))
  const presets = columns.map(missingValue)
  return (document) => parts.map((names, index) => partAt(document, names) ?? presets[index])
}

/**
 * A document without a required column reads as its default, which an SQL engine would have stored. Programs that do
 * not know the column yet store documents without it.
 */
function missingValue(column: PlanColumn): unknown {
  const preset = column.model.default
  return preset?.kind === 'value' && !column.nullable ? encodeColumn(column, preset.value) : null
}

export function partAt(document: Document, names: readonly string[]): unknown {
  let value: unknown = document
  for (const name of names) value = ownValue(value, name)
  return value ?? null
}

/** Removes a value from a document, with the objects that this leaves empty. */
export function takePart(document: Document, names: readonly string[]): unknown {
  const [name = '', ...rest] = names
  const value = ownValue(document, name)
  if (rest.length === 0) {
    delete document[name]
    return value ?? null
  }
  if (typeof value !== 'object' || value === null) return null
  const taken = takePart(value as Document, rest)
  if (Object.keys(value).length === 0) delete document[name]
  return taken
}

type Values = (params: readonly unknown[]) => Document

/** A value, or an object with all of its columns, that an update writes at one path. */
interface Target {
  readonly path: string
  /** The slots of its values, one per column. */
  readonly slots: readonly number[]
  /** The parts of an object; empty for a value. */
  readonly inside: readonly Target[]
}

/** Returns a function that builds the update operators. */
export function createUpdate(plan: TablePlan, set: readonly Assignment[], more: Document = {}): Values {
  const { pathOf } = layoutOf(plan)
  const targets = collectTargets(
    plan,
    new Map(set.flatMap((it) => (it.kind === 'value' ? [[it.column, it.slot]] : []))),
  )
  const raised = Object.fromEntries(set.flatMap((it) => (it.kind === 'increment' ? [[pathOf(it.column), 1]] : [])))
  return (params) => {
    const given: Document = {}
    const cleared: Document = {}
    const write = ({ path, slots, inside }: Target): void => {
      if (slots.every((slot) => params[slot] === null)) setOwn(cleared, path, '')
      else if (inside.length === 0) setOwn(given, path, params[slots[0]!])
      else for (const it of inside) write(it)
    }
    for (const target of targets) write(target)
    return withoutEmpty({ ...more, $set: given, $unset: cleared, $inc: raised })
  }
}

/** MongoDB before 5.0 refuses operators without fields. */
function withoutEmpty(operators: Document): Document {
  return Object.fromEntries(Object.entries(operators).filter(([, fields]) => Object.keys(fields as object).length > 0))
}

/**
 * An object is cleared as a whole, but written field by field: it may have fields of a newer program that this one does
 * not know.
 */
function collectTargets(plan: TablePlan, slots: ReadonlyMap<PlanColumn, number>): Target[] {
  const { partsOf } = layoutOf(plan)
  return collect(plan.columns, 0)

  function collect(columns: readonly PlanColumn[], depth: number): Target[] {
    const names = new Set(columns.map((it) => partsOf(it)[depth]!))
    return [...names].flatMap((name) => {
      const inside = columns.filter((it) => partsOf(it)[depth] === name)
      const deeper = inside.filter((it) => partsOf(it).length > depth + 1)
      const nested = collect(deeper, depth + 1)
      if (!inside.every((it) => slots.has(it))) return nested
      const path = partsOf(inside[0]!)
        .slice(0, depth + 1)
        .join('.')
      return [{ path, slots: inside.map((it) => slots.get(it)!), inside: nested }]
    })
  }
}

// A name such as `constructor` or `toString` is also found on `Object.prototype`, and an assignment to `__proto__` sets
// no field, so fields are read and written as own properties.

/** The value of a field; undefined if the holder lacks it or is not a document: an array has a `length`. */
function ownValue(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  // The driver's own types keep their values in fields too.
  const isDocument = !Array.isArray(holder) && (holder as Document)['_bsontype'] === undefined
  return isDocument ? (holder as Document)[name] : undefined
}

export function setOwn(holder: Document, name: string, value: unknown): void {
  // An assignment is faster, and correct for every other name.
  if (name !== '__proto__') holder[name] = value
  else Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
}
