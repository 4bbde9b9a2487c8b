/** Copies a collection to change `_id`, which cannot be updated. */
import { createUuid } from '../../../values/uuid.ts'
import type { Document, MongoDatabase } from '../client/driver.ts'
import { setPart, takePart } from '../documents/document.ts'
import { readAll } from '../documents/read-exactly.ts'
import type { CatalogEntry, Task, TaskFill } from './catalog.ts'
import { makeIndex } from './indexes.ts'
import type { Lease } from './lease.ts'
import { BATCH, convertOrRefuse, pairColumns, type TaskContext } from './task.ts'

/**
 * Each owner of the lease has its own copy, so that late writes of an owner that lost the lease never reach another's
 * copy, or swap it in.
 */
export function nameCopy(table: string, { token }: Lease): string {
  return `portico__new__${token}__${table}`
}

/** Creates the new collection beside the old one. Drops what an interrupted sync left of it. */
export async function copyDocuments(table: string, task: Task, context: TaskContext): Promise<void> {
  const { db, progress } = context
  const fresh = task.copy!
  await dropCopies(db, table)
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
  for await (const document of readAll(db.collection(table), {}, {})) {
    batch.push(write(document))
    if (batch.length === BATCH) await store()
  }
  await store()
  for (const spec of task.indexes) await makeIndex(db, fresh, spec)
}

/** Replaces the old collection by the new one with one command. */
export async function swapCollection(table: string, copy: string, { db }: TaskContext): Promise<void> {
  const names = await listNames(db)
  if (names.includes(copy)) await db.collection(copy).rename(table, { dropTarget: true })
}

/** Drops all copies of a table. */
export async function dropCopies(db: MongoDatabase, table: string): Promise<void> {
  const isCopy = (name: string): boolean => name.replace(/^portico__new__\d+__/, '') === table && name !== table
  for (const name of (await listNames(db)).filter(isCopy)) await db.collection(name).drop()
}

export async function dropCollection(db: MongoDatabase, table: string): Promise<void> {
  const names = await listNames(db)
  if (names.includes(table)) await db.collection(table).drop()
}

async function listNames(db: MongoDatabase): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  return found.map((it) => it['name'] as string)
}

/** The options of a collection: validator, collation. */
export async function readOptions(db: MongoDatabase, table: string): Promise<Document> {
  const found = await db.listCollections({ name: table }, { nameOnly: false }).toArray()
  return (found.find((it) => it['name'] === table)?.['options'] ?? {}) as Document
}

/** Returns a function that converts a document. It modifies its argument. */
function createCopier(task: Task): (document: Document) => Document {
  const { before, beforeKey, after, fill } = task
  const pairs = pairColumns(task)
  return (document) => {
    const values = new Map(before.map((it) => [it.name, takePart(document, it.at.split('.'))]))
    for (const { from, to } of pairs) values.set(to.name, convertOrRefuse(values.get(to.name) ?? null, from, to))
    if (fill && isLackingIn(fill, values)) {
      values.set(fill.column, fill.uuids === undefined ? fill.value : createUuid(fill.uuids))
    }
    for (const { name, at } of after.columns) setPart(document, at.split('.'), values.get(name) ?? null)
    return identify(document, values, after, beforeKey)
  }
}

function isLackingIn({ column, within }: TaskFill, values: ReadonlyMap<string, unknown>): boolean {
  const has = (name: string): boolean => (values.get(name) ?? null) !== null
  return !has(column) && (within?.some(has) ?? true)
}

/** The `_id` of the new document. A key with one field is already in `_id`. */
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
