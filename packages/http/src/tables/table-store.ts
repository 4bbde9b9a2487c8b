import { DbError, type Queryable } from '@portico/db'
import type { AnyTable } from '@portico/schema/runtime'
import { HttpError } from '../errors.ts'
import { both, nothing, type Operations, operationsOf } from './operations.ts'
import { fillFromScope, isCallersFault, isProvenInside, outside, refuseOutside, scopeFailed } from './scope.ts'
import type { FindRequest } from './table-query.ts'
import type { Fields, TableView } from './table-view.ts'

/** The conditions of a write: the row-level scope, and the versions of `If-Match`. */
export interface Condition {
  readonly scope: Fields | undefined
  readonly versions: readonly number[] | 'any' | undefined
}

export type Change = 'update' | 'replace'

/** Reads and writes one table within a scope. Nothing outside of it is read, written or revealed. */
export class TableStore {
  readonly #db: Queryable
  readonly #view: TableView
  readonly #operations: Operations

  constructor(db: Queryable, view: TableView) {
    this.#db = db
    this.#view = view
    this.#operations = operationsOf(db, view.declaration)
  }

  findOne(key: Fields, scope: Fields | undefined, options?: Fields): Promise<Fields | undefined> {
    if (!scope) return this.#operations.findById(key, options)
    return this.#inScope(scope, () => this.#operations.findOne({ where: both(key, scope), ...options }))
  }

  findMany(query: Fields, scope: Fields | undefined): Promise<Fields[]> {
    const where = both(query['where'] as Fields, scope)
    return this.#inScope(scope, () => this.#operations.findMany({ ...query, where }))
  }

  count(where: FindRequest['where'], scope: Fields | undefined): Promise<number> {
    return this.#inScope(scope, () => this.#operations.count(both(where, scope)))
  }

  /** Inserts one record, or several atomically. All have to be inside the scope. */
  async insert(input: Fields | readonly Fields[], scope: Fields | undefined): Promise<Fields[]> {
    if (!scope) return insertAll(this.#operations, input)
    const filled = isList(input) ? input.map((it) => fillFromScope(it, scope)) : fillFromScope(input, scope)
    const records = isList(filled) ? filled : [filled]
    for (const record of records) refuseOutside(record, scope, this.#view.columns)
    if (records.every((it) => isProvenInside(it, scope, this.#view.columns))) {
      return this.#inScope(scope, () => insertAll(this.#operations, filled))
    }
    return this.#inScope(scope, () => {
      for (const record of records) checkInput(this.#view.declaration, 'insert', record)
      return this.#db.transaction(async (tx) => {
        const table = operationsOf(tx, this.#view.declaration)
        const stored = await insertAll(table, filled)
        await this.#checkInside(table, stored, scope)
        return stored
      })
    })
  }

  /** Changes a record and returns it as stored; `undefined` if there is none. */
  async write(change: Change, record: Fields, condition: Condition): Promise<Fields | undefined> {
    const key = this.#view.keyOf(record)
    const { scope } = condition
    if (!scope && condition.versions === undefined) {
      const { matchedCount } = await this.#operations[`${change}One`](record)
      return matchedCount === 0 ? undefined : this.#operations.findById(key)
    }
    if (!scope) {
      const isWritten = await this.#writeWhere(this.#operations, change, record, condition)
      return isWritten ? this.#operations.findById(key) : undefined
    }
    refuseOutside(this.#changesOf(record), scope, this.#view.columns)
    if (this.#staysInside(change, record, scope)) {
      return this.#inScope(scope, async () => {
        const isWritten = await this.#writeWhere(this.#operations, change, record, condition)
        return isWritten ? this.#operations.findOne({ where: both(key, scope) }) : undefined
      })
    }
    return this.#inScope(scope, () => {
      checkInput(this.#view.declaration, change, record)
      return this.#db.transaction(async (tx) => {
        const table = operationsOf(tx, this.#view.declaration)
        if (!(await this.#writeWhere(table, change, record, condition))) return undefined
        const [stored] = await table.findMany({ where: key })
        await this.#checkInside(table, [stored!], scope)
        return stored
      })
    })
  }

  /** Deletes a record. `false` if there was none. */
  async delete(key: Fields, condition: Condition): Promise<boolean> {
    if (!condition.scope && condition.versions === undefined) {
      return (await this.#operations.deleteOne(key)).deletedCount > 0
    }
    return this.#inScope(condition.scope, async () => {
      const where = this.#conditionOf(key, condition)
      if ((await this.#operations.deleteMany(where)).deletedCount > 0) return true
      await this.#explainMiss(this.#operations, key, condition)
      return false
    })
  }

  /** Runs work with a scope. If the scope alone causes the error, without the request, it is the server's failure. */
  async #inScope<T>(scope: Fields | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (scope && isCallersFault(error)) await this.#checkScope(scope)
      throw error
    }
  }

