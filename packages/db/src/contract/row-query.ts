import type { ColumnSnapshot } from './snapshot.ts'
import type { TableName } from './table-plan.ts'

/** The rows that sync counts before and after it changes a table. */
export type RowQuery =
  | { readonly kind: 'rows'; readonly tableName: TableName }
  | { readonly kind: 'nulls'; readonly tableName: TableName; readonly column: string }
  /** Rows that share their values in these columns, all of them non-NULL, with another row. */
  | {
      readonly kind: 'duplicates'
      readonly tableName: TableName
      readonly columns: readonly string[]
      /** Columns whose NULLs will have been replaced by then. */
      readonly filled?: readonly FilledColumn[]
    }
  /** Rows whose value cannot be converted to another type exactly. */
  | {
      readonly kind: 'unconvertible'
      readonly tableName: TableName
      readonly from: ColumnSnapshot
      readonly to: ColumnSnapshot
    }
  /** Rows that refer to a missing row. */
  | {
      readonly kind: 'orphans'
      readonly tableName: TableName
      readonly columns: readonly string[]
      readonly target: TableName
      readonly references: readonly string[]
      /** Columns whose values are converted to another type first. */
      readonly converted?: readonly ({ readonly from: ColumnSnapshot; readonly to: ColumnSnapshot } | undefined)[]
    }
  /** Rows with a value in any column of `any` (default: all rows), and NULL in `lacks` and in all columns of `none`. */
  | {
      readonly kind: 'objects'
      readonly tableName: TableName
      readonly any?: readonly string[]
      readonly lacks?: string
      readonly none?: readonly string[]
    }

/** An encoded value that replaces NULL in a column. */
export interface FilledColumn {
  readonly column: string
  /** In the spelling of `ColumnStorage.type`. */
  readonly type: string
  readonly value: unknown
}
