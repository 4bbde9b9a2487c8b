/** What hangs on a table that sync did not make. */

import type { TableName } from '../../contract/plan.ts'
import { quoteTableName } from '../../sql/dialect.ts'
import { quoteName } from './dialect.ts'
import type { MysqlTable } from './introspect.ts'

export interface SceneTools {
  readonly read: (text: string, values: unknown[]) => Promise<readonly unknown[]>
  readonly look: (tableName: TableName) => Promise<MysqlTable | undefined>
  /** The database of the connection. */
  readonly home: string | undefined
  readonly isMariadb: boolean
  /** Whether `Users` and `users` are one table. */
  readonly foldsNames: boolean
}

interface Named {
  readonly name: string
  /** What it does, in SQL. */
  readonly text: string
}

export interface Scene {
  readonly table: MysqlTable
  /** Each index with each of its columns, of which it may hold a part alone. */
  readonly indexes: readonly { readonly name: string; readonly column: string | null }[]
  readonly triggers: readonly (Named & { readonly event: string })[]
  /** Columns that the server computes. */
  readonly computed: readonly Named[]
  /** Views that read the table, as far as one may see them. */
  readonly views: readonly Named[]
  /** Foreign keys of tables that refer to this one, with each column. */
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

/** A table's name in full, as views are kept with it: one for each table. */
export function nameIn({ home, foldsNames }: SceneTools): (tableName: TableName) => string {
  return ({ schema = home, table }) => {
    const name = quoteTableName({ schema, table }, quoteName)
    return foldsNames ? name.toLowerCase() : name
  }
}

/** What hangs on each of these tables that is there, by the name of the table. */
export async function lookAround(
  tableNames: readonly TableName[],
  tools: SceneTools,
): Promise<ReadonlyMap<string, Scene>> {
  const nameOf = nameIn(tools)
  const scenes = new Map<string, Scene>()
  const around = tableNames.length > 0 ? await lookElsewhere(tableNames, tools) : []
  for (const [index, tableName] of tableNames.entries()) {
    const scene = await lookAt(tableName, around[index]!, tools)
    if (scene) scenes.set(nameOf(tableName), scene)
  }
  return scenes
}

type Around = Pick<Scene, 'views' | 'referrers'>

/** Looks into all databases of the server once: that takes a while where there are many tables. */
async function lookElsewhere(tableNames: readonly TableName[], tools: SceneTools): Promise<readonly Around[]> {
  const { read, home, foldsNames } = tools
  const nameOf = nameIn(tools)
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

async function lookAt(
  tableName: TableName,
  around: Around,
  { read, look, isMariadb }: SceneTools,
): Promise<Scene | undefined> {
  const table = await look(tableName)
  if (!table) return undefined
  const named = [tableName.schema ?? null, tableName.table]
  const ask = async <Row>(text: string): Promise<Row[]> => (await read(text, named)) as Row[]
  return {
    ...around,
    table,
    indexes: (await ask<[string, string | null]>(indexesText)).map(([name, column]) => ({ name, column })),
    triggers: (await ask<[string, string, string]>(triggersText)).map(([name, text, event]) => ({ name, text, event })),
    computed: (await ask<[string, string]>(computedText)).map(([name, text]) => ({ name, text })),
    isMariadb,
  }
}

/** Whether SQL names a column, in quotes of whichever mode, or behind the point of `NEW.` and `OLD.`. */
export function mentions(text: string, column: string): boolean {
  const escaped = column.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return new RegExp(`["\`]${escaped}["\`]|\\b(?:new|old)\\s*\\.\\s*${escaped}(?![\\w$])`, 'i').test(text)
}
