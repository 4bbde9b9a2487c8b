import type { ExistingTable } from '../../adapter.ts'
import type { TablePlan } from '../../table-plan.ts'
import type { SqliteHandle } from './sqlite-driver.ts'

/** What a file has of these tables. */
export function inspectSqlite(handle: SqliteHandle, plans: readonly TablePlan[]): ExistingTable[] {
  const columns = handle.prepare('SELECT name FROM pragma_table_info(?)').raw(true)
  const indexes = handle.prepare('SELECT name FROM pragma_index_list(?)').raw(true)
  const namesOf = (statement: typeof columns, table: string): string[] =>
    (statement.all(table) as [string][]).map(([name]) => name)
  return plans.flatMap((plan) => {
    const found = namesOf(columns, plan.place.table)
    return found.length > 0 ? [{ plan, columns: found, indexes: namesOf(indexes, plan.place.table) }] : []
  })
}
