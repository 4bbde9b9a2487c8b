/** Counts records that refer to missing ones, now or after a sync. */
import type { TableChange } from '../../../contract/change.ts'
import { type SyncProblem } from '../../../contract/sync-problem.ts'
import type { TableName } from '../../../contract/table-plan.ts'
import { describeForeignKey } from '../../../table/describe-table.ts'
import { describeForeignKeyOrphans } from '../../../values/describe-orphans.ts'
import { declaredNameOf } from '../../../values/table-name.ts'
import { formerTableName } from '../../../values/table-of-change.ts'
import type { Document, MongoDatabase } from '../client/driver.ts'
import { partAt, splitName } from '../documents/document.ts'
import { describeExisting } from './adopt.ts'
import { readEntry, type StoredColumn } from './catalog.ts'
import { convertValue, isSameForm } from './convert.ts'
import { BATCH } from './task.ts'

/** One side of a foreign key: a collection, and the values to compare. */
interface Side<E extends End = End> {
  readonly table: string
  readonly ends: readonly E[]
}

/** A value in a document. */
export interface End {
  readonly path: string
  /** The conversion before the comparison, if any. */
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
 * Finds foreign keys that could not be added after the changes before them: those with values that are converted, or
 * filled with a new column. The plan has checked all others, except existing ones that are added again.
 */
export async function findOrphans(db: MongoDatabase, changes: readonly TableChange[]): Promise<SyncProblem[]> {
  const problems: SyncProblem[] = []
  for (const change of changes) {
    if (change.kind !== 'addForeignKey') continue
    const { plan, foreignKey } = change
    const { columns, tableName, references } = describeForeignKey(foreignKey, false)
    const own = await futureSide(db, changes, plan.tableName, columns)
    const target = await futureSide(db, changes, tableName, references)
    const isConverted = [...own.ends, ...target.ends].some((it) => it.convert)
    const isBack = changes.some((it) => it.kind === 'dropForeignKey' && it.tableName.table === own.table)
    const isAsked = own.ends.every(({ type }, index) => type !== undefined && type === target.ends[index]!.type)
    if (!isConverted || (isAsked && !isBack)) continue
    const orphans = await countOrphans(db, own, target)
    if (orphans > 0)
      problems.push({ table: declaredNameOf(plan), message: describeForeignKeyOrphans(foreignKey, orphans) })
  }
  return problems
}

interface ComingEnd extends End {
  /** The current column, if it exists. */
  readonly type: string | undefined
}

/** The future values of some columns, computed from the current documents. */
async function futureSide(
  db: MongoDatabase,
  changes: readonly TableChange[],
  tableName: TableName,
  columns: readonly string[],
): Promise<Side<ComingEnd>> {
  const { table } = formerTableName(tableName, changes)
  const own = changes.filter((it) => 'plan' in it && it.plan.tableName.table === tableName.table)
  const stored = await readStored(db, table, own)
  // Without a catalog entry, a reference is to the key.
  const placeOf = (name: string): string =>
    stored.length === 0 && columns.length === 1 ? '_id' : splitName(name).join('.')
  return { table, ends: columns.map((name) => futureEnd(name, own, stored, placeOf)) }
}

async function readStored(
  db: MongoDatabase,
  table: string,
  own: readonly TableChange[],
): Promise<readonly StoredColumn[]> {
  const known = await readEntry(db, table)
  if (known) return known.entry.columns
  const [change] = own
  return change && 'plan' in change ? (await describeExisting(db, change.plan)).columns : []
}

function futureEnd(
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
  // A value that does not fit is reported elsewhere.
  const convert = (value: unknown): unknown => (value === null ? fill : (convertValue(value, before, after) ?? null))
  return isSameForm(before, after) && fill === null ? end : { ...end, convert }
}
