/** Checks whether documents that other programs wrote match a declared table, and describes those that do not. */
import type { Storage } from '@portico/schema/model'
import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import { count } from '../../../shared/count.ts'
import type { Document, MongoCollection } from '../client/driver.ts'
import { layoutOf, parentsOf, partAt } from '../documents/document.ts'
import { readAll } from '../documents/read-exactly.ts'
import type { StoredColumn } from './catalog.ts'
import { isAbsent, isPresent } from './task.ts'

/** The kinds of values in a column, each with its number of documents. */
export type Kinds = ReadonlyMap<string, number>

/** Kinds that a column can hold or be converted from, with the matching storage. */
export const storages: ReadonlyMap<string, Storage> = new Map([
  ['string', 'text'],
  ['number', 'real'],
  ['decimal128', 'real'],
  ['boolean', 'boolean'],
  ['array', 'json'],
  ['object', 'json'],
])

/** Reads the kinds of the values at a path. */
export async function readKinds(collection: MongoCollection, column: Pick<StoredColumn, 'at'>): Promise<Kinds> {
  const kinds = new Map<string, number>()
  await eachValue(collection, column, (value) => {
    const kind = kindOf(value)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  })
  return kinds
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'object' || value === null) return typeof value
  const type = (value as Document)['_bsontype'] as string | undefined
  if (type === undefined) return Object.getPrototypeOf(value) === Object.prototype ? 'object' : value.constructor.name
  return type === 'Long' ? 'number' : type === 'Decimal128' ? 'decimal128' : type
}

async function eachValue(
  collection: MongoCollection,
  { at }: Pick<StoredColumn, 'at'>,
  visit: (value: unknown) => void,
): Promise<void> {
  const names = at.split('.')
  for await (const document of readAll(collection, isPresent({ at, storage: 'json' }), { projection: { [at]: 1 } })) {
    const value = partAt(document, names)
    if (value !== null) visit(value)
  }
}

/** True if a column of this type can hold values of a kind without conversion. */
export function isKindOf(kind: string, { model: { storage, shape } }: PlanColumn): boolean {
  if (storage === 'json') return shape === 'array' || shape === 'object' ? kind === shape : storages.has(kind)
  const own = { text: 'string', decimal: 'string', integer: 'number', real: 'number', boolean: 'boolean' } as const
  return kind === own[storage]
}

/** `ObjectId in 2 documents and Date in 1 document` */
export function describeKinds(kinds: Kinds): string {
  return [...kinds].map(([kind, number]) => `${kind} in ${count(number, 'document')}`).join(' and ')
}

/** Advice for values that no column can hold. */
export function adviseOn(kinds: Kinds, { at }: Pick<StoredColumn, 'at'>): string {
  if (kinds.has('ObjectId') && at === '_id') return 'copy the documents, with keys that are text or numbers, first'
  if (kinds.has('ObjectId')) return 'store its text (`$toString`) first'
  if (kinds.has('Date')) return 'store its milliseconds as a number (`$toLong`), or its text, first'
  return 'change or clear them first'
}

/** Counts values of the right kind that could not be read back: a fraction in an integer, `NaN`. */
export async function countUnreadable(
  collection: MongoCollection,
  { at }: Pick<StoredColumn, 'at'>,
  { model, storage: { decode } }: PlanColumn,
): Promise<number> {
  let unreadable = 0
  // Text and booleans can always be read.
  if (!decode || !['integer', 'real', 'json'].includes(model.storage)) return 0
  await eachValue(collection, { at }, (value) => {
    try {
      decode(value)
    } catch (error) {
      if (!(error instanceof DbError)) throw error
      unreadable += 1
    }
  })
  return unreadable
}

export function describeUnreadable({ model, name }: PlanColumn, unreadable: number): string {
  const found = model.integer
    ? 'a number with a fraction, or beyond ±(2^53 − 1)'
    : model.type === 'number'
      ? 'a number that JavaScript would round, or `NaN`'
      : 'a value that JSON does not have'
  const holders = `${count(unreadable, 'document')} ${unreadable === 1 ? 'holds' : 'hold'}`
  return `column \`${name}\`: ${holders} ${found}, which could not be read back: change or clear it first`
}

/** Finds documents in which the parent object of these columns is something else. Nothing can be set inside `null`. */
export async function findOtherParents(
  collection: MongoCollection,
  paths: readonly string[],
): Promise<string | undefined> {
  for (const path of new Set(paths.flatMap(parentsOf))) {
    const isOther = [{ [path]: { $exists: true, $not: { $type: 'object' } } }, { [path]: { $type: 'array' } }]
    const found = await collection.countDocuments({ $or: isOther }, {})
    if (found > 0) {
      const reason = `\`${path}\` is not an object in some documents, so no column can be stored in it`
      return `${reason}: change or clear it in ${count(found, 'document')} first`
    }
  }
  return undefined
}

/**
 * Finds optional objects without the field that marks them as present: they would read as absent, and the next write
 * would replace them.
 *
 * @param isAsked Selects the columns to check.
 */
export async function findHiddenObject(
  collection: MongoCollection,
  plan: TablePlan,
  isAsked: (columns: readonly PlanColumn[]) => boolean,
): Promise<{ readonly column: PlanColumn; readonly reason: string } | undefined> {
  const { partsOf, pathOf } = layoutOf(plan)
  for (const { path, presence } of plan.declaration.groups) {
    const column = plan.columns.find((it) => it.name === presence)
    if (!column || !isAsked(plan.columns.filter((it) => it.path.startsWith(`${path}.`)))) continue
    const parts = partsOf(column)
    // A column with its flat name is not inside an object.
    if (parts.length !== column.path.split('.').length) continue
    const at = parts.slice(0, path.split('.').length).join('.')
    const isHidden = { $and: [{ [at]: { $type: 'object' } }, isAbsent({ ...column.model, at: pathOf(column) })] }
    const found = await collection.countDocuments(isHidden, {})
    if (found === 0) continue
    const reason = `\`${at}\` is an object without \`${parts.at(-1)}\` in ${count(found, 'document')}, and would read as absent`
    return { column, reason: `${reason}: add the field, or clear the object, first` }
  }
  return undefined
}
