import type { Row } from '../../adapter.ts'
import { exhausted } from '../../errors.ts'
import type { PlanColumn, TablePlan } from '../../table-plan.ts'
import { layoutOf, partAt } from './mongo-document.ts'
import type { CommandOptions, Document, MongoCollection, MongoDatabase } from './mongo-driver.ts'
import { isDuplicate } from './mongo-errors.ts'

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
    if (counter && (counter['last'] as number) > most) throw exhausted(counted.path)
    // Somebody else may have begun in the meantime.
    if (!counter) await this.begin(plan, counted, options)
    return this.next(plan, counted, count, options)
  }

  /** Numbers that came with rows are not given out again. */
  async countOn(
    plan: TablePlan,
    columns: readonly PlanColumn[],
    rows: readonly Row[],
    options: CommandOptions,
  ): Promise<void> {
    const { counted } = plan
    const position = counted ? columns.indexOf(counted) : -1
    if (!counted || position < 0) return
    const last = rows.reduce((most, row) => Math.max(most, row[position] as number), startOf(counted) - 1)
    const raise = (): Promise<{ matchedCount: number }> =>
      this.#counters.updateOne({ _id: plan.place.table }, { $max: { last } }, options)
    if ((await raise()).matchedCount > 0) return
    await this.begin(plan, counted, options)
    await raise()
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
    const { partsOf, pathOf } = layoutOf(plan)
    const path = pathOf(counted)
    const start = startOf(counted)
    // Compared with a number, what others stored that is none does not fit.
    const [highest] = await this.#db
      .collection(plan.place.table)
      .find({ [path]: { $gte: start } }, { ...options, sort: { [path]: -1 }, limit: 1 })
      .toArray()
    await this.#atLeast(plan, highest ? Number(partAt(highest, partsOf(counted))) : start - 1, options)
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
