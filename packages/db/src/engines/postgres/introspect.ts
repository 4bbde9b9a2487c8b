import type { ForeignKeyAction, Storage } from '@portico/schema/model'
import type { Inspection } from '../../contract/adapter.ts'
import { type ColumnSnapshot, type IndexSnapshot, type TableSnapshot } from '../../contract/snapshot.ts'
import type { TableName } from '../../contract/table-plan.ts'
import { DbError } from '../../errors.ts'
import { quoteTableName } from '../../sql/dialect.ts'
import { canonicalDefault } from '../../table/describe-table.ts'
import type { PostgresQuery, PostgresResult } from './driver.ts'

type RunQuery = (query: PostgresQuery) => Promise<PostgresResult>

const columnNames = (numbers: string, table: string): string => `(SELECT json_agg(attname ORDER BY "place")
    FROM unnest(${numbers}) WITH ORDINALITY AS k ("number", "place") JOIN pg_attribute ON attrelid = ${table} AND attnum = "number")`

// The lowest bit of an index column's options is its direction. Expressions, and columns of partial indexes, get no
// name here, so that they match no declared index.
const text = `
SELECT json_build_object(
  'columns', (SELECT json_agg(json_build_object('name', attname, 'type', upper(format_type(atttypid, atttypmod)),
      'nullable', NOT attnotnull, 'preset', pg_get_expr(adbin, adrelid), 'autoIncrement', attidentity <> '') ORDER BY attnum)
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = t."oid" AND attnum > 0 AND NOT attisdropped),
  'key', (SELECT json_build_object('name', conname, 'columns', ${columnNames('conkey', 'conrelid')})
    FROM pg_constraint WHERE conrelid = t."oid" AND contype = 'p'),
  'indexes', (SELECT json_agg(json_build_object('name', relname, 'unique', indisunique, 'isValid', indisvalid,
      'columns', (SELECT json_agg(json_build_object('name', CASE WHEN indpred IS NULL THEN coalesce(attname, '') ELSE '' END,
          'order', CASE WHEN "option" & 1 = 1 THEN 'desc' ELSE 'asc' END) ORDER BY "place")
        FROM unnest(indkey::int2[], indoption::int2[]) WITH ORDINALITY AS k ("number", "option", "place")
        LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = "number")))
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = t."oid" AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')),
  'foreignKeys', (SELECT json_agg(json_build_object('name', conname, 'schema', nspname, 'table', relname,
      'onDelete', confdeltype, 'onUpdate', confupdtype, 'columns', ${columnNames('conkey', 'conrelid')},
      'references', ${columnNames('confkey', 'confrelid')}) ORDER BY conname)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = confrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE conrelid = t."oid" AND contype = 'f'),
  'rules', (SELECT json_agg(conname) FROM pg_constraint WHERE conrelid = t."oid" AND contype IN ('c', 'u', 'x'))
)::text, current_schema(), (SELECT nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE pg_class.oid = t."oid")
FROM unnest($1::text[]) WITH ORDINALITY AS n ("name", "place"), LATERAL (SELECT to_regclass("name")::oid AS "oid") AS t
ORDER BY n."place"`

interface Found {
  readonly columns: readonly FoundColumn[] | null
  readonly key: { readonly name: string; readonly columns: readonly string[] } | null
  readonly indexes: readonly IndexSnapshot[] | null
  readonly foreignKeys: readonly FoundForeignKey[] | null
  readonly rules: readonly string[] | null
}

interface FoundColumn {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly preset: string | null
  readonly autoIncrement: boolean
}

interface FoundForeignKey {
  readonly name: string
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
  readonly references: readonly string[]
  readonly onDelete: keyof typeof actions
  readonly onUpdate: keyof typeof actions
}

const actions = {
  a: 'noAction',
  r: 'restrict',
  c: 'cascade',
  n: 'setNull',
  d: 'setDefault',
} as const satisfies Record<string, ForeignKeyAction>

