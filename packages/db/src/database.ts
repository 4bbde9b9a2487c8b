import { AsyncLocalStorage } from 'node:async_hooks'
import type { TableModel } from '@portico/schema/model'
import type { AnyTable, TableDeclaration } from '@portico/schema/runtime'
import type { Adapter, Engine } from './contract/adapter.ts'
import type { Capabilities, MaybePromise } from './contract/storage.ts'
import { type TablePlan } from './contract/table-plan.ts'
import { DbError } from './errors.ts'
import { enforceForeignKeys } from './foreign-keys/enforce.ts'
import { clock, nonNegativeInteger, oneOf } from './shared/option-checks.ts'
import type { SyncPlan } from './sync/3-plan/sync-plan.ts'
import type { SyncResult } from './sync/4-apply/apply.ts'
import { planSync, runSync, type SyncOptions, scriptSync } from './sync/sync.ts'
import { PreparedTable } from './table/prepared-table.ts'
import type { Table } from './table/table.ts'
import { TableOperations } from './table/table-operations.ts'
import { createTablePlan } from './table/table-plan.ts'
import { retryConflicts } from './transaction/retry.ts'
import { Scope } from './transaction/scope.ts'
import { checkOptions, wrongArgument } from './values/check-options.ts'

/** A database or a transaction: both have tables. */
export interface Queryable {
  /** The operations of a declared table. */
  table<Row, Insert, Update, Key, Replace, Relations, Decimals>(
    declaration: TableDeclaration<Row, Insert, Update, Key, Replace, Relations, Decimals>,
  ): Table<Row, Insert, Update, Key, Replace, Relations, Decimals>

  /**
   * Runs `work` in a transaction: all of its writes are kept, or none. Inside, use only `tx`. Transactions nest: an inner
   * one can fail and be caught without affecting the outer one. If concurrent transactions conflict, everything is
   * rolled back and `work` is called again.
   *
   * ```ts
   * await db.transaction(async (tx) => {
   *   await tx.table(Account).updateOne({ id: 1, balance: '90.00' })
   *   await tx.table(Account).updateOne({ id: 2, balance: '110.00' })
   * })
   * ```
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>

  /**
   * Runs one raw SQL statement. Values become parameters. Rows are returned as the driver reads them, except that integers
   * are always numbers; an integer that JavaScript would round is `NUMBER_UNSAFE`.
   *
   * ```ts
   * const rows = await db.sql`select role, count(*) as n from users where active = ${true} group by role`
   * ```
   */
  sql<Row extends object = Record<string, unknown>>(parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
}

export interface TransactionOptions {
  /** `'serializable'` gives the same result as running transactions one after the other. Default: the engine's own. */
  readonly isolation?: 'default' | 'serializable' | undefined
  /** The number of retries after a conflict with other transactions. Default 10. */
  readonly retries?: number | undefined
  /**
   * The timeout of the outermost transaction. Overrides `transactionTimeoutMs` of the database. 0 disables the timeout.
   * Each retry after a conflict gets the whole time.
   */
  readonly timeoutMs?: number | undefined
}

/** An open database. `await using` closes it at the end of its block. */
export interface Database extends Queryable, AsyncDisposable {
  /**
   * Changes the database to match the declarations and reports the steps. If many programs call it at once, one does the
   * work and the others wait. A step that would lose data needs consent by name; without it, nothing is changed and the
   * call rejects with `SYNC_REFUSED`. Tables that are not listed are left alone.
   *
   * ```ts
   * await db.sync([User, Team], { allow: ['drop users.bio'] })
   * ```
   */
  sync(declarations: readonly TableModel[], options?: SyncOptions): Promise<SyncResult>
  /** Returns the steps of a `sync` without running them. */
  planSync(declarations: readonly TableModel[], options?: Pick<SyncOptions, 'allow'>): Promise<SyncPlan>
  /** Returns the statements of a `sync` as a script for `psql` or `sqlite3`. Refuses what `sync` refuses. */
  scriptSync(declarations: readonly TableModel[], options?: Pick<SyncOptions, 'allow'>): Promise<string>
  /** Waits for running operations, then closes. Can be called again. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The clock for timestamps, in milliseconds since the epoch. Default: `Date`. */
  readonly clock?: { now(): number } | undefined
  /**
   * The timeout of a transaction, from its start to its commit. After it, the transaction is rolled back, its connection
   * is released, and every further call of `tx` rejects with `TIMEOUT`. Default 30000 (30 s); 0 disables the timeout.
   */
  readonly transactionTimeoutMs?: number | undefined
}

/**
 * Opens a database.
 *
 * ```ts
 * import { openDatabase } from '@portico/db'
 * import { sqlite } from '@portico/db/sqlite'
 *
 * const db = await openDatabase(sqlite({ file: 'app.db' }))
 * ```
 */
export async function openDatabase(adapter: Adapter, options: DatabaseOptions = {}): Promise<Database> {
  if (typeof (adapter as Partial<Adapter> | undefined)?.open !== 'function') {
    throw wrongArgument("an adapter: openDatabase(sqlite({ file: 'app.db' }))")
  }
  checkOptions('openDatabase', options, databaseRules)
  const engine = await adapter.open()
  const supports = { ...adapter.supports, ...engine.supports }
  const guarded = supports.foreignKeys ? engine : enforceForeignKeys(engine, adapter, supports)
  return new OpenDatabase(adapter, guarded, supports, options)
}

const databaseRules = { clock, transactionTimeoutMs: nonNegativeInteger }

const transactionRules = {
  isolation: oneOf('default', 'serializable'),
  retries: nonNegativeInteger,
  timeoutMs: nonNegativeInteger,
}

function isDeclaredTable(value: unknown): value is AnyTable {
  return typeof value === 'object' && value !== null && (value as Partial<AnyTable>).kind === 'table'
}

/** Sync needs only the stored side of a table, so it also accepts the compiler's model. */
function isStoredTable(value: unknown): value is TableModel {
  const { table, columns, key } = (value ?? {}) as Partial<TableModel>
  return typeof table === 'string' && Array.isArray(columns) && Array.isArray(key)
}

type Call = <T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions) => Promise<T>

