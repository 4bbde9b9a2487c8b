/** Checks whether the documents of a collection that sync did not create match a declared table. */
import type { Storage } from '@portico/schema/model'
import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import { DbError } from '../../../errors.ts'
import type { Document, MongoCollection, MongoDatabase } from '../client/driver.ts'
import { type CatalogEntry, describeEntry, type StoredColumn } from './catalog.ts'
import {
  adviseOn,
  countUnreadable,
  describeKinds,
  describeUnreadable,
  findHiddenObject,
  findOtherParents,
  readKinds,
  storages,
} from './check-documents.ts'
import { readOptions } from './copy.ts'
import { isAbsent } from './task.ts'

/**
 * Describes a collection as if sync had created it. Undeclared fields are ignored and stay; declared optional fields
 * are assumed to exist.
 */
export async function describeExisting(db: MongoDatabase, plan: TablePlan): Promise<CatalogEntry> {
  await refuseOtherKinds(db, plan)
  const collection = db.collection(plan.tableName.table)
  const declared = describeEntry(plan)
  const problems = declared.columns.flatMap((it, index) => problemsOf(it, plan.columns[index]!))
  const isFitting = !(await has(collection, { $or: [...problems, nothing] }))
  const columns = isFitting
    ? declared.columns
    : await Promise.all(declared.columns.map((it, index) => describeColumn(it, plan.columns[index]!, collection)))
  return {
    ...declared,
    foreignKeys: [],
    // The fields of a composite key are not in `_id` yet.
    key: declared.key.length === 1 ? declared.key : [],
    columns: await findProblems(columns, plan, collection),
  }
}

/** Views, and collections with a collation, would give wrong results. */
async function refuseOtherKinds(db: MongoDatabase, { name, tableName }: TablePlan): Promise<void> {
  const found = await db.listCollections({ name: tableName.table }, { nameOnly: true }).toArray()
  const type = found.find((it) => it['name'] === tableName.table)?.['type'] as string | undefined
  const refuse = (reason: string): DbError =>
    new DbError('SYNC_REFUSED', `table \`${name}\`: \`${tableName.table}\` ${reason}`)
  if (type !== undefined && type !== 'collection') throw refuse(`is a ${type}, not a collection`)
  const { collation, capped } = await readOptions(db, tableName.table)
  if (collation !== undefined) throw refuse('has a collation, so that its text compares otherwise than elsewhere')
  if (capped === true) throw refuse('is capped: the server itself would delete its records')
}

/** Conditions that match documents which violate the declaration. */
function problemsOf(declared: StoredColumn, column: PlanColumn): Document[] {
  return [...(declared.nullable ? [] : [isAbsent(declared)]), ...unlike(column, declared.at)]
}

type Types = string | readonly string[]

/** `number` would include the server's own decimals. */
const numbers: Types = ['int', 'long', 'double']

const typesOf: Readonly<Record<Storage, Types>> = {
  text: 'string',
  decimal: 'string',
  integer: numbers,
  real: numbers,
  boolean: 'bool',
  json: 'object',
}

/** Matches values of a wrong type. */
function unlike({ model }: PlanColumn, path: string): Document[] {
  const { storage, shape, precision } = model
  if (storage === 'json' && shape !== 'array' && shape !== 'object') return []
  const type = storage === 'json' ? shape! : typesOf[storage]
  const isOther = { [path]: { $exists: true, $ne: null, $not: { $type: type } } }
  // `$type` also matches the elements of an array.
  const isArray = type === 'array' ? [] : [{ [path]: { $type: 'array' } }]
  if (storage !== 'decimal') return [isOther, ...isArray]
  const fraction =
    precision === undefined ? '([.][0-9]*[1-9])?' : precision.scale > 0 ? `[.][0-9]{${precision.scale}}` : ''
  const spelling = `^(-?[1-9][0-9]*|-?0)${fraction}\\z`
  return [isOther, ...isArray, { [path]: { $type: 'string', $not: { $regex: spelling } } }]
}

/** Describes a column that does not match its declaration. */
async function describeColumn(
  declared: StoredColumn,
  column: PlanColumn,
  collection: MongoCollection,
): Promise<StoredColumn> {
  const { at } = declared
  const nullable = declared.nullable || (await has(collection, isAbsent(declared)))
  if (!(await has(collection, { $or: [...unlike(column, at), nothing] }))) return { ...declared, nullable }
  const { storage: _, precision: __, default: ___, ...rest } = declared
  const kinds = await readKinds(collection, declared)
  // The path leads through an array, which is reported elsewhere.
  if (kinds.size === 0) return { ...declared, nullable }
  const [only] = kinds.keys()
  const storage = kinds.size === 1 ? storages.get(only!) : undefined
  if (!storage) {
    const reason = `column \`${declared.name}\` cannot change from ${describeKinds(kinds)} to ${declared.type}`
    return { ...rest, nullable, type: 'other values', problem: `${reason}: ${adviseOn(kinds, declared)}` }
  }
  // The server's own decimals are among the numbers, but are stored as text here.
  const isNumber = only === 'decimal128' && declared.type === 'number'
  // Text in another spelling than our decimals needs a conversion, though its type is the same.
  const type = only === declared.type ? `other ${only}` : only!
  return { ...rest, nullable, type, ...(!isNumber && { storage }) }
}

/** Finds values of the right type that cannot be read, and objects that would be hidden or overwritten. */
async function findProblems(
  columns: readonly StoredColumn[],
  plan: TablePlan,
  collection: MongoCollection,
): Promise<StoredColumn[]> {
  const reasons = await Promise.all(
    columns.map(async (it, index) => {
      const column = plan.columns[index]!
      if (it.problem !== undefined || it.storage !== column.model.storage) return it.problem
      const other = await findOtherParents(collection, [it.at])
      if (other !== undefined) return other
      const unreadable = await countUnreadable(collection, it, column)
      return unreadable > 0 ? describeUnreadable(column, unreadable) : undefined
    }),
  )
  const hidden = await findHiddenObject(collection, plan, () => true)
  return columns.map((it, index) => {
    const problem = reasons[index] ?? (hidden?.column === plan.columns[index] ? hidden?.reason : undefined)
    return problem === undefined ? it : { ...it, problem }
  })
}

const nothing: Document = { _id: { $in: [] } }

async function has(collection: MongoCollection, filter: Document): Promise<boolean> {
  return (await collection.find(filter, { limit: 1, projection: { _id: 1 } }).toArray()).length > 0
}
