import type { TablePlace } from '../table-plan.ts'
import type { ColumnSnapshot } from './snapshot.ts'

/** What sync asks about rows before it changes anything, and after. Each is answered by a number of rows. */
export type Question =
  | { readonly ask: 'rows'; readonly place: TablePlace }
  | { readonly ask: 'nulls'; readonly place: TablePlace; readonly column: string }
  /** Rows whose values in these columns, none of them NULL, another row has too. */
  | { readonly ask: 'duplicates'; readonly place: TablePlace; readonly columns: readonly string[] }
  /** Rows whose value cannot be kept exactly in a column of another type. */
  | { readonly ask: 'unfit'; readonly place: TablePlace; readonly from: ColumnSnapshot; readonly to: ColumnSnapshot }
  /** Rows that refer to one that is not there. */
  | {
      readonly ask: 'orphans'
      readonly place: TablePlace
      readonly columns: readonly string[]
      readonly target: TablePlace
      readonly references: readonly string[]
    }
