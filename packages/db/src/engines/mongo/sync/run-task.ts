/** Runs a task: in place, or with a copy if `_id` changes. */
import { DbError } from '../../../errors.ts'
import { createUuid } from '../../../values/uuid.ts'
import type { Document, MongoCollection, MongoCursor, MongoReadOptions, Updated } from '../client/driver.ts'
import { isDuplicate, toDbError } from '../client/errors.ts'
import { parentsOf, partAt } from '../documents/document.ts'
import { readExactly } from '../documents/read-exactly.ts'
import {
  type CatalogEntry,
  type CatalogRow,
  type StoredColumn,
  type Task,
  type TaskFill,
  writeEntry,
} from './catalog.ts'
import { isSameForm } from './convert.ts'
import { copyDocuments, dropCopies, swapCollection } from './copy.ts'
import { countDuplicates } from './count-rows.ts'
import { isSameSpec, listIndexes, makeIndex, removeIndex } from './indexes.ts'
import { BATCH, convertOrRefuse, isAbsent, isLacking, isPresent, pairColumns, type TaskContext } from './task.ts'

/** The field for converted values, until all values are converted. Documents that have it still hold the old value. */
const FRESH = 'portico__new'

export async function runTask(table: string, entry: CatalogEntry, task: Task, context: TaskContext): Promise<void> {
  const { db, lease } = context
  if (task.phase === 'work') {
    await writeEntry(db, { table, entry, task }, lease.token)
    try {
      await (task.copy !== undefined ? copyDocuments(table, task, context) : convertAll(table, task, context))
    } catch (error) {
      if (isRefusal(error)) await undoTask({ table, entry, task }, context)
      throw error
    }
    await writeEntry(db, { table, entry, task: { ...task, phase: 'swap' } }, lease.token)
  }
  if (task.copy !== undefined) await swapCollection(table, task.copy, context)
  else await moveAll(table, task, context)
  await writeEntry(db, { table, entry: task.after, task: undefined }, lease.token)
}

/** Undoes the preparation of a task that has not replaced any value yet. */
export async function undoTask({ table, entry }: CatalogRow, context: TaskContext): Promise<void> {
  const { db, lease } = context
  await dropCopies(db, table)
  await clearFresh(db.collection(table), context)
  await writeEntry(db, { table, entry, task: undefined }, lease.token)
}

/** True if the values caused the error, and not the connection. */
function isRefusal(error: unknown): boolean {
  const translated = toDbError(error)
  return translated instanceof DbError && !['UNAVAILABLE', 'TIMEOUT', 'CLOSED', 'SYNC_LOCKED'].includes(translated.code)
}

/** Stores each converted value beside the old one, so that a value that does not fit is found before any is replaced. */
async function convertAll(table: string, task: Task, context: TaskContext): Promise<void> {
  const changed = findConverted(task)
  if (!changed) return
  const { from, to } = changed
  const collection = context.db.collection(table)
  await clearFresh(collection, context)
  const filter = { ...isPresent(from), [FRESH]: { $exists: false } }
  await inBatches(collection, filter, context, (documents) => {
    const writes = documents.map((document) => {
      const value = partAt(document, from.at.split('.'))
      if (value === null) throw new DbError('SYNC_REFUSED', `column \`${to.name}\` has values inside arrays`)
      const update = { $set: { [FRESH]: convertOrRefuse(value, from, to) } }
      return { updateOne: { filter: { _id: document['_id'], [from.at]: { $eq: value } }, update } }
    })
    return collection.bulkWrite(writes, { ordered: false })
  })
  await refuseDuplicates(table, task, from, context)
}

/** Different texts may become the same number. */
async function refuseDuplicates(
  table: string,
  { indexes }: Task,
  { at, name }: StoredColumn,
  { db }: TaskContext,
): Promise<void> {
  for (const index of indexes) {
    const paths = index.keys.map(([path]) => path)
    if (index.options['unique'] !== true || !paths.includes(at)) continue
    const fresh = paths.map((path) => (path === at ? FRESH : path))
    if ((await countDuplicates(db.collection(table), fresh)) === 0) continue
    const reason = `column \`${name}\` has values that would become equal, and the index \`${index.name}\` is unique`
    throw new DbError('SYNC_REFUSED', `${reason}: change them first`)
  }
}

function findConverted(task: Task): { from: StoredColumn; to: StoredColumn } | undefined {
  return pairColumns(task).find(({ from, to }) => !isSameForm(from, to))
}

