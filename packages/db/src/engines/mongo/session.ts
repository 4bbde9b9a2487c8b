import type { TableModel } from '@portico/schema/model'
import type { CopyProgress, Inspection, LockedSession, Session, Transaction } from '../../contract/adapter.ts'
import type { TableChange } from '../../contract/change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  UpdateOperation,
  UpsertOperation,
} from '../../contract/operation.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import type { Row } from '../../contract/storage.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { PlanColumn, TableName, TablePlan } from '../../contract/table-plan.ts'
import { DbError } from '../../errors.ts'
import { count } from '../../shared/count.ts'
import { JOURNAL, REGISTRY } from '../../sync/1-read/metadata-table.ts'
import { withNote } from '../../table/describe-violation.ts'
import { versionExhausted } from '../../table/version-exhausted.ts'
import type {
  CommandOptions,
  Document,
  MongoCollection,
  MongoCursor,
  MongoDatabase,
  MongoReadOptions,
} from './client/driver.ts'
import { explainSize, isDuplicate } from './client/errors.ts'
import type { Executor, PoolExecutor, TransactionExecutor } from './client/executor.ts'
import { layoutOf } from './documents/document.ts'
import { readExactly } from './documents/read-exactly.ts'
import type { Counters } from './operations/auto-increment.ts'
import type { CompiledFind, CompiledOperations } from './operations/compile-operation.ts'
import { findThroughJunction } from './operations/find-through-junction.ts'
import { cannotRise, canRise } from './operations/version-limit.ts'
import { changeMongo } from './sync/change.ts'
import { countRowsMongo } from './sync/count-rows.ts'
import { inspectMongo, readReferrers } from './sync/introspect.ts'
import type { Lease } from './sync/lease.ts'
import { LeasedExecutor } from './sync/leased-executor.ts'
import { findEqualIndexes, findLosses } from './sync/losses.ts'
import { findOrphans } from './sync/orphans.ts'
import { undoInsert } from './undo-insert.ts'

export interface SessionParts {
  readonly db: MongoDatabase
  /** With majority concerns, on the primary. */
  readonly agreed: MongoDatabase
  /** Like `agreed`, without timeouts. */
  readonly patient: MongoDatabase
  readonly operations: CompiledOperations
  readonly counters: Counters
  /** Runs commands outside of transactions, as counters need it. */
  readonly pool: PoolExecutor
}

export class MongoTables implements Session {
  protected readonly parts: SessionParts
  protected readonly executor: Executor

  constructor(parts: SessionParts, executor: Executor) {
    this.parts = parts
    this.executor = executor
  }

