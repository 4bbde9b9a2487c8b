import type { CopyProgress, Inspection, Session, Transaction } from '../../contract/adapter.ts'
import type { TableChange } from '../../contract/change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../../contract/operation.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import type { MaybePromise, Row } from '../../contract/storage.ts'
import type { TableName, TablePlan } from '../../contract/table-plan.ts'
import { DbError, rawTransactionError } from '../../errors.ts'
import { compileOperation } from '../../sql/compile-operation.ts'
import { compileRowQuery } from '../../sql/compile-row-query.ts'
import { firstWords, sqliteComments } from '../../sql/raw-sql.ts'
import { toSafeNumber } from '../../values/codec.ts'
import { insertNumbered } from './auto-increment.ts'
import { copyRows, stepsOf } from './change.ts'
import type { ConnectionLock } from './connection-lock.ts'
import { isRowId, sqliteDialect } from './dialect.ts'
import type { SqliteHandle, SqliteStatement } from './driver.ts'
import { isBusy, isClosed, toDbError } from './errors.ts'
import { inspectSqlite } from './introspect.ts'
import { expectNone, SqliteSyncChecks } from './sync-checks.ts'

interface Prepared {
  readonly statement: SqliteStatement
  readonly bind: ((params: readonly unknown[]) => unknown[]) | undefined
}

/** The statements of one connection, prepared once per operation and kept as long as the operation. */
export class SqliteConnection {
  readonly handle: SqliteHandle
  readonly #prepared = new WeakMap<Operation, Prepared>()
  readonly #texts = new Map<string, SqliteStatement>()

  constructor(handle: SqliteHandle) {
    this.handle = handle
  }

  prepare(operation: Operation): Prepared {
    const known = this.#prepared.get(operation)
    if (known) return known
    const { text, bind } = compileOperation(operation, sqliteDialect)
    const statement = this.handle.prepare(text).safeIntegers(false)
    if (statement.reader) statement.raw(true)
    const prepared = { statement, bind }
    this.#prepared.set(operation, prepared)
    return prepared
  }

  /** Prepares raw SQL, and keeps the last few hundred statements. */
  prepareText(text: string): SqliteStatement {
    const known = this.#texts.get(text)
    if (known) return known
    const statement = this.handle.prepare(text).safeIntegers(true)
    if (this.#texts.size >= 200) this.#texts.delete(this.#texts.keys().next().value!)
    this.#texts.set(text, statement)
    return statement
  }

  /** A loop is faster than one statement with many rows, and just as atomic inside a transaction. */
  atomically<T>(work: () => T): T {
    if (this.handle.inTransaction) return work()
    this.handle.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.handle.exec('COMMIT')
      return result
    } catch (error) {
      if (this.handle.inTransaction) this.handle.exec('ROLLBACK')
      throw error
    }
  }
}

/** A session outside of transactions, whose operations wait for the connection, or inside one, which has it. */
export class SqliteSession implements Session {
  readonly #connection: SqliteConnection
  readonly #lock: ConnectionLock | undefined
  /** Reads committed data while a transaction has the connection. */
  readonly #reader: SqliteConnection | undefined

  constructor(connection: SqliteConnection, lock: ConnectionLock | undefined, reader?: SqliteConnection) {
    this.#connection = connection
    this.#lock = lock
    this.#reader = reader
  }

  find(operation: FindOperation, params: readonly unknown[]): MaybePromise<readonly Row[]> {
    return this.#read(operation, params, operation.single ? readOne : readAll)
  }

  count(operation: CountOperation, params: readonly unknown[]): MaybePromise<number> {
    return this.#read(operation, params, readCount)
  }

