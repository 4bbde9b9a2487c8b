import type { TableModel } from '@portico/schema/model'

/** An answer that an engine may have at once or later; one that has it at once saves its callers a turn. */
export type MaybePromise<T> = T | Promise<T>

/** One stored row: values in the order of the operation's columns, as `ColumnStorage.decode` takes them. */
export type Row = readonly unknown[]

/** What an engine can do. Callers ask for the ability, never for the engine's name. */
export interface Capabilities {
  /** Tables stand in schemas; without, a schema's name becomes a prefix of the table's. */
  readonly schemas: boolean
  readonly transactions: boolean
  readonly sql: boolean
  /** A table may be made before one that it refers to. */
  readonly forwardReferences: boolean
  /** Changes of tables are part of a transaction: all of a sync happens, or nothing. */
  readonly transactionalDdl: boolean
  /** Columns, keys and foreign keys change in place; without, the table is made anew with its rows. */
  readonly alterColumn: boolean
  readonly renameIndex: boolean
  /** Any column may be counted by the engine itself; without, only a key that is one whole number. */
  readonly countsAnyColumn: boolean
  /** Indexes can be built without holding up writers, outside of transactions. */
  readonly concurrentIndexes: boolean
  /** The engine itself refuses references to what is not there and carries out actions; without, the table layer does. */
  readonly foreignKeys: boolean
}

/** What a table uses its columns for: engines that bound what an index holds store an indexed column differently. */
export type TableUses = Pick<TableModel, 'indexes' | 'foreignKeys'>

/** How a column is stored. Functions that are left out change nothing. Neither ever sees `null`. */
export interface ColumnStorage {
  /** The engine's name of the type, as the reference shows it. */
  readonly type: string
  /** The highest whole number that it holds, where that is less than 2^53 − 1. */
  readonly max?: number
  /** How many significant digits a decimal has that it holds, where there is such a bound. */
  readonly digits?: number
  readonly encode?: (value: unknown) => unknown
  readonly decode?: (value: unknown) => unknown
}
