import { type Query, type QueryExtras, readQuery } from '../query/read-query.ts'
import type { FindShape, PreparedTable } from './prepared-table.ts'

export interface PreparedQuery {
  readonly shape: FindShape
  readonly params: readonly unknown[]
}

/** Reads a query. Queries of the same shape share one operation. */
export function prepareQuery(table: PreparedTable, query: Query, extras: QueryExtras = {}): PreparedQuery {
  const { via, single = false } = extras
  const { shape: key, params, selected, columns, filter, order, limit, offset } = readQuery(table.plan, query, extras)
  const shape = table.findsVia(via).get(key, () => {
    const made = table.createFind({ selected, filter, via, order, limit, offset, single })
    return { read: made.read, operation: Object.freeze({ ...made.operation, columns }) }
  })
  return { shape, params }
}
