/** The differences between a database and its declarations, as plain data. */
import type { ForeignKey, Index } from '@portico/schema/model'
import type { ColumnSnapshot, ForeignKeySnapshot, IndexSnapshot, TableSnapshot } from '../../contract/snapshot.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { PlanColumn, TableName, TablePlan } from '../../contract/table-plan.ts'
import type { TableRecord } from '../1-read/metadata-table.ts'
import type { ValueRules } from '../1-read/table-facts.ts'

export interface ColumnChange {
  readonly column: PlanColumn
  readonly before: ColumnSnapshot
  readonly after: ColumnSnapshot
}

/** One difference between a table and its declaration. */
export type Difference =
  | { readonly kind: 'createTable' }
  | { readonly kind: 'adoptTable' }
  /** `movedFrom` is the former name if the table moves to another schema, which no annotation declares. */
  | { readonly kind: 'renameTable'; readonly from: TableName; readonly movedFrom?: string }
  | { readonly kind: 'addColumn'; readonly column: PlanColumn; readonly after: ColumnSnapshot }
  | { readonly kind: 'renameColumn'; readonly column: PlanColumn; readonly from: string }
  | ({ readonly kind: 'changeType' } & ColumnChange)
  | ({ readonly kind: 'requireColumn' } & ColumnChange)
  | ({ readonly kind: 'allowNull' } & ColumnChange)
  | ({ readonly kind: 'changeDefault' } & ColumnChange)
  | ({ readonly kind: 'changeAutoIncrement' } & ColumnChange)
  | { readonly kind: 'dropColumn'; readonly before: ColumnSnapshot }
  | { readonly kind: 'changeKey'; readonly before: readonly string[] }
  | { readonly kind: 'createIndex'; readonly index: Index }
  | { readonly kind: 'renameIndex'; readonly from: string; readonly to: string }
  | { readonly kind: 'dropIndex'; readonly name: string }
  | { readonly kind: 'addForeignKey'; readonly foreignKey: ForeignKey }
  | { readonly kind: 'renameForeignKey'; readonly from: string; readonly to: string }
  | { readonly kind: 'dropForeignKey'; readonly foreignKey: ForeignKeySnapshot }
  | RowDifference

/** A possible difference: the rows decide if there is anything to do. */
type RowDifference =
  /** A column becomes required inside an optional object. `currentName` is its name before the sync. */
  | {
      readonly kind: 'requireInObject'
      readonly column: PlanColumn
      readonly currentName: string
      readonly group: string
      readonly within: Presence
      /** It was required before and undeclared since, so NULLs come from programs that do not know the column. */
      readonly isRestored: boolean
    }
  /** An optional object becomes required. */
  | { readonly kind: 'requireObject'; readonly group: string; readonly was: Presence }
  /** The declared rules for the values of a column have changed. */
  | {
      readonly kind: 'checkValues'
      readonly column: PlanColumn
      readonly before: ColumnSnapshot
      readonly after: ColumnSnapshot
      /** `undefined` if none were stored. */
      readonly formerRules: ValueRules | undefined
    }

/** The rows that contain an object: all, or those with a value in one of these columns (by their current names). */
export type Presence = 'always' | readonly string[]

/** A part of a table that stays although it is no longer declared, under its planned name. */
export type KeptPart =
  | { readonly kind: 'column'; readonly column: ColumnSnapshot }
  | { readonly kind: 'index'; readonly index: IndexSnapshot }
  /** `name` is the name that sync chose, which not every engine reports. */
  | { readonly kind: 'foreignKey'; readonly foreignKey: ForeignKeySnapshot; readonly name: string }

/** A declared table, compared with the database. */
export interface TableDifference {
  readonly plan: TablePlan
  /** The table as declared. */
  readonly target: TableSnapshot
  /** The table as it is now. */
  readonly before: TableSnapshot | undefined
  /** The table as it is now, under its new names. */
  readonly renamed: TableSnapshot | undefined
  /** The current name of each declared column that exists. */
  readonly columns: ReadonlyMap<PlanColumn, string>
  readonly record: TableRecord | undefined
  readonly differences: readonly Difference[]
  /** Created by sync, no longer declared, and kept. */
  readonly kept: readonly KeptPart[]
  /** Undeclared indexes and foreign keys that prevent their columns from changing type while they exist. */
  readonly blocking: readonly KeptPart[]
}

export interface DatabaseDifference {
  readonly tables: readonly TableDifference[]
  /** Tables that sync created, that are no longer declared, and that the caller allows to drop. */
  readonly dropped: readonly TableRecord[]
  /** The undeclared tables that stay. */
  readonly leftovers: readonly TableRecord[]
  readonly problems: readonly SyncProblem[]
}