/** Reads these tables with one query. */
export async function inspectPostgres(query: RunQuery, tableNames: readonly TableName[]): Promise<Inspection> {
  const { rows } = await query({ text, values: [tableNames.map((it) => quoteTableName(it))], rowMode: 'array' })
  const found = rows as [json: string, home: string | null, schema: string | null][]
  // A table without a schema may be in any schema of the search path, and keeps the name it was asked for.
  const asked = new Map<string, TableName>()
  for (const [index, tableName] of tableNames.entries()) {
    const schema = found[index]?.[2]
    if (schema?.startsWith('pg_temp_')) throw hidden(tableName)
    const name = JSON.stringify([schema, tableName.table])
    if (!asked.has(name)) asked.set(name, tableName)
  }
  const nameOf = (schema: string, table: string): TableName =>
    asked.get(JSON.stringify([schema, table])) ?? { schema, table }
  const tables = found.flatMap(([json, , schema], index) =>
    schema === null ? [] : [readTable(tableNames[index]!, JSON.parse(json) as Found, nameOf)],
  )
  const home = found[0]?.[1] ?? undefined
  return { tables, ...(home !== undefined && { home }) }
}

/** A temporary table shadows the table of the same name, and would be changed in its place. */
function hidden({ table }: TableName): DbError {
  const reason = 'this connection has a temporary table of that name: drop it first'
  return new DbError('SYNC_REFUSED', `table \`${table}\`: ${reason}`)
}

function readTable(
  tableName: TableName,
  { columns, key, indexes, foreignKeys, rules }: Found,
  nameOf: (schema: string, table: string) => TableName,
): TableSnapshot {
  return {
    tableName,
    columns: (columns ?? []).map(readColumn),
    key: key?.columns ?? [],
    ...(key && { keyName: key.name }),
    indexes: indexes ?? [],
    foreignKeys: (foreignKeys ?? []).map(({ schema, table, onDelete, onUpdate, ...it }) => ({
      ...it,
      tableName: nameOf(schema, table),
      onDelete: actions[onDelete],
      onUpdate: actions[onUpdate],
    })),
    ...(rules && { rules }),
  }
}

// Sync never creates these types, but converts them to its own without loss.
const storages: Readonly<Record<string, Storage>> = {
  TEXT: 'text',
  BIGINT: 'integer',
  INTEGER: 'integer',
  SMALLINT: 'integer',
  'DOUBLE PRECISION': 'real',
  REAL: 'real',
  UUID: 'text',
  JSON: 'json',
  NUMERIC: 'decimal',
  BOOLEAN: 'boolean',
  JSONB: 'json',
}

function readColumn({ name, type, nullable, preset, autoIncrement }: FoundColumn): ColumnSnapshot {
  const [, precision, scale] = /^NUMERIC\((\d+),(\d+)\)$/.exec(type) ?? []
  const isText = /^CHARACTER( VARYING)?(\(\d+\))?$/.test(type)
  const storage = precision === undefined ? (isText ? 'text' : storages[type]) : 'decimal'
  const value = preset === null ? undefined : readDefault(preset, storage)
  return {
    name,
    type,
    ...(storage && { storage }),
    ...(precision !== undefined && { precision: { precision: Number(precision), scale: Number(scale) } }),
    ...(type === 'NUMERIC' && { isUnbound: true }),
    nullable,
    ...(value !== undefined && { default: value }),
    autoIncrement,
  }
}

/** The value of a literal default, with any cast; everything else is an expression. */
function readDefault(expression: string, storage: Storage | undefined): string | undefined {
  const bare = expression.replace(/(::[a-z ]+(\(\d+(,\d+)?\))?)+$/i, '')
  if (/^null$/i.test(bare)) return undefined
  const quoted = /^'((?:[^']|'')*)'$/.exec(bare)
  if (quoted) return canonicalDefault(quoted[1]!.replaceAll("''", "'"), storage)
  const inner = /^\((.*)\)$/.exec(bare)?.[1] ?? bare
  return /^([-+]?[\d.]+(e[-+]?\d+)?|true|false)$/i.test(inner) ? canonicalDefault(inner, storage) : `(${expression})`
}