  insert(operation: InsertOperation, rows: readonly Row[]): MaybePromise<readonly number[]> {
    return this.#execute(operation, rows, ({ statement }) => {
      const store = storesRowId(operation) ? insertRow : insertReturning
      const insert = (): number[] => rows.map((row) => store(statement, row))
      if (operation.autoIncrement) return insertNumbered(this.#connection, operation, insert, rows.length === 1)
      return rows.length === 1 ? insert() : this.#connection.atomically(insert)
    })
  }

  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): MaybePromise<number> {
    return this.#execute(operation, params, runWrite)
  }

  upsert(operation: UpsertOperation, params: readonly unknown[]): MaybePromise<Row | undefined> {
    return this.#execute(operation, params, readFirst)
  }

  sql(parts: readonly string[], values: readonly unknown[]): MaybePromise<readonly object[]> {
    const params = values.map((it) => (typeof it === 'boolean' ? Number(it) : it))
    const read = this.#readText(parts.join('?'), params)
    if (read) return read
    return this.#run(() => {
      const { handle } = this.#connection
      const isOpen = handle.inTransaction
      const rows = runText(() => this.#connection.prepareText(parts.join('?')), params)
      if (!this.#lock || isOpen || !handle.inTransaction) return rows
      // Later statements would be part of a transaction that nobody ends.
      handle.exec('ROLLBACK')
      throw rawTransactionError()
    })
  }

  inspect(tableNames: readonly TableName[]): MaybePromise<Inspection> {
    return this.#run(() => inspectSqlite(this.#connection.handle, tableNames))
  }

  countRows(query: RowQuery): MaybePromise<number> {
    const text = compileRowQuery(query, sqliteDialect)
    return this.#run(() => (this.#connection.handle.prepare(text).safeIntegers(false).raw(true).get() as [number])[0])
  }

  async change(change: TableChange, progress?: CopyProgress): Promise<void> {
    const { handle } = this.#connection
    this.changing(change)
    try {
      for (const step of stepsOf(handle, change)) {
        if (typeof step === 'string') await this.#run(() => void handle.exec(step))
        else await copyRows(handle, step, progress)
      }
    } catch (error) {
      throw toDbError(error)
    }
  }

  /** Runs everything except the copying of rows, to find out the statements, and rolls back. */
  async script(
    changes: readonly TableChange[],
    last: readonly string[],
    checks: readonly RowQuery[],
  ): Promise<readonly string[]> {
    const { handle } = this.#connection
    const texts: string[] = []
    await this.#run(() => {
      const after = new SqliteSyncChecks(handle)
      handle.exec('SAVEPOINT portico_script')
      try {
        for (const change of changes) {
          after.beforeChange(change)
          for (const step of stepsOf(handle, change)) {
            if (typeof step === 'string') handle.exec(step)
            texts.push(typeof step === 'string' ? step : step.text)
          }
        }
        texts.push(...expectNone(after.beforeScript()))
      } finally {
        handle.exec('ROLLBACK TO portico_script; RELEASE portico_script')
      }
    })
    return [
      // Without this, the shell continues after a failure and would drop a table whose rows could not be copied.
      '.bail on',
      'PRAGMA foreign_keys = OFF',
      'BEGIN IMMEDIATE',
      ...expectNone(checks.map((it) => compileRowQuery(it, sqliteDialect))),
      ...texts,
      ...last,
      'COMMIT',
      'PRAGMA foreign_keys = ON',
    ]
  }

  /** Throws if the session can no longer be used. */
  protected assertUsable(): void {}

  /** Called before each change of a table. */
  protected changing(_change: TableChange): void {}

  /** While a transaction has the connection, other reads use the second connection, if there is one. */
  #read<P, T>(operation: Operation, params: P, work: (prepared: Prepared, params: P) => T): MaybePromise<T> {
    if (this.#reader && this.#lock?.isHeld === true) {
      try {
        return work(this.#reader.prepare(operation), params)
      } catch {
        // A sync may be creating the table right now. Any other error occurs again when the connection is free.
      }
    }
    return this.#execute(operation, params, work)
  }

  /** Runs a raw statement that only reads on the second connection. If it fails, it runs again on the first. */
  #readText(text: string, params: readonly unknown[]): object[] | undefined {
    if (!this.#reader || this.#lock?.isHeld !== true) return undefined
    if (!reads.has(firstWords(text, sqliteComments, 1)[0])) return undefined
    try {
      const statement = this.#reader.prepareText(text)
      return statement.readonly ? runText(() => statement, params) : undefined
    } catch {
      return undefined
    }
  }

  /** The hot path: creates no promise and no closure unless the call has to wait. */
  #execute<P, T>(operation: Operation, params: P, work: (prepared: Prepared, params: P) => T): MaybePromise<T> {
    if (this.#lock?.isHeld !== true) {
      this.assertUsable()
      try {
        return work(this.#connection.prepare(operation), params)
      } catch (error) {
        if (!this.#lock || !isBusy(error)) throw toDbError(error, operation.plan)
      }
    }
    return this.#runLater(() => work(this.#connection.prepare(operation), params), operation.plan)
  }

  #run<T>(work: () => T): MaybePromise<T> {
    if (this.#lock) return this.#runLater(work)
    this.assertUsable()
    try {
      return work()
    } catch (error) {
      throw toDbError(error)
    }
  }

  async #runLater<T>(work: () => T, plan?: TablePlan): Promise<T> {
    try {
      return await this.#lock!.run(work)
    } catch (error) {
      throw toDbError(error, plan)
    }
  }
}

