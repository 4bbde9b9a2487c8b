/** What a database has, and what it would have if it followed its declarations: the same plain data for both. */
import type { ForeignKey, ForeignKeyAction, Precision, Storage } from '@portico/schema/model'
import type { Abilities } from '../adapter.ts'
import { encodeColumn } from '../row-mapping.ts'
import { type PlanColumn, placeIndex, placeTable, type TablePlace, type TablePlan } from '../table-plan.ts'
import { optionalAround } from './facts.ts'

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

/** What a database has of a table that follows its declaration. */
export function describeTable(plan: TablePlan, can: Pick<Abilities, 'schemas' | 'countsAnyColumn'>): TableSnapshot {
  return {
    place: plan.place,
    columns: plan.columns.map((column) => describeColumn(column, plan, can)),
    key: plan.key.map((it) => it.name),
    indexes: plan.declaration.indexes.map((index) => ({
      name: placeIndex(index.name, plan),
      unique: index.unique,
      columns: index.columns.map(({ column, order }) => ({ name: column, order })),
      isValid: true,
    })),
    foreignKeys: describeForeignKeys(plan, can.schemas),
  }
}

export function describeForeignKeys({ declaration }: TablePlan, hasSchemas: boolean): ForeignKeySnapshot[] {
  return declaration.foreignKeys.map((it) => describeForeignKey(it, hasSchemas))
}

export function describeForeignKey(foreignKey: ForeignKey, hasSchemas: boolean): ForeignKeySnapshot {
  const { constraint, columns, references, onDelete, onUpdate } = foreignKey
  const place = placeTable(references, hasSchemas)
  return { name: constraint, columns, place, references: references.columns, onDelete, onUpdate }
}

export function describeColumn(
  column: PlanColumn,
  plan: TablePlan,
  can: Pick<Abilities, 'countsAnyColumn'>,
): ColumnSnapshot {
  const { model, storage } = column
  const literal = storedDefault(column, plan)
  const preset = literal === undefined ? undefined : writeDefault(encodeColumn(column, literal))
  return {
    name: column.name,
    type: storage.type,
    storage: model.storage,
    ...(model.precision && { precision: model.precision }),
    nullable: column.nullable,
    ...(preset !== undefined && { default: canonicalDefault(preset, model.storage) }),
    counted: model.default?.kind === 'increment' && (can.countsAnyColumn || isSingleKey(column, plan)),
  }
}

/**
 * The literal default that the database itself knows. In an optional object it knows none: whoever stores a record
 * without the object, and does not know the column, would make one.
 */
export function storedDefault(column: PlanColumn, plan: TablePlan): string | number | boolean | undefined {
  const preset = column.model.default
  return preset?.kind === 'value' && !optionalAround(column, plan) ? preset.value : undefined
}

/** An engine may take arrays and objects as they are. */
function writeDefault(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isSingleKey(column: PlanColumn, { key }: TablePlan): boolean {
  return key.length === 1 && key[0] === column && column.model.storage === 'integer'
}

/** A literal default in one spelling: engines write 1.50, 1.5 and '1.5' back in their own ways. */
export function canonicalDefault(text: string, storage: Storage | undefined): string {
  if (storage === 'text' || storage === 'json' || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return text
  if (/e/i.test(text) || storage !== 'decimal') return String(Number(text))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The name of a table as people write it: `users`, `auth.users`. */
export function showPlace({ schema, table }: TablePlace): string {
  return schema === undefined ? table : `${schema}.${table}`
}

export function isSamePlace(one: TablePlace, other: TablePlace): boolean {
  return one.table === other.table && one.schema === other.schema
}
