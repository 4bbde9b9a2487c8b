import type { ExistingTable } from '../../adapter.ts'
import { quotePlace } from '../../sql/dialect.ts'
import type { TablePlan } from '../../table-plan.ts'
import type { PostgresQuery, PostgresResult } from './postgres-driver.ts'

type RunQuery = (query: PostgresQuery) => Promise<PostgresResult>

const text = `
SELECT
  (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = "oid" AND attnum > 0 AND NOT attisdropped),
  (SELECT array_agg(relname::text) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = t."oid"),
  t."oid" IS NOT NULL
FROM unnest($1::text[]) WITH ORDINALITY AS n ("name", "place"), LATERAL (SELECT to_regclass("name")::oid AS "oid") AS t
ORDER BY "place"`

/** What a database has of these tables. */
export async function inspectPostgres(query: RunQuery, plans: readonly TablePlan[]): Promise<ExistingTable[]> {
  const { rows } = await query({ text, values: [plans.map((it) => quotePlace(it.place))], rowMode: 'array' })
  return (rows as [string[] | null, string[] | null, boolean][]).flatMap(([columns, indexes, isThere], index) =>
    isThere ? [{ plan: plans[index]!, columns: columns ?? [], indexes: indexes ?? [] }] : [],
  )
}
