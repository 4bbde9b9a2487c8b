import type { ForeignKey, Index } from '@portico/schema/model'
import type { ColumnSnapshot, ForeignKeySnapshot, TableSnapshot } from './snapshot.ts'
import type { PlanColumn, TableName, TablePlan } from './table-plan.ts'

/** One step of a sync, as plain data. It uses the names that tables and columns have when the step runs. */
export type TableChange =
  | { readonly kind: 'createSchema'; readonly schema: string }
  /** Lists only the foreign keys to existing tables. The others follow as `addForeignKey`. */
  | { readonly kind: 'createTable'; readonly plan: TablePlan; readonly foreignKeys: readonly ForeignKey[] }
  /** A new name, a new schema, or both. `keyName` is the name of the primary key, for engines that name it. */
  | {
      readonly kind: 'renameTable'
      readonly from: TableName
      readonly to: TableName
      readonly keyName?: string | undefined
    }
  | { readonly kind: 'dropTable'; readonly tableName: TableName }
  /** `fill` is the encoded value for existing rows. Set if the column is not nullable. */
  | { readonly kind: 'addColumn'; readonly plan: TablePlan; readonly column: PlanColumn; readonly fill?: unknown }
  | { readonly kind: 'renameColumn'; readonly plan: TablePlan; readonly from: string; readonly to: string }
  | AlterColumn
  | FillColumn
  | { readonly kind: 'dropColumn'; readonly plan: TablePlan; readonly column: string }
  | { readonly kind: 'dropKey'; readonly tableName: TableName; readonly name: string | undefined }
  | { readonly kind: 'addKey'; readonly plan: TablePlan }
  | CreateIndex
  | { readonly kind: 'renameIndex'; readonly tableName: TableName; readonly from: string; readonly to: string }
  | {
      readonly kind: 'dropIndex'
      readonly tableName: TableName
      readonly name: string
      readonly concurrently?: true
    }
  | { readonly kind: 'addForeignKey'; readonly plan: TablePlan; readonly foreignKey: ForeignKey }
  | { readonly kind: 'renameForeignKey'; readonly tableName: TableName; readonly from: string; readonly to: string }
  | { readonly kind: 'dropForeignKey'; readonly tableName: TableName; readonly name: string }
  | RebuildTable

export interface AlterColumn {
  readonly kind: 'alterColumn'
  readonly plan: TablePlan
  readonly column: PlanColumn
  readonly before: ColumnSnapshot
  readonly after: ColumnSnapshot
  /** The encoded value that replaces NULL. */
  readonly fill?: unknown
}

/** Replaces NULL in a column by an encoded value. */
export interface FillColumn {
  readonly kind: 'fillColumn'
  readonly plan: TablePlan
  readonly column: PlanColumn
  readonly fill: unknown
  /** Fills only rows with a value in one of these columns: the rows that have the nested object around the column. */
  readonly within?: readonly string[]
}

export interface CreateIndex {
  readonly kind: 'createIndex'
  readonly plan: TablePlan
  readonly index: Index
  /** Builds the index without blocking writers: outside transactions, on its own connection. */
  readonly concurrently?: true
}

/**
 * Recreates a table and copies its rows, for engines that cannot alter it in place. Tables and columns already have their
 * new names. Declared indexes are created by changes of their own. Everything else that belongs to the table (triggers,
 * views, indexes that sync did not create) is kept.
 */
export interface RebuildTable {
  readonly kind: 'rebuildTable'
  readonly plan: TablePlan
  readonly before: TableSnapshot
  /** The declared columns to fill: from an existing column, or with one value for all rows. */
  readonly copies: readonly CopiedColumn[]
  /** Columns and foreign keys that sync did not create. Recreated as they are. */
  readonly kept: { readonly columns: readonly ColumnSnapshot[]; readonly foreignKeys: readonly ForeignKeySnapshot[] }
  /** Indexes that other changes create or drop. */
  readonly ownIndexes: readonly string[]
}

export interface CopiedColumn {
  readonly column: PlanColumn
  readonly after: ColumnSnapshot
  readonly before: ColumnSnapshot | undefined
  /** The encoded value of a new column, or of NULL in a column that became required. */
  readonly fill?: unknown
  /** Fills only rows with a value in one of these columns. */
  readonly within?: readonly string[]
}
