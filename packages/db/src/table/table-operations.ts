import type { AnyTable } from '@portico/schema/runtime'
import type { Session } from '../contract/adapter.ts'
import type { UpdateOperation, UpsertOperation } from '../contract/operation.ts'
import type { MaybePromise, Row } from '../contract/storage.ts'
import type { PlanColumn, PlanField } from '../contract/table-plan.ts'
import { DbError, invalid } from '../errors.ts'
import { readFilter } from '../query/read-filter.ts'
import { readKey, readKeyFields } from '../query/read-key.ts'
import type { Query, QueryExtras } from '../query/read-query.ts'
import { columnsFor, readWith } from '../query/read-with.ts'
import { isPlainObject } from '../shared/objects.ts'
import type { Scope } from '../transaction/scope.ts'
import { mapResult, recoverResult } from '../values/maybe-promise.ts'
import { explainNotPlain, ownValue } from '../values/plain-object.ts'
import { encodeColumn } from '../values/row-mapping.ts'
import { describeViolation } from './describe-violation.ts'
import { loadRelations, type RelationContext } from './load-relations.ts'
import { type PreparedQuery, prepareQuery } from './prepare-query.ts'
import type { InsertShape, PreparedTable } from './prepared-table.ts'
import { readRow, readRows } from './read-rows.ts'
import type { DeleteResult, Table, UpdateResult } from './table.ts'
import { assignStamps, pushStamps, type UpdateShape } from './update-shapes.ts'
import { readVersion, validateChanges, validateInput, validateUpsert } from './validate.ts'
import { toVersionExhausted } from './version-exhausted.ts'

type Fields = Record<string, unknown>

/** The parts of a database that a table uses. */
export interface TableContext {
  readonly scope: Scope
  readonly now: () => number
  readonly tableOf: (declaration: AnyTable) => PreparedTable
}

/** The operations of a table in one scope. Input is `unknown` here; `Table` has the types. */
export class TableOperations implements Record<keyof Table<Fields, Fields, Fields, Fields, Fields>, unknown> {
  readonly #table: PreparedTable
  readonly #scope: Scope
  readonly #now: () => number
  readonly #relations: RelationContext

  constructor(table: PreparedTable, { scope, now, tableOf }: TableContext) {
    this.#table = table
    this.#scope = scope
    this.#now = now
    this.#relations = { tableOf, find: (query) => Promise.resolve(this.#find(query)) }
  }