  async find(operation: FindOperation, params: readonly unknown[]): Promise<readonly Row[]> {
    if (operation.via) {
      return findThroughJunction(operation, params, (part, values) => this.find(part, values))
    }
    const limit = operation.limit === undefined ? undefined : (params[operation.limit] as number)
    // MongoDB treats 0 as no limit.
    if (limit === 0) return []
    const compiled = this.parts.operations.find(operation)
    const skip = operation.offset === undefined ? undefined : (params[operation.offset] as number)
    const paging = { ...(limit !== undefined && { limit }), ...(skip !== undefined && { skip }) }
    const filter = compiled.filter(params)
    const documents = await this.#run(
      operation.plan,
      (_, options) => this.#read(operation.plan, compiled, filter, { ...options, ...paging }),
      [filter],
    )
    return documents.map(compiled.read)
  }

  count(operation: CountOperation, params: readonly unknown[]): Promise<number> {
    const filter = this.parts.operations.count(operation)
    const condition = filter(params)
    return this.#run(operation.plan, (collection, options) => collection.countDocuments(condition, options), [
      condition,
    ])
  }

  async insert(operation: InsertOperation, rows: readonly Row[]): Promise<readonly number[]> {
    const { plan, columns, autoIncrement } = operation
    const { operations, counters, pool } = this.parts
    const numbers = autoIncrement
      ? await pool.run((options) => counters.next(plan, autoIncrement, rows.length, options), plan)
      : []
    const write = operations.insert(operation)
    const documents = rows.map((row, index) => write(autoIncrement ? [...row, numbers[index]] : row))
    // Before the rows are stored: otherwise another insert could get one of their numbers.
    await this.#advanceCounter(plan, columns, rows, () => this.insertDocuments(plan, documents))
    return numbers
  }

  /** Advances the counter to the numbers of these rows, stores the rows, and restores the counter if they are refused. */
  async #advanceCounter<T>(
    plan: TablePlan,
    columns: readonly PlanColumn[],
    rows: readonly Row[],
    store: () => Promise<T>,
  ): Promise<T> {
    const { counters, pool } = this.parts
    const restore = await pool.run((options) => counters.advance(plan, columns, rows, options), plan)
    try {
      return await store()
    } catch (error) {
      // The original error is the one to report.
      if (restore) await pool.run(restore, plan).catch(() => {})
      throw error
    }
  }

  write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Promise<number> {
    const { filter, update, isSingle } = this.parts.operations.write(operation)
    const condition = filter(params)
    const change = update(params)
    const send = async (collection: MongoCollection, options: CommandOptions): Promise<number> => {
      if (operation.kind === 'delete') {
        const deleting = isSingle ? collection.deleteOne(condition, options) : collection.deleteMany(condition, options)
        return (await deleting).deletedCount
      }
      const { plan } = operation
      const isAtEnd = async (): Promise<boolean> =>
        plan.version !== undefined && (await collection.countDocuments(cannotRise(plan, condition), options)) > 0
      // If one of several documents cannot be written, none is.
      if (!isSingle && (await isAtEnd())) throw versionExhausted(plan)
      const allowed = canRise(plan, condition)
      const updating = isSingle
        ? collection.updateOne(allowed, change, options)
        : collection.updateMany(allowed, change, options)
      const { matchedCount } = await updating
      if (matchedCount === 0 && isSingle && (await isAtEnd())) throw versionExhausted(plan)
      return matchedCount
    }
    return this.#run(operation.plan, send, [condition, change])
  }

  async upsert(operation: UpsertOperation, params: readonly unknown[]): Promise<Row | undefined> {
    const { plan, columns, version } = operation
    const stored = await this.#advanceCounter(plan, columns, [params], () =>
      version?.slot === undefined ? this.#overwrite(operation, params) : this.#overwriteVersion(operation, params),
    )
    if (!stored) return undefined
    const [exact = stored] = await this.#run(plan, (collection, options) =>
      readExactly([stored], () => collection.find({ _id: stored['_id'] }, { ...options, raw: true })),
    )
    return this.parts.operations.upsert(operation).read(exact)
  }

  sql(): never {
    throw new DbError('SQL_UNSUPPORTED', 'MongoDB has no SQL')
  }

  inspect(tableNames: readonly TableName[], plans: readonly TablePlan[] = []): Promise<Inspection> {
    return this.executor.run(() => inspectMongo(this.parts, tableNames, plans))
  }

  countRows(query: RowQuery): Promise<number> {
    return this.executor.run(() => countRowsMongo(this.parts.patient, query))
  }

  preflight(changes: readonly TableChange[]): Promise<readonly SyncProblem[]> {
    const { patient } = this.parts
    return this.executor.run(async () => [
      ...(await findLosses(patient, changes)),
      ...(await findEqualIndexes(patient, changes)),
      ...(await findOrphans(patient, changes)),
    ])
  }

  change(_change: TableChange, _progress?: CopyProgress): Promise<void> {
    return Promise.reject(new DbError('SYNC_LOCKED', 'only a sync that holds the lock can change tables'))
  }

  referrers(tableName: TableName): Promise<readonly TableModel[]> {
    return this.executor.run((options) => readReferrers(this.parts.agreed, tableName, options))
  }

  /** Stores documents, all or none. */
  async insertDocuments(plan: TablePlan, documents: Document[]): Promise<void> {
    const send = (collection: MongoCollection, options: CommandOptions): Promise<unknown> =>
      documents.length === 1
        ? collection.insertOne(documents[0]!, options)
        : collection.insertMany(documents, { ...options, ordered: true })
    await this.#run(plan, send, documents)
  }

  /** @param sent The documents in the command, to explain a command that is too large. */
  async #run<T>(
    plan: TablePlan,
    work: (collection: MongoCollection, options: CommandOptions) => Promise<T>,
    sent: readonly unknown[] = [],
  ): Promise<T> {
    try {
      return await this.executor.run((options) => work(this.collectionOf(plan), options), plan)
    } catch (error) {
      throw await explainSize(error, sent, plan)
    }
  }

  /** Sync's metadata is always read with majority concerns, also without the lock. */
  protected collectionOf(plan: TablePlan): MongoCollection {
    const { table } = plan.tableName
    const { db, agreed } = this.parts
    // Refuses reserved names, even if the operation uses no column.
    layoutOf(plan)
    return (table === REGISTRY || table === JOURNAL ? agreed : db).collection(table)
  }

  async #read(
    plan: TablePlan,
    { projection, sort, computed }: CompiledFind,
    filter: Document,
    { limit, skip, ...options }: CommandOptions & { limit?: number; skip?: number },
  ): Promise<Document[]> {
    const collection = this.collectionOf(plan)
    if (!computed) {
      const shape = { ...(projection && { projection }), ...(sort && { sort }) }
      const paging = { ...(limit !== undefined && { limit }), ...(skip !== undefined && { skip }) }
      const find = (more: MongoReadOptions): MongoCursor =>
        collection.find(filter, { ...options, ...shape, ...paging, ...more })
      return readExactly(await find({}).toArray(), () => find({ raw: true }))
    }
    const pipeline: Document[] = [{ $match: filter }, { $addFields: computed }, { $sort: sort }]
    if (skip !== undefined) pipeline.push({ $skip: skip })
    if (limit !== undefined) pipeline.push({ $limit: limit })
    pipeline.push({ $project: projection ?? Object.fromEntries(Object.keys(computed).map((it) => [it, 0])) })
    const documents = await collection.aggregate(pipeline, options).toArray()
    return readExactly(documents, () => collection.aggregate(pipeline, { ...options, raw: true }))
  }

  /** Inserts or overwrites with one command. */
  async #overwrite(operation: UpsertOperation, params: readonly unknown[]): Promise<Document | undefined> {
    const { filter, key, update } = this.parts.operations.upsert(operation)
    const { plan } = operation
    const found = { upsert: true, returnDocument: 'after', includeResultMetadata: false } as const
    const [condition, change] = [filter(params), update(params)]
    const overwrite = async (collection: MongoCollection, options: CommandOptions): Promise<Document | null> => {
      const isAtEnd = async (): Promise<boolean> =>
        plan.version !== undefined && (await collection.countDocuments(cannotRise(plan, key(params)), options)) > 0
      const send = (): Promise<Document | null> =>
        collection.findOneAndUpdate(canRise(plan, condition), change, { ...options, ...found })
      if (options.session) {
        // After an error, a transaction accepts no more commands.
        if (await isAtEnd()) throw versionExhausted(plan)
        return send()
      }
      try {
        // Of two concurrent upserts of a new key, one is refused. It then finds a document to overwrite.
        return await send().catch((error: unknown) => (isDuplicate(error) ? send() : refuse(error)))
      } catch (error) {
        throw isDuplicate(error) && (await isAtEnd()) ? versionExhausted(plan) : error
      }
    }
    const stored = await this.#run(plan, overwrite, [condition, change])
    return stored ?? undefined
  }

  /** Overwrites only a row with the expected version; inserts if there is no row. */
  async #overwriteVersion(operation: UpsertOperation, params: readonly unknown[]): Promise<Document | undefined> {
    const { filter, key, update, write } = this.parts.operations.upsert(operation)
    const { plan } = operation
    const { $setOnInsert: _, ...change } = update(params)
    const found = { returnDocument: 'after', includeResultMetadata: false } as const
    const overwritten = await this.#run(
      plan,
      (collection, options) =>
        collection.findOneAndUpdate(canRise(plan, filter(params)), change, { ...options, ...found }),
      [change],
    )
    if (overwritten) return overwritten
    const isThere = await this.#run(plan, (collection, options) => collection.countDocuments(key(params), options))
    if (isThere > 0) return undefined
    const document = write(params.slice(0, operation.columns.length))
    try {
      await this.insertDocuments(plan, [document])
      return document
    } catch (error) {
      // Somebody else inserted one at the same moment, and its version is not the expected one.
      if (isKeyTaken(error, plan)) return undefined
      throw error
    }
  }
}

