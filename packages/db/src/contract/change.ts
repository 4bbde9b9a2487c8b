import type { ForeignKey, Index } from '@portico/schema/model'
import type { PlanColumn, TablePlace, TablePlan } from './plan.ts'
import type { ColumnSnapshot, ForeignKeySnapshot, TableSnapshot } from './snapshot.ts'

/** A change of what a database has, as plain data. Names are those at the moment when its turn has come. */
export type TableChange =
  | { readonly kind: 'createSchema'; readonly schema: string }
  /** Foreign keys that are not listed are added by a change of their own, once the tables they name are there. */
  | { readonly kind: 'createTable'; readonly plan: TablePlan; readonly foreignKeys: readonly ForeignKey[] }
  /** Another name, another schema, or both. `keyName` is what the engine calls the key, where it has a name. */
  | {
      readonly kind: 'renameTable'
      readonly from: TablePlace
      readonly to: TablePlace
      readonly keyName?: string | undefined
    }
  | { readonly kind: 'dropTable'; readonly place: TablePlace }
  /** `fill` is what rows that are there get, encoded; it is asked for where the column allows no NULL. */
  | { readonly kind: 'addColumn'; readonly plan: TablePlan; readonly column: PlanColumn; readonly fill?: unknown }
  | { readonly kind: 'renameColumn'; readonly plan: TablePlan; readonly from: string; readonly to: string }
  | AlterColumn
  | FillColumn
  | { readonly kind: 'dropColumn'; readonly plan: TablePlan; readonly column: string }
  | { readonly kind: 'dropKey'; readonly place: TablePlace; readonly name: string | undefined }
  | { readonly kind: 'addKey'; readonly plan: TablePlan }
  | CreateIndex
  | { readonly kind: 'renameIndex'; readonly place: TablePlace; readonly from: string; readonly to: string }
  | { readonly kind: 'dropIndex'; readonly place: TablePlace; readonly name: string; readonly concurrently?: true }
  | { readonly kind: 'addForeignKey'; readonly plan: TablePlan; readonly foreignKey: ForeignKey }
  | { readonly kind: 'renameForeignKey'; readonly place: TablePlace; readonly from: string; readonly to: string }
  | { readonly kind: 'dropForeignKey'; readonly place: TablePlace; readonly name: string }
  | RebuildTable

export interface AlterColumn {
  readonly kind: 'alterColumn'
  readonly plan: TablePlan
  readonly column: PlanColumn
  readonly before: ColumnSnapshot
  readonly after: ColumnSnapshot
  /** What stands in for NULL from now on, encoded. */
  readonly fill?: unknown
}

/** Writes a value, encoded, where a column has none. */
export interface FillColumn {
  readonly kind: 'fillColumn'
  readonly plan: TablePlan
  readonly column: PlanColumn
  readonly fill: unknown
  /** Only where one of these columns has a value: they show that the object around is there. */
  readonly within?: readonly string[]
}

export interface CreateIndex {
  readonly kind: 'createIndex'
  readonly plan: TablePlan
  readonly index: Index
  /** Without holding up writers: outside of transactions, on a connection of its own. */
  readonly concurrently?: true
}

/**
 * Makes a table anew with its rows, for engines that cannot change it in place. Tables and columns have their new
 * names already. Indexes of the declaration are made by changes of their own; everything else that hangs on the table
 * (triggers, views, indexes that sync did not make) is kept.
 */
export interface RebuildTable {
  readonly kind: 'rebuildTable'
  readonly plan: TablePlan
  readonly before: TableSnapshot
  /** The declared columns that rows are copied into: from a column, or from one value for all. */
  readonly copies: readonly CopiedColumn[]
  /** What sync did not make and does not know: kept as it is. */
  readonly kept: { readonly columns: readonly ColumnSnapshot[]; readonly foreignKeys: readonly ForeignKeySnapshot[] }
  /** Indexes that other changes make or remove. */
  readonly ownIndexes: readonly string[]
}

export interface CopiedColumn {
  readonly column: PlanColumn
  readonly after: ColumnSnapshot
  readonly before: ColumnSnapshot | undefined
  /** For a new column, or for NULL in one that has become required; encoded. */
  readonly fill?: unknown
  /** Only where one of these columns has a value. */
  readonly within?: readonly string[]
}
