import type { Storage } from '@portico/schema/model'
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
import { formatTableName } from '../../values/table-name.ts'
import { collations, readServer, TIDB_TEXT } from './dialect.ts'

type Read = (text: string, values: unknown[]) => Promise<readonly unknown[]>

const columnsText = `
SELECT c.COLUMN_NAME, c.COLUMN_TYPE, c.IS_NULLABLE = 'YES', c.COLUMN_DEFAULT, c.EXTRA, c.COLLATION_NAME,
  c.COLUMN_COMMENT
FROM information_schema.COLUMNS AS c
WHERE c.TABLE_SCHEMA = coalesce(?, database()) AND c.TABLE_NAME = ? ORDER BY c.ORDINAL_POSITION`

/**
 * Quotes in a clause depend on the SQL mode of the connection. On MariaDB, constraint names are unique per table, and a
 * check may be part of a column.
 */
const checksTexts = {
  mariadb: `
SELECT CONSTRAINT_NAME, CHECK_CLAUSE, LEVEL = 'Column' FROM information_schema.CHECK_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ?`,
  mysql: `
SELECT k.CONSTRAINT_NAME, k.CHECK_CLAUSE, 0 FROM information_schema.TABLE_CONSTRAINTS AS t
JOIN information_schema.CHECK_CONSTRAINTS AS k
  ON k.CONSTRAINT_SCHEMA = t.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = t.CONSTRAINT_NAME
WHERE t.TABLE_SCHEMA = coalesce(?, database()) AND t.TABLE_NAME = ? AND t.CONSTRAINT_TYPE = 'CHECK'`,
}

const indexesText = `
SELECT INDEX_NAME, NON_UNIQUE = 0, COLUMN_NAME, COLLATION, SUB_PART FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ? ORDER BY INDEX_NAME, SEQ_IN_INDEX`

// Both views are filtered by table: otherwise the server would read all of its tables.
const foreignKeysText = `
SELECT r.CONSTRAINT_NAME, k.REFERENCED_TABLE_SCHEMA, r.REFERENCED_TABLE_NAME, r.DELETE_RULE, r.UPDATE_RULE,
  k.COLUMN_NAME, k.REFERENCED_COLUMN_NAME
FROM information_schema.REFERENTIAL_CONSTRAINTS AS r JOIN information_schema.KEY_COLUMN_USAGE AS k
  ON k.CONSTRAINT_NAME = r.CONSTRAINT_NAME
WHERE r.CONSTRAINT_SCHEMA = coalesce(?, database()) AND r.TABLE_NAME = ? AND k.REFERENCED_TABLE_NAME IS NOT NULL
  AND k.TABLE_SCHEMA = coalesce(?, database()) AND k.TABLE_NAME = ?
ORDER BY r.CONSTRAINT_NAME, k.ORDINAL_POSITION`

export interface MysqlTable extends TableSnapshot {
  /** Columns with `ON UPDATE CURRENT_TIMESTAMP`. */
  readonly stamped: readonly string[]
  /** Check constraints that sync did not create. */
  readonly checks: readonly CheckSnapshot[]
  /** Comments of its columns. */
  readonly comments: ReadonlyMap<string, string>
  /** Columns for converted values that an interrupted sync left behind; not in `columns`. */
  readonly unfinished: readonly string[]
}

/** The comment that marks a column for converted values until it replaces the old one. */
export const UNFINISHED = 'portico: of a sync that is not finished'

interface CheckSnapshot {
  readonly name: string
  readonly clause: string
  /** Part of a column's definition, and dropped with it. */
  readonly isOfColumn: boolean
}

export interface MysqlInspection extends Inspection {
  readonly tables: readonly MysqlTable[]
}

