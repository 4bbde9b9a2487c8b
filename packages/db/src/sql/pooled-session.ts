import type { BeginOptions, Engine, Inspection, LockedSession, Session, Transaction } from '../contract/adapter.ts'
import type { TableChange } from '../contract/change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../contract/operation.ts'
import type { RowQuery } from '../contract/row-query.ts'
import type { Row } from '../contract/storage.ts'
import type { TableName, TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'
import { compileRowQuery } from './compile-row-query.ts'
import type { Dialect } from './dialect.ts'
import type { ClientExecutor, Executor } from './executor.ts'

/** Runs statements in one scope: on any connection of the pool, in a transaction, or under the sync lock. */
export interface Connection<Query, Result> {
  /** The open transaction. Without one, every statement commits by itself. */
  readonly transaction: { markAborted(): DbError } | undefined
  readonly holdsSyncLock: boolean
  /** @param isRead The statement only reads, so it may be sent again after the connection was lost. */
  query(query: Query, plan?: TablePlan, isRead?: boolean): Promise<Result>
  /** Runs several statements in one transaction: the open one, or one of their own. */
  atomically<Value>(work: (connection: Connection<Query, Result>) => Promise<Value>): Promise<Value>
}

export interface PooledResult {
  readonly rows: readonly unknown[]
}

/** The parts of a session in which PostgreSQL and MySQL differ. One object serves all sessions of a pool. */
export interface PooledEngine<Client, Query, Result extends PooledResult> {
  readonly dialect: Dialect
  /** A statement without parameters. */
  statement(text: string): Query
  /** A statement that may run longer than the statement timeout, as changes of big tables do. */
  unlimited(text: string): Query
  /** Runs the compiled statement of an operation. */
  run(
    connection: Connection<Query, Result>,
    operation: Operation,
    params: readonly unknown[],
    isRead?: boolean,
  ): Promise<Result>
  affectedRows(result: Result): number
  insert(
    connection: Connection<Query, Result>,
    operation: InsertOperation,
    rows: readonly Row[],
  ): Promise<readonly number[]>
  upsert(
    connection: Connection<Query, Result>,
    operation: UpsertOperation,
    params: readonly unknown[],
  ): Promise<Row | undefined>
  sql(
    connection: Connection<Query, Result>,
    parts: readonly string[],
    values: readonly unknown[],
  ): Promise<readonly object[]>
  inspect(connection: Connection<Query, Result>, tableNames: readonly TableName[]): Promise<Inspection>
  change(connection: Connection<Query, Result>, change: TableChange): Promise<void>
  preflight?(
    connection: Connection<Query, Result>,
    changes: readonly TableChange[],
  ): ReturnType<NonNullable<Session['preflight']>>
  script?: NonNullable<Session['script']>

  /** Prepares a transaction, outside of it. Returns undefined if there is nothing to do. */
  beforeTransaction?(connection: Connection<Query, Result>): Promise<void> | undefined
  startTransaction(client: ClientExecutor<Client, Query, Result>, options: BeginOptions): Promise<void>
  /** Returns false if the statement ended the transaction. */
  readonly isOpenAfter: (result: Result, query: Query, client: Client) => boolean
  /** Checks the answer to `COMMIT`. */
  isCommitted(result: Result | undefined): boolean

  acquireSyncLock(client: ClientExecutor<Client, Query, Result>): Promise<void>
  /** Restore the connection's settings; the last one releases the sync lock. */
  readonly unlock: readonly string[]
  readonly isRaced?: NonNullable<Engine['isRaced']>
}

/** A session on the connections of a pool, each statement in a transaction of its own. */
export class PooledSession<Client, Query, Result extends PooledResult> implements Session, Connection<Query, Result> {
  readonly transaction: { markAborted(): DbError } | undefined = undefined
  readonly holdsSyncLock: boolean = false
  readonly preflight?: NonNullable<Session['preflight']>
  readonly script?: NonNullable<Session['script']>
  protected readonly engine: PooledEngine<Client, Query, Result>
  readonly #executor: Executor<Query, Result>

  constructor(executor: Executor<Query, Result>, engine: PooledEngine<Client, Query, Result>) {
    this.#executor = executor
    this.engine = engine
    if (engine.preflight) this.preflight = (changes) => engine.preflight!(this, changes)
    if (engine.script) this.script = engine.script
  }

  async find(operation: FindOperation, params: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.engine.run(this, operation, params, true)).rows as Row[]
  }

  async count(operation: CountOperation, params: readonly unknown[]): Promise<number> {
    return readCount(await this.engine.run(this, operation, params, true))
  }

  insert(operation: InsertOperation, rows: readonly Row[]): Promise<readonly number[]> {
    return this.engine.insert(this, operation, rows)
  }

  async write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Promise<number> {
    return this.engine.affectedRows(await this.engine.run(this, operation, params))
  }

  upsert(operation: UpsertOperation, params: readonly unknown[]): Promise<Row | undefined> {
    return this.engine.upsert(this, operation, params)
  }

  sql(parts: readonly string[], values: readonly unknown[]): Promise<readonly object[]> {
    return this.engine.sql(this, parts, values)
  }

  inspect(tableNames: readonly TableName[]): Promise<Inspection> {
    return this.engine.inspect(this, tableNames)
  }

  async countRows(query: RowQuery): Promise<number> {
    return readCount(await this.query(this.engine.unlimited(compileRowQuery(query, this.engine.dialect))))
  }

  change(change: TableChange): Promise<void> {
    return this.engine.change(this, change)
  }

  query(query: Query, plan?: TablePlan, isRead = false): Promise<Result> {
    return this.#executor.execute(query, plan, isRead)
  }

  /** Statements of a transaction, or of a connection that holds the sync lock, run on that connection. */
  atomically<Value>(work: (connection: Connection<Query, Result>) => Promise<Value>): Promise<Value> {
    return work(this)
  }
}

