/**
 * Removes the documents that an insert stored before one was refused, on a server without transactions. Documents that
 * others have changed or referred to in the meantime stay.
 */
import { isDeepStrictEqual } from 'node:util'
import type { TablePlan } from '../../contract/table-plan.ts'
import type { CommandOptions, Document, MongoCollection, MongoDatabase } from './client/driver.ts'
import { layoutOf, partAt } from './documents/document.ts'
import { readExactly } from './documents/read-exactly.ts'
import { readEntries } from './sync/catalog.ts'
import { BATCH } from './sync/task.ts'

export interface UndoContext {
  readonly agreed: MongoDatabase
  readonly collection: MongoCollection
  readonly plan: TablePlan
  readonly options: CommandOptions
}

/** A foreign key that refers to the table. */
interface Link {
  readonly collection: MongoCollection
  readonly isSelf: boolean
  readonly from: readonly string[]
  /** The paths of the referenced columns; undefined if this program does not know them. */
  readonly to: readonly string[] | undefined
}

/** Deletes these documents. Returns the number of those that stay. */
export async function undoInsert(stored: readonly Document[], context: UndoContext): Promise<number> {
  const links = await readLinks(context)
  const kept = new Set<string>()
  for (const part of inParts(stored)) {
    for (const name of await findChanged(part, context)) kept.add(name)
    for (const link of links) for (const name of await findReferred(part, stored, link, context)) kept.add(name)
  }
  keepReferred(stored, links, kept)
  const gone = stored.filter((it) => !kept.has(nameOf(it)))
  let deleted = 0
  for (const part of inParts(gone)) {
    // Only if unchanged: somebody may change the document at this moment.
    const deletes = part.map((it) => ({ deleteOne: { filter: isUnchanged(it, context.plan) } }))
    deleted += (await context.collection.bulkWrite(deletes, { ...context.options, ordered: false })).deletedCount
  }
  return stored.length - deleted
}

function* inParts(documents: readonly Document[]): Generator<readonly Document[]> {
  for (let start = 0; start < documents.length; start += BATCH) yield documents.slice(start, start + BATCH)
}

function nameOf(document: Document): string {
  return JSON.stringify(document['_id'])
}

async function readLinks({ agreed, plan, options }: UndoContext): Promise<Link[]> {
  const { table } = plan.tableName
  const { pathOf } = layoutOf(plan)
  const rows = await readEntries(agreed, { refersTo: table }, options)
  return rows.flatMap(({ table: referrer, entry }) =>
    entry.foreignKeys
      .filter((it) => it.tableName.table === table)
      .map(({ columns, references }): Link => {
        const own = references.map((name) => plan.columns.find((it) => it.name === name))
        return {
          collection: agreed.collection(referrer),
          isSelf: referrer === table,
          from: columns.map((name) => entry.columns.find((it) => it.name === name)?.at ?? name),
          to: own.includes(undefined) ? undefined : own.map((it) => pathOf(it!)),
        }
      }),
  )
}

/** Finds documents that were changed since they were stored. */
async function findChanged(part: readonly Document[], { collection, options }: UndoContext): Promise<string[]> {
  const isListed = { _id: { $in: part.map((it) => it['_id']) } }
  const found = await readExactly(await collection.find(isListed, options).toArray(), () =>
    collection.find(isListed, { ...options, raw: true }),
  )
  const present = new Map(found.map((it) => [nameOf(it), it]))
  return part.map(nameOf).filter((name, index) => {
    const document = present.get(name)
    return document !== undefined && !isDeepStrictEqual(document, part[index])
  })
}

/** Finds documents that are referenced by others than the stored ones. */
async function findReferred(
  part: readonly Document[],
  stored: readonly Document[],
  { collection, isSelf, from, to }: Link,
  { options }: UndoContext,
): Promise<string[]> {
  if (!to) return part.map(nameOf)
  const tuples = part.map((it) => readTuple(it, to))
  const projection = Object.fromEntries(from.map((path) => [path, 1]))
  const found = await collection.find(isOneOf(from, tuples), { ...options, projection }).toArray()
  const own = new Set(isSelf ? stored.map(nameOf) : [])
  const referred = new Set(found.filter((it) => !own.has(nameOf(it))).map((it) => JSON.stringify(readTuple(it, from))))
  return part.filter((_, index) => referred.has(JSON.stringify(tuples[index]))).map(nameOf)
}

function isOneOf(paths: readonly string[], tuples: readonly (readonly unknown[])[]): Document {
  const [path] = paths
  if (paths.length === 1) return { [path!]: { $in: tuples.map(([value]) => value) } }
  return { $or: tuples.map((it) => Object.fromEntries(it.map((value, index) => [paths[index]!, { $eq: value }]))) }
}

function readTuple(document: Document, paths: readonly string[]): unknown[] {
  return paths.map((path) => partAt(document, path.split('.')))
}

/** A document that stays may refer to others of the same insert, which then stay too. */
function keepReferred(stored: readonly Document[], links: readonly Link[], kept: Set<string>): void {
  const selves = links.flatMap(({ isSelf, from, to }) => {
    if (!isSelf || !to) return []
    return [{ from, targets: new Map(stored.map((it) => [JSON.stringify(readTuple(it, to)), it])) }]
  })
  const waiting = stored.filter((it) => kept.has(nameOf(it)))
  for (let document = waiting.pop(); document; document = waiting.pop()) {
    for (const { from, targets } of selves) {
      const target = targets.get(JSON.stringify(readTuple(document, from)))
      if (!target || kept.has(nameOf(target))) continue
      kept.add(nameOf(target))
      waiting.push(target)
    }
  }
}

/** The condition that all columns of a document are unchanged. */
function isUnchanged(document: Document, plan: TablePlan): Document {
  const { partsOf } = layoutOf(plan)
  const names = new Set(['_id', ...plan.columns.map((it) => partsOf(it)[0]!)])
  return Object.fromEntries(
    [...names].map((name) => {
      const value = partAt(document, [name])
      return [name, value === null ? { $exists: false } : { $eq: value }]
    }),
  )
}
