/** What hangs on a table that sync did not make. */
import { quotePlace } from '../../sql/dialect.ts'
import type { TablePlace } from '../../table-plan.ts'
import { quoteName } from './mysql-dialect.ts'
import type { MysqlTable } from './mysql-introspect.ts'

export interface SceneTools {
  readonly read: (text: string, values: unknown[]) => Promise<readonly unknown[]>
  readonly look: (place: TablePlace) => Promise<MysqlTable | undefined>
  /** The database of the connection. */
  readonly home: string | undefined
  readonly isMariadb: boolean
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
  /** Views beside it that read the table. */
  readonly views: readonly Named[]
  /** Foreign keys of tables beside it that refer to this one, with each column. */
  readonly referrers: readonly { readonly place: TablePlace; readonly name: string; readonly column: string }[]
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

// Of the table's own database: to look into all of them takes long where there are many.
const viewsText = `
SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS
WHERE TABLE_SCHEMA = coalesce(?, database()) AND LOCATE(?, VIEW_DEFINITION) > 0`

const referrersText = `
SELECT TABLE_NAME, CONSTRAINT_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = coalesce(?, database()) AND REFERENCED_TABLE_SCHEMA = TABLE_SCHEMA AND REFERENCED_TABLE_NAME = ?`

export async function lookAround(place: TablePlace, tools: SceneTools): Promise<Scene | undefined> {
  const { read, look, home, isMariadb } = tools
  const table = await look(place)
  if (!table) return undefined
  const named = [place.schema ?? null, place.table]
  const ask = async <Row>(text: string, values: unknown[] = named): Promise<Row[]> =>
    (await read(text, values)) as Row[]
  // Views are kept with all names in full.
  const full = quotePlace({ schema: place.schema ?? home, table: place.table }, quoteName)
  return {
    table,
    indexes: (await ask<[string, string | null]>(indexesText)).map(([name, column]) => ({ name, column })),
    triggers: (await ask<[string, string, string]>(triggersText)).map(([name, text, event]) => ({ name, text, event })),
    computed: (await ask<[string, string]>(computedText)).map(([name, text]) => ({ name, text })),
    views: (await ask<[string, string]>(viewsText, [named[0], full])).map(([name, text]) => ({ name, text })),
    referrers: (await ask<[string, string, string]>(referrersText)).map(([of, name, column]) => ({
      place: { schema: place.schema, table: of },
      name,
      column,
    })),
    isMariadb,
  }
}

/** Whether SQL names a column, in quotes of whichever mode, or behind the point of `NEW.` and `OLD.`. */
export function mentions(text: string, column: string): boolean {
  const escaped = column.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return new RegExp(`["\`]${escaped}["\`]|\\b(?:new|old)\\s*\\.\\s*${escaped}(?![\\w$])`, 'i').test(text)
}
