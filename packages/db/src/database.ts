import { AsyncLocalStorage } from 'node:async_hooks'
import type { TableModel } from '@portico/schema/model'
import type { AnyTable, TableDeclaration } from '@portico/schema/runtime'
import { checkOptions, wrongArgument } from './check-options.ts'
import type { Adapter, Engine } from './contract/adapter.ts'
import { type TablePlan } from './contract/plan.ts'
import type { Capabilities, MaybePromise } from './contract/storage.ts'
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

/** What a database and a transaction have in common. */
export interface Queryable {
  /** The operations of a declared table, here. */
  table<R, I, U, K, P, L, D>(declaration: TableDeclaration<R, I, U, K, P, L, D>): Table<R, I, U, K, P, L, D>

  /**
   * Runs `work` so that all of it happens or nothing. Inside, use `tx` alone. A transaction inside a transaction may
   * fail and be caught without harm to the one around it. When the engine says that concurrent transactions got in
   * each other's way, all of it is rolled back and `work` is called again.
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
   * Runs one statement of your own on an SQL engine. Values become parameters. Rows come as the driver gives them, but
   * that whole numbers are numbers, or `NUMBER_UNSAFE` where JavaScript would round them.
   *
   * ```ts
   * const rows = await db.sql`select role, count(*) as n from users where active = ${true} group by role`
   * ```
   */
  sql<Row extends object = Record<string, unknown>>(parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
}

export interface TransactionOptions {
  /** `'serializable'` makes concurrent transactions as good as one after the other. Default: the engine's own. */
  readonly isolation?: 'default' | 'serializable'
  /** How often `work` is called again after a conflict with other transactions. Default 10. */
  readonly retries?: number
  /**
   * How long the outermost transaction may take, instead of `transactionTimeoutMs` of the database. 0 disables the
   * limit. After a conflict each new attempt has the whole time.
   */
  readonly timeoutMs?: number
}

/** An open database. `await using` closes it at the end of its block. */
export interface Database extends Queryable, AsyncDisposable {
  /**
   * Brings the database up to what is declared, and answers what it did. Of many programs that call it at once one
   * does the work, and the others wait. A step that would lose something needs consent by name, or all is refused
   * with `SYNC_REFUSED`. Tables that are not listed are left alone.
   *
   * ```ts
   * await db.sync([User, Team], { allow: ['drop users.bio'] })
   * ```
   */
  sync(declarations: readonly TableModel[], options?: SyncOptions): Promise<SyncResult>
  /** What `sync` would do. Changes nothing. */
  planSync(declarations: readonly TableModel[], options?: Pick<SyncOptions, 'allow'>): Promise<SyncPlan>
  /** What `sync` would run, as a script for `psql` or `sqlite3`. Refuses what `sync` refuses, and changes nothing. */
  scriptSync(declarations: readonly TableModel[], options?: Pick<SyncOptions, 'allow'>): Promise<string>
  /** Waits for what is running, then closes. Once more does no harm. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** What time it is, in milliseconds since the epoch. Default: the system's clock. */
  readonly clock?: { now(): number }
  /**
   * How long a transaction may take, from its beginning to its commit. One that takes longer is rolled back, gives its
   * connection back, and rejects with `TIMEOUT`, as does every further call of `tx`. Default 30000 (30 s); 0 disables
   * the limit.
   */
  readonly transactionTimeoutMs?: number
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

/** Whether it is the run-time value of a table, from a generated module. */
function isDeclaredTable(value: unknown): value is AnyTable {
  return typeof value === 'object' && value !== null && (value as Partial<AnyTable>).kind === 'table'
}

/** Whether it has a table's stored side, which is all that sync looks at: what the compiler gives has no more. */
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

  table<R, I, U, K, P, L, D>(declaration: TableDeclaration<R, I, U, K, P, L, D>): Table<R, I, U, K, P, L, D> {
    let operations = this.#tables.get(declaration)
    if (!operations) {
      if (!isDeclaredTable(declaration)) throw wrongArgument('a declared table: db.table(User)')
      const { now, tableOf } = this.#shared
      operations = new TableOperations(tableOf(declaration), { scope: this.scope, now, tableOf })
      this.#tables.set(declaration, operations)
    }
    // The declaration carries the types of what it validates.
    return operations as unknown as Table<R, I, U, K, P, L, D>
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
    const place = values.findIndex((it) => it === undefined || typeof it === 'function' || typeof it === 'symbol')
    if (place >= 0) {
      const told = `db.sql: value ${place + 1} is of type ${typeof values[place]}, which no database has: say null for NULL`
      throw new DbError('VALIDATION_FAILED', told)
    }
    if (this.scope.parent && reservedSavepoint.test(parts.join('?'))) {
      throw new DbError('TRANSACTION_MISUSE', 'names of savepoints that begin with portico_ are reserved')
    }
    return (await this.scope.run((session) => session.sql(parts, values))) as Row[]
  }
}

/** A second savepoint of the same name would be the one that a nested transaction goes back to. */
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
      // Without transactions several operations are just that.
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

/** A timer that is set to more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Begin = <T>(work: (scope: Scope) => Promise<T>, options?: TransactionOptions) => Promise<T>

const unsupported = 'there are no transactions here: a MongoDB has them as a replica set or a sharded cluster'

interface BeginParts {
  readonly current: AsyncLocalStorage<Scope>
  readonly transactionTimeoutMs: number
}

/** Runs transactions of the database itself, again when they got in the way of others. */
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

/** Runs the function of a transaction within its time. What goes wrong is rolled back. */
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