function isKeyTaken(error: unknown, { key }: TablePlan): boolean {
  const isTaken = error instanceof DbError && error.code === 'UNIQUE_VIOLATION'
  return isTaken && error.fields.join() === key.map((it) => it.path).join()
}

function refuse(error: unknown): never {
  throw error
}

/** A refused document: its position among those sent. */
interface WriteError {
  readonly index: number
}

type InTransaction = (work: (tables: MongoTables) => Promise<void>) => Promise<void>

/** Outside of transactions. */
export class MongoPoolTables extends MongoTables {
  /** Runs several commands in a transaction; undefined if the server has none. */
  readonly #inTransaction: InTransaction | undefined

  constructor(parts: SessionParts, inTransaction: InTransaction | undefined, executor: Executor = parts.pool) {
    super(parts, executor)
    this.#inTransaction = inTransaction
  }

  override async insertDocuments(plan: TablePlan, documents: Document[]): Promise<void> {
    if (documents.length <= 1) return super.insertDocuments(plan, documents)
    if (this.#inTransaction) return this.#inTransaction((tables) => tables.insertDocuments(plan, documents))
    try {
      await super.insertDocuments(plan, documents)
    } catch (error) {
      const kept = await this.#undoInsert(plan, documents, error)
      throw kept > 0 && error instanceof DbError ? withNote(error, describeKept(kept)) : error
    }
  }

  /** The server stops at the first document that it refuses, so this call has stored exactly those before it. */
  #undoInsert(plan: TablePlan, documents: readonly Document[], error: unknown): Promise<number> {
    // Not by `insertedCount`: some servers include the refused document, whose key may belong to another one.
    const { writeErrors = [] } = ((error as Error).cause ?? {}) as { writeErrors?: WriteError | readonly WriteError[] }
    const [refused] = [writeErrors].flat() as readonly WriteError[]
    const stored = documents.slice(0, refused?.index ?? 0)
    const context = { agreed: this.parts.agreed, collection: this.collectionOf(plan), plan }
    return this.parts.pool.run((options) => undoInsert(stored, { ...context, options }), plan)
  }
}