  async #checkScope(scope: Fields): Promise<void> {
    try {
      await this.#operations.exists(both(scope, nothing))
    } catch (cause) {
      throw isCallersFault(cause) ? scopeFailed(this.#view.declaration.name, cause) : cause
    }
  }

  /** One statement with key, scope and version in its condition, so that nothing can change in between. */
  async #writeWhere(table: Operations, change: Change, record: Fields, condition: Condition): Promise<boolean> {
    const { declaration, version } = this.#view
    const key = this.#view.keyOf(record)
    if (change === 'replace') checkInput(declaration, change, record)
    const isGiven = version !== undefined && Object.hasOwn(record, version.path)
    const seen = isGiven ? (record[version.path] ?? undefined) : undefined
    const where = both(this.#conditionOf(key, condition), seen === undefined ? undefined : { [version!.path]: seen })
    if ((await table.updateMany(where, this.#written(change, record))).matchedCount > 0) return true
    await this.#explainMiss(table, key, condition, seen !== undefined)
    return false
  }

  /** Throws if the record exists but has another version. */
  async #explainMiss(table: Operations, key: Fields, condition: Condition, isVersioned = false): Promise<void> {
    if (condition.versions === undefined && !isVersioned) return
    if (!(await table.exists(both(key, condition.scope)))) return
    if (Array.isArray(condition.versions) && !(await table.exists(this.#conditionOf(key, condition)))) {
      throw new HttpError(412, 'PRECONDITION_FAILED', 'the record does not have the version in If-Match')
    }
    throw new DbError(
      'VERSION_CONFLICT',
      `table \`${this.#view.declaration.name}\`: the record was changed after it was read`,
    )
  }

  #conditionOf(key: Fields, { scope, versions }: Condition): Fields {
    if (!Array.isArray(versions)) return both(key, scope)
    // A table without versions has no tags, so no tag can match.
    const { version } = this.#view
    const fits = version && versions.length > 0 ? { [version.path]: { $in: versions } } : nothing
    return both(both(key, scope), fits)
  }

  /** Throws if a write left a record outside of the scope, which rolls its transaction back. */
  async #checkInside(table: Operations, records: readonly Fields[], scope: Fields): Promise<void> {
    for (let start = 0; start < records.length; start += 100) {
      const keys = records.slice(start, start + 100).map((it) => this.#view.keyOf(it))
      if ((await table.count(both({ $or: keys }, scope))) === keys.length) continue
      throw outside()
    }
  }

  #staysInside(change: Change, record: Fields, scope: Fields): boolean {
    const { columns, declaration } = this.#view
    const changes = this.#written(change, record)
    const generated = declaration.columns.filter((it) => it.generated).map((it) => it.path)
    return isProvenInside(changes, scope, columns, new Set([...Object.keys(changes), ...generated]))
  }

  #written(change: Change, record: Fields): Fields {
    return change === 'replace' ? this.#completed(record) : this.#changesOf(record)
  }

  /** The fields to set. The key and the version only identify the record. */
  #changesOf(record: Fields): Fields {
    const { declaration, version } = this.#view
    const identifying = [...declaration.key, ...(version ? [version.path] : [])]
    return Object.fromEntries(Object.entries(record).filter(([name]) => !identifying.includes(name)))
  }

  /** A replacement as an update: optional fields that are left out are set to null. */
  #completed(record: Fields): Fields {
    const absent = this.#view.declaration.columns
      .filter((it) => !it.key && !it.generated)
      .map((it) => it.path.split('.')[0]!)
      .filter((name) => !Object.hasOwn(record, name))
    return { ...this.#changesOf(record), ...Object.fromEntries(absent.map((name) => [name, null])) }
  }
}

async function insertAll(table: Operations, input: Fields | readonly Fields[]): Promise<Fields[]> {
  return isList(input) ? table.insertMany(input) : [await table.insertOne(input)]
}

function isList(input: Fields | readonly Fields[]): input is readonly Fields[] {
  return Array.isArray(input)
}

function checkInput(declaration: AnyTable, change: Change | 'insert', record: Fields): void {
  const result = declaration[`${change}Schema`].validate(record)
  if (result.ok) return
  const { issues } = result
  throw new DbError('VALIDATION_FAILED', `table \`${declaration.name}\`: the input is not valid`, { issues })
}
