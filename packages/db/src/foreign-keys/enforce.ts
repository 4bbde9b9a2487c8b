/**
 * Foreign keys for engines that have none: references are checked before a write, and what a delete does to those that
 * refer to a record is worked out before anything is written. In a transaction where the engine has them; without,
 * another writer may come in between.
 */
import type {
  Abilities,
  Adapter,
  Answer,
  CopyProgress,
  Engine,
  Inspection,
  Row,
  Session,
  Transaction,
} from '../adapter.ts'
import type { TableChange } from '../change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  UpdateOperation,
  UpsertOperation,
} from '../operation.ts'
import { retryConflicts } from '../retry.ts'
import type { SyncProblem } from '../sync/match.ts'
import type { Question } from '../sync/question.ts'
import type { TablePlace, TablePlan } from '../table-plan.ts'
import { checkRows, checkUpdate } from './check-references.ts'
import { planDelete } from './delete-plan.ts'
import { ReferencePlans } from './reference-plans.ts'

type Atomically = <T>(work: (session: Session) => Promise<T>) => Promise<T>

/** The engine, with foreign keys. */
export function enforceForeignKeys(engine: Engine, adapter: Adapter, can: Abilities): Engine {
  const plans = new ReferencePlans(adapter)
  const atomically: Atomically = (work) =>
    retryConflicts(async () => {
      const transaction = await engine.begin({ isolation: 'default', purpose: 'work' })
      try {
        const result = await work(transaction)
        await transaction.commit()
        return result
      } finally {
        // After a commit it does nothing.
        await transaction.rollback()
      }
    })
  return {
    session: new GuardedSession(engine.session, plans, can.transactions ? atomically : (work) => work(engine.session)),
    begin: async (options) => new GuardedTransaction(await engine.begin(options), plans),
    // Sync looks after foreign keys by itself.
    ...(engine.pin && { pin: () => engine.pin!() }),
    ...(engine.isRaced && { isRaced: (error: unknown) => engine.isRaced!(error) }),
    close: () => engine.close(),
  }
}

class GuardedSession<Inner extends Session = Session> implements Session {
  protected readonly inner: Inner
  readonly #plans: ReferencePlans
  /** Runs a check and the write that follows it. */
  readonly #atomically: Atomically

  constructor(inner: Inner, plans: ReferencePlans, atomically: Atomically) {
    this.inner = inner
    this.#plans = plans
    this.#atomically = atomically
  }

  find(operation: FindOperation, params: readonly unknown[]): Answer<readonly Row[]> {
    return this.inner.find(operation, params)
  }

  count(operation: CountOperation, params: readonly unknown[]): Answer<number> {
    return this.inner.count(operation, params)
  }

  insert(operation: InsertOperation, rows: readonly Row[]): Answer<readonly number[]> {
    if (operation.plan.declaration.foreignKeys.length === 0) return this.inner.insert(operation, rows)
    return this.#atomically(async (session) => {
      await checkRows(session, this.#plans, operation, rows)
      return session.insert(operation, rows)
    })
  }

  upsert(operation: UpsertOperation, params: readonly unknown[]): Answer<Row | undefined> {
    if (operation.plan.declaration.foreignKeys.length === 0) return this.inner.upsert(operation, params)
    return this.#atomically(async (session) => {
      await checkRows(session, this.#plans, operation, [params])
      return session.upsert(operation, params)
    })
  }

  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Answer<number> {
    return operation.kind === 'update' ? this.#update(operation, params) : this.#delete(operation, params)
  }

  sql(parts: readonly string[], values: readonly unknown[]): Answer<readonly object[]> {
    return this.inner.sql(parts, values)
  }

  inspect(places: readonly TablePlace[], plans?: readonly TablePlan[]): Answer<Inspection> {
    return this.inner.inspect(places, plans)
  }

  ask(question: Question): Answer<number> {
    return this.inner.ask(question)
  }

  change(change: TableChange, progress?: CopyProgress): Answer<void> {
    return this.inner.change(change, progress)
  }

  foresee(changes: readonly TableChange[]): Answer<readonly SyncProblem[]> {
    return this.inner.foresee?.(changes) ?? []
  }

  #update(operation: UpdateOperation, params: readonly unknown[]): Answer<number> {
    const written = new Set(operation.set.map((it) => it.column.path))
    const touched = operation.plan.declaration.foreignKeys.filter(({ paths }) => paths.some((it) => written.has(it)))
    if (touched.length === 0) return this.inner.write(operation, params)
    return this.#atomically(async (session) => {
      for (const foreignKey of touched) await checkUpdate(session, this.#plans, foreignKey, operation, params)
      return session.write(operation, params)
    })
  }

  async #delete(operation: DeleteOperation, params: readonly unknown[]): Promise<number> {
    const referrers = await this.inner.referrers!(operation.plan.place)
    if (referrers.length === 0) return this.inner.write(operation, params)
    return this.#atomically(async (session) => {
      const { steps, deletes } = await planDelete(session, this.#plans, operation, params)
      for (const step of steps) await session.write(step.operation, step.params)
      let count = 0
      for (const part of deletes) count += await session.write(part.operation, part.params)
      return count
    })
  }
}

class GuardedTransaction extends GuardedSession<Transaction> implements Transaction {
  constructor(inner: Transaction, plans: ReferencePlans) {
    super(inner, plans, (work) => work(inner))
  }

  commit(): Answer<void> {
    return this.inner.commit()
  }

  rollback(): Answer<void> {
    return this.inner.rollback()
  }

  abort(): Answer<void> {
    return this.inner.abort ? this.inner.abort() : this.inner.rollback()
  }

  savepoint(depth: number): Answer<void> {
    return this.inner.savepoint(depth)
  }

  release(depth: number): Answer<void> {
    return this.inner.release(depth)
  }

  rollbackTo(depth: number): Answer<void> {
    return this.inner.rollbackTo(depth)
  }
}
