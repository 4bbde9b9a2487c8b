/** Changes the documents, indexes and catalog entry of a table. */
import { type AlterColumn, type CreateIndex, type TableChange } from '../../../contract/change.ts'
import type { TableName, TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import { describeColumn, describeForeignKey } from '../../../table/describe-table.ts'
import { EachUuid } from '../../../values/each-uuid.ts'
import { hasCode, KEY_INDEX } from '../client/errors.ts'
import { placeNames } from '../documents/document.ts'
import { COUNTERS, type Counters } from '../operations/auto-increment.ts'
import { describeExisting } from './adopt.ts'
import {
  type CatalogEntry,
  describeEntry,
  describeModel,
  mergeModel,
  readEntries,
  readEntry,
  removeEntry,
  renameReferences,
  type StoredColumn,
  type Task,
  writeEntry,
} from './catalog.ts'
import { isSameForm } from './convert.ts'
import { dropCollection, nameCopy } from './copy.ts'
import { countRowsMongo } from './count-rows.ts'
import {
  declareIndex,
  declareKey,
  describeEqualIndex,
  followColumns,
  listIndexes,
  makeIndex,
  removeIndex,
} from './indexes.ts'
import { refuseLosses } from './losses.ts'
import { runTask, undoTask } from './run-task.ts'
import type { TaskContext } from './task.ts'

export interface ChangeContext extends TaskContext {
  readonly counters: Counters
}

/** Finishes the tasks of an interrupted sync. */
export async function finishTasks(context: TaskContext): Promise<void> {
  for (const row of await readEntries(context.db, {})) {
    // A task that was only prepared is planned again, since the difference is still there.
    if (row.task?.phase === 'work') await undoTask(row, context)
    else if (row.task) await runTask(row.table, row.entry, row.task, context)
  }
}

export async function changeMongo(change: TableChange, context: ChangeContext): Promise<void> {
  const { db, lease } = context
  if (change.kind === 'createTable') return createTable(change.plan, context)
  if ('plan' in change && !(await readEntry(db, change.plan.tableName.table))) {
    const entry = await describeExisting(db, change.plan)
    await writeEntry(db, { table: change.plan.tableName.table, entry, task: undefined }, lease.token)
  }
  switch (change.kind) {
    case 'renameTable':
      return renameTable(change.from, change.to, context)
    case 'dropTable':
      return dropTable(change.tableName, context)
    case 'addColumn':
      return addColumn(change, context)
    case 'renameColumn':
      return renameColumn(change, context)
    case 'alterColumn':
      return alterColumn(change, context)
    case 'fillColumn':
      return changeTable(change.plan, context, () => ({}), {
        fill: describeBackfill(change.column.name, change.fill, change.within),
      })
    case 'dropColumn':
      return changeTable(change.plan, context, (entry) => ({
        columns: entry.columns.filter((it) => it.name !== change.column),
      }))
    case 'addKey':
      return changeKey(change.plan, context)
    case 'createIndex':
      return createIndex(change, context)
    case 'dropIndex':
      return removeIndex(db, change.tableName.table, change.name)
    case 'addForeignKey':
      return addForeignKey(change, context)
    case 'renameForeignKey':
      return changeForeignKeys(change.tableName, context, (keys) =>
        keys.map((it) => (it.name === change.from ? { ...it, name: change.to } : it)),
      )
    case 'dropForeignKey':
      return changeForeignKeys(change.tableName, context, (keys) => keys.filter((it) => it.name !== change.name))
    // Schemas are prefixes, a new key replaces the old one, and renames and copies are part of the changes above.
    case 'createSchema':
    case 'dropKey':
    case 'renameIndex':
    case 'rebuildTable':
  }
}

async function createTable(plan: TablePlan, { db, lease }: ChangeContext): Promise<void> {
  const { table } = plan.tableName
  const entry = describeEntry(plan)
  await db.collection(COUNTERS).deleteOne({ _id: table }, {})
  await writeEntry(db, { table, entry, task: undefined }, lease.token)
  await db.createCollection(table).catch((error: unknown) => {
    // An interrupted sync created it.
    if (!hasCode(error, 48)) throw error
  })
  for (const spec of declareKey(entry)) await makeIndex(db, table, spec)
}

async function renameTable(from: TableName, to: TableName, { db, lease }: ChangeContext): Promise<void> {
  await renameReferences(db, from, to, lease.token)
  const row = await readEntry(db, from.table)
  if (row) {
    const { schema: _, ...model } = row.entry.model
    const entry = { ...row.entry, model: { ...model, table: to.table } }
    await writeEntry(db, { table: to.table, entry, task: undefined }, lease.token)
  }
  await keepCounter(from, to)
  await db.collection(from.table).rename(to.table, { dropTarget: false })
  // Somebody may have used more numbers in the meantime.
  await keepCounter(from, to)
  await db.collection(COUNTERS).deleteOne({ _id: from.table }, {})
  await removeEntry(db, from.table)

  async function keepCounter(former: TableName, tableName: TableName): Promise<void> {
    const [counter] = await db.collection(COUNTERS).find({ _id: former.table }, {}).toArray()
    if (!counter) return
    const last = { $max: { last: counter['last'] } }
    await db.collection(COUNTERS).updateOne({ _id: tableName.table }, last, { upsert: true })
  }
}

async function dropTable({ table }: TableName, { db }: ChangeContext): Promise<void> {
  await dropCollection(db, table)
  await db.collection(COUNTERS).deleteOne({ _id: table }, {})
  await removeEntry(db, table)
}

type Patch = Partial<Pick<CatalogEntry, 'columns' | 'key' | 'foreignKeys'>>

interface Renamed {
  readonly from: string
  readonly to: string
}

/** Applies a patch to an entry, and changes documents and indexes accordingly. */
async function changeTable(
  plan: TablePlan,
  context: ChangeContext,
  patch: (entry: CatalogEntry) => Patch,
  more: { readonly fill?: Task['fill']; readonly renamed?: Renamed } = {},
): Promise<void> {
  const { table } = plan.tableName
  const { entry } = (await readEntry(context.db, table))!
  const rename = (name: string): string => (name === more.renamed?.from ? more.renamed.to : name)
  const before = entry.columns.map((it) => ({ ...it, name: rename(it.name) }))
  const beforeKey = entry.key.map(rename)
  const patched = { ...entry, columns: before, key: beforeKey, ...patch({ ...entry, columns: before, key: beforeKey }) }
  const after = {
    ...patched,
    model: mergeModel(describeModel(plan), entry, patched.foreignKeys),
    columns: placeColumns(patched, plan),
  }
  const present = (await listIndexes(context.db, table)).filter((it) => it.name !== KEY_INDEX)
  const indexes = [...present.map((it) => followColumns(it, before, after)), ...declareKey(after)]
  const isCopied = touchesKey(before, beforeKey, after, more.renamed) || areEntangled(before, after.columns)
  const task: Task = {
    before,
    beforeKey,
    after,
    indexes,
    phase: 'work',
    ...(isCopied && { copy: nameCopy(table, context.lease) }),
    ...(more.fill && { fill: more.fill }),
  }
  await refuseLosses(context.db, table, task, present, plan)
  await runTask(table, entry, task, context)
}

/** True if documents need a new `_id`. */
function touchesKey(
  before: readonly StoredColumn[],
  beforeKey: readonly string[],
  after: CatalogEntry,
  renamed: Renamed | undefined,
): boolean {
  if (beforeKey.join('\0') !== after.key.join('\0')) return true
  // The `_id` of a composite key contains the names of its columns.
  if (after.key.length > 1 && renamed && after.key.includes(renamed.to)) return true
  return after.key.some((name) => {
    const [from, to] = [before, after.columns].map((columns) => columns.find((it) => it.name === name)!)
    return !isSameForm(from!, to!)
  })
}

/** The paths of columns after the change. A column moves into or out of `_id` when the key changes. */
function placeColumns({ columns, key }: CatalogEntry, plan: TablePlan): StoredColumn[] {
  const isSettled = key.join('\0') === plan.key.map((it) => it.name).join('\0')
  const id = isSettled && key.length === 1 ? key[0] : columns.find((it) => it.at === '_id' && !isSettled)?.name
  const placed = placeNames(
    columns.map((it) => it.name),
    id,
  )
  return columns.map((column) => ({ ...column, at: placed.get(column.name)!.join('.') }))
}

/** True if a value replaces an object, or an object a value. */
function areEntangled(before: readonly StoredColumn[], after: readonly StoredColumn[]): boolean {
  const isInside = (one: StoredColumn, other: StoredColumn): boolean => one.at.startsWith(`${other.at}.`)
  return before.some((one) => after.some((other) => isInside(one, other) || isInside(other, one)))
}

function addColumn(
  { plan, column, fill }: Extract<TableChange, { kind: 'addColumn' }>,
  context: ChangeContext,
): Promise<void> {
  const added = { ...describeColumn(column, plan, { autoIncrementAnyColumn: true }), at: column.name }
  return changeTable(
    plan,
    context,
    ({ columns }) => ({ columns: [...columns.filter((it) => it.name !== column.name), added] }),
    fill === undefined ? {} : { fill: describeBackfill(column.name, fill) },
  )
}

/** Plain data, since a task is stored. */
function describeBackfill(column: string, fill: unknown, within?: readonly string[]): NonNullable<Task['fill']> {
  const value = fill instanceof EachUuid ? { uuids: fill.now } : { value: fill }
  return { column, ...value, ...(within && { within }) }
}

async function renameColumn(
  { plan, from, to }: Extract<TableChange, { kind: 'renameColumn' }>,
  context: ChangeContext,
): Promise<void> {
  const { table } = plan.tableName
  await renameReferences(context.db, { table, column: from }, { table, column: to }, context.lease.token)
  const rename = (name: string): string => (name === from ? to : name)
  const follow = ({ foreignKeys }: CatalogEntry): Patch => ({
    foreignKeys: foreignKeys.map((it) => ({ ...it, columns: it.columns.map(rename) })),
  })
  await changeTable(plan, context, follow, { renamed: { from, to } })
}

async function alterColumn({ plan, column, after, fill }: AlterColumn, context: ChangeContext): Promise<void> {
  const { name } = column
  const alter = ({ columns }: CatalogEntry): Patch => ({
    columns: columns.map((it) => (it.name === name ? { ...after, at: it.at } : it)),
  })
  await changeTable(plan, context, alter, fill === undefined ? {} : { fill: describeBackfill(name, fill) })
  if (after.autoIncrement) await context.counters.create(plan, column, {})
}

async function createIndex({ plan, index }: CreateIndex, { db }: ChangeContext): Promise<void> {
  const { table } = plan.tableName
  const spec = declareIndex(plan, index)
  const problem = describeEqualIndex(spec, await listIndexes(db, table))
  if (problem !== undefined) throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${problem}`)
  await makeIndex(db, table, spec)
}

async function addForeignKey(
  { plan, foreignKey }: Extract<TableChange, { kind: 'addForeignKey' }>,
  context: ChangeContext,
): Promise<void> {
  const added = describeForeignKey(foreignKey, false)
  const { columns, tableName: target, references } = added
  // The server does not check foreign keys, and rows may have changed since planning.
  const orphans = await countRowsMongo(context.db, {
    kind: 'orphans',
    tableName: plan.tableName,
    columns,
    target,
    references,
  })
  if (orphans > 0) throw new DbError('FOREIGN_KEY_VIOLATION', `${orphans} records refer to missing ones`)
  await changeTable(plan, context, ({ foreignKeys }) => ({
    foreignKeys: [...foreignKeys.filter((it) => it.name !== added.name), added],
  }))
}

function changeKey(plan: TablePlan, context: ChangeContext): Promise<void> {
  return changeTable(plan, context, () => ({ key: plan.key.map((it) => it.name) }))
}

async function changeForeignKeys(
  { table }: TableName,
  { db, lease }: ChangeContext,
  change: (keys: CatalogEntry['foreignKeys']) => CatalogEntry['foreignKeys'],
): Promise<void> {
  const row = await readEntry(db, table)
  if (!row) throw new DbError('SYNC_FAILED', `table \`${table}\` has no entry in the catalog`)
  const foreignKeys = change(row.entry.foreignKeys)
  const kept = new Set(foreignKeys.map((it) => it.columns.join('\0')))
  const declared = row.entry.model.foreignKeys.filter((it) => kept.has(it.columns.join('\0')))
  const model = { ...row.entry.model, foreignKeys: declared }
  await writeEntry(db, { ...row, entry: { ...row.entry, foreignKeys, model } }, lease.token)
}
