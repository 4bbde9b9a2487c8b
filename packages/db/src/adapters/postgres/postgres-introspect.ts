import type { ForeignKeyAction } from '@portico/schema/model'
import type { ExistingColumn, ExistingTable } from '../../adapter.ts'
import { quotePlace } from '../../sql/dialect.ts'
import type { TablePlace, TablePlan } from '../../table-plan.ts'
import type { PostgresQuery, PostgresResult } from './postgres-driver.ts'

type RunQuery = (query: PostgresQuery) => Promise<PostgresResult>

const text = `
SELECT json_build_object(
  'columns', (SELECT json_agg(json_build_object('name', attname, 'type', upper(format_type(atttypid, atttypmod)),
      'nullable', NOT attnotnull, 'hasDefault', atthasdef OR attidentity <> '') ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = t."oid" AND attnum > 0 AND NOT attisdropped),
  'indexes', (SELECT json_agg(relname) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = t."oid"),
  'foreignKeys', (SELECT json_agg(json_build_object('table', relname, 'onDelete', confdeltype, 'onUpdate', confupdtype,
      'columns', (SELECT json_agg(attname ORDER BY "place") FROM unnest(conkey) WITH ORDINALITY AS k ("number", "place")
        JOIN pg_attribute ON attrelid = conrelid AND attnum = "number")))
    FROM pg_constraint JOIN pg_class ON pg_class.oid = confrelid WHERE conrelid = t."oid" AND contype = 'f')
)::text, t."oid" IS NOT NULL
FROM unnest($1::text[]) WITH ORDINALITY AS n ("name", "place"), LATERAL (SELECT to_regclass("name")::oid AS "oid") AS t
ORDER BY n."place"`

interface Found {
  readonly columns: readonly ExistingColumn[] | null
  readonly indexes: readonly string[] | null
  readonly foreignKeys:
    | readonly { table: string; columns: string[]; onDelete: keyof typeof actions; onUpdate: keyof typeof actions }[]
    | null
}

const actions = {
  a: 'noAction',
  r: 'restrict',
  c: 'cascade',
  n: 'setNull',
  d: 'setDefault',
} as const satisfies Record<string, ForeignKeyAction>

/** What a database has of these tables. */
export async function inspectPostgres(query: RunQuery, plans: readonly TablePlan[]): Promise<ExistingTable[]> {
  const { rows } = await query({ text, values: [plans.map((it) => quotePlace(it.place))], rowMode: 'array' })
  return (rows as [string, boolean][]).flatMap(([json, isThere], index) => {
    if (!isThere) return []
    const { columns, indexes, foreignKeys } = JSON.parse(json) as Found
    const links = (foreignKeys ?? []).map((it) => ({
      ...it,
      onDelete: actions[it.onDelete],
      onUpdate: actions[it.onUpdate],
    }))
    return [{ plan: plans[index]!, columns: columns ?? [], indexes: indexes ?? [], foreignKeys: links }]
  })
}

export async function hasPostgresTables(query: RunQuery, places: readonly TablePlace[]): Promise<boolean[]> {
  const listed = 'SELECT to_regclass("name") IS NOT NULL FROM unnest($1::text[]) WITH ORDINALITY AS n ("name", "place")'
  const values = [places.map((it) => quotePlace(it))]
  const { rows } = await query({ text: `${listed} ORDER BY "place"`, values, rowMode: 'array' })
  return (rows as [boolean][]).map(([isThere]) => isThere)
}