async function clearFresh(collection: MongoCollection, context: TaskContext): Promise<void> {
  await updateBatches(collection, isThere(FRESH), { $unset: { [FRESH]: '' } }, context)
}

async function moveAll(table: string, task: Task, context: TaskContext): Promise<void> {
  const { db, lease } = context
  const collection = db.collection(table)
  const present = await listIndexes(db, table)
  const changed = task.indexes.filter((it) => !present.some((other) => other.name === it.name && isSameSpec(it, other)))
  // An index over moving values would block the move.
  for (const { name } of changed) await removeIndex(db, table, name)
  await replaceConverted(collection, task, context)
  await moveDocuments(collection, task, context)
  for (const spec of changed) {
    try {
      await makeIndex(db, table, spec)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // Somebody stored a duplicate in the meantime. Everything else is done: the next sync only creates the index.
      await writeEntry(db, { table, entry: task.after, task: undefined }, lease.token)
      const reason = `cannot create the unique index \`${spec.name}\` again: some rows duplicate the values of another row`
      throw new DbError('SYNC_REFUSED', reason, { cause: error })
    }
  }
}

/** Replaces old values by converted ones. A value that was changed in the meantime is converted again. */
async function replaceConverted(collection: MongoCollection, task: Task, context: TaskContext): Promise<void> {
  const changed = findConverted(task)
  if (!changed) return
  const { from, to } = changed
  await inBatches(collection, isThere(FRESH), context, (documents) => {
    const writes = documents.map((document) => {
      const value = partAt(document, from.at.split('.'))
      const filter = { _id: document['_id'], [from.at]: { $eq: value } }
      const $set = { [from.at]: convertOrRefuse(value, from, to) }
      return { updateOne: { filter, update: { ...(value !== null && { $set }), $unset: { [FRESH]: '' } } } }
    })
    return collection.bulkWrite(writes, { ordered: false })
  })
}

async function moveDocuments(collection: MongoCollection, task: Task, context: TaskContext): Promise<void> {
  const { before, after, fill } = task
  for (const { at, name } of before) {
    if (after.columns.some((it) => it.name === name)) continue
    await updateBatches(collection, isThere(at), { $unset: { [at]: '' } }, context)
  }
  for (const { from, to } of pairColumns(task)) {
    if (from.at === to.at) continue
    await updateBatches(collection, isThere(from.at), { $rename: { [from.at]: to.at } }, context)
  }
  await clearEmpty(collection, before, after, context)
  const filled = fill && after.columns.find((it) => it.name === fill.column)!
  if (filled) await fillDocuments(collection, fill, filled, after.columns, context)
}

async function fillDocuments(
  collection: MongoCollection,
  fill: TaskFill,
  filled: StoredColumn,
  columns: readonly StoredColumn[],
  context: TaskContext,
): Promise<void> {
  const filter = isLacking(fill, filled, columns)
  const { uuids } = fill
  if (uuids === undefined) return updateBatches(collection, filter, { $set: { [filled.at]: fill.value } }, context)
  await inBatches(collection, filter, context, (documents) => {
    const writes = documents.map((document) => ({
      updateOne: {
        filter: { _id: document['_id'], ...isAbsent(filled) },
        update: { $set: { [filled.at]: createUuid(uuids) } },
      },
    }))
    return collection.bulkWrite(writes, { ordered: false })
  })
}

function isThere(path: string): Document {
  return { [path]: { $exists: true } }
}

/** Removes objects that have no columns left. */
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

/** Consecutive rounds that may change nothing, since others may write to the same documents at the same moment. */
const MAX_IDLE_ROUNDS = 3

/**
 * Updates documents in batches until none matches the filter: each update must make its document stop matching. The
 * limit on rounds stops endless work on a value that the server compares differently than it was read.
 */
async function inBatches(
  collection: MongoCollection,
  filter: Document,
  { progress }: TaskContext,
  work: (documents: Document[]) => Promise<Updated>,
): Promise<void> {
  let idle = 0
  for (let done = 0; ; ) {
    const find = (more: MongoReadOptions): MongoCursor => collection.find(filter, { limit: BATCH, ...more })
    const documents = await readExactly(await find({}).toArray(), () => find({ raw: true }))
    if (documents.length === 0) return
    const { modifiedCount } = await work(documents)
    idle = modifiedCount > 0 ? 0 : idle + 1
    if (idle === MAX_IDLE_ROUNDS) {
      const reason = `${documents.length} or more documents have values that no update changes: change or clear them first`
      throw new DbError('SYNC_REFUSED', reason)
    }
    done += modifiedCount
    progress?.(done)
  }
}
