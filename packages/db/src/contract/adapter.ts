import type { Column, TableModel } from '@portico/schema/model'
import type { TableChange } from './change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  UpdateOperation,
  UpsertOperation,
} from './operation.ts'
import type { RowQuery } from './row-query.ts'
import type { TableSnapshot } from './snapshot.ts'
import type { Capabilities, ColumnStorage, MaybePromise, Row, TableUses } from './storage.ts'
import type { SyncProblem } from './sync-problem.ts'
import type { TableName, TablePlan } from './table-plan.ts'

/** Connects tables to a database engine. Made by `sqlite({ … })` and its like, opened by `openDatabase`. */
export interface Adapter {
  readonly name: string
  readonly supports: Capabilities
  /** The engine's type for a column, and the functions that encode and decode its values. */
  storeColumn(column: Column, table: TableUses): ColumnStorage
  open(): Promise<Engine>
  /**
   * A read-only stand-in for planning, used when opening would create the database (a missing SQLite file). Adapters
   * whose `open` creates nothing leave it out.
   */
  preview?(): Adapter
}

/** Runs operations. `params` holds one encoded value for each slot of the operation. */
export interface Session {
  find(operation: FindOperation, params: readonly unknown[]): MaybePromise<readonly Row[]>
  count(operation: CountOperation, params: readonly unknown[]): MaybePromise<number>
  /** Stores all rows or none. Returns the generated value of the auto-increment column for each row, if there is one. */
  insert(operation: InsertOperation, rows: readonly Row[]): MaybePromise<readonly number[]>
  /** Returns the number of rows written. */
  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): MaybePromise<number>
  /** Returns the stored row in the order of the plan's columns, or `undefined` if the version did not match. */
  upsert(operation: UpsertOperation, params: readonly unknown[]): MaybePromise<Row | undefined>
  /** Runs one raw statement: `values[i]` belongs between `parts[i]` and `parts[i + 1]`. */
  sql(parts: readonly string[], values: readonly unknown[]): MaybePromise<readonly object[]>
  /**
   * Reads the structure of these tables and leaves out those that do not exist. An engine without columns uses `plans` to
   * check that documents stored by other programs match the declarations.
   */
  inspect(tableNames: readonly TableName[], plans?: readonly TablePlan[]): MaybePromise<Inspection>
  /** Counts the rows that a planned change affects, or that would prevent it. */
  countRows(query: RowQuery): MaybePromise<number>
  change(change: TableChange, progress?: CopyProgress): MaybePromise<void>
  /**
   * For engines without transactional DDL: reports the changes, of this ordered list, that would fail half-way or would
   * drop something that sync did not create. Called while planning, before anything is changed.
   */
  preflight?(changes: readonly TableChange[]): MaybePromise<readonly SyncProblem[]>
  /**
   * For SQL engines: the statements of these changes, followed by `last`, as an all-or-nothing script for the engine's
   * shell. The script runs later, so it has to fail if a query of `checks` finds any row by then, and it has to stop at
   * the first failure. Lines that start with `.` or `\` are shell commands and get no semicolon. Changes nothing.
   */
  script?(
    changes: readonly TableChange[],
    last: readonly string[],
    checks: readonly RowQuery[],
  ): MaybePromise<readonly string[]>
  /** For engines without foreign keys: the declarations of the tables that refer to this one. */
  referrers?(tableName: TableName): MaybePromise<readonly TableModel[]>
}

/**
 * A session whose operations are kept together or not at all. Savepoints nest. It ends with `commit`, even one that fails,
 * or `rollback`: from then on it rejects every operation, and another `rollback` does nothing.
 */
export interface Transaction extends Session {
  commit(): MaybePromise<void>
  rollback(): MaybePromise<void>
  /** Rolls back without waiting for running operations. Leave it out if `rollback` never waits for long. */
  abort?(): MaybePromise<void>
  savepoint(depth: number): MaybePromise<void>
  release(depth: number): MaybePromise<void>
  rollbackTo(depth: number): MaybePromise<void>
}

/** An open database. */
export interface Engine {
  /** Capabilities that are known only after connecting. They override those of the adapter. */
  readonly supports?: Partial<Capabilities>
  /** Runs each operation on its own, outside transactions. */
  readonly session: Session
  begin(options: BeginOptions): Promise<Transaction>
  /**
   * A session on one connection that holds the sync lock outside transactions until it is released. Used to build indexes
   * concurrently, and for all changes of an engine without transactional DDL.
   */
  acquireSyncLock?(): Promise<LockedSession>
  /**
   * True if a sync failed because another one was creating the same objects, as on a cluster whose nodes share no lock.
   * Sync then reads the database again.
   */
  isRaced?(error: unknown): boolean
  close(): Promise<void>
}

export interface BeginOptions {
  readonly isolation: 'default' | 'serializable'
  /** A transaction for `sync` holds the lock that lets one sync run at a time. */
  readonly purpose: 'work' | 'sync'
}

export interface LockedSession extends Session {
  release(): Promise<void>
}

/** Receives the number of rows copied so far while a table is rebuilt. */
export type CopyProgress = (copied: number) => void

/** The existing tables among those that were inspected. */
export interface Inspection {
  readonly tables: readonly TableSnapshot[]
  /** The default schema, for engines with schemas. */
  readonly home?: string
}
