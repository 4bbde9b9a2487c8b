import type { Row } from '../../../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../../../contract/table-plan.ts'
import { exhausted } from '../../../errors.ts'
import type { CommandOptions, Document, MongoCollection, MongoDatabase } from '../client/driver.ts'
import { isDuplicate } from '../client/errors.ts'
import { layoutOf, partAt } from '../documents/document.ts'

/** The collection with the last number of each table. */
export const COUNTERS = 'portico__counters'

/**
 * Generates auto-increment numbers. Never inside a transaction: concurrent inserts would wait for each other, and a
 * rolled-back number could have been seen.
 */
export class Counters {
  readonly #db: MongoDatabase
  readonly #counters: MongoCollection

  constructor(db: MongoDatabase) {
    this.#db = db
    this.#counters = db.collection(COUNTERS)
  }

  /** Returns the next `count` numbers of a table. */
  async next(plan: TablePlan, autoIncrement: PlanColumn, count: number, options: CommandOptions): Promise<number[]> {
    const max = Number.MAX_SAFE_INTEGER - count
    const own = { _id: plan.tableName.table }
    const last = await this.#raise({ ...own, last: { $lte: max } }, count, options)
    if (last !== undefined) return Array.from({ length: count }, (_, index) => last - count + 1 + index)
    const [counter] = await this.#counters.find(own, options).toArray()
    if (counter && (counter['last'] as number) > max) await this.#restart(plan, autoIncrement, max, options)
    // Somebody else may have created the counter in the meantime.
    if (!counter) await this.create(plan, autoIncrement, options)
    return this.next(plan, autoIncrement, count, options)
  }

  /**
   * Restarts an exhausted counter after the highest stored number. Of several callers, only the first lowers it.
   */
  async #restart(plan: TablePlan, autoIncrement: PlanColumn, max: number, options: CommandOptions): Promise<void> {
    const last = await this.#highest(plan, autoIncrement, options)
    if (last > max) throw exhausted(autoIncrement.path)
    await this.#counters.updateOne({ _id: plan.tableName.table, last: { $gt: max } }, { $set: { last } }, options)
  }

  /**
   * Advances the counter past explicit numbers. Returns a function that restores it if the rows are refused, unless
   * somebody has used more numbers in the meantime.
   */
  async advance(
    plan: TablePlan,
    columns: readonly PlanColumn[],
    rows: readonly Row[],
    options: CommandOptions,
  ): Promise<(() => Promise<void>) | undefined> {
    const { autoIncrement } = plan
    const position = autoIncrement ? columns.indexOf(autoIncrement) : -1
    if (!autoIncrement || position < 0) return undefined
    const last = rows.reduce((max, row) => Math.max(max, row[position] as number), startOf(autoIncrement) - 1)
    const own = { _id: plan.tableName.table }
    const raise = (): Promise<Document | null> =>
      this.#counters.findOneAndUpdate(
        own,
        { $max: { last } },
        { ...options, returnDocument: 'before', includeResultMetadata: false },
      )
    let before = await raise()
    if (!before) {
      await this.create(plan, autoIncrement, options)
      before = await raise()
    }
    const former = before?.['last'] as number | undefined
    if (former === undefined || former >= last) return undefined
    return async () => {
      await this.#counters.updateOne({ ...own, last }, { $set: { last: former } }, options)
    }
  }

  async #raise(filter: Document, count: number, options: CommandOptions): Promise<number | undefined> {
    const found = await this.#counters.findOneAndUpdate(
      filter,
      { $inc: { last: count } },
      { ...options, returnDocument: 'after', includeResultMetadata: false },
    )
    return found?.['last'] as number | undefined
  }

  /** Creates the counter of a table, which starts after the highest stored number. */
  async create(plan: TablePlan, autoIncrement: PlanColumn, options: CommandOptions): Promise<void> {
    await this.#atLeast(plan, await this.#highest(plan, autoIncrement, options), options)
  }

  /** The highest stored number, or the one before the first. */
  async #highest(plan: TablePlan, autoIncrement: PlanColumn, options: CommandOptions): Promise<number> {
    const { partsOf, pathOf } = layoutOf(plan)
    const path = pathOf(autoIncrement)
    const start = startOf(autoIncrement)
    // Values of other types, which other programs may have stored, do not match a comparison with a number.
    const [highest] = await this.#db
      .collection(plan.tableName.table)
      .find({ [path]: { $gte: start } }, { ...options, sort: { [path]: -1 }, limit: 1 })
      .toArray()
    return highest ? Number(partAt(highest, partsOf(autoIncrement))) : start - 1
  }

  async #atLeast(plan: TablePlan, last: number, options: CommandOptions): Promise<void> {
    try {
      await this.#counters.updateOne({ _id: plan.tableName.table }, { $max: { last } }, { ...options, upsert: true })
    } catch (error) {
      // Somebody else created the counter at the same moment.
      if (!isDuplicate(error)) throw error
      await this.#counters.updateOne({ _id: plan.tableName.table }, { $max: { last } }, options)
    }
  }
}

function startOf({ model }: PlanColumn): number {
  return model.default?.kind === 'increment' ? model.default.start : 1
}
