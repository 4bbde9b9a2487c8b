import type { ExistingColumn, ExistingForeignKey, ExistingTable } from '../../adapter.ts'
import { readAction } from '../../sql/dialect.ts'
import type { TablePlace, TablePlan } from '../../table-plan.ts'

type Read = (text: string, values: unknown[]) => Promise<readonly unknown[]>

const columnsText = `
SELECT c.COLUMN_NAME, c.COLUMN_TYPE, c.IS_NULLABLE = 'YES',
  coalesce(c.COLUMN_DEFAULT, 'NULL') <> 'NULL' OR c.EXTRA = 'auto_increment'
FROM information_schema.COLUMNS AS c
WHERE c.TABLE_SCHEMA = coalesce(?, database()) AND c.TABLE_NAME = ? ORDER BY c.ORDINAL_POSITION`

/** MariaDB keeps JSON as text that is checked; MySQL has a type for it, and no such rows. Quotes are those of the connection's mode. */
const checksText = `
SELECT k.CHECK_CLAUSE FROM information_schema.TABLE_CONSTRAINTS AS t JOIN information_schema.CHECK_CONSTRAINTS AS k
  ON k.CONSTRAINT_SCHEMA = t.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = t.CONSTRAINT_NAME
WHERE t.TABLE_SCHEMA = coalesce(?, database()) AND t.TABLE_NAME = ? AND t.CONSTRAINT_TYPE = 'CHECK'
  AND k.CHECK_CLAUSE LIKE 'json_valid(%'`

const indexesText = `
SELECT DISTINCT INDEX_NAME FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ?`

const foreignKeysText = `
SELECT r.CONSTRAINT_NAME, r.REFERENCED_TABLE_NAME, r.DELETE_RULE, r.UPDATE_RULE, k.COLUMN_NAME
FROM information_schema.REFERENTIAL_CONSTRAINTS AS r JOIN information_schema.KEY_COLUMN_USAGE AS k
  ON k.CONSTRAINT_SCHEMA = r.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = r.CONSTRAINT_NAME AND k.TABLE_NAME = r.TABLE_NAME
WHERE r.CONSTRAINT_SCHEMA = coalesce(?, database()) AND r.TABLE_NAME = ?
ORDER BY r.CONSTRAINT_NAME, k.ORDINAL_POSITION`

/** What a server has of these tables. */
export async function inspectMysql(read: Read, plans: readonly TablePlan[]): Promise<ExistingTable[]> {
  const found: ExistingTable[] = []
  for (const plan of plans) {
    const place = [plan.place.schema ?? null, plan.place.table]
    const columns = (await read(columnsText, place)) as ColumnRow[]
    if (columns.length === 0) continue
    const checks = (await read(checksText, place)) as [string][]
    const checked = new Set(checks.map(([clause]) => clause.replace(/^json_valid\((.)(.*)\1\)$/, '$2')))
    const indexes = (await read(indexesText, place)) as [string][]
    found.push({
      plan,
      columns: columns.map((row) => readColumn(row, checked)),
      indexes: indexes.map(([name]) => name),
      foreignKeys: groupLinks((await read(foreignKeysText, place)) as LinkRow[]),
    })
  }
  return found
}

export async function hasMysqlTables(read: Read, places: readonly TablePlace[]): Promise<boolean[]> {
  const text = 'SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ?'
  const found: boolean[] = []
  for (const { schema, table } of places) found.push((await read(text, [schema ?? null, table])).length > 0)
  return found
}

type ColumnRow = [name: string, type: string, isNullable: number, hasDefault: number]
type LinkRow = [name: string, table: string, onDelete: string, onUpdate: string, column: string]

function readColumn([name, type, isNullable, hasDefault]: ColumnRow, checked: ReadonlySet<string>): ExistingColumn {
  const written = checked.has(name) ? 'JSON' : readType(type)
  return { name, type: written, nullable: isNullable === 1, hasDefault: hasDefault === 1 }
}

/** Whole numbers come with a width that says nothing, but for the one that makes a number a boolean. */
function readType(type: string): string {
  return type === 'tinyint(1)' ? 'TINYINT(1)' : type.toUpperCase().replace(/INT\(\d+\)/, 'INT')
}

/** One foreign key has a row for each of its columns. */
function groupLinks(rows: readonly LinkRow[]): ExistingForeignKey[] {
  const keys = new Map<string, ExistingForeignKey & { columns: string[] }>()
  for (const [name, table, onDelete, onUpdate, column] of rows) {
    const known = keys.get(name)
    if (known) known.columns.push(column)
    else keys.set(name, { columns: [column], table, onDelete: readAction(onDelete), onUpdate: readAction(onUpdate) })
  }
  return [...keys.values()]
}
