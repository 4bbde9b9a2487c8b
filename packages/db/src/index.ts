export type { Database, DatabaseOptions, Tables, TransactionOptions } from './database.ts'
export { openDatabase } from './database.ts'
export type { DbErrorCode } from './errors.ts'
export { DbError } from './errors.ts'
export type {
  FieldPath,
  FindOptions,
  Found,
  KeyInput,
  Operators,
  OrderBy,
  ReadOptions,
  RelatedQuery,
  StreamOptions,
  Where,
  With,
} from './query-types.ts'
export type { SyncResult, SyncStep } from './sync/create-missing.ts'
export type { DeleteResult, Table, UpdateResult } from './table.ts'