export async function inspectMysql(read: Read, tableNames: readonly TableName[]): Promise<MysqlInspection> {
  const text = 'SELECT database(), @@version, @@lower_case_table_names'
  const [row] = (await read(text, [])) as [string, string, number | string][]
  const [home, version, folding] = row!
  // A pool that was passed in may return BIGINT as text.
  const isFolding = Number(folding) !== 0
  const isTidb = readServer(version) === 'tidb'
  const spell = (tableName: TableName): TableName => (isFolding ? respell(tableName, tableNames, home) : tableName)
  const tables: MysqlTable[] = []
  for (const tableName of tableNames) {
    const table = await inspectTable(read, tableName, /mariadb/i.test(version))
    if (!table) continue
    const foreignKeys = table.foreignKeys.map((it) => ({ ...it, tableName: spell(it.tableName) }))
    tables.push({ ...table, foreignKeys, ...(isTidb && { columns: table.columns.map(readTidbText) }) })
  }
  return { tables, home }
}

/** On TiDB a long text with a default has another type, which is reported as declared. */
function readTidbText(column: ColumnSnapshot): ColumnSnapshot {
  return column.type === TIDB_TEXT ? { ...column, type: 'LONGTEXT' } : column
}

/** Servers that ignore the case of table names report them in lower case. Restores the requested spelling. */
function respell(tableName: TableName, tableNames: readonly TableName[], home: string): TableName {
  const fold = ({ schema = home, table }: TableName): string => formatTableName({ schema, table }).toLowerCase()
  const known = tableNames.find((it) => fold(it) === fold(tableName))
  return known ? { schema: known.schema ?? home, table: known.table } : tableName
}

