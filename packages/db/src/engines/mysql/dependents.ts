/** Objects that depend on a table and that sync did not create: indexes, triggers, views, foreign keys. */

import type { TableName } from '../../contract/table-plan.ts'
import { quoteTableName } from '../../sql/dialect.ts'
import { quoteName } from './dialect.ts'
import type { MysqlTable } from './introspect.ts'

export interface DependentsReader {
  readonly read: (text: string, values: unknown[]) => Promise<readonly unknown[]>
  readonly readTable: (tableName: TableName) => Promise<MysqlTable | undefined>
  /** The database of the connection. */
  readonly home: string | undefined
  readonly isMariadb: boolean
  /** True if `Users` and `users` are the same table. */
  readonly foldsNames: boolean
}

interface Named {
  readonly name: string
  /** Its SQL definition. */
  readonly text: string
}

export interface TableDependents {
  readonly table: MysqlTable
  /** One entry per index and column, including prefix indexes. */
  readonly indexes: readonly { readonly name: string; readonly column: string | null }[]
  readonly triggers: readonly (Named & { readonly event: string })[]
  /** Generated columns. */
  readonly computed: readonly Named[]
  /** Views that read the table, if the user may see them. */
  readonly views: readonly Named[]
  /** Foreign keys that refer to this table, one entry per column. */
  readonly referrers: readonly { readonly tableName: TableName; readonly name: string; readonly column: string }[]
  readonly isMariadb: boolean
}

const indexesText = `
SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ? AND INDEX_NAME <> 'PRIMARY'`

const triggersText = `
SELECT TRIGGER_NAME, ACTION_STATEMENT, EVENT_MANIPULATION FROM information_schema.TRIGGERS
WHERE EVENT_OBJECT_SCHEMA = coalesce(?, database()) AND EVENT_OBJECT_TABLE = ?`

const computedText = `
SELECT COLUMN_NAME, GENERATION_EXPRESSION FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ? AND GENERATION_EXPRESSION <> ''`

const viewsText = `
SELECT IF(TABLE_SCHEMA = database(), TABLE_NAME, CONCAT(TABLE_SCHEMA, '.', TABLE_NAME)), VIEW_DEFINITION
FROM information_schema.VIEWS WHERE `

const referrersText = `
SELECT REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME,
  REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE WHERE (REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME) IN `

/** Returns a function that gives the qualified name of a table as view definitions contain it. */
export function nameIn({ home, foldsNames }: DependentsReader): (tableName: TableName) => string {
  return ({ schema = home, table }) => {
    const name = quoteTableName({ schema, table }, quoteName)
    return foldsNames ? name.toLowerCase() : name
  }
}

/** Reads the dependents of each of these tables that exists, by table name. */
export async function readDependents(
  tableNames: readonly TableName[],
  reader: DependentsReader,
): Promise<ReadonlyMap<string, TableDependents>> {
  const nameOf = nameIn(reader)
  const found = new Map<string, TableDependents>()
  const outside = tableNames.length > 0 ? await readFromOtherTables(tableNames, reader) : []
  for (const [index, tableName] of tableNames.entries()) {
    const dependents = await readOwn(tableName, outside[index]!, reader)
    if (dependents) found.set(nameOf(tableName), dependents)
  }
  return found
}

type Outside = Pick<TableDependents, 'views' | 'referrers'>

/** Reads all databases of the server once, which is slow if there are many tables. */
async function readFromOtherTables(
  tableNames: readonly TableName[],
  reader: DependentsReader,
): Promise<readonly Outside[]> {
  const { read, home, foldsNames } = reader
  const nameOf = nameIn(reader)
  const names = tableNames.map(nameOf)
  const isNamed = names.map(() => 'LOCATE(?, VIEW_DEFINITION) > 0').join(' OR ')
  const views = (await read(`${viewsText}${isNamed}`, names)) as [name: string, text: string][]
  const pairs = tableNames.flatMap(({ schema, table }) => [schema ?? home, table])
  const links = (await read(`${referrersText}(${names.map(() => '(?, ?)').join(', ')})`, pairs)) as LinkRow[]
  return names.map((own) => ({
    views: views
      .filter(([, text]) => (foldsNames ? text.toLowerCase() : text).includes(own))
      .map(([name, text]) => ({ name, text })),
    referrers: links
      .filter(([schema, table]) => nameOf({ schema, table }) === own)
      .map(([, , schema, table, name, column]) => ({
        tableName: { schema: schema === home ? undefined : schema, table },
        name,
        column,
      })),
  }))
}

type LinkRow = [of: string, table: string, schema: string, referrer: string, name: string, column: string]

async function readOwn(
  tableName: TableName,
  outside: Outside,
  { read, readTable, isMariadb }: DependentsReader,
): Promise<TableDependents | undefined> {
  const table = await readTable(tableName)
  if (!table) return undefined
  const named = [tableName.schema ?? null, tableName.table]
  const ask = async <Row>(text: string): Promise<Row[]> => (await read(text, named)) as Row[]
  return {
    ...outside,
    table,
    indexes: (await ask<[string, string | null]>(indexesText)).map(([name, column]) => ({ name, column })),
    triggers: (await ask<[string, string, string]>(triggersText)).map(([name, text, event]) => ({ name, text, event })),
    computed: (await ask<[string, string]>(computedText)).map(([name, text]) => ({ name, text })),
    isMariadb,
  }
}

/** True if SQL names a column, in quotes of either kind, or after `NEW.` and `OLD.`. */
export function mentions(text: string, column: string): boolean {
  const escaped = column.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return new RegExp(`["\`]${escaped}["\`]|\\b(?:new|old)\\s*\\.\\s*${escaped}(?![\\w$])`, 'i').test(text)
}