  async insertOne(record: unknown): Promise<Fields> {
    validateInput(this.#table.plan, record, 'insert')
    const shape = this.#insertShape(record)
    const row = shape.write(record, this.#now())
    const inserted = this.#run('store', (session) => session.insert(shape.operation, [row]))
    return mapResult(inserted, (numbers) => {
      if (shape.operation.autoIncrement) row.push(numbers[0])
      return shape.read(row)
    })
  }

  async insertMany(records: readonly unknown[]): Promise<Fields[]> {
    if (!Array.isArray(records)) throw invalid(this.#describe('the input is not valid'), '', 'expected an array')
    for (const [index, record] of records.entries()) validateInput(this.#table.plan, record, 'insert', [index])
    const runs = this.#splitByShape(records as Fields[])
    if (runs.length <= 1) return runs[0] ? this.#insertRun(runs[0], this.#scope) : []
    return this.#atomically(async (scope) => {
      const stored: Fields[] = []
      try {
        for (const run of runs) for (const record of await this.#insertRun(run, scope)) stored.push(record)
      } catch (error) {
        // Without transactions, nothing is rolled back automatically.
        if (scope === this.#scope) await this.#deleteInserted(stored)
        throw error
      }
      return stored
    })
  }

  async findById(key: unknown, options: Query = {}): Promise<Fields | undefined> {
    this.#requireQuery(options)
    // Ignoring a condition would find a record that does not match it.
    for (const name of Object.keys(options)) {
      if (name === 'select' || name === 'with' || options[name as keyof Query] === undefined) continue
      throw invalid(this.#describe('the query is not valid'), name, 'is not known here; known are select, with')
    }
    const params = readKey(this.#table.plan, key)
    if (options.select === undefined && options.with === undefined) {
      const shape = this.#table.findByKey
      const found = this.#scope.run((session) => session.find(shape.operation, params))
      return mapResult(found, ([row]) => row && readRow(shape, row))
    }
    const filter = (list: unknown[]) => ({
      filter: this.#table.keyFilter(list.push(...params) - params.length),
      shape: 'key',
    })
    const [record] = await this.#findRecords({ select: options.select, with: options.with }, { filter, single: true })
    return record
  }

  async findOne(query: Query = {}): Promise<Fields | undefined> {
    this.#requireQuery(query)
    if (query.limit !== undefined) throw invalid(this.#describe('the query is not valid'), 'limit', 'is not known here')
    const [record] = await this.#findRecords({ ...query, limit: 1 }, { single: true })
    return record
  }

  async findMany(query: Query = {}): Promise<Fields[]> {
    this.#requireQuery(query)
    return this.#findRecords(query)
  }

  async *stream(query: Query & { readonly batchSize?: number } = {}): AsyncIterableIterator<Fields> {
    this.#requireQuery(query)
    const { batchSize = 500, ...rest } = query
    const { key } = this.#table.plan
    // Batches continue after the last primary key, so another order or an offset would skip records.
    for (const name of ['orderBy', 'limit', 'offset'] as const) {
      if (rest[name] !== undefined) throw invalid(this.#describe('the query is not valid'), name, 'is not known here')
    }
    if (key.length === 0) throw new DbError('KEY_UNKNOWN', this.#describe('it has no key to stream by'))
    if (!Number.isSafeInteger(batchSize) || batchSize < 1) {
      throw invalid(this.#describe('the query is not valid'), 'batchSize', 'expected a whole number, 1 or more')
    }
    for (let after: readonly unknown[] | undefined; ; ) {
      const filter = after && ((params: unknown[]) => afterKey(key, params.push(...after!) - key.length))
      const extras = { needed: key, byKey: true, ...(filter && { filter }) }
      const read = await this.#read({ ...rest, limit: batchSize }, extras)
      yield* read.records
      const last = read.rows.at(-1)
      if (!last || read.rows.length < batchSize) return
      after = key.map((column) => last[read.columns.indexOf(column)])
    }
  }

  async count(where?: unknown): Promise<number> {
    const { plan, counts } = this.#table
    const params: unknown[] = []
    const { filter, shape } = readFilter(plan, where, params)
    const operation = counts.get(shape, () => Object.freeze({ kind: 'count', plan, filter }))
    return this.#scope.run((session) => session.count(operation, params))
  }

  async exists(where?: unknown): Promise<boolean> {
    const [first] = this.#table.plan.columns
    const query = prepareQuery(
      this.#table,
      { where, limit: 1, select: first ? [first.path.split('.')[0]] : [] },
      { single: true },
    )
    return (await this.#find(query)).length > 0
  }

  async updateOne(input: unknown): Promise<UpdateResult> {
    const { plan, updateShapes } = this.#table
    const key = readKeyFields(plan, asFields(input))
    validateInput(plan, input, 'update')
    const params: unknown[] = []
    const shape = updateShapes.push(input, params)
    const seen = readVersion(plan, input)
    if (params.length === 0 && seen === undefined)
      return { matchedCount: await this.#countByKey(key), modifiedCount: 0 }
    return mapResult(this.#writeByKey(shape, params, key, seen), (written) => this.#settle(written, key, seen))
  }

  async replaceOne(input: unknown): Promise<UpdateResult> {
    const { plan, replacement } = this.#table
    const key = readKeyFields(plan, asFields(input))
    validateInput(plan, input, 'replace')
    const seen = readVersion(plan, input)
    const params = replacement.write(input, this.#now())
    // The table has no columns besides its key.
    if (params.length === 0 && seen === undefined)
      return { matchedCount: await this.#countByKey(key), modifiedCount: 0 }
    return this.#settle(await this.#writeByKey(replacement.shape, params, key, seen), key, seen)
  }

  async updateMany(where: unknown, input: unknown): Promise<UpdateResult> {
    const { plan, updates, updateShapes } = this.#table
    if (where === undefined)
      throw invalid(this.#describe('the filter is not valid'), '', 'is missing: {} matches all records')
    validateChanges(plan, input)
    const params: unknown[] = []
    const { id, set } = updateShapes.push(input, params)
    if (params.length === 0) return { matchedCount: await this.count(where), modifiedCount: 0 }
    pushStamps(plan, params, this.#now)
    const { filter, shape } = readFilter(plan, where, params)
    const operation = updates.get(`${id}#${shape}`, () =>
      Object.freeze({ kind: 'update', plan, set: assignStamps(plan, set), filter }),
    )
    const written = await this.#write(operation, params)
    return { matchedCount: written, modifiedCount: written }
  }

  async upsertOne(record: unknown): Promise<Fields> {
    const { plan } = this.#table
    const isThere = async (it: Fields) => (await this.#countByKey(readKeyFields(plan, it))) > 0
    return mapResult(validateUpsert(plan, record, isThere), (input) => this.#upsert(input))
  }

  #upsert(input: Fields): MaybePromise<Fields> {
    const { plan } = this.#table
    if (plan.key.length === 0) throw new DbError('KEY_UNKNOWN', this.#describe('it has no key to match on'))
    const isNew = plan.key.some((it) => it.model.default && (ownValue(input, it.path) ?? undefined) === undefined)
    if (isNew) return this.insertOne(input)
    const { operation: insert, write } = this.#insertShape(input)
    const now = this.#now()
    const params = write(input, now)
    // As in an update, a given timestamp is ignored: it came from reading the record earlier.
    for (const column of plan.updated) params[insert.columns.indexOf(column)] = encodeColumn(column, now)
    const seen = readVersion(plan, input)
    if (seen !== undefined) params.push(seen)
    const isGiven = ({ name }: PlanField): boolean => ownValue(input, name) !== undefined
    let shape = `${insert.columns.length} ${seen === undefined}`
    for (const field of plan.fields.values()) if (isGiven(field)) shape += ` ${field.columns[0]!.index}`
    const operation = this.#table.upserts.get(shape, () =>
      createUpsert(this.#table, insert.columns, [...plan.fields.values()].filter(isGiven), seen !== undefined),
    )
    const upserted = this.#run('store', (session) => session.upsert(operation, params))
    return mapResult(upserted, (row) => {
      if (!row) throw this.#versionConflict()
      return readRow(this.#table.findByKey, row)
    })
  }

  async deleteOne(key: unknown): Promise<DeleteResult> {
    const params = readKey(this.#table.plan, key)
    const operation = this.#table.deleteByKey
    const deleted = this.#run('delete', (session) => session.write(operation, params))
    return mapResult(deleted, (deletedCount) => ({ deletedCount }))
  }

  async deleteMany(where: unknown): Promise<DeleteResult> {
    const { plan, deletes } = this.#table
    if (where === undefined)
      throw invalid(this.#describe('the filter is not valid'), '', 'is missing: {} matches all records')
    const params: unknown[] = []
    const { filter, shape } = readFilter(plan, where, params)
    const operation = deletes.get(shape, () => Object.freeze({ kind: 'delete', plan, filter }))
    return { deletedCount: await this.#run('delete', (session) => session.write(operation, params)) }
  }

  #writeByKey(shape: UpdateShape, params: unknown[], key: readonly unknown[], seen: unknown): MaybePromise<number> {
    const operation = this.#table.updateByKey(shape, seen !== undefined)
    pushStamps(this.#table.plan, params, this.#now)
    for (const value of key) params.push(value)
    if (seen !== undefined) params.push(seen)
    return this.#write(operation, params)
  }

  #write(operation: UpdateOperation, params: readonly unknown[]): MaybePromise<number> {
    return this.#run('store', (session) => session.write(operation, params))
  }

  /** Runs a write. Errors of the engine are explained with the names of the declaration. */
  #run<T>(
    kind: 'store' | 'delete',
    work: (session: Session) => MaybePromise<T>,
    scope: Scope = this.#scope,
  ): MaybePromise<T> {
    return recoverResult(
      () => scope.run(work),
      (error) => this.#refuse(kind, error),
    )
  }

  #refuse(kind: 'store' | 'delete', error: unknown): never {
    const { plan } = this.#table
    throw describeViolation(toVersionExhausted(error, plan), plan, kind)
  }

  /** If a version was given and nothing was written, the record is missing or has another version. */
  #settle(written: number, key: readonly unknown[], seen: unknown): MaybePromise<UpdateResult> {
    if (written === 0 && seen !== undefined) return this.#refuseStale(key)
    return { matchedCount: written, modifiedCount: written }
  }

  async #refuseStale(key: readonly unknown[]): Promise<UpdateResult> {
    if ((await this.#countByKey(key)) > 0) throw this.#versionConflict()
    return { matchedCount: 0, modifiedCount: 0 }
  }

  #countByKey(key: readonly unknown[]): MaybePromise<number> {
    return this.#scope.run((session) => session.count(this.#table.countByKey, key))
  }

  #insertShape(record: Fields): InsertShape {
    const { autoIncrement } = this.#table.plan
    return autoIncrement && (ownValue(record, autoIncrement.path) ?? undefined) === undefined
      ? this.#table.insertAutoIncrement
      : this.#table.insertGiven
  }

  /** Records with and without a value for the auto-increment column need different statements. */
  #splitByShape(records: readonly Fields[]): { shape: InsertShape; records: Fields[] }[] {
    const runs: { shape: InsertShape; records: Fields[] }[] = []
    for (const record of records) {
      const shape = this.#insertShape(record)
      const last = runs.at(-1)
      if (last?.shape === shape) last.records.push(record)
      else runs.push({ shape, records: [record] })
    }
    return runs
  }

  async #insertRun({ shape, records }: { shape: InsertShape; records: Fields[] }, scope: Scope): Promise<Fields[]> {
    const now = this.#now()
    const rows = records.map((record) => shape.write(record, now))
    const numbers = await this.#run('store', (session) => session.insert(shape.operation, rows), scope)
    if (shape.operation.autoIncrement) for (const [index, row] of rows.entries()) row.push(numbers[index])
    return rows.map(shape.read)
  }

  async #deleteInserted(records: readonly Fields[]): Promise<void> {
    const { plan, deleteByKey } = this.#table
    if (plan.key.length === 0) return
    for (const record of records) {
      await this.#scope.run((session) => session.write(deleteByKey, readKeyFields(plan, record)))
    }
  }

  async #findRecords(query: Query, extras: QueryExtras = {}): Promise<Fields[]> {
    if (query.with !== undefined) return (await this.#read(query, extras)).records
    const prepared = prepareQuery(this.#table, query, extras)
    return mapResult(this.#find(prepared), (rows) => readRows(prepared.shape, rows))
  }

  /** Reads records, then loads their relations. */
  async #read(
    query: Query,
    extras: QueryExtras,
  ): Promise<{ columns: readonly PlanColumn[]; rows: readonly Row[]; records: Fields[] }> {
    const { plan } = this.#table
    const steps = readWith(plan, query.with)
    const needed = [...new Set([...(extras.needed ?? []), ...columnsFor(plan, steps)])]
    const prepared = prepareQuery(this.#table, query, { ...extras, needed })
    const rows = await this.#find(prepared)
    const read = { columns: prepared.shape.operation.columns, rows, records: readRows(prepared.shape, rows) }
    await loadRelations(this.#relations, plan, read, steps)
    return read
  }

  #find({ shape, params }: PreparedQuery): MaybePromise<readonly Row[]> {
    return this.#scope.run((session) => session.find(shape.operation, params))
  }

  #atomically<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return this.#scope.atomically(work)
  }

  #requireQuery(query: unknown): void {
    if (isPlainObject(query)) return
    throw invalid(this.#describe('the query is not valid'), '', explainNotPlain(query))
  }

  #versionConflict(): DbError {
    return new DbError('VERSION_CONFLICT', this.#describe('the record was changed since it was read'))
  }

  #describe(message: string): string {
    return `table \`${this.#table.plan.name}\`: ${message}`
  }
}

function afterKey(key: readonly PlanColumn[], slot: number) {
  return { filter: { kind: 'after', columns: key, slot } as const, shape: 'after' }
}

function asFields(input: unknown): Fields {
  return typeof input === 'object' && input !== null ? (input as Fields) : {}
}

/** Updates an existing record with the given fields only. An insert uses defaults for the others. */
function createUpsert(
  { plan }: PreparedTable,
  columns: readonly PlanColumn[],
  given: readonly PlanField[],
  isVersioned: boolean,
): UpsertOperation {
  const overwrite = [...given.flatMap((it) => it.writable), ...plan.updated]
  const slot = isVersioned ? columns.length : undefined
  return Object.freeze({
    kind: 'upsert',
    plan,
    columns,
    overwrite,
    version: plan.version && { column: plan.version, slot },
  })
}
