import type { TableModel } from '@portico/schema/model'

/** A result that is available now or later. An engine that has it now saves its callers a microtask. */
export type MaybePromise<T> = T | Promise<T>

/** One stored row: encoded values in the order of the operation's columns. */
export type Row = readonly unknown[]

/** The features of an engine. Callers check a capability, never the name of the engine. */
export interface Capabilities {
  /** Tables can be in schemas. Otherwise the name of the schema becomes a prefix of the table's name. */
  readonly schemas: boolean
  readonly transactions: boolean
  readonly sql: boolean
  /** A table can be created before a table that it refers to. */
  readonly forwardReferences: boolean
  /** DDL is transactional: a sync is applied as a whole or not at all. */
  readonly transactionalDdl: boolean
  /** Columns, keys and foreign keys can be altered in place. Otherwise the table is rebuilt and its rows are copied. */
  readonly alterColumn: boolean
  readonly renameIndex: boolean
  /** Any column can be auto-increment. Otherwise only a primary key of one integer. */
  readonly autoIncrementAnyColumn: boolean
  /** Indexes can be built outside transactions without blocking writers. */
  readonly concurrentIndexes: boolean
  /** The engine enforces foreign keys and their actions. Otherwise the table layer does. */
  readonly foreignKeys: boolean
}

/** The parts of a declaration that affect storage: an engine with size limits stores an indexed column differently. */
export type TableUses = Pick<TableModel, 'indexes' | 'foreignKeys'>

/** The storage of a column. A function that is left out changes nothing. Neither function receives `null`. */
export interface ColumnStorage {
  /** The engine's name for the type, as the reference lists it. */
  readonly type: string
  /** The largest integer that fits, if it is less than 2^53 − 1. */
  readonly max?: number
  /** The number of significant digits that a decimal can have, if it is limited. */
  readonly digits?: number
  readonly encode?: (value: unknown) => unknown
  readonly decode?: (value: unknown) => unknown
}
