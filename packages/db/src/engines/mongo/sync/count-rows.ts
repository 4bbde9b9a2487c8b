/** Counts documents for sync. */
import type { RowQuery } from '../../../contract/row-query.ts'
import type { ColumnSnapshot } from '../../../contract/snapshot.ts'
import type { MongoCollection, MongoDatabase } from '../client/driver.ts'
import { partAt, splitName } from '../documents/document.ts'
import { readAll } from '../documents/read-exactly.ts'
import { readEntry, type StoredColumn } from './catalog.ts'
import { convertValue, isSameForm } from './convert.ts'
import { countOrphans, type End, endAt } from './orphans.ts'
import { isAbsent, isPresent } from './task.ts'

type Of<Kind extends RowQuery['kind']> = Extract<RowQuery, { readonly kind: Kind }>
type PathOf = (column: string) => string

export async function countRowsMongo(db: MongoDatabase, query: RowQuery): Promise<number> {
  const { table } = query.tableName
  const collection = db.collection(table)
  if (query.kind === 'rows') return collection.countDocuments({}, {})
  const columnOf = await readColumns(db, table)
  const pathOf = (name: string): string => columnOf(name).at
  switch (query.kind) {
    case 'nulls':
      return collection.countDocuments(isAbsent(columnOf(query.column)), {})
    case 'duplicates':
      return countDuplicates(
        collection,
        query.columns.map(pathOf),
        new Map(query.filled?.map((it) => [pathOf(it.column), it.value])),
      )
    case 'objects': {
      const { any, lacks, none = [] } = query
      const conditions = [
        ...(any ? [any.length > 0 ? { $or: any.map((it) => isPresent(columnOf(it))) } : { _id: { $in: [] } }] : []),
        ...[lacks, ...none].flatMap((it) => (it === undefined ? [] : [isAbsent(columnOf(it))])),
      ]
      return collection.countDocuments(conditions.length === 0 ? {} : { $and: conditions }, {})
    }
    case 'unconvertible':
      return countUnfit(collection, query, columnOf(query.from.name))
    case 'orphans':
      return askOrphans(db, query, pathOf)
  }
}

type Column = Pick<StoredColumn, 'at' | 'storage'>

/** The paths of columns. Without a catalog entry, they follow from the names. */
async function readColumns(db: MongoDatabase, table: string): Promise<(name: string) => Column> {
  const row = await readEntry(db, table)
  const columns: readonly StoredColumn[] = row?.entry.columns ?? []
  return (name) => columns.find((it) => it.name === name) ?? { at: splitName(name).join('.') }
}

/** Counts documents with the same values at these paths as another one. Absent values are not equal. */
export async function countDuplicates(
  collection: MongoCollection,
  paths: readonly string[],
  filled: ReadonlyMap<string, unknown> = new Map(),
): Promise<number> {
  // `$literal`, since a text may begin with `$`.
  const readAt = (path: string): unknown =>
    filled.has(path) ? { $ifNull: [`$${path}`, { $literal: filled.get(path) }] } : `$${path}`
  const groups = await collection
    .aggregate(
      [
        { $match: Object.fromEntries(paths.filter((it) => !filled.has(it)).map((path) => [path, { $ne: null }])) },
        {
          $group: { _id: Object.fromEntries(paths.map((path, index) => [`v${index}`, readAt(path)])), n: { $sum: 1 } },
        },
        { $match: { n: { $gte: 2 } } },
      ],
      {},
    )
    .toArray()
  return groups.reduce((sum, it) => sum + Number(it['n']) - 1, 0)
}

async function countUnfit(
  collection: MongoCollection,
  { from, to }: Of<'unconvertible'>,
  column: Column,
): Promise<number> {
  if (isSameForm(from, to)) return 0
  const names = column.at.split('.')
  let unfit = 0
  for await (const document of readAll(collection, isPresent(column), { projection: { [column.at]: 1 } })) {
    if (convertValue(partAt(document, names), from, to) === undefined) unfit += 1
  }
  return unfit
}

/** A column whose values are compared after conversion. */
function convertedEnd(
  path: string,
  change: { readonly from: ColumnSnapshot; readonly to: ColumnSnapshot } | undefined,
): End {
  if (!change || isSameForm(change.from, change.to)) return endAt(path)
  return {
    ...endAt(path),
    convert: (value) => (value === null ? null : (convertValue(value, change.from, change.to) ?? null)),
  }
}

async function askOrphans(db: MongoDatabase, query: Of<'orphans'>, pathOf: PathOf): Promise<number> {
  const { tableName, columns, target, references } = query
  const known = await readEntry(db, target.table)
  // Without a catalog entry, a reference is to the key.
  const isKey = !known && references.length === 1
  const targetOf = await readColumns(db, target.table)
  return countOrphans(
    db,
    { table: tableName.table, ends: columns.map((it, index) => convertedEnd(pathOf(it), query.converted?.[index])) },
    { table: target.table, ends: references.map((it) => endAt(isKey ? '_id' : targetOf(it).at)) },
  )
}
