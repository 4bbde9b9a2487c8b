/** Collections that sync did not make: whether their documents are as a table is declared. */
import type { Storage } from '@portico/schema/model'
import { DbError } from '../../errors.ts'
import type { PlanColumn, TablePlan } from '../../table-plan.ts'
import { type CatalogEntry, describeEntry, type StoredColumn } from './mongo-catalog.ts'
import { readOptions } from './mongo-copy.ts'
import type { Document, MongoCollection, MongoDatabase } from './mongo-driver.ts'
import { isAbsent } from './mongo-task.ts'

/**
 * What would be written down of a collection, had sync made it. Fields that are not declared are nobody's business and
 * stay; a declared one that may be absent is taken to be there.
 */
export async function describeStranger(db: MongoDatabase, plan: TablePlan): Promise<CatalogEntry> {
  await refuseOtherKinds(db, plan)
  const collection = db.collection(plan.place.table)
  const declared = describeEntry(plan)
  const problems = declared.columns.flatMap((it, index) => problemsOf(it, plan.columns[index]!))
  const isFitting = !(await has(collection, { $or: [...problems, nothing] }))
  return {
    ...declared,
    foreignKeys: [],
    // The fields of a composite key are no `_id` yet.
    key: declared.key.length === 1 ? declared.key : [],
    columns: isFitting
      ? declared.columns
      : await Promise.all(declared.columns.map((it, index) => describeColumn(it, plan.columns[index]!, collection))),
  }
}

/** Views, and collections that compare text in their own way, do not give the answers that a table has to give. */
async function refuseOtherKinds(db: MongoDatabase, { name, place }: TablePlan): Promise<void> {
  const found = await db.listCollections({ name: place.table }, { nameOnly: true }).toArray()
  const type = found.find((it) => it['name'] === place.table)?.['type'] as string | undefined
  const refuse = (told: string): DbError => new DbError('SYNC_REFUSED', `table \`${name}\`: \`${place.table}\` ${told}`)
  if (type !== undefined && type !== 'collection') throw refuse(`is no collection but a ${type}`)
  const { collation, capped } = await readOptions(db, place.table)
  if (collation !== undefined) throw refuse('has a collation, so that its text compares otherwise than elsewhere')
  if (capped === true) throw refuse('is capped: the server itself would delete its records')
}

/** What documents must not be like. */
function problemsOf(declared: StoredColumn, column: PlanColumn): Document[] {
  return [...(declared.nullable ? [] : [isAbsent(declared)]), ...unlike(column, declared.at)]
}

type Types = string | readonly string[]

/** Not `number`, which takes the server's own decimals along. */
const numbers: Types = ['int', 'long', 'double']

const typesOf: Readonly<Record<Storage, Types>> = {
  text: 'string',
  decimal: 'string',
  integer: numbers,
  real: numbers,
  boolean: 'bool',
  json: 'object',
}

/** Values that are none of the column. */
function unlike({ model }: PlanColumn, path: string): Document[] {
  const { storage, shape, precision } = model
  if (storage === 'json' && shape !== 'array' && shape !== 'object') return []
  const type = storage === 'json' ? shape! : typesOf[storage]
  const isOther = { [path]: { $exists: true, $ne: null, $not: { $type: type } } }
  // Of an array, MongoDB looks at the elements too.
  const isArray = type === 'array' ? [] : [{ [path]: { $type: 'array' } }]
  if (storage !== 'decimal') return [isOther, ...isArray]
  const fraction =
    precision === undefined ? '([.][0-9]*[1-9])?' : precision.scale > 0 ? `[.][0-9]{${precision.scale}}` : ''
  const spelling = `^(-?[1-9][0-9]*|-?0)${fraction}\\z`
  return [isOther, ...isArray, { [path]: { $type: 'string', $not: { $regex: spelling } } }]
}

/** What a column is, where its collection is not as declared. */
async function describeColumn(
  declared: StoredColumn,
  column: PlanColumn,
  collection: MongoCollection,
): Promise<StoredColumn> {
  const { at } = declared
  const nullable = declared.nullable || (await has(collection, isAbsent(declared)))
  if (!(await has(collection, { $or: [...unlike(column, at), nothing] }))) return { ...declared, nullable }
  const { storage: _, precision: __, default: ___, ...rest } = declared
  const found: (typeof kinds)[number][] = []
  for (const kind of kinds) if (await has(collection, isOf(at, kind.types))) found.push(kind)
  const isOther = { $nor: kinds.map((it) => isOf(at, it.types)) }
  const isOdd = await has(collection, { $and: [{ [at]: { $ne: null } }, isOther] })
  const [only] = found
  if (isOdd || found.length !== 1 || !only) return { ...rest, nullable, type: 'values of several kinds' }
  // A number is no text, though the server has decimals of its own among them.
  const isNumber = only.name === 'decimal128' && declared.type === 'number'
  // Text that is no decimal as they are written here is of another kind, though of the same type.
  const type = only.name === declared.type ? `other ${only.name}` : only.name
  return { ...rest, nullable, type, ...(!isNumber && { storage: only.storage }) }
}

const kinds: readonly { readonly name: string; readonly types: Types; readonly storage: Storage }[] = [
  { name: 'string', types: 'string', storage: 'text' },
  { name: 'number', types: numbers, storage: 'real' },
  { name: 'decimal128', types: 'decimal', storage: 'real' },
  { name: 'boolean', types: 'bool', storage: 'boolean' },
  { name: 'array', types: 'array', storage: 'json' },
  { name: 'object', types: 'object', storage: 'json' },
]

const nothing: Document = { _id: { $in: [] } }

function isOf(path: string, type: Types): Document {
  if (type === 'array') return { [path]: { $type: type } }
  return { $and: [{ [path]: { $type: type } }, { [path]: { $not: { $type: 'array' } } }] }
}

async function has(collection: MongoCollection, filter: Document): Promise<boolean> {
  return (await collection.find(filter, { limit: 1, projection: { _id: 1 } }).toArray()).length > 0
}
