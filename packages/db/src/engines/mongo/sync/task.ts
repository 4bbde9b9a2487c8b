/** What the ways of carrying out a task have in common. */
import type { CopyProgress } from '../../../contract/adapter.ts'
import { DbError } from '../../../errors.ts'
import type { Document, MongoDatabase } from '../client/driver.ts'
import type { StoredColumn, Task, TaskFill } from './catalog.ts'
import { convertValue, isSameForm } from './convert.ts'
import type { Lease } from './lease.ts'

export interface TaskContext {
  readonly db: MongoDatabase
  readonly lease: Lease
  readonly progress?: CopyProgress | undefined
}

/** How many documents are written at once. */
export const BATCH = 1000

/** Columns with their present form beside the one to come. */
export function pairColumns({ before, after }: Task): { from: StoredColumn; to: StoredColumn }[] {
  return after.columns.flatMap((to) => {
    const from = before.find((it) => it.name === to.name)
    return from ? [{ from, to }] : []
  })
}

type Placed = Pick<StoredColumn, 'at' | 'storage'>

/** Documents that have no value there. Asked for null, MongoDB would look at the elements of an array too. */
export function isAbsent({ at, storage }: Placed): Document {
  return storage === 'json' ? { $and: [{ [at]: null }, { [at]: { $not: { $type: 'array' } } }] } : { [at]: null }
}

export function isPresent(column: Placed): Document {
  return column.storage === 'json' ? { $nor: [isAbsent(column)] } : { [column.at]: { $exists: true, $ne: null } }
}

/** Documents that a fill is for: they lack the value, and have the object that it belongs to. */
export function isLacking({ within }: TaskFill, filled: Placed, columns: readonly StoredColumn[]): Document {
  if (!within) return isAbsent(filled)
  const around = columns.filter((it) => within.includes(it.name))
  if (around.length === 0) return { _id: { $in: [] } }
  return { $and: [isAbsent(filled), { $or: around.map(isPresent) }] }
}

/** The value that a column will have. */
export function convertOrRefuse(value: unknown, from: StoredColumn, to: StoredColumn): unknown {
  if (value === null || isSameForm(from, to)) return value
  const converted = convertValue(value, from, to)
  if (converted !== undefined) return converted
  const told = `column \`${to.name}\` has a value that cannot be kept exactly as ${to.storage}`
  throw new DbError('SYNC_REFUSED', `${told}: change or clear it first`)
}
