import type { ForeignKeyAction } from '@portico/schema/model'
import { type AlterColumn } from '../contract/change.ts'
import type { Filter, InsertOperation } from '../contract/operation.ts'
import type { ColumnSnapshot } from '../contract/snapshot.ts'
import type { PlanColumn, TableName, TablePlan } from '../contract/table-plan.ts'
import { EachUuid } from '../values/each-uuid.ts'
import type { ParameterList } from './statement.ts'

/** The differences between SQL engines. */
export interface Dialect {
  /** Quotes an identifier, and escapes quotes in it. */
  readonly quoteName: (name: string) => string
  /** The placeholder of a parameter; positions start at 1. */
  readonly placeholder: (position: number) => string
  /** `<>` for a nullable column: true for NULL too. */
  isOther(column: string, placeholder: string): string
  /** `IN` for one column or a tuple of columns. The list is not empty. */
  isIn(columns: readonly string[], filter: Extract<Filter, { kind: 'in' }>, parameters: ParameterList): string
  like(column: string, filter: Extract<Filter, { kind: 'like' }>, parameters: ParameterList): string
  /** Sorts NULL below all values, if that is not the engine's default. */
  orderNulls(direction: 'asc' | 'desc'): string
  /** The limit clause for an offset without a limit. */
  readonly noLimit: string
  /** True if limits are part of the text, for servers that refuse parameters sent as floating-point numbers there. */
  readonly inlinesLimits?: boolean
  /** The end of an insert without any column. */
  readonly emptyRow: string
  /** The next value of an auto-increment column in an insert. */
  nextAutoIncrement(operation: InsertOperation, column: PlanColumn): AutoIncrementValue
  /** The type of a column in a definition, with its modifiers. */
  defineType(column: PlanColumn, plan: TablePlan): string
  /** True if `defineType` already declares the column as the primary key. */
  hasInlineKey(plan: TablePlan): boolean
  indexColumn(column: string, order: 'asc' | 'desc', isNullable: boolean): string
  /** An encoded default as an SQL literal. */
  literal(value: unknown, column: { readonly storage: Pick<PlanColumn['storage'], 'type'> }): string
  /** An expression that yields a different UUID (version 7) for each row; all of them begin with `head`. */
  eachUuid(head: string): string
  /** Changes the name, the schema, or both. `keyName` is the name of the primary key, if it has one. */
  renameTable(from: TableName, to: TableName, keyName: string | undefined): readonly string[]
  /** Called only on engines that alter columns in place. */
  alterColumn(change: AlterColumn): readonly string[]
  /** Converts a column to another type. Called only for values that fit. NULL stays NULL. */
  convert(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string
  /** A condition that is true if a value, which is not NULL, cannot be converted exactly. */
  isUnconvertible(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string
  /** The default schema, for engines on which tables of other schemas must name it in their foreign keys. */
  readonly home?: string
  /** Casts a parameter in comparisons that would otherwise get the wrong type. Default: the placeholder. */
  readonly compared?: (column: PlanColumn, slot: number, parameters: ParameterList) => string
  /** Further lines of `CREATE TABLE`, and the options after them. */
  readonly completeTable?: (plan: TablePlan) => { readonly lines: readonly string[]; readonly options: string }
}

export interface AutoIncrementValue {
  /** The expression to insert; undefined if the engine generates the value. */
  readonly value: string | undefined
  /** True if the statement needs `RETURNING` to report the value. */
  readonly returning: boolean
}

/** Quotes an identifier as standard SQL does. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteTableName({ schema, table }: TableName, quote: (name: string) => string = quoteName): string {
  return schema === undefined ? quote(table) : `${quote(schema)}.${quote(table)}`
}

export const actionWords: Readonly<Record<ForeignKeyAction, string>> = {
  cascade: 'CASCADE',
  restrict: 'RESTRICT',
  setNull: 'SET NULL',
  setDefault: 'SET DEFAULT',
  noAction: 'NO ACTION',
}

export function readAction(words: string): ForeignKeyAction {
  const [action] = Object.entries(actionWords).find(([, it]) => it === words) ?? ['noAction']
  return action as ForeignKeyAction
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The value for rows without one, as an SQL expression. */
export function fillText(fill: unknown, column: PlanColumn, dialect: Dialect): string {
  return fill instanceof EachUuid ? dialect.eachUuid(fill.head) : dialect.literal(fill, column)
}
