/**
 * Collections have no columns, so the catalog records each table: its columns and their paths in documents, its key,
 * and its foreign keys, which the table layer enforces.
 */
import type { TableModel } from '@portico/schema/model'
import { type ColumnSnapshot, type ForeignKeySnapshot, type TableSnapshot } from '../../../contract/snapshot.ts'
import { type TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import { describeTable } from '../../../table/describe-table.ts'
import {
  type ColumnJson,
  columnFromJson,
  columnToJson,
  type ForeignKeyJson,
  foreignKeyFromJson,
  foreignKeyToJson,
} from '../../../values/snapshot-json.ts'
import { toTableName } from '../../../values/table-name.ts'
import type { CommandOptions, Document, MongoDatabase } from '../client/driver.ts'
import { isDuplicate } from '../client/errors.ts'
import { layoutOf } from '../documents/document.ts'

/** The collection of catalog entries, by table. */
const CATALOG = 'portico__catalog'

export interface StoredColumn extends ColumnSnapshot {
  /** Its path in documents: `address.city`. */
  readonly at: string
}

export interface CatalogEntry {
  /** The declaration, which deletes of referenced records need. */
  readonly model: TableModel
  readonly columns: readonly StoredColumn[]
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKeySnapshot[]
}

export interface IndexSpec {
  readonly name: string
  readonly keys: readonly (readonly [path: string, direction: 1 | -1])[]
  readonly options: Document
}

/**
 * A change of a table's documents. Its result is recorded before the first document is touched, and every part of it
 * can be repeated, so the next sync can finish an interrupted one.
 */
export interface Task {
  /** The current columns, under their future names. */
  readonly before: readonly StoredColumn[]
  readonly beforeKey: readonly string[]
  readonly after: CatalogEntry
  /** The encoded value that replaces NULL in a column. */
  readonly fill?: TaskFill
  /** The indexes after the change. */
  readonly indexes: readonly IndexSpec[]
  /**
   * The collection that replaces the current one. `_id` cannot be changed, so a new key needs a copy of the documents,
   * and so do columns and objects that trade places.
   */
  readonly copy?: string
  /** `work` changes no existing value and can start over; `swap` replaces the old values. */
  readonly phase: 'work' | 'swap'
}

export interface TaskFill {
  readonly column: string
  /** Encoded. */
  readonly value?: unknown
  /** Instead of `value`: a different UUID for each document, with this time. */
  readonly uuids?: number
  /** Fills only documents in which one of these columns has a value. */
  readonly within?: readonly string[]
}

/** An entry with its unfinished task. */
export interface CatalogRow {
  readonly table: string
  readonly entry: CatalogEntry
  readonly task: Task | undefined
}

const supports = { schemas: false, autoIncrementAnyColumn: true }

/** The entry of a table that matches its declaration. */
export function describeEntry(plan: TablePlan): CatalogEntry {
  const { columns, key, foreignKeys } = describeTable(plan, supports)
  return { model: describeModel(plan), columns: columns.map((it) => placeColumn(it, plan)), key, foreignKeys }
}

function placeColumn(column: ColumnSnapshot, plan: TablePlan): StoredColumn {
  const planned = plan.columns.find((it) => it.name === column.name)
  return { ...column, at: planned ? layoutOf(plan).pathOf(planned) : column.name }
}

/** The declaration as plain data. */
export function describeModel({ declaration }: TablePlan): TableModel {
  const { name, table, schema, renamedFrom, key, columns, groups, indexes, foreignKeys, ignored } = declaration
  const model = { name, table, schema, renamedFrom, key, columns, groups, indexes, foreignKeys, relations: [], ignored }
  return JSON.parse(JSON.stringify(model)) as TableModel
}

/** Foreign keys that are kept without a declaration still apply to deletes of referenced records. */
export function mergeModel(model: TableModel, former: CatalogEntry, links: CatalogEntry['foreignKeys']): TableModel {
  const isDeclared = (columns: readonly string[]): boolean =>
    model.foreignKeys.some((it) => it.columns.join('\0') === columns.join('\0'))
  const kept = former.model.foreignKeys.filter(
    (it) => !isDeclared(it.columns) && links.some((link) => link.columns.join('\0') === it.columns.join('\0')),
  )
  const columns = former.model.columns.filter(
    (it) => kept.some((link) => link.columns.includes(it.name)) && !model.columns.some(({ name }) => name === it.name),
  )
  if (kept.length === 0) return model
  return { ...model, columns: [...model.columns, ...columns], foreignKeys: [...model.foreignKeys, ...kept] }
}

type EntryJson = Omit<CatalogEntry, 'columns' | 'foreignKeys'> & {
  readonly columns: readonly ColumnJson<StoredColumn>[]
  readonly foreignKeys: readonly ForeignKeyJson[]
}

type TaskJson = Omit<Task, 'before' | 'after'> & {
  readonly before: readonly ColumnJson<StoredColumn>[]
  readonly after: EntryJson
}

function entryToJson({ columns, foreignKeys, ...rest }: CatalogEntry): EntryJson {
  return { ...rest, columns: columns.map((it) => columnToJson(it)), foreignKeys: foreignKeys.map(foreignKeyToJson) }
}

function entryFromJson({ columns, foreignKeys, ...rest }: EntryJson): CatalogEntry {
  return { ...rest, columns: columns.map(columnFromJson), foreignKeys: foreignKeys.map(foreignKeyFromJson) }
}

function taskToJson({ before, after, ...rest }: Task): TaskJson {
  return { ...rest, before: before.map((it) => columnToJson(it)), after: entryToJson(after) }
}

function taskFromJson(json: TaskJson | null): Task | undefined {
  if (!json) return undefined
  const { before, after, ...rest } = json
  return { ...rest, before: before.map(columnFromJson), after: entryFromJson(after) }
}

export async function readEntries(
  db: MongoDatabase,
  filter: Document,
  options: CommandOptions = {},
): Promise<CatalogRow[]> {
  const found = await db.collection(CATALOG).find(filter, options).toArray()
  return found.map((it) => ({
    table: it['_id'] as string,
    entry: entryFromJson(JSON.parse(it['entry'] as string) as EntryJson),
    task: taskFromJson(JSON.parse(it['task'] as string) as TaskJson | null),
  }))
}

export async function readEntry(db: MongoDatabase, table: string): Promise<CatalogRow | undefined> {
  const [row] = await readEntries(db, { _id: table })
  return row
}

/** Writes a whole row, unless the owner of a later lease has. `token` orders the leases. */
export async function writeEntry(db: MongoDatabase, row: CatalogRow, token: number): Promise<void> {
  const { table, entry, task } = row
  const refersTo = entry.foreignKeys.map((it) => it.tableName.table)
  // As text: paths and default values may contain names that MongoDB refuses as field names.
  const content = {
    entry: JSON.stringify(entryToJson(entry)),
    refersTo,
    task: JSON.stringify(task ? taskToJson(task) : null),
  }
  const isOurs = { $or: [{ fence: { $lte: token } }, { fence: { $exists: false } }] }
  try {
    await db
      .collection(CATALOG)
      .updateOne({ _id: table, ...isOurs }, { $set: { ...content, fence: token } }, { upsert: true })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new DbError('SYNC_LOCKED', 'another sync took over', { cause: error })
  }
}

export async function removeEntry(db: MongoDatabase, table: string): Promise<void> {
  await db.collection(CATALOG).deleteOne({ _id: table }, {})
}

/** Renames a table or column in the foreign keys of all tables. */
export async function renameReferences(
  db: MongoDatabase,
  from: { readonly table: string; readonly column?: string },
  to: { readonly table: string; readonly column?: string },
  token: number,
): Promise<void> {
  const columnOf = (name: string): string => (name === from.column ? to.column! : name)
  for (const row of await readEntries(db, { refersTo: from.table })) {
    const { entry } = row
    const foreignKeys = entry.foreignKeys.map((it) =>
      it.tableName.table === from.table
        ? { ...it, tableName: { schema: undefined, table: to.table }, references: it.references.map(columnOf) }
        : it,
    )
    const declared = entry.model.foreignKeys.map((it) => {
      if (toTableName(it.references, false).table !== from.table) return it
      const { schema: _, ...references } = it.references
      const target = from.table === to.table ? it.references : { ...references, table: to.table }
      return { ...it, references: { ...target, columns: it.references.columns.map(columnOf) } }
    })
    const model = { ...entry.model, foreignKeys: declared }
    await writeEntry(db, { ...row, entry: { ...entry, foreignKeys, model } }, token)
  }
}

export function toSnapshot(table: string, entry: Omit<CatalogEntry, 'model'>): Omit<TableSnapshot, 'indexes'> {
  const { columns, key, foreignKeys } = entry
  return {
    tableName: { schema: undefined, table },
    columns,
    key,
    foreignKeys: foreignKeys.map((it) => ({ ...it, tableName: { schema: undefined, table: it.tableName.table } })),
  }
}
