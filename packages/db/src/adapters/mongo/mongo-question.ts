/** What sync asks about documents. */
import type { Question } from '../../sync/question.ts'
import { readEntry, type StoredColumn } from './mongo-catalog.ts'
import { convertValue, isSameForm } from './mongo-convert.ts'
import { partAt } from './mongo-document.ts'
import type { Document, MongoCollection, MongoDatabase } from './mongo-driver.ts'
import { BATCH } from './mongo-task.ts'

type Of<Ask extends Question['ask']> = Extract<Question, { readonly ask: Ask }>
type PathOf = (column: string) => string

export async function askMongo(db: MongoDatabase, question: Question): Promise<number> {
  const { table } = question.place
  const collection = db.collection(table)
  if (question.ask === 'rows') return collection.countDocuments({}, {})
  const pathOf = await readPaths(db, table)
  switch (question.ask) {
    case 'nulls':
      return collection.countDocuments({ [pathOf(question.column)]: null }, {})
    case 'duplicates':
      return countDuplicates(collection, question.columns.map(pathOf))
    case 'unfit':
      return countUnfit(collection, question, pathOf(question.from.name))
    case 'orphans':
      return countOrphans(db, question, pathOf)
  }
}

async function readPaths(db: MongoDatabase, table: string): Promise<PathOf> {
  const row = await readEntry(db, table)
  const columns: readonly StoredColumn[] = row?.entry.columns ?? []
  return (column) => columns.find((it) => it.name === column)?.at ?? column
}

/** Values that documents have at these paths, none of them absent, and how many documents have them. */
async function groupValues(
  collection: MongoCollection,
  paths: readonly string[],
  least: number,
): Promise<{ readonly values: readonly unknown[]; readonly count: number }[]> {
  const groups = await collection
    .aggregate(
      [
        { $match: Object.fromEntries(paths.map((path) => [path, { $ne: null }])) },
        { $group: { _id: Object.fromEntries(paths.map((path, index) => [`v${index}`, `$${path}`])), n: { $sum: 1 } } },
        { $match: { n: { $gte: least } } },
      ],
      {},
    )
    .toArray()
  return groups.map(({ _id, n }) => ({
    values: paths.map((_, index) => (_id as Document)[`v${index}`]),
    count: Number(n),
  }))
}

async function countDuplicates(collection: MongoCollection, paths: readonly string[]): Promise<number> {
  const groups = await groupValues(collection, paths, 2)
  return groups.reduce((sum, it) => sum + it.count - 1, 0)
}

async function countUnfit(collection: MongoCollection, { from, to }: Of<'unfit'>, path: string): Promise<number> {
  // Every decimal of a scale fits one of the same scale only where it has room before the point.
  if (isSameForm(from, to) && to.storage !== 'decimal') return 0
  const names = path.split('.')
  let unfit = 0
  for await (const document of collection.find({ [path]: { $ne: null } }, { projection: { [path]: 1 } })) {
    if (convertValue(partAt(document, names), from, to) === undefined) unfit += 1
  }
  return unfit
}

async function countOrphans(db: MongoDatabase, question: Of<'orphans'>, pathOf: PathOf): Promise<number> {
  const { place, columns, target, references } = question
  const groups = await groupValues(db.collection(place.table), columns.map(pathOf), 1)
  const targetPath = await readPaths(db, target.table)
  const paths = references.map(targetPath)
  let orphans = 0
  for (let start = 0; start < groups.length; start += BATCH) {
    const part = groups.slice(start, start + BATCH)
    const wanted = part.map(({ values }) =>
      Object.fromEntries(values.map((value, index) => [paths[index], { $eq: value }])),
    )
    const found = await db.collection(target.table).find({ $or: wanted }, {}).toArray()
    const known = new Set(found.map((it) => JSON.stringify(paths.map((path) => partAt(it, path.split('.'))))))
    for (const { values, count } of part) if (!known.has(JSON.stringify(values))) orphans += count
  }
  return orphans
}