function describeKept(kept: number): string {
  return `${count(kept, 'record')} of this call ${kept === 1 ? 'stays' : 'stay'}, changed or referred to by others meanwhile`
}

/** Outside of transactions, with the sync lock. */
export class MongoLockedTables extends MongoPoolTables implements LockedSession {
  readonly #lease: Lease

  constructor(parts: SessionParts, lease: Lease) {
    super(parts, undefined, new LeasedExecutor(parts.pool, lease))
    this.#lease = lease
  }

  override change(change: TableChange, progress?: CopyProgress): Promise<void> {
    const { db, counters } = this.parts
    const plan = 'plan' in change ? change.plan : undefined
    return this.executor.run(() => changeMongo(change, { db, counters, lease: this.#lease, progress }), plan)
  }

  release(): Promise<void> {
    return this.parts.pool.run(() => this.#lease.release())
  }
}

export class MongoTransaction extends MongoTables implements Transaction {
  readonly #executor: TransactionExecutor

  constructor(parts: SessionParts, executor: TransactionExecutor) {
    super(parts, executor)
    this.#executor = executor
  }

  commit(): Promise<void> {
    return this.#executor.commit()
  }

  rollback(): Promise<void> {
    return this.#executor.rollback()
  }

  abort(): Promise<void> {
    return this.#executor.abort()
  }

  // MongoDB has no savepoints: a nested transaction cannot be rolled back alone.

  savepoint(): void {}

  release(): void {}

  rollbackTo(): void {
    throw new DbError('TRANSACTIONS_UNSUPPORTED', 'MongoDB cannot roll back a nested transaction alone')
  }
}
