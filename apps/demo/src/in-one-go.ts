import { type Database, DbError, type Queryable } from '@portico/db'

/** Does all of it or nothing, where the engine can. A MongoDB that stands alone takes one step after the other. */
export async function inOneGo<T>(db: Database, work: (tables: Queryable) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(work)
  } catch (error) {
    // It is thrown before `work` is called.
    if (error instanceof DbError && error.code === 'TRANSACTIONS_UNSUPPORTED') return work(db)
    throw error
  }
}