/** Tables in one scope. */
class ScopedTables implements Queryable {
  readonly scope: Scope
  readonly #shared: Shared
  readonly #tables = new Map<AnyTable, TableOperations>()
  readonly #transaction: Call

  constructor(scope: Scope, shared: Shared, transaction?: Call) {
    this.scope = scope
    this.#shared = shared
    this.#transaction = transaction ?? ((work) => scope.nest((inner) => work(new ScopedTables(inner, shared))))
  }

  table<Row, Insert, Update, Key, Replace, Relations, Decimals>(
    declaration: TableDeclaration<Row, Insert, Update, Key, Replace, Relations, Decimals>,
  ): Table<Row, Insert, Update, Key, Replace, Relations, Decimals> {
    let operations = this.#tables.get(declaration)
    if (!operations) {
      if (!isDeclaredTable(declaration)) throw wrongArgument('a declared table: db.table(User)')
      const { now, tableOf } = this.#shared
      operations = new TableOperations(tableOf(declaration), { scope: this.scope, now, tableOf })
      this.#tables.set(declaration, operations)
    }
    // The declaration carries the types of what it validates.
    return operations as unknown as Table<Row, Insert, Update, Key, Replace, Relations, Decimals>
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T> {
    if (typeof work !== 'function') throw wrongArgument('a function: db.transaction(async (tx) => …)')
    if (options !== undefined) checkOptions('db.transaction', options, transactionRules)
    return this.#transaction(work, options)
  }

  async sql<Row extends object>(parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    if (!this.#shared.supports.sql) throw new DbError('SQL_UNSUPPORTED', 'this engine has no SQL')
    if (!Array.isArray(parts) || !Array.isArray(parts.raw)) {
      throw new DbError('VALIDATION_FAILED', 'db.sql is a template tag: db.sql`select …`, without parentheses')
    }
    const index = values.findIndex((it) => it === undefined || typeof it === 'function' || typeof it === 'symbol')
    if (index >= 0) {
      const message = `db.sql: value ${index + 1} is of type ${typeof values[index]}, which no database has: use null for NULL`
      throw new DbError('VALIDATION_FAILED', message)
    }
    if (this.scope.parent && reservedSavepoint.test(parts.join('?'))) {
      throw new DbError('TRANSACTION_MISUSE', 'names of savepoints that begin with portico_ are reserved')
    }
    return (await this.scope.run((session) => session.sql(parts, values))) as Row[]
  }
}

/** A second savepoint of the same name would capture the rollback of a nested transaction. */
const reservedSavepoint = /\b(?:savepoint|release|to)\b(?:\s|\/\*.*?\*\/)*["`[]?portico_/is

interface Shared {
  readonly adapter: Adapter
  readonly supports: Capabilities
  readonly now: () => number
  readonly tableOf: (declaration: AnyTable) => PreparedTable
}

class OpenDatabase extends ScopedTables implements Database {
  readonly #engine: Engine
  readonly #shared: Shared
  #closed: Promise<void> | undefined

  constructor(
    adapter: Adapter,
    engine: Engine,
    supports: Capabilities,
    { clock = Date, transactionTimeoutMs = TRANSACTION_TIMEOUT_MS }: DatabaseOptions,
  ) {
    const prepared = new Map<AnyTable, PreparedTable>()
    const shared: Shared = {
      adapter,
      supports,
      now: () => clock.now(),
      tableOf(declaration) {
        let table = prepared.get(declaration)
        if (!table) {
          table = new PreparedTable(declaration, adapter)
          prepared.set(declaration, table)
        }
        return table
      },
    }
    const current = new AsyncLocalStorage<Scope>()
    const scope = new Scope(engine.session, current, undefined, (work) =>
      supports.transactions ? begin(work, {}) : work(scope),
    )
    const begin = createBegin(engine, supports, scope, { current, transactionTimeoutMs })
    super(scope, shared, (work, options) => begin((inner) => work(new ScopedTables(inner, shared)), options))
    this.#engine = engine
    this.#shared = shared
  }

  async sync(declarations: readonly TableModel[], options: SyncOptions = {}): Promise<SyncResult> {
    return runSync(this.#engine, this.#shared.adapter, this.#prepareSync(declarations), options)
  }

  async planSync(declarations: readonly TableModel[], options: SyncOptions = {}): Promise<SyncPlan> {
    return planSync(this.#engine, this.#shared.adapter, this.#prepareSync(declarations), options)
  }

  async scriptSync(declarations: readonly TableModel[], options: SyncOptions = {}): Promise<string> {
    return scriptSync(this.#engine, this.#shared.adapter, this.#prepareSync(declarations), options)
  }

  #prepareSync(declarations: readonly TableModel[]): TablePlan[] {
    this.scope.check()
    if (!Array.isArray(declarations) || !declarations.every(isStoredTable)) {
      throw wrongArgument('a list of declared tables: db.sync([User, …])')
    }
    const { adapter, tableOf } = this.#shared
    return declarations.map((it) => (isDeclaredTable(it) ? tableOf(it).plan : createTablePlan(it, adapter)))
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.scope.check()
      this.scope.end()
      this.#closed = this.#engine.close()
    }
    await this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

const TRANSACTION_TIMEOUT_MS = 30_000

/** A longer timer would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Begin = <T>(work: (scope: Scope) => Promise<T>, options?: TransactionOptions) => Promise<T>

const unsupported = 'this database has no transactions: MongoDB needs a replica set or a sharded cluster'

interface BeginParts {
  readonly current: AsyncLocalStorage<Scope>
  readonly transactionTimeoutMs: number
}

/** Runs outermost transactions and retries them after conflicts. */
function createBegin(
  engine: Engine,
  supports: Capabilities,
  outer: Scope,
  { current, transactionTimeoutMs }: BeginParts,
): Begin {
  return async (work, { isolation = 'default', retries, timeoutMs = transactionTimeoutMs } = {}) => {
    if (!supports.transactions) throw new DbError('TRANSACTIONS_UNSUPPORTED', unsupported)
    return retryConflicts(async () => {
      outer.check()
      const transaction = await engine.begin({ isolation, purpose: 'work' })
      const scope = new Scope(transaction, current, outer)
      const result = await completeInTime(scope, work, timeoutMs, () =>
        scope.isExpired && transaction.abort ? transaction.abort() : transaction.rollback(),
      )
      await transaction.commit()
      return result
    }, retries)
  }
}

/** Runs the function of a transaction with a timeout. Rolls back if it fails. */
async function completeInTime<T>(
  scope: Scope,
  work: (scope: Scope) => Promise<T>,
  timeoutMs: number,
  rollback: () => MaybePromise<void>,
): Promise<T> {
  const expire = (): void =>
    scope.expire(new DbError('TIMEOUT', `the transaction took longer than ${timeoutMs} ms and was rolled back`))
  const timer = timeoutMs > 0 ? setTimeout(expire, Math.min(timeoutMs, MAX_TIMER_MS)) : undefined
  try {
    const result = await scope.complete(() => work(scope))
    clearTimeout(timer)
    return result
  } catch (error) {
    clearTimeout(timer)
    await rollback()
    throw error
  }
}
