import { type Database, DbError, type Queryable } from '@portico/db'

/** Runs the work in a transaction. A standalone MongoDB has none, so there the steps run one after the other. */
export async function transact<Result>(db: Database, work: (tables: Queryable) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(work)
  } catch (error) {
    // It is thrown before `work` is called.
    if (error instanceof DbError && error.code === 'TRANSACTIONS_UNSUPPORTED') return work(db)
    throw error
  }
}
