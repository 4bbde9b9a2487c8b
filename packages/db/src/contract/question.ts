import type { TablePlace } from './plan.ts'
import type { ColumnSnapshot } from './snapshot.ts'

/** What sync asks about rows before it changes anything, and after. Each is answered by a number of rows. */
export type Question =
  | { readonly ask: 'rows'; readonly place: TablePlace }
  | { readonly ask: 'nulls'; readonly place: TablePlace; readonly column: string }
  /** Rows whose values in these columns, none of them NULL, another row has too. */
  | {
      readonly ask: 'duplicates'
      readonly place: TablePlace
      readonly columns: readonly string[]
      /** What stands in for NULL in some of them by then. */
      readonly filled?: readonly FilledColumn[]
    }
  /** Rows whose value cannot be kept exactly in a column of another type. */
  | { readonly ask: 'unfit'; readonly place: TablePlace; readonly from: ColumnSnapshot; readonly to: ColumnSnapshot }
  /** Rows that refer to one that is not there. */
  | {
      readonly ask: 'orphans'
      readonly place: TablePlace
      readonly columns: readonly string[]
      readonly target: TablePlace
      readonly references: readonly string[]
      /** Columns whose values get another type first. */
      readonly converted?: readonly ({ readonly from: ColumnSnapshot; readonly to: ColumnSnapshot } | undefined)[]
    }
  /** Rows in which any of some columns has a value (all rows without them), `lacks` has none, and none of `none` has. */
  | {
      readonly ask: 'objects'
      readonly place: TablePlace
      readonly any?: readonly string[]
      readonly lacks?: string
      readonly none?: readonly string[]
    }

/** A value, encoded, that a column will have in place of NULL. */
export interface FilledColumn {
  readonly column: string
  /** As `ColumnStorage.type` writes it. */
  readonly type: string
  readonly value: unknown
}
