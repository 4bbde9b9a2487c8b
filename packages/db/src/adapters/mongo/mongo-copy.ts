/** Collections that are made anew with their documents, since `_id` cannot be changed. */
import type { CatalogEntry, Task } from './mongo-catalog.ts'
import { setPart, takePart } from './mongo-document.ts'
import type { Document, MongoDatabase } from './mongo-driver.ts'
import { makeIndex } from './mongo-indexes.ts'
import { BATCH, convertOrRefuse, pairColumns, type TaskContext } from './mongo-task.ts'

function freshName(table: string): string {
  return `portico__new__${table}`
}

/** Makes the new collection beside the old one, from the beginning: what a sync that was cut off left of it goes. */
export async function copyDocuments(table: string, task: Task, context: TaskContext): Promise<void> {
  const { db, progress } = context
  const fresh = freshName(table)
  await dropCopy(db, table)
  await db.createCollection(fresh, await readOptions(db, table))
  const write = createCopier(task)
  let batch: Document[] = []
  let copied = 0
  const store = async (): Promise<void> => {
    if (batch.length > 0) await db.collection(fresh).insertMany(batch, { ordered: true })
    copied += batch.length
    batch = []
    progress?.(copied)
  }
  for await (const document of db.collection(table).find({}, {})) {
    batch.push(write(document))
    if (batch.length === BATCH) await store()
  }
  await store()
  for (const spec of task.indexes) await makeIndex(db, fresh, spec)
}

/** One command puts the new collection in the place of the old one. */
export async function swapCollection(table: string, { db }: TaskContext): Promise<void> {
  const fresh = freshName(table)
  if (await hasCollection(db, fresh)) await db.collection(fresh).rename(table, { dropTarget: true })
}

export async function dropCopy(db: MongoDatabase, table: string): Promise<void> {
  await dropCollection(db, freshName(table))
}

export async function dropCollection(db: MongoDatabase, table: string): Promise<void> {
  if (await hasCollection(db, table)) await db.collection(table).drop()
}

async function hasCollection(db: MongoDatabase, name: string): Promise<boolean> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  return found.some((it) => it['name'] === name)
}

/** With what a collection was made: rules for its documents, an order of text. */
export async function readOptions(db: MongoDatabase, table: string): Promise<Document> {
  const found = await db.listCollections({ name: table }, { nameOnly: false }).toArray()
  return (found.find((it) => it['name'] === table)?.['options'] ?? {}) as Document
}

/** Makes the function that turns a document into what it will be. It takes the document apart. */
function createCopier(task: Task): (document: Document) => Document {
  const { before, beforeKey, after, fill } = task
  const pairs = pairColumns(task)
  return (document) => {
    const values = new Map(before.map((it) => [it.name, takePart(document, it.at.split('.'))]))
    for (const { from, to } of pairs) values.set(to.name, convertOrRefuse(values.get(to.name) ?? null, from, to))
    if (fill && (values.get(fill.column) ?? null) === null) values.set(fill.column, fill.value)
    for (const { name, at } of after.columns) setPart(document, at.split('.'), values.get(name) ?? null)
    return identify(document, values, after, beforeKey)
  }
}

/** The `_id` of the new document: the key, which `_id` is already where it is single. */
function identify(
  document: Document,
  values: ReadonlyMap<string, unknown>,
  { key }: CatalogEntry,
  beforeKey: readonly string[],
): Document {
  if (key.length === 1) return document
  if (key.length > 1) return { ...document, _id: Object.fromEntries(key.map((name) => [name, values.get(name)])) }
  const { _id, ...rest } = document
  return beforeKey.length === 0 ? { _id, ...rest } : rest
}
