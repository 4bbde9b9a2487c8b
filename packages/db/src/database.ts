import { AsyncLocalStorage } from 'node:async_hooks'
import type { TableModel } from '@portico/schema/model'
import type { AnyTable, Table as Declaration } from '@portico/schema/runtime'
import type { Abilities, Adapter, Engine } from './adapter.ts'
import { checkOptions, having, oneOf, wholeNumber, wrongOptions } from './check-options.ts'
import { DbError } from './errors.ts'
import { enforceForeignKeys } from './foreign-keys/enforce.ts'
import { PreparedTable } from './prepared-table.ts'
import { retryConflicts } from './retry.ts'
import { Scope } from './scope.ts'
import type { SyncResult } from './sync/apply.ts'
import type { SyncPlan } from './sync/plan.ts'
import { planSync, runSync, type SyncOptions, writeScript } from './sync/sync.ts'
import type { Table } from './table.ts'
import { TableOperations } from './table-operations.ts'
import { createTablePlan, type TablePlan } from './table-plan.ts'

/** What a database and a transaction have in common. */
export interface Tables {
  /** The operations of a declared table, here. */
  table<R, I, U, K, P, L, D>(declaration: Declaration<R, I, U, K, P, L, D>): Table<R, I, U, K, P, L, D>

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
  transaction<T>(work: (tx: Tables) => Promise<T>, options?: TransactionOptions): Promise<T>

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
}

/** An open database. `await using` closes it at the end of its block. */
export interface Database extends Tables, AsyncDisposable {
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
    throw wrongOptions("an adapter: openDatabase(sqlite({ file: 'app.db' }))")
  }
  checkOptions('openDatabase(adapter, { clock })', options, { clock: having('now', 'an object with now()') })
  const engine = await adapter.open()
  const can = { ...adapter.can, ...engine.can }
  const guarded = can.foreignKeys ? engine : enforceForeignKeys(engine, adapter, can)
  return new OpenDatabase(adapter, guarded, can, options.clock ?? Date)
}

const transactionRules = { isolation: oneOf('default', 'serializable'), retries: wholeNumber }

/** Whether it is the run-time value of a table, from a generated module. */
function isDeclaredTable(value: unknown): value is AnyTable {
  return typeof value === 'object' && value !== null && (value as Partial<AnyTable>).kind === 'table'
}

/** Whether it has a table's stored side, which is all that sync looks at: what the compiler gives has no more. */
function isStoredTable(value: unknown): value is TableModel {
  const { table, columns, key } = (value ?? {}) as Partial<TableModel>
  return typeof table === 'string' && Array.isArray(columns) && Array.isArray(key)
}

type Call = <T>(work: (tx: Tables) => Promise<T>, options?: TransactionOptions) => Promise<T>

/** Tables in one scope. */
class ScopedTables implements Tables {
  readonly scope: Scope
  readonly #shared: Shared
  readonly #tables = new Map<AnyTable, TableOperations>()
  readonly #transaction: Call

  constructor(scope: Scope, shared: Shared, transaction?: Call) {
    this.scope = scope
    this.#shared = shared
    this.#transaction = transaction ?? ((work) => scope.nest((inner) => work(new ScopedTables(inner, shared))))
  }

  table<R, I, U, K, P, L, D>(declaration: Declaration<R, I, U, K, P, L, D>): Table<R, I, U, K, P, L, D> {
    let operations = this.#tables.get(declaration)
    if (!operations) {
      if (!isDeclaredTable(declaration)) throw wrongOptions('a declared table: db.table(User)')
      const { now, tableOf } = this.#shared
      operations = new TableOperations(tableOf(declaration), { scope: this.scope, now, tableOf })
      this.#tables.set(declaration, operations)
    }
    // The declaration carries the types of what it validates.
    return operations as unknown as Table<R, I, U, K, P, L, D>
  }

  async transaction<T>(work: (tx: Tables) => Promise<T>, options?: TransactionOptions): Promise<T> {
    if (typeof work !== 'function') throw wrongOptions('a function: db.transaction(async (tx) => …)')
    if (options !== undefined) checkOptions('{ isolation, retries }', options, transactionRules)
    return this.#transaction(work, options)
  }

  async sql<Row extends object>(parts: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    if (!this.#shared.can.sql) throw new DbError('SQL_UNSUPPORTED', 'this engine has no SQL')
    if (!Array.isArray(parts) || !Array.isArray(parts.raw)) {
      throw new DbError('VALIDATION_FAILED', 'db.sql is a template tag: db.sql`select …`, without parentheses')
    }
    const place = values.findIndex((it) => it === undefined || typeof it === 'function' || typeof it === 'symbol')
    if (place >= 0) {
      const told = `db.sql: value ${place + 1} is of type ${typeof values[place]}, which no database has: say null for NULL`
      throw new DbError('VALIDATION_FAILED', told)
    }
    return (await this.scope.run((session) => session.sql(parts, values))) as Row[]
  }
}

interface Shared {
  readonly adapter: Adapter
  readonly can: Abilities
  readonly now: () => number
  readonly tableOf: (declaration: AnyTable) => PreparedTable
}

class OpenDatabase extends ScopedTables implements Database {
  readonly #engine: Engine
  readonly #shared: Shared
  #closed: Promise<void> | undefined

  constructor(adapter: Adapter, engine: Engine, can: Abilities, clock: { now(): number }) {
    const prepared = new Map<AnyTable, PreparedTable>()
    const shared: Shared = {
      adapter,
      can,
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
      can.transactions ? begin(work, {}) : work(scope),
    )
    const begin = createBegin(engine, can, scope, current)
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
    return writeScript(this.#engine, this.#shared.adapter, this.#prepareSync(declarations), options)
  }

  #prepareSync(declarations: readonly TableModel[]): TablePlan[] {
    this.scope.check()
    if (!Array.isArray(declarations) || !declarations.every(isStoredTable)) {
      throw wrongOptions('a list of declared tables: db.sync([User, …])')
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

type Begin = <T>(work: (scope: Scope) => Promise<T>, options?: TransactionOptions) => Promise<T>

const unsupported = 'there are no transactions here: a MongoDB has them as a replica set or a sharded cluster'

/** Runs transactions of the database itself, again when they got in the way of others. */
function createBegin(engine: Engine, can: Abilities, outer: Scope, current: AsyncLocalStorage<Scope>): Begin {
  return async (work, { isolation = 'default', retries } = {}) => {
    if (!can.transactions) throw new DbError('TRANSACTIONS_UNSUPPORTED', unsupported)
    return retryConflicts(() => attemptTransaction(work, isolation), retries)
  }

  async function attemptTransaction<T>(
    run: (scope: Scope) => Promise<T>,
    isolation: NonNullable<TransactionOptions['isolation']>,
  ): Promise<T> {
    outer.check()
    const transaction = await engine.begin({ isolation, purpose: 'work' })
    const scope = new Scope(transaction, current, outer)
    let result: T
    try {
      result = await scope.complete(() => run(scope))
    } catch (error) {
      await transaction.rollback()
      throw error
    }
    await transaction.commit()
    return result
  }
}
