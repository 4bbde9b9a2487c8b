import type { ForeignKeyAction, Precision, Storage } from '@portico/schema/model'
import type { TableName } from './table-plan.ts'

/** The structure of a table: read from the database, or derived from a declaration. */
export interface TableSnapshot {
  readonly tableName: TableName
  readonly columns: readonly ColumnSnapshot[]
  /** The columns of the primary key, in order. */
  readonly key: readonly string[]
  /** The name of the primary key, for engines that name it. */
  readonly keyName?: string
  readonly indexes: readonly IndexSnapshot[]
  readonly foreignKeys: readonly ForeignKeySnapshot[]
  /** Names of constraints that sync never creates but the engine may drop together with a column. */
  readonly rules?: readonly string[]
}

export interface ColumnSnapshot {
  readonly name: string
  /** In the spelling of `ColumnStorage.type`. */
  readonly type: string
  /** The kind of values, as far as the type shows it: a JSON column may be a text column. Absent for foreign types. */
  readonly storage?: Storage
  /** For decimals. */
  readonly precision?: Precision
  /** Set for decimals of unlimited precision, which sync never creates. */
  readonly isUnbound?: true
  readonly nullable: boolean
  /** A literal default as text. Any other default is its expression in parentheses. */
  readonly default?: string
  /** True if the engine generates the value when an insert omits it. */
  readonly autoIncrement: boolean
  /** The reason why stored values do not match the declared column, for engines that have to look at the values. */
  readonly problem?: string
}

export interface IndexSnapshot {
  readonly name: string
  readonly unique: boolean
  readonly columns: readonly { readonly name: string; readonly order: 'asc' | 'desc' }[]
  /** False for the remains of a failed build, which no query uses. */
  readonly isValid: boolean
}

export interface ForeignKeySnapshot {
  /** Absent if the engine does not report it. */
  readonly name?: string
  readonly columns: readonly string[]
  /** The referenced table. */
  readonly tableName: TableName
  /** The referenced columns. */
  readonly references: readonly string[]
  readonly onDelete: ForeignKeyAction
  readonly onUpdate: ForeignKeyAction
}
