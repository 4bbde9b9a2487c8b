import type { ForeignKeyAction, Storage } from '@portico/schema/model'
import type { Inspection } from '../../contract/adapter.ts'
import {
  type ColumnSnapshot,
  type ForeignKeySnapshot,
  type IndexSnapshot,
  type TableSnapshot,
} from '../../contract/snapshot.ts'
import type { TableName } from '../../contract/table-plan.ts'
import { readAction } from '../../sql/dialect.ts'
import { canonicalDefault } from '../../table/describe-table.ts'
import type { SqliteHandle } from './driver.ts'

const named = `(SELECT name, sql FROM main.sqlite_master
  WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))) AS "m"`

const texts = {
  tables: `SELECT "m".name, "m".sql FROM ${named}`,
  columns: `SELECT "m".name, "p".name, "p".type, "p"."notnull", "p".dflt_value, "p".pk
    FROM ${named} JOIN pragma_table_info("m".name, 'main') AS "p" ORDER BY "p".cid`,
  indexes: `SELECT "m".name, "l".name, "l"."unique", "l".partial, "x".name, "x"."desc", "x".coll
    FROM ${named} JOIN pragma_index_list("m".name, 'main') AS "l" JOIN pragma_index_xinfo("l".name, 'main') AS "x"
    WHERE "l".origin = 'c' AND "x"."key" = 1 ORDER BY "x".seqno`,
  foreignKeys: `SELECT "m".name, "k".id, "k"."table", "k"."from", "k"."to", "k".on_delete, "k".on_update
    FROM ${named} JOIN pragma_foreign_key_list("m".name, 'main') AS "k" ORDER BY "k".id, "k".seq`,
}

type ColumnRow = [
  table: string,
  name: string,
  type: string,
  isRequired: number,
  preset: string | null,
  keyPlace: number,
]
type IndexRow = [
  table: string,
  index: string,
  isUnique: number,
  isPartial: number,
  column: string | null,
  isDescending: number,
  collation: string,
]
type LinkRow = [
  table: string,
  id: number,
  target: string,
  column: string,
  reference: string | null,
  onDelete: string,
  onUpdate: string,
]

/** Reads these tables with four queries. */
export function inspectSqlite(handle: SqliteHandle, tableNames: readonly TableName[]): Inspection {
  const names = JSON.stringify([...new Set(tableNames.map((it) => it.table))])
  const read = <T>(text: string): T[] => handle.prepare(text).safeIntegers(false).raw(true).all(names) as T[]
  const columns = groupByTable(read<ColumnRow>(texts.columns))
  const indexes = groupByTable(read<IndexRow>(texts.indexes))
  const links = groupByTable(read<LinkRow>(texts.foreignKeys))
  const tables = read<[name: string, sql: string]>(texts.tables).map(([table, sql]): TableSnapshot => {
    const rows = columns.get(table) ?? []
    const isAutoIncrement = /\bAUTOINCREMENT\b/i.test(withoutNames(sql))
    return {
      tableName: { schema: undefined, table },
      columns: rows.map((row) => readColumn(row, isAutoIncrement)),
      key: rows
        .filter((it) => it[5] > 0)
        .sort((a, b) => a[5] - b[5])
        .map(([, name]) => name),
      indexes: groupIndexes(indexes.get(table) ?? []),
      foreignKeys: groupLinks(links.get(table) ?? []),
    }
  })
  return { tables }
}

function groupByTable<T extends [table: string, ...rest: unknown[]]>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const known = groups.get(row[0])
    if (known) known.push(row)
    else groups.set(row[0], [row])
  }
  return groups
}

/** Removes quoted names and texts from a definition, so that only keywords are left. */
export function withoutNames(sql: string): string {
  return sql.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
}

const storages: Readonly<Record<string, Storage>> = { INTEGER: 'integer', TEXT: 'text', REAL: 'real' }

function readColumn(
  [, name, declared, isRequired, preset, keyPlace]: ColumnRow,
  isAutoIncrement: boolean,
): ColumnSnapshot {
  const type = affinityOf(declared)
  const storage = storages[type]
  const value = preset === null ? undefined : readDefault(preset, storage)
  return {
    name,
    type,
    ...(storage && { storage }),
    nullable: isRequired === 0 && keyPlace === 0,
    ...(value !== undefined && { default: value }),
    autoIncrement: isAutoIncrement && keyPlace > 0,
  }
}

/** The value of a literal default; everything else is an expression. */
function readDefault(text: string, storage: Storage | undefined): string | undefined {
  if (/^null$/i.test(text)) return undefined
  const quoted = /^'((?:[^']|'')*)'$/.exec(text)
  if (quoted) return canonicalDefault(quoted[1]!.replaceAll("''", "'"), storage)
  return /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(text) ? canonicalDefault(text, storage) : `(${text})`
}

/** SQLite's type affinity; its rules, in its order. */
function affinityOf(type: string): string {
  if (/INT/i.test(type)) return 'INTEGER'
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'TEXT'
  if (/REAL|FLOA|DOUB/i.test(type)) return 'REAL'
  return type === '' ? 'BLOB' : type.toUpperCase()
}

/** An index has one row per column. Indexes that sync never creates match no declared one. */
function groupIndexes(rows: readonly IndexRow[]): IndexSnapshot[] {
  const found = new Map<string, { unique: boolean; columns: { name: string; order: 'asc' | 'desc' }[] }>()
  for (const [, index, isUnique, isPartial, column, isDescending, collation] of rows) {
    const known = found.get(index) ?? { unique: isUnique === 1, columns: [] }
    const isPlain = column !== null && isPartial === 0 && collation === 'BINARY'
    known.columns.push({ name: isPlain ? column : '', order: isDescending === 1 ? 'desc' : 'asc' })
    found.set(index, known)
  }
  return [...found].map(([name, it]) => ({ name, ...it, isValid: true }))
}

/** A foreign key has one row per column. */
function groupLinks(rows: readonly LinkRow[]): ForeignKeySnapshot[] {
  const keys = new Map<
    number,
    { columns: string[]; references: string[]; table: string; onDelete: ForeignKeyAction; onUpdate: ForeignKeyAction }
  >()
  for (const [, id, table, column, reference, onDelete, onUpdate] of rows) {
    const known = keys.get(id) ?? {
      columns: [],
      references: [],
      table,
      onDelete: readAction(onDelete),
      onUpdate: readAction(onUpdate),
    }
    known.columns.push(column)
    if (reference !== null) known.references.push(reference)
    keys.set(id, known)
  }
  return [...keys.values()].map(({ table, ...it }) => ({ ...it, tableName: { schema: undefined, table } }))
}
