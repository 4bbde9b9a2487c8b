import type { Answer, ExistingTable, Row, Session, Transaction } from '../../adapter.ts'
import type { TableChange } from '../../change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../../operation.ts'
import { compileChange } from '../../sql/compile-change.ts'
import { compileOperation } from '../../sql/compile-operation.ts'
import type { TablePlan } from '../../table-plan.ts'
import { isRowId, sqliteDialect } from './sqlite-dialect.ts'
import type { SqliteHandle, SqliteStatement } from './sqlite-driver.ts'
import { toDbError } from './sqlite-errors.ts'
import { inspectSqlite } from './sqlite-introspect.ts'
import type { ConnectionLock } from './sqlite-lock.ts'

interface Prepared {
  readonly statement: SqliteStatement
  readonly bind: ((params: readonly unknown[]) => unknown[]) | undefined
}

/** How a session gets at its connection: at once, or after a wait. */
type Run = <T>(work: () => T) => Answer<T>

/** The statements of one connection, prepared once for each operation and kept as long as that is. */
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

  /** A statement written by hand. The last few hundred are kept. */
  prepareText(text: string): SqliteStatement {
    const known = this.#texts.get(text)
    if (known) return known
    const statement = this.handle.prepare(text)
    if (this.#texts.size >= 200) this.#texts.delete(this.#texts.keys().next().value!)
    this.#texts.set(text, statement)
    return statement
  }
}

export class SqliteSession implements Session {
  readonly #connection: SqliteConnection
  readonly #run: Run

  constructor(connection: SqliteConnection, run: Run) {
    this.#connection = connection
    this.#run = run
  }

  find(operation: FindOperation, params: readonly unknown[]): Answer<readonly Row[]> {
    return this.#execute(operation, (statement, bind) => {
      const bound = bind ? bind(params) : params
      if (!operation.single) return statement.all(bound) as Row[]
      const row = statement.get(bound) as Row | undefined
      return row ? [row] : []
    })
  }

  count(operation: CountOperation, params: readonly unknown[]): Answer<number> {
    return this.#execute(operation, (statement, bind) => (statement.get(bind ? bind(params) : params) as [number])[0])
  }

  insert(operation: InsertOperation, rows: readonly Row[]): Answer<readonly number[]> {
    return this.#execute(operation, (statement) => {
      if (rows.length === 1) return [insertRow(operation, statement, rows[0]!)]
      return this.#atomically(() => rows.map((row) => insertRow(operation, statement, row)))
    })
  }

  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Answer<number> {
    return this.#execute(operation, (statement, bind) => statement.run(bind ? bind(params) : params).changes)
  }

  upsert(operation: UpsertOperation, params: readonly unknown[]): Answer<Row | undefined> {
    return this.#execute(operation, (statement, bind) => {
      return statement.get(bind ? bind(params) : params) as Row | undefined
    })
  }

  sql(parts: readonly string[], values: readonly unknown[]): Answer<readonly object[]> {
    const params = values.map((it) => (typeof it === 'boolean' ? Number(it) : it))
    return this.#attempt(() => {
      const statement = this.#connection.prepareText(parts.join('?'))
      if (statement.reader) return statement.all(params) as object[]
      statement.run(params)
      return []
    })
  }

  inspect(plans: readonly TablePlan[]): Answer<readonly ExistingTable[]> {
    return this.#attempt(() => inspectSqlite(this.#connection.handle, plans))
  }

  change(change: TableChange): Answer<void> {
    return this.#attempt(() => {
      const { handle } = this.#connection
      handle.exec(compileChange(change, sqliteDialect, false))
      if (change.kind === 'createTable') startCounting(handle, change.plan)
    })
  }

  /** Writing in a loop is faster than one statement with many rows, and as whole inside of a transaction. */
  #atomically<T>(work: () => T): T {
    const { handle } = this.#connection
    if (handle.inTransaction) return work()
    handle.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      handle.exec('COMMIT')
      return result
    } catch (error) {
      handle.exec('ROLLBACK')
      throw error
    }
  }

  #execute<T>(operation: Operation, work: (statement: SqliteStatement, bind: Prepared['bind']) => T): Answer<T> {
    return this.#attempt(() => {
      const { statement, bind } = this.#connection.prepare(operation)
      return work(statement, bind)
    }, operation.plan)
  }

  #attempt<T>(work: () => T, plan?: TablePlan): Answer<T> {
    try {
      const answer = this.#run(work)
      return answer instanceof Promise
        ? answer.catch((error: unknown) => {
            throw toDbError(error, plan)
          })
        : answer
    } catch (error) {
      throw toDbError(error, plan)
    }
  }
}

/** Returns the counted value; 0, which nobody reads, where there is none. */
function insertRow({ plan, counted }: InsertOperation, statement: SqliteStatement, row: Row): number {
  if (!counted || isRowId(plan)) return Number(statement.run(row).lastInsertRowid)
  return (statement.get(row) as [number])[0]
}

/** SQLite counts from 1 unless its own table of counters says otherwise. */
function startCounting(handle: SqliteHandle, plan: TablePlan): void {
  const preset = plan.counted?.model.default
  if (preset?.kind !== 'increment' || preset.start === 1 || !isRowId(plan)) return
  handle.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run([plan.place.table, preset.start - 1])
}

export class SqliteTransaction extends SqliteSession implements Transaction {
  readonly #handle: SqliteHandle
  readonly #lock: ConnectionLock

  constructor(connection: SqliteConnection, lock: ConnectionLock) {
    super(connection, (work) => work())
    this.#handle = connection.handle
    this.#lock = lock
  }

  async commit(): Promise<void> {
    try {
      await this.#lock.retry(() => this.#handle.exec('COMMIT'))
    } catch (error) {
      throw toDbError(error)
    }
    this.#lock.release()
  }

  rollback(): void {
    try {
      // Some errors, a full disk among them, have rolled back already.
      if (this.#handle.inTransaction) this.#handle.exec('ROLLBACK')
    } finally {
      this.#lock.release()
    }
  }

  savepoint(depth: number): void {
    this.#handle.exec(`SAVEPOINT portico_${depth}`)
  }

  release(depth: number): void {
    this.#handle.exec(`RELEASE portico_${depth}`)
  }

  rollbackTo(depth: number): void {
    this.#handle.exec(`ROLLBACK TO portico_${depth}; RELEASE portico_${depth}`)
  }
}
