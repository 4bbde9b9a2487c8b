/**
 * What a table asks of an engine, as frozen plain data without values. Values travel beside it, as a list that the
 * operation's slots point into. One shape of a call is one operation object, however often it is called, so an engine
 * may keep what it made of it (a prepared statement) by the object's identity.
 */
import type { PlanColumn, TablePlan } from './plan.ts'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/**
 * A condition. It is true or false, never unknown: a comparison with an absent value is false, and `<>` and `not` are
 * the exact opposites of `=` and of what they negate.
 */
export type Filter =
  | { readonly kind: 'compare'; readonly column: PlanColumn; readonly operator: Comparison; readonly slot: number }
  | { readonly kind: 'null'; readonly column: PlanColumn; readonly isNull: boolean }
  /** The columns equal one of the tuples in the slot's list; for one column the list holds bare values. */
  | {
      readonly kind: 'in'
      readonly columns: readonly PlanColumn[]
      readonly slot: number
      /** How many places the statement has for tuples. Lists are padded up to it. */
      readonly size: number
    }
  | { readonly kind: 'like'; readonly column: PlanColumn; readonly fold: boolean; readonly slot: number }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** The columns, compared one after the other, are greater than the values from `slot` on. */
  | { readonly kind: 'after'; readonly columns: readonly PlanColumn[]; readonly slot: number }

export interface Order {
  readonly column: PlanColumn
  readonly direction: 'asc' | 'desc'
}

export interface FindOperation {
  readonly kind: 'find'
  readonly plan: TablePlan
  /** What each row holds, in this order; the columns of `via` follow. */
  readonly columns: readonly PlanColumn[]
  readonly filter: Filter | undefined
  /** Reaches the table through a junction, whose columns `filter` may then name. */
  readonly via: Junction | undefined
  readonly order: readonly Order[]
  /** Whether there can be at most one row. */
  readonly single: boolean
  /** The slots of limit and offset. */
  readonly limit: number | undefined
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

/** Stores rows whose values stand in the order of `columns`: all of them or none. */
export interface InsertOperation {
  readonly kind: 'insert'
  readonly plan: TablePlan
  readonly columns: readonly PlanColumn[]
  /** The counted column that the engine fills in, and gives back for each row. */
  readonly counted: PlanColumn | undefined
}

export type Assignment =
  | { readonly kind: 'value'; readonly column: PlanColumn; readonly slot: number }
  /** One more than it was. */
  | { readonly kind: 'raise'; readonly column: PlanColumn }

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

/** Stores one row, or overwrites the one that has its key. */
export interface UpsertOperation {
  readonly kind: 'upsert'
  readonly plan: TablePlan
  /** The row's columns; their values are the slots 0, 1, 2, … */
  readonly columns: readonly PlanColumn[]
  /** Which of them overwrite an existing row. */
  readonly overwrite: readonly PlanColumn[]
  /** The version, which rises when a row is overwritten; with a slot, only a row that has this version is. */
  readonly version: { readonly column: PlanColumn; readonly slot: number | undefined } | undefined
}

export type Operation =
  | FindOperation
  | CountOperation
  | InsertOperation
  | UpdateOperation
  | DeleteOperation
  | UpsertOperation
