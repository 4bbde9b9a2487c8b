/** Carries out a task: in place, or by a copy where `_id` changes. */
import { DbError } from '../../../errors.ts'
import { createUuid } from '../../../values/uuid.ts'
import type { Document, MongoCollection, MongoCursor, ReadOptions, Updated } from '../client/driver.ts'
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

/** Where the new form of a value stands until all values have one: what has it is in its old form still. */
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

/** Takes back what was prepared and not put in its place yet: the table is as it was. */
export async function undoTask({ table, entry }: CatalogRow, context: TaskContext): Promise<void> {
  const { db, lease } = context
  await dropCopies(db, table)
  await clearFresh(db.collection(table), context)
  await writeEntry(db, { table, entry, task: undefined }, lease.token)
}

/** Whether the values were at fault, and not the way to the server. */
function isRefusal(error: unknown): boolean {
  const told = toDbError(error)
  return told instanceof DbError && !['UNAVAILABLE', 'TIMEOUT', 'CLOSED', 'SYNC_LOCKED'].includes(told.code)
}

/** Puts the new form of each value beside the old one. A value that does not fit is met before any is replaced. */
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
      if (value === null) throw new DbError('SYNC_REFUSED', `column \`${to.name}\` has values inside of arrays`)
      const update = { $set: { [FRESH]: convertOrRefuse(value, from, to) } }
      return { updateOne: { filter: { _id: document['_id'], [from.at]: { $eq: value } }, update } }
    })
    return collection.bulkWrite(writes, { ordered: false })
  })
  await refuseDuplicates(table, task, from, context)
}

/** Two texts may be one number. */
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
    const told = `column \`${name}\` has values that would become equal, and the index \`${index.name}\` is unique`
    throw new DbError('SYNC_REFUSED', `${told}: change them first`)
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
  // An index over values that move would be in their way.
  for (const { name } of changed) await removeIndex(db, table, name)
  await replaceConverted(collection, task, context)
  await moveDocuments(collection, task, context)
  for (const spec of changed) {
    try {
      await makeIndex(db, table, spec)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // Somebody stored it meanwhile. Everything else is done: the next sync asks for the index alone.
      await writeEntry(db, { table, entry: task.after, task: undefined }, lease.token)
      const told = `the unique index \`${spec.name}\` cannot be made again: some rows have the same values in it`
      throw new DbError('SYNC_REFUSED', told, { cause: error })
    }
  }
}

/** Puts new forms in the place of the old ones; a value that was changed meanwhile is converted as it is now. */
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

/** Rounds in a row that may change nothing: others may write to the same documents in the same moment. */
const MAX_IDLE_ROUNDS = 3

/**
 * Works at documents until none fits any more: what is done to them has to make them not fit. Where it does not, as
 * with a value that the server compares otherwise than it was read, the work would never end.
 */
async function inBatches(
  collection: MongoCollection,
  filter: Document,
  { progress }: TaskContext,
  work: (documents: Document[]) => Promise<Updated>,
): Promise<void> {
  let idle = 0
  for (let done = 0; ; ) {
    const find = (more: ReadOptions): MongoCursor => collection.find(filter, { limit: BATCH, ...more })
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
