/** Indexes of collections: what there is, and how one is made that means the same as on other engines. */
import type { Index } from '@portico/schema/model'
import { type TablePlan } from '../../../contract/plan.ts'
import type { IndexSnapshot } from '../../../contract/snapshot.ts'
import { DbError } from '../../../errors.ts'
import { toIndexName } from '../../../values/table-name.ts'
import type { Document, MongoDatabase } from '../client/driver.ts'
import { hasCode, KEY_INDEX, toDbError } from '../client/errors.ts'
import { layoutOf } from '../documents/document.ts'
import type { CatalogEntry, IndexSpec, StoredColumn } from './catalog.ts'

/** What servers tell of an index that is no option of it. */
const tellings = ['v', 'ns', 'background']

/** All indexes of a collection but that of `_id`. */
export async function listIndexes(db: MongoDatabase, table: string): Promise<IndexSpec[]> {
  const found = await db
    .collection(table)
    .listIndexes()
    .toArray()
    .catch((error: unknown) => {
      // There is no such collection.
      if (hasCode(error, 26)) return []
      throw error
    })
  return found
    .filter((it) => it['name'] !== '_id_')
    .map(({ name, key, ...more }) => ({
      name: name as string,
      keys: Object.entries(key as Record<string, 1 | -1>),
      options: Object.fromEntries(Object.entries(more).filter(([option]) => !tellings.includes(option))),
    }))
}

/** What sync sees of an index. */
export function describeIndex({ name, keys, options }: IndexSpec, columns: readonly StoredColumn[]): IndexSnapshot {
  return {
    name,
    unique: options['unique'] === true,
    // A path that is none of a column, or that is indexed otherwise than by order, equals nothing that is declared.
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

/** An index as it has to be when its columns have moved, or may be absent from now on, or no more. */
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

/** Whether a unique index is as sync makes them, and not one of others with options of its own. */
export function isOwnForm({ keys, options }: IndexSpec, before: readonly StoredColumn[]): boolean {
  const columns = keys.flatMap(([path]) => before.find((it) => it.at === path) ?? [])
  const absent = columns.filter((it) => it.nullable).map((it) => it.at)
  const own = { unique: true, ...leaveOut(absent, keys.length) }
  return columns.length === keys.length && JSON.stringify(sorted(options)) === JSON.stringify(sorted(own))
}

export function isSameSpec(one: IndexSpec, other: IndexSpec): boolean {
  return JSON.stringify([one.keys, sorted(one.options)]) === JSON.stringify([other.keys, sorted(other.options)])
}

/** Why an index cannot be made beside others, where there is one like it. */
export function tellTwin(spec: IndexSpec, others: readonly IndexSpec[]): string | undefined {
  const twin = others.find((it) => it.name !== spec.name && isSameSpec(it, spec))
  if (!twin) return undefined
  const told = `the index \`${twin.name}\` is the same as \`${spec.name}\`, and MongoDB takes no index twice`
  return `${told}: drop it, or declare it once`
}

function sorted(options: Document): unknown[] {
  return Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1))
}

/** A unique index takes absent values for equal ones; documents that lack one are not to be in it. */
function leaveOut(absent: readonly string[], width: number): Document {
  if (absent.length === 0) return {}
  if (width === 1) return { sparse: true }
  return { partialFilterExpression: Object.fromEntries(absent.map((path) => [path, { $exists: true }])) }
}

/** Takes as long as it takes: where an answer does not come in time, the same is asked for once more. */
export async function makeIndex(db: MongoDatabase, table: string, spec: IndexSpec): Promise<void> {
  const { name, keys, options } = spec
  for (;;) {
    try {
      await db.collection(table).createIndex(Object.fromEntries(keys), { ...options, name })
      return
    } catch (error) {
      const told = toDbError(error)
      if (!(told instanceof DbError) || told.code !== 'TIMEOUT') throw error
    }
  }
}

export async function removeIndex(db: MongoDatabase, table: string, name: string): Promise<void> {
  await db
    .collection(table)
    .dropIndex(name)
    .catch((error: unknown) => {
      // There is no such index, or no such collection.
      if (!hasCode(error, 26, 27)) throw error
    })
}