/** Reads the answer to `SELECT count(*)`. */
export function readCount({ rows }: PooledResult): number {
  return Number((rows[0] as Row)[0])
}

export class PooledTransaction<Client, Query, Result extends PooledResult>
  extends PooledSession<Client, Query, Result>
  implements Transaction
{
  override readonly transaction: ClientExecutor<Client, Query, Result>

  constructor(client: ClientExecutor<Client, Query, Result>, engine: PooledEngine<Client, Query, Result>) {
    super(client, engine)
    this.transaction = client
    client.watch(engine.isOpenAfter)
  }

  async commit(): Promise<void> {
    // A raw statement may have ended the transaction. Then the statements after it are rolled back too.
    const { isAborted } = this.transaction
    const result = await this.transaction.end(this.engine.statement(isAborted ? 'ROLLBACK' : 'COMMIT'))
    if (isAborted || !this.engine.isCommitted(result)) {
      throw new DbError('TRANSACTION_ABORTED', 'the transaction was rolled back')
    }
  }

  async rollback(): Promise<void> {
    // If the connection is lost, the server has rolled back.
    await this.transaction.end(this.engine.statement('ROLLBACK')).catch(() => {})
  }

  abort(): Promise<void> {
    return this.transaction.abort(this.engine.statement('ROLLBACK'))
  }

  async savepoint(depth: number): Promise<void> {
    await this.query(this.engine.statement(`SAVEPOINT portico_${depth}`))
  }

  async release(depth: number): Promise<void> {
    await this.query(this.engine.statement(`RELEASE SAVEPOINT portico_${depth}`))
  }

  async rollbackTo(depth: number): Promise<void> {
    await this.query(this.engine.statement(`ROLLBACK TO SAVEPOINT portico_${depth}`))
    await this.release(depth)
  }
}

/** A session on one connection that holds the sync lock. */
export class PooledLockedSession<Client, Query, Result extends PooledResult>
  extends PooledSession<Client, Query, Result>
  implements LockedSession
{
  override readonly holdsSyncLock = true
  readonly #client: ClientExecutor<Client, Query, Result>

  constructor(client: ClientExecutor<Client, Query, Result>, engine: PooledEngine<Client, Query, Result>) {
    super(client, engine)
    this.#client = client
  }

  async release(): Promise<void> {
    const { unlock } = this.engine
    try {
      for (const text of unlock.slice(0, -1)) await this.#client.execute(this.engine.statement(text))
    } catch {
      // A lost connection holds no lock.
    } finally {
      await this.#client.end(this.engine.statement(unlock.at(-1)!)).catch(() => {})
    }
  }
}