async function inspectTable(read: Read, tableName: TableName, isMariadb: boolean): Promise<MysqlTable | undefined> {
  const named = [tableName.schema ?? null, tableName.table]
  const found = (await read(columnsText, named)) as ColumnRow[]
  if (found.length === 0) return undefined
  const columns = found.filter((it) => it[6] !== UNFINISHED)
  const checks = (await read(checksTexts[isMariadb ? 'mariadb' : 'mysql'], named)) as CheckRow[]
  // MariaDB stores JSON as text with a check constraint; MySQL has a type for it.
  const jsonOf = ([, clause]: CheckRow): string | undefined => {
    const [, quote = '', name] = /^json_valid\((["`])(.*)\1\)$/.exec(clause) ?? []
    return name?.replaceAll(quote + quote, quote)
  }
  const checked = new Set(checks.map(jsonOf))
  const indexes = groupIndexes((await read(indexesText, named)) as IndexRow[])
  const key = indexes.find((it) => it.name === 'PRIMARY')
  return {
    tableName,
    columns: columns.map((row) => readColumn(row, checked, isMariadb)),
    key: key?.columns.map((it) => it.name) ?? [],
    indexes: indexes.filter((it) => it !== key),
    foreignKeys: groupLinks((await read(foreignKeysText, [...named, ...named])) as LinkRow[]),
    stamped: columns.filter((it) => /on update/i.test(it[4])).map(([name]) => name),
    comments: new Map(columns.map((it) => [it[0], it[6]])),
    unfinished: found.filter((it) => !columns.includes(it)).map(([name]) => name),
    checks: checks
      .filter((it) => jsonOf(it) === undefined)
      .map(([name, clause, isOfColumn]) => ({ name, clause, isOfColumn: isOfColumn === 1 })),
  }
}

type ColumnRow = [
  name: string,
  type: string,
  isNullable: number,
  preset: string | null,
  extra: string,
  collation: string | null,
  comment: string,
]
type CheckRow = [name: string, clause: string, isOfColumn: number]
type IndexRow = [name: string, isUnique: number, column: string | null, direction: string | null, part: unknown]
type LinkRow = [
  name: string,
  schema: string,
  table: string,
  onDelete: string,
  onUpdate: string,
  column: string,
  reference: string,
]

function readColumn(row: ColumnRow, checked: ReadonlySet<string | undefined>, isMariadb: boolean): ColumnSnapshot {
  const [name, found, isNullable, preset, extra, collation] = row
  const type = checked.has(name) ? 'JSON' : readType(found, collation)
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  const storage = precision === undefined ? storageOf(type) : 'decimal'
  const value =
    preset === null ? undefined : readDefault(preset, storage, isMariadb || extra.includes('DEFAULT_GENERATED'))
  return {
    name,
    type,
    ...(storage && { storage }),
    ...(precision !== undefined && { precision: { precision: Number(precision), scale: Number(scale) } }),
    nullable: isNullable === 1,
    ...(value !== undefined && { default: value }),
    autoIncrement: extra.includes('auto_increment'),
  }
}

/**
 * The display width of integers has no meaning, except in TINYINT(1), which is a boolean. Text with another collation
 * counts as another type.
 */
function readType(type: string, collation: string | null): string {
  if (type === 'tinyint(1)') return 'TINYINT(1)'
  const name = type.toUpperCase().replace(/INT\(\d+\)/, 'INT')
  const isOurs = collation === null || (collations as readonly string[]).includes(collation)
  return isOurs ? name : `${name} COLLATE ${collation}`
}

const storages: readonly (readonly [RegExp, Storage])[] = [
  [/^(TINY|SMALL|MEDIUM|BIG)?INT( UNSIGNED)?$/, 'integer'],
  [/^(DOUBLE|FLOAT)$/, 'real'],
  [/^(UUID$|ENUM\()/, 'text'],
  [/^TINYINT\(1\)$/, 'boolean'],
  [/^JSON$/, 'json'],
  [/^((TINY|MEDIUM|LONG)?TEXT|(VAR)?CHAR\(\d+\))( |$)/, 'text'],
]

/** The storage kind of a type; undefined for types that have no counterpart in declarations. */
function storageOf(type: string): Storage | undefined {
  return storages.find(([pattern]) => pattern.test(type))?.[1]
}

/** MySQL reports a literal default as its value, MariaDB as SQL with quotes around text. */
function readDefault(preset: string, storage: Storage | undefined, isSql: boolean): string | undefined {
  if (!isSql) return canonicalDefault(preset, storage)
  if (/^null$/i.test(preset)) return undefined
  const quoted = /^(?:_utf8mb4)?\\?'([\s\S]*?)\\?'$/.exec(preset)
  if (quoted) return canonicalDefault(readEscapes(quoted[1]!), storage)
  const [, bytes] = /^convert\((?:0x|x')([\da-f]+)'? using utf8mb4\)$/i.exec(preset) ?? []
  if (bytes !== undefined) return canonicalDefault(Buffer.from(bytes, 'hex').toString(), storage)
  return /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(preset) ? canonicalDefault(preset, storage) : `(${preset})`
}

const escaped: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', Z: '\u001a' }

function readEscapes(text: string): string {
  return text.replaceAll(/''|\\([\s\S])/g, (_, it?: string) => (it === undefined ? "'" : (escaped[it] ?? it)))
}

/** An index has one row per column. Prefix indexes and expressions match no declared index. */
function groupIndexes(rows: readonly IndexRow[]): IndexSnapshot[] {
  const names = [...new Set(rows.map(([name]) => name))]
  return names.map((name) => {
    const own = rows.filter((it) => it[0] === name)
    const columns = own.map(([, , column, direction, part]) => ({
      name: part === null ? (column ?? '') : '',
      order: direction === 'D' ? ('desc' as const) : ('asc' as const),
    }))
    return { name, unique: own[0]![1] === 1, columns, isValid: true }
  })
}

/** A foreign key has one row per column. */
function groupLinks(rows: readonly LinkRow[]): ForeignKeySnapshot[] {
  const names = [...new Set(rows.map(([name]) => name))]
  return names.map((name) => {
    const own = rows.filter((it) => it[0] === name)
    const [, schema, table, onDelete, onUpdate] = own[0]!
    return {
      name,
      columns: own.map((it) => it[5]),
      tableName: { schema, table },
      references: own.map((it) => it[6]),
      onDelete: readAction(onDelete),
      onUpdate: readAction(onUpdate),
    }
  })
}
