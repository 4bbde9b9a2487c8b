/** Reads and creates indexes that behave as on other engines. */
import type { Index } from '@portico/schema/model'
import type { IndexSnapshot } from '../../../contract/snapshot.ts'
import { type TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import { toIndexName } from '../../../values/table-name.ts'
import type { Document, MongoDatabase } from '../client/driver.ts'
import { hasCode, KEY_INDEX, toDbError } from '../client/errors.ts'
import { layoutOf } from '../documents/document.ts'
import type { CatalogEntry, IndexSpec, StoredColumn } from './catalog.ts'

/** Properties in the server's list of indexes that are not options. */
const ignoredProperties = ['v', 'ns', 'background']

/** Lists the indexes of a collection, except that of `_id`. */
export async function listIndexes(db: MongoDatabase, table: string): Promise<IndexSpec[]> {
  const found = await db
    .collection(table)
    .listIndexes()
    .toArray()
    .catch((error: unknown) => {
      // The collection does not exist.
      if (hasCode(error, 26)) return []
      throw error
    })
  return found
    .filter((it) => it['name'] !== '_id_')
    .map(({ name, key, ...more }) => ({
      name: name as string,
      keys: Object.entries(key as Record<string, 1 | -1>),
      options: Object.fromEntries(Object.entries(more).filter(([option]) => !ignoredProperties.includes(option))),
    }))
}

/** Describes an index for the diff. */
export function describeIndex({ name, keys, options }: IndexSpec, columns: readonly StoredColumn[]): IndexSnapshot {
  return {
    name,
    unique: options['unique'] === true,
    // A path without a column, or an index that is not ordered, matches no declared index.
    columns: keys.map(([path, direction]) => ({
      name: (Math.abs(direction) === 1 && columns.find((it) => it.at === path)?.name) || '',
      order: direction === -1 ? 'desc' : 'asc',
    })),
    isValid: true,
  }
}

export function declareIndex(plan: TablePlan, index: Index): IndexSpec {
  const { pathOf } = layoutOf(plan)
  const own = index.columns.map(({ path, order }) => ({ column: plan.byPath.get(path)!, order }))
  const keys = own.map(({ column, order }) => [pathOf(column), order === 'desc' ? -1 : 1] as const)
  const absent = own.filter(({ column }) => column.nullable).map(({ column }) => pathOf(column))
  const options = index.unique ? { unique: true, ...leaveOut(absent, own.length) } : {}
  return { name: toIndexName(index.name, plan), keys, options }
}

/** The unique index over the columns of a composite key. */
export function declareKey({ columns, key }: CatalogEntry): IndexSpec[] {
  if (key.length < 2) return []
  const pathOf = (name: string): string => columns.find((it) => it.name === name)!.at
  return [{ name: KEY_INDEX, keys: key.map((name) => [pathOf(name), 1]), options: { unique: true } }]
}

/** Adapts an index to columns that have moved, or became optional or required. */
export function followColumns(spec: IndexSpec, before: readonly StoredColumn[], after: CatalogEntry): IndexSpec {
  const moved = spec.keys.map(([path, direction]) => {
    const former = before.find((it) => it.at === path)
    return { column: former && after.columns.find((it) => it.name === former.name), path, direction }
  })
  const keys = moved.map(({ column, path, direction }) => [column?.at ?? path, direction] as const)
  if (!isOwnForm(spec, before) || moved.some((it) => !it.column)) return { ...spec, keys }
  const absent = moved.filter((it) => it.column!.nullable).map((it) => it.column!.at)
  return { name: spec.name, keys, options: { unique: true, ...leaveOut(absent, keys.length) } }
}

/** True if a unique index has the options that sync gives it. */
export function isOwnForm({ keys, options }: IndexSpec, before: readonly StoredColumn[]): boolean {
  const columns = keys.flatMap(([path]) => before.find((it) => it.at === path) ?? [])
  const absent = columns.filter((it) => it.nullable).map((it) => it.at)
  const own = { unique: true, ...leaveOut(absent, keys.length) }
  return columns.length === keys.length && JSON.stringify(sorted(options)) === JSON.stringify(sorted(own))
}

export function isSameSpec(one: IndexSpec, other: IndexSpec): boolean {
  return JSON.stringify([one.keys, sorted(one.options)]) === JSON.stringify([other.keys, sorted(other.options)])
}

/** MongoDB refuses an index that equals another except for its name. */
export function describeEqualIndex(spec: IndexSpec, others: readonly IndexSpec[]): string | undefined {
  const equal = others.find((it) => it.name !== spec.name && isSameSpec(it, spec))
  if (!equal) return undefined
  const reason = `the index \`${equal.name}\` is the same as \`${spec.name}\`, and MongoDB does not allow two equal indexes`
  return `${reason}: drop it, or declare it once`
}

function sorted(options: Document): unknown[] {
  return Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1))
}

/** A unique index treats absent values as equal, so documents that lack one are excluded from it. */
function leaveOut(absent: readonly string[], width: number): Document {
  if (absent.length === 0) return {}
  if (width === 1) return { sparse: true }
  return { partialFilterExpression: Object.fromEntries(absent.map((path) => [path, { $exists: true }])) }
}

/** Has no timeout: if the answer does not arrive in time, sends the command again. */
export async function makeIndex(db: MongoDatabase, table: string, spec: IndexSpec): Promise<void> {
  const { name, keys, options } = spec
  for (;;) {
    try {
      await db.collection(table).createIndex(Object.fromEntries(keys), { ...options, name })
      return
    } catch (error) {
      const translated = toDbError(error)
      if (!(translated instanceof DbError) || translated.code !== 'TIMEOUT') throw error
    }
  }
}

export async function removeIndex(db: MongoDatabase, table: string, name: string): Promise<void> {
  await db
    .collection(table)
    .dropIndex(name)
    .catch((error: unknown) => {
      // The index or the collection does not exist.
      if (!hasCode(error, 26, 27)) throw error
    })
}
