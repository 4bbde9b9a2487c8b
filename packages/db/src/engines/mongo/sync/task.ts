/** Helpers for running a task. */
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

/** Documents per write. */
export const BATCH = 1000

/** Pairs each column's current form with its new one. */
export function pairColumns({ before, after }: Task): { from: StoredColumn; to: StoredColumn }[] {
  return after.columns.flatMap((to) => {
    const from = before.find((it) => it.name === to.name)
    return from ? [{ from, to }] : []
  })
}

type Placed = Pick<StoredColumn, 'at' | 'storage'>

/** Matches documents without a value. A comparison with null would also match array elements. */
export function isAbsent({ at, storage }: Placed): Document {
  return storage === 'json' ? { $and: [{ [at]: null }, { [at]: { $not: { $type: 'array' } } }] } : { [at]: null }
}

export function isPresent(column: Placed): Document {
  return column.storage === 'json' ? { $nor: [isAbsent(column)] } : { [column.at]: { $exists: true, $ne: null } }
}

/** Matches the documents to fill: they lack the value, and have its parent object. */
export function isLacking({ within }: TaskFill, filled: Placed, columns: readonly StoredColumn[]): Document {
  if (!within) return isAbsent(filled)
  const around = columns.filter((it) => within.includes(it.name))
  if (around.length === 0) return { _id: { $in: [] } }
  return { $and: [isAbsent(filled), { $or: around.map(isPresent) }] }
}

/** Converts a value, or fails. */
export function convertOrRefuse(value: unknown, from: StoredColumn, to: StoredColumn): unknown {
  if (value === null || isSameForm(from, to)) return value
  const converted = convertValue(value, from, to)
  if (converted !== undefined) return converted
  const reason = `column \`${to.name}\` has a value that cannot be kept exactly as ${to.storage}`
  throw new DbError('SYNC_REFUSED', `${reason}: change or clear it first`)
}
