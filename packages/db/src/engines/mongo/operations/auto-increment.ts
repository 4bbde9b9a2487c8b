import type { PlanColumn, TablePlan } from '../../../contract/plan.ts'
import type { Row } from '../../../contract/storage.ts'
import { exhausted } from '../../../errors.ts'
import type { CommandOptions, Document, MongoCollection, MongoDatabase } from '../client/driver.ts'
import { isDuplicate } from '../client/errors.ts'
import { layoutOf, partAt } from '../documents/document.ts'

/** Where the last number given out in each table is kept. */
export const COUNTERS = 'portico__counters'

/**
 * Gives out the numbers of counted columns. Never inside a transaction: those that insert would wait for each other,
 * and a number that one of them gave back could have been seen.
 */
export class Counters {
  readonly #db: MongoDatabase
  readonly #counters: MongoCollection

  constructor(db: MongoDatabase) {
    this.#db = db
    this.#counters = db.collection(COUNTERS)
  }

  /** The next numbers of a table, as many as asked for. */
  async next(plan: TablePlan, counted: PlanColumn, count: number, options: CommandOptions): Promise<number[]> {
    const most = Number.MAX_SAFE_INTEGER - count
    const own = { _id: plan.place.table }
    const last = await this.#raise({ ...own, last: { $lte: most } }, count, options)
    if (last !== undefined) return Array.from({ length: count }, (_, index) => last - count + 1 + index)
    const [counter] = await this.#counters.find(own, options).toArray()
    if (counter && (counter['last'] as number) > most) await this.#restart(plan, counted, most, options)
    // Somebody else may have begun in the meantime.
    if (!counter) await this.begin(plan, counted, options)
    return this.next(plan, counted, count, options)
  }

  /**
   * Where the counter is at its end but the records are not, counting goes on behind the highest number that is stored.
   * Of several that find it at its end, the first alone lowers it.
   */
  async #restart(plan: TablePlan, counted: PlanColumn, most: number, options: CommandOptions): Promise<void> {
    const last = await this.#highest(plan, counted, options)
    if (last > most) throw exhausted(counted.path)
    await this.#counters.updateOne({ _id: plan.place.table, last: { $gt: most } }, { $set: { last } }, options)
  }

  /**
   * Numbers that come with rows are not given out again. Returns how to put the counter back where the rows are refused:
   * as long as nobody has counted on meanwhile.
   */
  async countOn(
    plan: TablePlan,
    columns: readonly PlanColumn[],
    rows: readonly Row[],
    options: CommandOptions,
  ): Promise<(() => Promise<void>) | undefined> {
    const { counted } = plan
    const position = counted ? columns.indexOf(counted) : -1
    if (!counted || position < 0) return undefined
    const last = rows.reduce((most, row) => Math.max(most, row[position] as number), startOf(counted) - 1)
    const own = { _id: plan.place.table }
    const raise = (): Promise<Document | null> =>
      this.#counters.findOneAndUpdate(
        own,
        { $max: { last } },
        { ...options, returnDocument: 'before', includeResultMetadata: false },
      )
    let before = await raise()
    if (!before) {
      await this.begin(plan, counted, options)
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

  /** A table that was never counted in begins behind what it holds. */
  async begin(plan: TablePlan, counted: PlanColumn, options: CommandOptions): Promise<void> {
    await this.#atLeast(plan, await this.#highest(plan, counted, options), options)
  }

  /** The highest number that is stored, or the one before the first. */
  async #highest(plan: TablePlan, counted: PlanColumn, options: CommandOptions): Promise<number> {
    const { partsOf, pathOf } = layoutOf(plan)
    const path = pathOf(counted)
    const start = startOf(counted)
    // Compared with a number, what others stored that is none does not fit.
    const [highest] = await this.#db
      .collection(plan.place.table)
      .find({ [path]: { $gte: start } }, { ...options, sort: { [path]: -1 }, limit: 1 })
      .toArray()
    return highest ? Number(partAt(highest, partsOf(counted))) : start - 1
  }

  async #atLeast(plan: TablePlan, last: number, options: CommandOptions): Promise<void> {
    try {
      await this.#counters.updateOne({ _id: plan.place.table }, { $max: { last } }, { ...options, upsert: true })
    } catch (error) {
      // Somebody else made it in the same moment; now there is one to raise.
      if (!isDuplicate(error)) throw error
      await this.#counters.updateOne({ _id: plan.place.table }, { $max: { last } }, options)
    }
  }
}

function startOf({ model }: PlanColumn): number {
  return model.default?.kind === 'increment' ? model.default.start : 1
}
