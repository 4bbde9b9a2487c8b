/**
 * The requests that a table sends to an engine: frozen plain data without values. Values travel in a separate list, and
 * each `slot` is an index into it. Calls of the same shape share one operation object, so an engine can cache a prepared
 * statement by the identity of the object.
 */
import type { PlanColumn, TablePlan } from './table-plan.ts'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/**
 * A condition that is true or false, never unknown. Comparing NULL with `=`, `<`, `<=`, `>` or `>=` is false. `<>` and
 * `not` are exact opposites of `=` and of the filter they negate.
 */
export type Filter =
  | { readonly kind: 'compare'; readonly column: PlanColumn; readonly operator: Comparison; readonly slot: number }
  | { readonly kind: 'null'; readonly column: PlanColumn; readonly isNull: boolean }
  /** The columns equal one of the tuples listed in the slot. For a single column the list holds bare values. */
  | {
      readonly kind: 'in'
      readonly columns: readonly PlanColumn[]
      readonly slot: number
      /** The number of tuples in the statement. The engine pads shorter lists. */
      readonly size: number
    }
  | { readonly kind: 'like'; readonly column: PlanColumn; readonly fold: boolean; readonly slot: number }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** Keyset pagination: the columns, compared in order, are greater than the values from `slot` on. */
  | { readonly kind: 'after'; readonly columns: readonly PlanColumn[]; readonly slot: number }

export interface Order {
  readonly column: PlanColumn
  readonly direction: 'asc' | 'desc'
}

export interface FindOperation {
  readonly kind: 'find'
  readonly plan: TablePlan
  /** The columns of each row, in this order. The columns of `via` follow. */
  readonly columns: readonly PlanColumn[]
  readonly filter: Filter | undefined
  /** Joins a junction table. `filter` may then use its columns. */
  readonly via: Junction | undefined
  readonly order: readonly Order[]
  /** True if at most one row can match. */
  readonly single: boolean
  /** The slot of the limit. */
  readonly limit: number | undefined
  /** The slot of the offset. */
  readonly offset: number | undefined
}

export interface Junction {
  readonly plan: TablePlan
  readonly columns: readonly PlanColumn[]
  readonly on: readonly { readonly junction: PlanColumn; readonly target: PlanColumn }[]
}

export interface CountOperation {
  readonly kind: 'count'
  readonly plan: TablePlan
  readonly filter: Filter | undefined
}

/** Stores all rows or none. The values of a row are in the order of `columns`. */
export interface InsertOperation {
  readonly kind: 'insert'
  readonly plan: TablePlan
  readonly columns: readonly PlanColumn[]
  /** The auto-increment column whose value the engine generates and returns for each row. */
  readonly autoIncrement: PlanColumn | undefined
}

export type Assignment =
  | { readonly kind: 'value'; readonly column: PlanColumn; readonly slot: number }
  /** Adds 1. */
  | { readonly kind: 'increment'; readonly column: PlanColumn }

export interface UpdateOperation {
  readonly kind: 'update'
  readonly plan: TablePlan
  readonly set: readonly Assignment[]
  readonly filter: Filter | undefined
}

export interface DeleteOperation {
  readonly kind: 'delete'
  readonly plan: TablePlan
  readonly filter: Filter | undefined
}

/** Inserts one row, or updates the row with the same primary key. */
export interface UpsertOperation {
  readonly kind: 'upsert'
  readonly plan: TablePlan
  /** The columns of the row. Their values are in slots 0, 1, 2, … */
  readonly columns: readonly PlanColumn[]
  /** The columns that an update of the existing row writes. */
  readonly overwrite: readonly PlanColumn[]
  /** The version column, which an update increments. With a slot, only a row with that version is updated. */
  readonly version: { readonly column: PlanColumn; readonly slot: number | undefined } | undefined
}

export type Operation =
  | FindOperation
  | CountOperation
  | InsertOperation
  | UpdateOperation
  | DeleteOperation
  | UpsertOperation
