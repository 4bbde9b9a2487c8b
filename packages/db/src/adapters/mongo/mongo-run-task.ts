/** Carries out a task: in place, or by a copy where `_id` changes. */
import { DbError } from '../../errors.ts'
import { type CatalogEntry, type StoredColumn, type Task, writeEntry } from './mongo-catalog.ts'
import { isSameForm } from './mongo-convert.ts'
import { copyDocuments, swapCollection } from './mongo-copy.ts'
import { partAt } from './mongo-document.ts'
import type { Document, MongoCollection } from './mongo-driver.ts'
import { isSameSpec, listIndexes, makeIndex, removeIndex } from './mongo-indexes.ts'
import { BATCH, convertOrRefuse, pairColumns, type TaskContext } from './mongo-task.ts'

/** Where the new form of a value waits until all values have one. */
const FRESH = 'portico__new'

export async function runTask(table: string, entry: CatalogEntry, task: Task, context: TaskContext): Promise<void> {
  const { db, lease } = context
  const note = (state: Task | undefined, stored = entry): Promise<void> =>
    writeEntry(db, { table, entry: stored, task: state }, lease.token)
  if (task.phase === 'work') {
    await note(task)
    try {
      await (task.isCopied ? copyDocuments(table, task, context) : convertAll(table, task, context))
    } catch (error) {
      if (error instanceof DbError && error.code === 'SYNC_REFUSED') {
        await clearFresh(db.collection(table), context)
        await note(undefined)
      }
      throw error
    }
    await note({ ...task, phase: 'swap' })
  }
  if (task.isCopied) await swapCollection(table, context)
  else await moveAll(table, task, context)
  await note(undefined, task.after)
}

/** Puts the new form of each value beside the old one. A value that changes meanwhile is found again. */
async function convertAll(table: string, task: Task, context: TaskContext): Promise<void> {
  const changed = pairColumns(task).find(({ from, to }) => !isSameForm(from, to))
  if (!changed) return
  const { from, to } = changed
  const collection = context.db.collection(table)
  const filter = { [from.at]: { $exists: true, $ne: null }, [FRESH]: { $exists: false } }
  await inBatches(collection, filter, context, (documents) => {
    const writes = documents.map((document) => {
      const value = partAt(document, from.at.split('.'))
      const update = { $set: { [FRESH]: convertOrRefuse(value, from, to) } }
      return { updateOne: { filter: { _id: document['_id'], [from.at]: { $eq: value } }, update } }
    })
    return collection.bulkWrite(writes, { ordered: false })
  })
}

async function clearFresh(collection: MongoCollection, context: TaskContext): Promise<void> {
  await updateBatches(collection, { [FRESH]: { $exists: true } }, { $unset: { [FRESH]: '' } }, context)
}

async function moveAll(table: string, task: Task, context: TaskContext): Promise<void> {
  const { db, lease } = context
  const collection = db.collection(table)
  const present = await listIndexes(db, table)
  const changed = task.indexes.filter((it) => !present.some((other) => other.name === it.name && isSameSpec(it, other)))
  // An index over values that move would be in their way.
  for (const { name } of changed) await removeIndex(db, table, name)
  await moveDocuments(collection, task, context)
  for (const spec of changed) await makeIndex(db, table, spec, () => lease.check())
}

async function moveDocuments(collection: MongoCollection, task: Task, context: TaskContext): Promise<void> {
  const { before, after, fill } = task
  const pairs = pairColumns(task)
  const isThere = (path: string): Document => ({ [path]: { $exists: true } })
  const converted = pairs.find(({ from, to }) => !isSameForm(from, to))
  if (converted) await updateBatches(collection, isThere(FRESH), { $rename: { [FRESH]: converted.from.at } }, context)
  for (const { at, name } of before) {
    if (after.columns.some((it) => it.name === name)) continue
    await updateBatches(collection, isThere(at), { $unset: { [at]: '' } }, context)
  }
  for (const { from, to } of pairs) {
    if (from.at === to.at) continue
    await updateBatches(collection, isThere(from.at), { $rename: { [from.at]: to.at } }, context)
  }
  await clearEmpty(collection, before, after, context)
  const filled = fill && after.columns.find((it) => it.name === fill.column)!
  if (filled) await updateBatches(collection, { [filled.at]: null }, { $set: { [filled.at]: fill.value } }, context)
}

/** Objects that all columns have left. */
async function clearEmpty(
  collection: MongoCollection,
  before: readonly StoredColumn[],
  after: CatalogEntry,
  context: TaskContext,
): Promise<void> {
  const parents = new Set(before.flatMap(({ at }) => parentsOf(at)))
  const kept = new Set(after.columns.flatMap(({ at }) => [at, ...parentsOf(at)]))
  for (const path of parents) {
    if (!kept.has(path)) await updateBatches(collection, { [path]: { $eq: {} } }, { $unset: { [path]: '' } }, context)
  }
}

/** The objects around a path, the innermost first. */
function parentsOf(path: string): string[] {
  const names = path.split('.')
  return names.slice(1).map((_, index) => names.slice(0, names.length - 1 - index).join('.'))
}

function updateBatches(
  collection: MongoCollection,
  filter: Document,
  update: Document,
  context: TaskContext,
): Promise<void> {
  return inBatches(collection, filter, context, (documents) =>
    collection.updateMany({ ...filter, _id: { $in: documents.map((it) => it['_id']) } }, update, {}),
  )
}

/** Works at documents until none fits any more: what is done to them has to make them not fit. */
async function inBatches(
  collection: MongoCollection,
  filter: Document,
  { lease, progress }: TaskContext,
  work: (documents: Document[]) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; ; ) {
    await lease.check()
    const documents = await collection.find(filter, { limit: BATCH }).toArray()
    if (documents.length === 0) return
    await work(documents)
    done += documents.length
    progress?.(done)
  }
}
