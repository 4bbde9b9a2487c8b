import type { ForeignKeyAction, Precision, Storage } from '@portico/schema/model'
import type { TablePlace } from './plan.ts'

export interface TableSnapshot {
  readonly place: TablePlace
  readonly columns: readonly ColumnSnapshot[]
  /** The columns of the primary key, in order. */
  readonly key: readonly string[]
  /** What the engine calls the key, where it has a name. */
  readonly keyName?: string
  readonly indexes: readonly IndexSnapshot[]
  readonly foreignKeys: readonly ForeignKeySnapshot[]
  /** The names of rules that sync never makes, where the engine can lose them together with a column. */
  readonly rules?: readonly string[]
}

export interface ColumnSnapshot {
  readonly name: string
  /** As `ColumnStorage.type` writes it. */
  readonly type: string
  /** What it holds, as far as the type tells: a JSON column may be one of text. Absent for types that sync never makes. */
  readonly storage?: Storage
  /** For decimals. */
  readonly precision?: Precision
  /** Set for decimals that may have any number of digits, which sync never makes. */
  readonly isUnbound?: true
  readonly nullable: boolean
  /** The value of a literal default as text, or the expression in parentheses where it is none. */
  readonly default?: string
  /** Whether the engine itself counts on when an insert leaves it out. */
  readonly counted: boolean
  /** Why its values cannot be those of the declared column, where the engine had to look at them. */
  readonly problem?: string
}

export interface IndexSnapshot {
  readonly name: string
  readonly unique: boolean
  readonly columns: readonly { readonly name: string; readonly order: 'asc' | 'desc' }[]
  /** Half of an index is left over when its building failed; nothing uses it. */
  readonly isValid: boolean
}

export interface ForeignKeySnapshot {
  /** Absent where the engine does not tell. */
  readonly name?: string
  readonly columns: readonly string[]
  readonly place: TablePlace
  /** The columns that it refers to. */
  readonly references: readonly string[]
  readonly onDelete: ForeignKeyAction
  readonly onUpdate: ForeignKeyAction
}
