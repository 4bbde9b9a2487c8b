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
import type { TablePlace, TablePlan } from './plan.ts'
import type { SyncProblem } from './problem.ts'
import type { Question } from './question.ts'
import type { TableSnapshot } from './snapshot.ts'
import type { Capabilities, ColumnStorage, MaybePromise, Row, TableUses } from './storage.ts'

/** What joins a database engine to tables: made by `sqlite({ … })` and its like, opened by `openDatabase`. */
export interface Adapter {
  readonly name: string
  readonly can: Capabilities
  /** How a column is stored, and how its values travel. */
  storeColumn(column: Column, table: TableUses): ColumnStorage
  open(): Promise<Engine>
  /**
   * The adapter for somebody who only looks, where opening this one would make a database that is not there yet: that of
   * an empty one which leaves nothing behind. Without it, opening changes nothing.
   */
  preview?(): Adapter
}

/** Runs operations. `params` holds a value for each slot of the operation, encoded. */
export interface Session {
  find(operation: FindOperation, params: readonly unknown[]): MaybePromise<readonly Row[]>
  count(operation: CountOperation, params: readonly unknown[]): MaybePromise<number>
  /** Stores all rows or none. Returns the values of the counted column, where there is one. */
  insert(operation: InsertOperation, rows: readonly Row[]): MaybePromise<readonly number[]>
  /** Returns how many rows were written. */
  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): MaybePromise<number>
  /** Returns the stored row in the order of the plan's columns, or nothing when the version was another one. */
  upsert(operation: UpsertOperation, params: readonly unknown[]): MaybePromise<Row | undefined>
  /** Runs a statement whose values stand between its parts. */
  sql(parts: readonly string[], values: readonly unknown[]): MaybePromise<readonly object[]>
  /**
   * What there is of these tables; those that are not there are left out. An engine without columns looks whether what
   * others stored is as `plans` declare it.
   */
  inspect(places: readonly TablePlace[], plans?: readonly TablePlan[]): MaybePromise<Inspection>
  /** Counts rows, before a change and after it. */
  ask(question: Question): MaybePromise<number>
  change(change: TableChange, progress?: CopyProgress): MaybePromise<void>
  /**
   * Where changes are no part of transactions: why one of these, which come in this order, would fail in the middle, or
   * would take along what sync did not make. It is asked for the plan, before anything is changed.
   */
  foresee?(changes: readonly TableChange[]): MaybePromise<readonly SyncProblem[]>
  /**
   * On an SQL engine: the statements that these changes and then `last` would run, all or none, as a script of their
   * own for the engine's shell, which has to stop at the first failure. It runs later than it was written: where
   * `checks` count any row by then, it has to fail too. One that begins with a point or a backslash speaks to the
   * shell. Changes nothing.
   */
  script?(
    changes: readonly TableChange[],
    last: readonly string[],
    checks: readonly Question[],
  ): MaybePromise<readonly string[]>
  /** Without foreign keys of its own, the engine tells which tables refer to this one, as they were declared. */
  referrers?(place: TablePlace): MaybePromise<readonly TableModel[]>
}

/**
 * A session of its own, in which everything happens or nothing does. Savepoints nest. After `commit`, also one that
 * fails, and after `rollback` it has ended: it refuses everything, and another `rollback` does nothing.
 */
export interface Transaction extends Session {
  commit(): MaybePromise<void>
  rollback(): MaybePromise<void>
  /** Rolls back without waiting for what is under way. Without it, `rollback` never waits for long. */
  abort?(): MaybePromise<void>
  savepoint(depth: number): MaybePromise<void>
  release(depth: number): MaybePromise<void>
  rollbackTo(depth: number): MaybePromise<void>
}

/** An open database. */
export interface Engine {
  /** Where only an open database can tell: what it can do other than its adapter says. */
  readonly can?: Partial<Capabilities>
  /** Outside of transactions: each operation stands alone. */
  readonly session: Session
  begin(options: BeginOptions): Promise<Transaction>
  /**
   * A session on one connection that holds the lock of sync outside of transactions, until it is released. Asked for
   * where indexes are built concurrently, and where changes of tables are no part of transactions.
   */
  pin?(): Promise<PinnedSession>
  /**
   * Whether a sync failed because somebody else was making the same things, as on a cluster whose nodes have no lock in
   * common: then it looks again.
   */
  isRaced?(error: unknown): boolean
  close(): Promise<void>
}

export interface BeginOptions {
  readonly isolation: 'default' | 'serializable'
  /** `sync` holds the lock that lets one sync run at a time. */
  readonly purpose: 'work' | 'sync'
}

export interface PinnedSession extends Session {
  release(): Promise<void>
}

/** Tells how far the copying of a table's rows has come. */
export type CopyProgress = (copied: number) => void

/** What an engine has of the tables that it was asked about. */
export interface Inspection {
  readonly tables: readonly TableSnapshot[]
  /** The schema of tables that name none, where there are schemas. */
  readonly home?: string
}
