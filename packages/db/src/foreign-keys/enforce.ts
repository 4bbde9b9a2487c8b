/**
 * Enforces foreign keys for engines that do not: references are checked before a write, and the cascade of a delete is
 * planned before anything is written. Check and write share a transaction if the engine supports them; otherwise a
 * concurrent write can come in between.
 */

import type { Adapter, CopyProgress, Engine, Inspection, Session, Transaction } from '../contract/adapter.ts'
import type { TableChange } from '../contract/change.ts'
import type {
  CountOperation,
  DeleteOperation,
  Filter,
  FindOperation,
  InsertOperation,
  UpdateOperation,
  UpsertOperation,
} from '../contract/operation.ts'
import type { RowQuery } from '../contract/row-query.ts'
import type { Capabilities, MaybePromise, Row } from '../contract/storage.ts'
import type { SyncProblem } from '../contract/sync-problem.ts'
import type { TableName, TablePlan } from '../contract/table-plan.ts'
import { retryConflicts } from '../transaction/retry.ts'
import { checkRows, checkUpdate, createFind } from './check-references.ts'
import { planDelete } from './delete-plan.ts'
import { ReferencePlans } from './reference-plans.ts'

type RunAtomically = <T>(work: (session: Session) => Promise<T>) => Promise<T>

/** Returns the engine with foreign keys enforced. */
export function enforceForeignKeys(engine: Engine, adapter: Adapter, supports: Capabilities): Engine {
  const plans = new ReferencePlans(adapter)
  const inTransaction: RunAtomically = (work) =>
    retryConflicts(async () => {
      const transaction = await engine.begin({ isolation: 'default', purpose: 'work' })
      try {
        const result = await work(transaction)
        await transaction.commit()
        return result
      } finally {
        // Does nothing after a commit.
        await transaction.rollback()
      }
    })
  return {
    session: new ForeignKeySession(
      engine.session,
      plans,
      supports.transactions ? inTransaction : (work) => work(engine.session),
    ),
    begin: async (options) => new ForeignKeyTransaction(await engine.begin(options), plans),
    // Sync checks foreign keys itself.
    ...(engine.acquireSyncLock && { acquireSyncLock: () => engine.acquireSyncLock!() }),
    ...(engine.isRaced && { isRaced: (error: unknown) => engine.isRaced!(error) }),
    close: () => engine.close(),
  }
}

class ForeignKeySession<Inner extends Session = Session> implements Session {
  protected readonly inner: Inner
  readonly #plans: ReferencePlans
  /** Runs a check and the write that follows it. */
  readonly #runAtomically: RunAtomically

  constructor(inner: Inner, plans: ReferencePlans, runAtomically: RunAtomically) {
    this.inner = inner
    this.#plans = plans
    this.#runAtomically = runAtomically
  }

  find(operation: FindOperation, params: readonly unknown[]): MaybePromise<readonly Row[]> {
    return this.inner.find(operation, params)
  }

  count(operation: CountOperation, params: readonly unknown[]): MaybePromise<number> {
    return this.inner.count(operation, params)
  }

  insert(operation: InsertOperation, rows: readonly Row[]): MaybePromise<readonly number[]> {
    if (operation.plan.declaration.foreignKeys.length === 0) return this.inner.insert(operation, rows)
    return this.#runAtomically(async (session) => {
      await checkRows(session, this.#plans, operation, rows)
      return session.insert(operation, rows)
    })
  }

  upsert(operation: UpsertOperation, params: readonly unknown[]): MaybePromise<Row | undefined> {
    if (operation.plan.declaration.foreignKeys.length === 0) return this.inner.upsert(operation, params)
    return this.#runAtomically(async (session) => {
      try {
        await checkRows(session, this.#plans, operation, [params])
      } catch (error) {
        // A version conflict is reported first, as on engines that check references while writing.
        if (await isOutdated(session, operation, params)) return undefined
        throw error
      }
      return session.upsert(operation, params)
    })
  }

  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): MaybePromise<number> {
    return operation.kind === 'update' ? this.#update(operation, params) : this.#delete(operation, params)
  }

  sql(parts: readonly string[], values: readonly unknown[]): MaybePromise<readonly object[]> {
    return this.inner.sql(parts, values)
  }

  inspect(tableNames: readonly TableName[], plans?: readonly TablePlan[]): MaybePromise<Inspection> {
    return this.inner.inspect(tableNames, plans)
  }

  countRows(query: RowQuery): MaybePromise<number> {
    return this.inner.countRows(query)
  }

  change(change: TableChange, progress?: CopyProgress): MaybePromise<void> {
    return this.inner.change(change, progress)
  }

  preflight(changes: readonly TableChange[]): MaybePromise<readonly SyncProblem[]> {
    return this.inner.preflight?.(changes) ?? []
  }

  #update(operation: UpdateOperation, params: readonly unknown[]): MaybePromise<number> {
    const written = new Set(operation.set.map((it) => it.column.path))
    const touched = operation.plan.declaration.foreignKeys.filter(({ paths }) => paths.some((it) => written.has(it)))
    if (touched.length === 0) return this.inner.write(operation, params)
    return this.#runAtomically(async (session) => {
      for (const foreignKey of touched) await checkUpdate(session, this.#plans, foreignKey, operation, params)
      return session.write(operation, params)
    })
  }

  async #delete(operation: DeleteOperation, params: readonly unknown[]): Promise<number> {
    const referrers = await this.inner.referrers!(operation.plan.tableName)
    if (referrers.length === 0) return this.inner.write(operation, params)
    return this.#runAtomically(async (session) => {
      const { steps, deletes } = await planDelete(session, this.#plans, operation, params, referrers)
      for (const step of steps) await session.write(step.operation, step.params)
      let count = 0
      for (const part of deletes) count += await session.write(part.operation, part.params)
      return count
    })
  }
}

/** True if the record exists with a version other than the given one. */
async function isOutdated(
  session: Session,
  { plan, columns, version }: UpsertOperation,
  params: readonly unknown[],
): Promise<boolean> {
  if (version?.slot === undefined || !plan.key.every((it) => columns.includes(it))) return false
  const filters = plan.key.map((column): Filter => {
    return { kind: 'compare', column, operator: '=', slot: columns.indexOf(column) }
  })
  const rows = await session.find(createFind(plan, [version.column], { kind: 'and', filters }), params)
  return rows.length > 0 && rows[0]![0] !== params[version.slot]
}

class ForeignKeyTransaction extends ForeignKeySession<Transaction> implements Transaction {
  constructor(inner: Transaction, plans: ReferencePlans) {
    super(inner, plans, (work) => work(inner))
  }

  commit(): MaybePromise<void> {
    return this.inner.commit()
  }

  rollback(): MaybePromise<void> {
    return this.inner.rollback()
  }

  abort(): MaybePromise<void> {
    return this.inner.abort ? this.inner.abort() : this.inner.rollback()
  }

  savepoint(depth: number): MaybePromise<void> {
    return this.inner.savepoint(depth)
  }

  release(depth: number): MaybePromise<void> {
    return this.inner.release(depth)
  }

  rollbackTo(depth: number): MaybePromise<void> {
    return this.inner.rollbackTo(depth)
  }
}