/** Raw statements that may run on the second connection. A `PRAGMA` is about its own connection. */
const reads: ReadonlySet<string | undefined> = new Set(['select', 'with', 'values'])

/** Runs raw SQL. Translates errors that the driver throws before SQLite sees the statement. */
function runText(prepare: () => SqliteStatement, params: readonly unknown[]): object[] {
  try {
    const statement = prepare()
    if (statement.reader) return statement.all(...params).map(readNumbers)
    statement.run(...params)
    return []
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError) || isClosed(error)) throw error
    throw new DbError('QUERY_FAILED', error.message, { cause: error })
  }
}

function readNumbers(row: unknown): object {
  const record = row as Record<string, unknown>
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === 'bigint') record[name] = toSafeNumber(value, name)
  }
  return record
}

function readAll({ statement, bind }: Prepared, params: readonly unknown[]): readonly Row[] {
  return statement.all(...(bind ? bind(params) : params)) as Row[]
}

function readFirst({ statement, bind }: Prepared, params: readonly unknown[]): Row | undefined {
  return statement.get(...(bind ? bind(params) : params)) as Row | undefined
}

function readOne(prepared: Prepared, params: readonly unknown[]): readonly Row[] {
  const row = readFirst(prepared, params)
  return row ? [row] : []
}

function readCount(prepared: Prepared, params: readonly unknown[]): number {
  return readFirst(prepared, params)![0] as number
}

function runWrite({ statement, bind }: Prepared, params: readonly unknown[]): number {
  return statement.run(...(bind ? bind(params) : params)).changes
}

/** True if the driver reports the generated number by itself, or there is none. */
function storesRowId({ plan, autoIncrement }: InsertOperation): boolean {
  return !autoIncrement || isRowId(plan)
}

function insertRow(statement: SqliteStatement, row: Row): number {
  return Number(statement.run(...row).lastInsertRowid)
}

function insertReturning(statement: SqliteStatement, row: Row): number {
  return (statement.get(...row) as [number])[0]
}

export class SqliteTransaction extends SqliteSession implements Transaction {
  readonly #handle: SqliteHandle
  readonly #lock: ConnectionLock
  #isEnded = false

  /** Checks before the commit of a sync. */
  readonly #checks: SqliteSyncChecks | undefined

  constructor(connection: SqliteConnection, lock: ConnectionLock, checks?: SqliteSyncChecks) {
    super(connection, undefined)
    this.#handle = connection.handle
    this.#lock = lock
    this.#checks = checks
  }

  async commit(): Promise<void> {
    try {
      this.assertUsable()
      this.#checks?.beforeCommit()
      await this.#lock.retry(() => this.#handle.exec('COMMIT'))
    } catch (error) {
      throw toDbError(error)
    } finally {
      // A refused commit leaves the transaction open, which would block everybody else.
      this.rollback()
    }
  }

  rollback(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    try {
      // Some errors, such as a full disk, have already rolled back.
      if (this.#handle.inTransaction) this.#handle.exec('ROLLBACK')
    } finally {
      this.#checks?.end()
      this.#lock.release()
    }
  }

  savepoint(depth: number): void {
    this.#command(`SAVEPOINT portico_${depth}`)
  }

  release(depth: number): void {
    this.#command(`RELEASE portico_${depth}`)
  }

  rollbackTo(depth: number): void {
    this.#command(`ROLLBACK TO portico_${depth}; RELEASE portico_${depth}`)
  }

  protected override changing(change: TableChange): void {
    this.#checks?.beforeChange(change)
  }

  protected override assertUsable(): void {
    // The connection may belong to another transaction by now.
    if (this.#isEnded) throw new DbError('TRANSACTION_MISUSE', 'the transaction has ended')
    // Raw SQL or a trigger can end the transaction. Later statements would commit by themselves.
    if (!this.#handle.inTransaction) throw new DbError('TRANSACTION_ABORTED', 'a statement ended the transaction')
  }

  #command(text: string): void {
    this.assertUsable()
    try {
      this.#handle.exec(text)
    } catch (error) {
      throw toDbError(error)
    }
  }
}
