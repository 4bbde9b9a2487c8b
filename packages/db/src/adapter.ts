import type { Column, ForeignKeyAction, TableModel } from '@portico/schema/model'
import type { TableChange } from './change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  UpdateOperation,
  UpsertOperation,
} from './operation.ts'
import type { TablePlace, TablePlan } from './table-plan.ts'

/** An answer that an engine may have at once or later; one that has it at once saves its callers a turn. */
export type Answer<T> = T | Promise<T>

/** One stored row: values in the order of the operation's columns, as `ColumnStorage.decode` takes them. */
export type Row = readonly unknown[]

/** What joins a database engine to tables: made by `sqlite({ … })` and its like, opened by `openDatabase`. */
export interface Adapter {
  readonly name: string
  readonly can: Abilities
  /** How a column is stored, and how its values travel. */
  storeColumn(column: Column, table: TableUses): ColumnStorage
  open(): Promise<Engine>
}

/** What an engine can do. Callers ask for the ability, never for the engine's name. */
export interface Abilities {
  /** Tables stand in schemas; without, a schema's name becomes a prefix of the table's. */
  readonly schemas: boolean
  readonly transactions: boolean
  readonly sql: boolean
  /** A table may be made before one that it refers to. */
  readonly forwardReferences: boolean
}

/** What a table uses its columns for: engines that bound what an index holds store an indexed column differently. */
export type TableUses = Pick<TableModel, 'indexes' | 'foreignKeys'>

/** How a column is stored. Functions that are left out change nothing. Neither ever sees `null`. */
export interface ColumnStorage {
  /** The engine's name of the type, as the reference shows it. */
  readonly type: string
  readonly encode?: (value: unknown) => unknown
  readonly decode?: (value: unknown) => unknown
}

/** Runs operations. `params` holds a value for each slot of the operation, encoded. */
export interface Session {
  find(operation: FindOperation, params: readonly unknown[]): Answer<readonly Row[]>
  count(operation: CountOperation, params: readonly unknown[]): Answer<number>
  /** Stores all rows or none. Returns the values of the counted column, where there is one. */
  insert(operation: InsertOperation, rows: readonly Row[]): Answer<readonly number[]>
  /** Returns how many rows were written. */
  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Answer<number>
  /** Returns the stored row in the order of the plan's columns, or nothing when the version was another one. */
  upsert(operation: UpsertOperation, params: readonly unknown[]): Answer<Row | undefined>
  /** Runs a statement whose values stand between its parts. */
  sql(parts: readonly string[], values: readonly unknown[]): Answer<readonly object[]>
  /** What there is already of these tables. */
  inspect(plans: readonly TablePlan[]): Answer<readonly ExistingTable[]>
  /** Which of these tables are there, in the same order. */
  hasTables(places: readonly TablePlace[]): Answer<readonly boolean[]>
  change(change: TableChange): Answer<void>
}

/**
 * A session of its own, in which everything happens or nothing does. Savepoints nest. After `commit`, also one that
 * fails, and after `rollback` it has ended: it refuses everything, and another `rollback` does nothing.
 */
export interface Transaction extends Session {
  commit(): Answer<void>
  rollback(): Answer<void>
  savepoint(depth: number): Answer<void>
  release(depth: number): Answer<void>
  rollbackTo(depth: number): Answer<void>
}

/** An open database. */
export interface Engine {
  /** Outside of transactions: each operation stands alone. */
  readonly session: Session
  begin(options: BeginOptions): Promise<Transaction>
  close(): Promise<void>
}

export interface BeginOptions {
  readonly isolation: 'default' | 'serializable'
  /** `sync` holds the lock that lets one sync run at a time. */
  readonly purpose: 'work' | 'sync'
}

/** A table as the engine has it. */
export interface ExistingTable {
  readonly plan: TablePlan
  readonly columns: readonly ExistingColumn[]
  readonly indexes: readonly string[]
  readonly foreignKeys: readonly ExistingForeignKey[]
}

export interface ExistingColumn {
  readonly name: string
  /** As `ColumnStorage.type` writes it. */
  readonly type: string
  readonly nullable: boolean
  /** Whether an insert that leaves it out stores a value all the same. */
  readonly hasDefault: boolean
}

export interface ExistingForeignKey {
  readonly columns: readonly string[]
  /** The name of the table it refers to. */
  readonly table: string
  readonly onDelete: ForeignKeyAction
  readonly onUpdate: ForeignKeyAction
}
