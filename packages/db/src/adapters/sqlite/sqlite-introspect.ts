import type { ForeignKeyAction } from '@portico/schema/model'
import type { ExistingColumn, ExistingForeignKey, ExistingTable } from '../../adapter.ts'
import { readAction } from '../../sql/dialect.ts'
import type { TablePlace, TablePlan } from '../../table-plan.ts'
import type { SqliteHandle } from './sqlite-driver.ts'

/** What a file has of these tables. */
export function inspectSqlite(handle: SqliteHandle, plans: readonly TablePlan[]): ExistingTable[] {
  const read = <T>(text: string, table: string): T[] => handle.prepare(text).raw(true).all(table) as T[]
  return plans.flatMap((plan) => {
    const { table } = plan.place
    const columns = read<ColumnRow>('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)', table)
    if (columns.length === 0) return []
    const indexes = read<[string]>('SELECT name FROM pragma_index_list(?)', table).map(([name]) => name)
    const links = 'SELECT id, "table", "from", on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY id, seq'
    return [{ plan, columns: columns.map(readColumn), indexes, foreignKeys: groupLinks(read<LinkRow>(links, table)) }]
  })
}

export function hasSqliteTables(handle: SqliteHandle, places: readonly TablePlace[]): boolean[] {
  const statement = handle.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
  return places.map(({ table }) => statement.get(table) !== undefined)
}

type ColumnRow = [name: string, type: string, isRequired: number, preset: string | null, keyPlace: number]
type LinkRow = [id: number, table: string, column: string, onDelete: string, onUpdate: string]

function readColumn([name, type, isRequired, preset, keyPlace]: ColumnRow): ExistingColumn {
  const nullable = isRequired === 0 && keyPlace === 0
  return { name, type: affinityOf(type), nullable, hasDefault: preset !== null }
}

/** Which of its few types SQLite makes of a declared one; the rules are its own, in this order. */
function affinityOf(type: string): string {
  if (/INT/i.test(type)) return 'INTEGER'
  if (/CHAR|CLOB|TEXT/i.test(type)) return 'TEXT'
  if (/REAL|FLOA|DOUB/i.test(type)) return 'REAL'
  return type === '' ? 'BLOB' : type.toUpperCase()
}

/** One foreign key has a row for each of its columns. */
function groupLinks(rows: readonly LinkRow[]): ExistingForeignKey[] {
  const keys = new Map<
    number,
    { columns: string[]; table: string; onDelete: ForeignKeyAction; onUpdate: ForeignKeyAction }
  >()
  for (const [id, table, column, onDelete, onUpdate] of rows) {
    const known = keys.get(id)
    if (known) known.columns.push(column)
    else keys.set(id, { columns: [column], table, onDelete: readAction(onDelete), onUpdate: readAction(onUpdate) })
  }
  return [...keys.values()]
}
