/** Records that refer to nothing: as they are, or as they will be after changes. */
import type { TableChange } from '../../../contract/change.ts'
import type { TableName } from '../../../contract/plan.ts'
import { type SyncProblem } from '../../../contract/problem.ts'
import { describeOrphans } from '../../../sync/3-plan/refuse.ts'
import { formerTableName } from '../../../sync/4-apply/change-place.ts'
import { describeForeignKey } from '../../../table/describe-table.ts'
import { declaredNameOf } from '../../../values/table-name.ts'
import type { Document, MongoDatabase } from '../client/driver.ts'
import { partAt, splitName } from '../documents/document.ts'
import { describeStranger } from './adopt.ts'
import { readEntry, type StoredColumn } from './catalog.ts'
import { convertValue, isSameForm } from './convert.ts'
import { BATCH } from './task.ts'

/** One side of a foreign key: a collection, and what it has to compare. */
interface Side<E extends End = End> {
  readonly table: string
  readonly ends: readonly E[]
}

/** A value of documents. */
export interface End {
  readonly path: string
  /** What becomes of it, where it is not to be compared as it is. */
  readonly convert?: (value: unknown) => unknown
}

export function endAt(path: string): End {
  return { path }
}

type Tuple = readonly unknown[]

export async function countOrphans(db: MongoDatabase, own: Side, target: Side): Promise<number> {
  const isConverted = target.ends.some((it) => it.convert)
  const all = isConverted ? new Set(await readTuples(db, target, {})) : undefined
  let orphans = 0
  let batch: Tuple[] = []
  const check = async (): Promise<void> => {
    const found = all ?? new Set(await readTuples(db, target, isOneOf(target, batch)))
    orphans += batch.filter((it) => !found.has(JSON.stringify(it))).length
    batch = []
  }
  const isSet = Object.fromEntries(own.ends.filter((it) => !it.convert).map(({ path }) => [path, { $ne: null }]))
  for await (const document of db.collection(own.table).find(isSet, { projection: projectionOf(own) })) {
    const tuple = readTuple(document, own)
    if (!tuple.includes(null)) batch.push(tuple)
    if (batch.length === BATCH) await check()
  }
  if (batch.length > 0) await check()
  return orphans
}

function readTuple(document: Document, { ends }: Side): Tuple {
  return ends.map(({ path, convert }) => {
    const value = partAt(document, path.split('.'))
    return convert ? convert(value) : value
  })
}

async function readTuples(db: MongoDatabase, side: Side, filter: Document): Promise<string[]> {
  const found = await db
    .collection(side.table)
    .find(filter, { projection: projectionOf(side) })
    .toArray()
  return found.map((it) => JSON.stringify(readTuple(it, side)))
}

function projectionOf({ ends }: Side): Document {
  return Object.fromEntries(ends.map(({ path }) => [path, 1]))
}

function isOneOf({ ends }: Side, tuples: readonly Tuple[]): Document {
  const [end] = ends
  if (ends.length === 1) return { [end!.path]: { $in: tuples.map(([value]) => value) } }
  return { $or: tuples.map((it) => Object.fromEntries(it.map((value, index) => [ends[index]!.path, { $eq: value }]))) }
}

/**
 * Foreign keys that could not be added when everything before them is done: of values that are in another form now, or
 * that rows get together with the column. Of others the plan has asked, but for those that are there and come back.
 */
export async function preflightOrphans(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const problems: SyncProblem[] = []
  for (const change of changes) {
    if (change.kind !== 'addForeignKey') continue
    const { plan, foreignKey } = change
    const { columns, tableName, references } = describeForeignKey(foreignKey, false)
    const own = await preflightSide(db, changes, plan.tableName, columns)
    const target = await preflightSide(db, changes, tableName, references)
    const isConverted = [...own.ends, ...target.ends].some((it) => it.convert)
    const isBack = changes.some((it) => it.kind === 'dropForeignKey' && it.tableName.table === own.table)
    const isAsked = own.ends.every(({ type }, index) => type !== undefined && type === target.ends[index]!.type)
    if (!isConverted || (isAsked && !isBack)) continue
    const orphans = await countOrphans(db, own, target)
    if (orphans > 0) problems.push({ table: declaredNameOf(plan), message: describeOrphans(foreignKey, orphans) })
  }
  return problems
}

interface ComingEnd extends End {
  /** What it is now, where it is there. */
  readonly type: string | undefined
}

/** What a table will have in some of its columns, from where it is now. */
async function preflightSide(
  db: MongoDatabase,
  changes: readonly TableChange[],
  tableName: TableName,
  columns: readonly string[],
): Promise<Side<ComingEnd>> {
  const { table } = formerTableName(tableName, changes)
  const own = changes.filter((it) => 'plan' in it && it.plan.tableName.table === tableName.table)
  const stored = await readStored(db, table, own)
  // What refers to a collection that nobody wrote down refers to its key.
  const placeOf = (name: string): string =>
    stored.length === 0 && columns.length === 1 ? '_id' : splitName(name).join('.')
  return { table, ends: columns.map((name) => preflightEnd(name, own, stored, placeOf)) }
}

async function readStored(
  db: MongoDatabase,
  table: string,
  own: readonly TableChange[],
): Promise<readonly StoredColumn[]> {
  const known = await readEntry(db, table)
  if (known) return known.entry.columns
  const [change] = own
  return change && 'plan' in change ? (await describeStranger(db, change.plan)).columns : []
}

function preflightEnd(
  name: string,
  own: readonly TableChange[],
  stored: readonly StoredColumn[],
  placeOf: (name: string) => string,
): ComingEnd {
  const renamed = own.find((it) => it.kind === 'renameColumn' && it.to === name)
  const former = renamed?.kind === 'renameColumn' ? renamed.from : name
  const column = stored.find((it) => it.name === former)
  const end = { path: column?.at ?? placeOf(name), type: column?.type }
  const change = own.find((it) => (it.kind === 'addColumn' || it.kind === 'alterColumn') && it.column.name === name)
  if (change?.kind !== 'addColumn' && change?.kind !== 'alterColumn') return end
  const { fill = null } = change
  if (change.kind === 'addColumn') return { ...end, convert: (value) => value ?? fill }
  const { before, after } = change
  // A value that does not fit is told of elsewhere.
  const convert = (value: unknown): unknown => (value === null ? fill : (convertValue(value, before, after) ?? null))
  return isSameForm(before, after) && fill === null ? end : { ...end, convert }
}
