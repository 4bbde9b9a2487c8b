import type { ForeignKeyAction } from '@portico/schema/model'
import { type AlterColumn } from '../contract/change.ts'
import type { Filter, InsertOperation } from '../contract/operation.ts'
import type { PlanColumn, TableName, TablePlan } from '../contract/plan.ts'
import type { ColumnSnapshot } from '../contract/snapshot.ts'
import { EachUuid } from '../values/each-uuid.ts'
import type { ParameterList } from './statement.ts'

/** The small questions in which SQL engines differ. */
export interface Dialect {
  /** A name as SQL text. Names come from declarations alone; one with a quote in it is still one name. */
  readonly quoteName: (name: string) => string
  /** The place of the parameter at this position, counted from 1. */
  readonly placeholder: (position: number) => string
  /** Whether a column that may be NULL is another value than the parameter, NULL included. */
  isOther(column: string, placeholder: string): string
  /** Whether columns equal one of the tuples of a list, which is not empty. */
  isIn(columns: readonly string[], filter: Extract<Filter, { kind: 'in' }>, parameters: ParameterList): string
  like(column: string, filter: Extract<Filter, { kind: 'like' }>, parameters: ParameterList): string
  /** Puts NULL below all values, where the engine does not do that by itself. */
  orderNulls(direction: 'asc' | 'desc'): string
  /** What stands for no limit before an offset. */
  readonly noLimit: string
  /** Whether limits are written into the text: servers that take no other numbers for them than whole ones. */
  readonly inlinesLimits?: boolean
  /** What an insert says that gives no value at all. */
  readonly emptyRow: string
  /** How an insert gets the next value of its counted column. */
  nextAutoIncrement(operation: InsertOperation, column: PlanColumn): AutoIncrementValue
  /** The type of a column in a definition, with what belongs to it. */
  defineType(column: PlanColumn, plan: TablePlan): string
  /** Whether `defineType` has said already that the column is the whole key. */
  hasInlineKey(plan: TablePlan): boolean
  indexColumn(column: string, order: 'asc' | 'desc', isNullable: boolean): string
  /** A default of a declaration, encoded, as SQL text. */
  literal(value: unknown, column: { readonly storage: Pick<PlanColumn['storage'], 'type'> }): string
  /** An expression that is another uuid (version 7) in each row; `head` is what all of them begin with. */
  eachUuid(head: string): string
  /** Another name, another schema, or both. `keyName` is what the engine calls the key, where it has a name. */
  renameTable(from: TableName, to: TableName, keyName: string | undefined): readonly string[]
  /** Asked only where columns change in place. */
  alterColumn(change: AlterColumn): readonly string[]
  /** A column's value as one of another type; only asked for values that fit. NULL stays NULL. */
  convert(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string
  /** Whether a value, which is not NULL, cannot be kept exactly as one of another type. */
  isUnconvertible(column: string, from: ColumnSnapshot, to: ColumnSnapshot): string
  /** The schema of tables that name none, for engines on which a table of another one has to name it. */
  readonly home?: string
  /** What a value is compared as, where its place alone would be taken for another type. Default: its place. */
  readonly compared?: (column: PlanColumn, slot: number, parameters: ParameterList) => string
  /** What the definition of a table says beyond its columns and keys: further lines, and what stands behind them. */
  readonly completeTable?: (plan: TablePlan) => { readonly lines: readonly string[]; readonly options: string }
}

export interface AutoIncrementValue {
  /** What to store, where the engine does not know by itself. */
  readonly value: string | undefined
  /** Whether the statement has to give the stored value back. */
  readonly returning: boolean
}

/** A name as standard SQL quotes it. */
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

/** What the words of a foreign key's action mean. */
export function readAction(words: string): ForeignKeyAction {
  const [action] = Object.entries(actionWords).find(([, it]) => it === words) ?? ['noAction']
  return action as ForeignKeyAction
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** What rows get where they have no value, as SQL text. */
export function fillText(fill: unknown, column: PlanColumn, dialect: Dialect): string {
  return fill instanceof EachUuid ? dialect.eachUuid(fill.head) : dialect.literal(fill, column)
}
