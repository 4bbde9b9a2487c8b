/**
 * Collections have no columns, so what sync has made of a table is written down beside it: the declaration, as it was
 * then. From there come also the foreign keys, which the table layer looks after.
 */
import type { Index, TableModel } from '@portico/schema/model'
import type { ExistingTable } from '../../adapter.ts'
import type { TableChange } from '../../change.ts'
import { placeTable, type TablePlace, type TablePlan } from '../../table-plan.ts'
import { layoutOf } from './mongo-document.ts'
import type { CommandOptions, Document, MongoDatabase } from './mongo-driver.ts'
import { hasCode, KEY_INDEX } from './mongo-errors.ts'
import { storeMongoColumn } from './mongo-types.ts'

/** Where the declarations of the tables are kept, by the names of their collections. */
export const TABLES = 'portico__tables'

export async function hasMongoTables(db: MongoDatabase, places: readonly TablePlace[]): Promise<boolean[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  const names = new Set(found.map((it) => it['name']))
  return places.map(({ table }) => names.has(table))
}

/** What a database has of these tables. A collection that sync did not make has no columns to tell of. */
export async function inspectMongo(db: MongoDatabase, plans: readonly TablePlan[]): Promise<ExistingTable[]> {
  const isThere = await hasMongoTables(
    db,
    plans.map((it) => it.place),
  )
  const existing = plans.filter((_, index) => isThere[index])
  return Promise.all(existing.map((plan) => inspectTable(db, plan)))
}

async function inspectTable(db: MongoDatabase, plan: TablePlan): Promise<ExistingTable> {
  const { table } = plan.place
  const [recorded] = await db.collection(TABLES).find({ _id: table }, {}).toArray()
  const indexes = await db.collection(table).listIndexes().toArray()
  const model = recorded?.['model'] as TableModel | undefined
  return {
    plan,
    columns: (model?.columns ?? []).map((it) => ({
      name: it.name,
      type: storeMongoColumn(it).type,
      nullable: it.nullable,
      // The table layer fills defaults in.
      hasDefault: false,
    })),
    indexes: indexes.map((it) => it['name'] as string),
    foreignKeys: (model?.foreignKeys ?? []).map(({ columns, references, onDelete, onUpdate }) => ({
      columns,
      table: placeTable(references, false).table,
      onDelete,
      onUpdate,
    })),
  }
}

/** The tables that refer to this one. */
export async function readReferrers(
  db: MongoDatabase,
  { table }: TablePlace,
  options: CommandOptions,
): Promise<TableModel[]> {
  const found = await db.collection(TABLES).find({ refersTo: table }, options).toArray()
  return found.map((it) => it['model'] as TableModel)
}

export async function changeMongo(db: MongoDatabase, change: TableChange): Promise<void> {
  switch (change.kind) {
    case 'createTable':
      return createTable(db, change.plan)
    case 'createIndex':
      return createIndex(db, change.plan, change.index)
    // Schemas are prefixes, and foreign keys are part of what was written down of their tables.
    case 'createSchema':
    case 'addForeignKey':
      return
  }
}

async function createTable(db: MongoDatabase, plan: TablePlan): Promise<void> {
  const { table } = plan.place
  // Names that MongoDB cannot have are refused before anything is made.
  const { pathOf } = layoutOf(plan)
  await db.createCollection(table).catch((error: unknown) => {
    // Another sync was there in the same moment.
    if (!hasCode(error, 48)) throw error
  })
  if (plan.key.length > 1) {
    const keys = plan.key.map((it) => [pathOf(it), 1])
    await db.collection(table).createIndex(Object.fromEntries(keys), { name: KEY_INDEX, unique: true })
  }
  const model = describeTable(plan)
  const refersTo = model.foreignKeys.map((it) => placeTable(it.references, false).table)
  await db.collection(TABLES).updateOne({ _id: table }, { $set: { model, refersTo } }, { upsert: true })
}

/** The declaration as plain data. */
function describeTable({ declaration }: TablePlan): TableModel {
  const { name, table, schema, renamedFrom, key, columns, groups, indexes, foreignKeys, ignored } = declaration
  const model = { name, table, schema, renamedFrom, key, columns, groups, indexes, foreignKeys, relations: [], ignored }
  return JSON.parse(JSON.stringify(model)) as TableModel
}

async function createIndex(db: MongoDatabase, plan: TablePlan, { name, unique, columns }: Index): Promise<void> {
  const { pathOf } = layoutOf(plan)
  const own = columns.map(({ path, order }) => ({ column: plan.byPath.get(path)!, order }))
  const keys = own.map(({ column, order }) => [pathOf(column), order === 'desc' ? -1 : 1])
  const absent = unique ? own.filter(({ column }) => column.nullable).map(({ column }) => pathOf(column)) : []
  await db
    .collection(plan.place.table)
    .createIndex(Object.fromEntries(keys), { name, ...(unique && { unique }), ...leaveOut(absent, own.length) })
}

/** A unique index takes absent values for equal ones; documents that lack one are not to be in it. */
function leaveOut(absent: readonly string[], width: number): Document {
  if (absent.length === 0) return {}
  if (width === 1) return { sparse: true }
  return { partialFilterExpression: Object.fromEntries(absent.map((path) => [path, { $exists: true }])) }
}
