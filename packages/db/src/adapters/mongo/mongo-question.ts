/** What sync asks about documents. */
import type { Question } from '../../sync/question.ts'
import { readEntry, type StoredColumn } from './mongo-catalog.ts'
import { convertValue, isSameForm } from './mongo-convert.ts'
import { partAt, splitName } from './mongo-document.ts'
import type { MongoCollection, MongoDatabase } from './mongo-driver.ts'
import { BATCH, isAbsent, isPresent } from './mongo-task.ts'

type Of<Ask extends Question['ask']> = Extract<Question, { readonly ask: Ask }>
type PathOf = (column: string) => string

export async function askMongo(db: MongoDatabase, question: Question): Promise<number> {
  const { table } = question.place
  const collection = db.collection(table)
  if (question.ask === 'rows') return collection.countDocuments({}, {})
  const columnOf = await readColumns(db, table)
  const pathOf = (name: string): string => columnOf(name).at
  switch (question.ask) {
    case 'nulls':
      return collection.countDocuments(isAbsent(columnOf(question.column)), {})
    case 'duplicates':
      return countDuplicates(collection, question.columns.map(pathOf))
    case 'unfit':
      return countUnfit(collection, question, columnOf(question.from.name))
    case 'orphans':
      return countOrphans(db, question, pathOf)
  }
}

type Column = Pick<StoredColumn, 'at' | 'storage'>

/** Where columns stand. In a collection that nobody wrote down, they are where their names say. */
async function readColumns(db: MongoDatabase, table: string): Promise<(name: string) => Column> {
  const row = await readEntry(db, table)
  const columns: readonly StoredColumn[] = row?.entry.columns ?? []
  return (name) => columns.find((it) => it.name === name) ?? { at: splitName(name).join('.') }
}

/** Documents that have the same values at these paths, none of them absent, as another. */
export async function countDuplicates(collection: MongoCollection, paths: readonly string[]): Promise<number> {
  const groups = await collection
    .aggregate(
      [
        { $match: Object.fromEntries(paths.map((path) => [path, { $ne: null }])) },
        { $group: { _id: Object.fromEntries(paths.map((path, index) => [`v${index}`, `$${path}`])), n: { $sum: 1 } } },
        { $match: { n: { $gte: 2 } } },
      ],
      {},
    )
    .toArray()
  return groups.reduce((sum, it) => sum + Number(it['n']) - 1, 0)
}

async function countUnfit(collection: MongoCollection, { from, to }: Of<'unfit'>, column: Column): Promise<number> {
  if (isSameForm(from, to)) return 0
  const names = column.at.split('.')
  let unfit = 0
  for await (const document of collection.find(isPresent(column), { projection: { [column.at]: 1 } })) {
    if (convertValue(partAt(document, names), from, to) === undefined) unfit += 1
  }
  return unfit
}

async function countOrphans(db: MongoDatabase, question: Of<'orphans'>, pathOf: PathOf): Promise<number> {
  const { place, columns, target, references } = question
  const own = columns.map(pathOf)
  const known = await readEntry(db, target.table)
  // What refers to a collection that nobody wrote down refers to its key.
  const isKey = !known && references.length === 1
  const targetOf = await readColumns(db, target.table)
  const paths = isKey ? ['_id'] : references.map((it) => targetOf(it).at)
  let orphans = 0
  let batch: unknown[][] = []
  const check = async (): Promise<void> => {
    const found = await findTuples(db.collection(target.table), paths, batch)
    orphans += batch.filter((it) => !found.has(JSON.stringify(it))).length
    batch = []
  }
  const isSet = Object.fromEntries(own.map((path) => [path, { $ne: null }]))
  const projection = Object.fromEntries(own.map((path) => [path, 1]))
  for await (const document of db.collection(place.table).find(isSet, { projection })) {
    batch.push(own.map((path) => partAt(document, path.split('.'))))
    if (batch.length === BATCH) await check()
  }
  if (batch.length > 0) await check()
  return orphans
}

/** Those of the tuples that a collection has. */
async function findTuples(
  collection: MongoCollection,
  paths: readonly string[],
  tuples: readonly (readonly unknown[])[],
): Promise<Set<string>> {
  const [path] = paths
  const wanted =
    paths.length === 1
      ? { [path!]: { $in: tuples.map(([value]) => value) } }
      : { $or: tuples.map((it) => Object.fromEntries(it.map((value, index) => [paths[index], { $eq: value }]))) }
  const projection = Object.fromEntries(paths.map((it) => [it, 1]))
  const found = await collection.find(wanted, { projection }).toArray()
  return new Set(found.map((it) => JSON.stringify(paths.map((name) => partAt(it, name.split('.'))))))
}
