import type { DeleteResult, Queryable, UpdateResult } from '@portico/db'
import type { Condition } from '@portico/db/query'
import type { AnyTable } from '@portico/schema/runtime'
import type { Fields } from './table-view.ts'

/** The operations of a table with untyped input: it comes from callers, and the database layer checks it. */
export interface Operations {
  insertOne(record: Fields): Promise<Fields>
  insertMany(records: readonly Fields[]): Promise<Fields[]>
  findById(key: Fields, options?: Fields): Promise<Fields | undefined>
  findOne(query: Fields): Promise<Fields | undefined>
  findMany(query: Fields): Promise<Fields[]>
  count(where: Fields | Condition): Promise<number>
  exists(where: Fields): Promise<boolean>
  updateOne(record: Fields): Promise<UpdateResult>
  replaceOne(record: Fields): Promise<UpdateResult>
  updateMany(where: Fields, changes: Fields): Promise<UpdateResult>
  deleteOne(key: Fields): Promise<DeleteResult>
  deleteMany(where: Fields): Promise<DeleteResult>
}

export function operationsOf(db: Queryable, declaration: AnyTable): Operations {
  return db.table(declaration) as unknown as Operations
}

/** A condition that no record matches. */
export const nothing: Fields = { $not: {} }

export function both<First extends Fields | Condition>(first: First, second: Fields | undefined): Fields | First {
  return second === undefined ? first : { $and: [first, second] }
}
