import type { TableChange } from '../../change.ts'
import { DbError } from '../../errors.ts'
import { quoteName } from '../../sql/dialect.ts'
import type { SqliteHandle } from './sqlite-driver.ts'

/**
 * What goes with a transaction of sync. Foreign keys are off in it, which has to be said before it begins: with them
 * on, dropping the old table of a rebuild would silently delete the rows that refer to it. So they are checked before
 * the commit, as are views and triggers that worked before.
 */
export class SqliteSyncChecks {
  readonly #handle: SqliteHandle
  #brokenBefore: ReadonlySet<string> | undefined

  constructor(handle: SqliteHandle) {
    this.#handle = handle
  }

  begin(): void {
    this.#handle.pragma('foreign_keys = OFF')
    try {
      this.#handle.exec('BEGIN IMMEDIATE')
    } catch (error) {
      // Who comes next must not find them off.
      this.end()
      throw error
    }
  }

  beforeChange(change: TableChange): void {
    if (isPlain(change)) return
    this.#brokenBefore ??= findBroken(this.#handle)
  }

  beforeCommit(): void {
    if (this.#brokenBefore === undefined) return
    checkForeignKeys(this.#handle)
    refuseBroken(this.#handle, this.#brokenBefore)
  }

  end(): void {
    this.#handle.pragma('foreign_keys = ON')
  }
}

/** Whether a change leaves everything as it is that refers to the table. */
export function isPlain({ kind }: TableChange): boolean {
  return kind === 'createTable' || kind === 'createIndex' || kind === 'addColumn'
}

/** Statements for a script that fail where one of these queries counts anything. */
export function expectNone(queries: readonly string[]): readonly string[] {
  if (queries.length === 0) return []
  const table = 'temp."portico__check"'
  return [
    `CREATE TEMP TABLE "portico__check" ("rows that no longer fit" INTEGER CHECK ("rows that no longer fit" = 0))`,
    ...queries.map((it) => `INSERT INTO ${table} ${it}`),
    `DROP TABLE ${table}`,
  ]
}

function checkForeignKeys(handle: SqliteHandle): void {
  const text = 'SELECT "table", parent, count(*) AS "rows" FROM pragma_foreign_key_check GROUP BY 1, 2'
  const [found] = handle.prepare(text).all() as { table: string; parent: string; rows: number | bigint }[]
  if (!found) return
  const told = `${found.rows} rows refer to rows of \`${found.parent}\` that are not there`
  throw new DbError('SYNC_REFUSED', `table \`${found.table}\`: ${told}`)
}

/** Refuses to leave behind what worked before. */
export function refuseBroken(handle: SqliteHandle, before: ReadonlySet<string>): void {
  const broken = [...findBroken(handle)].find((it) => !before.has(it))
  if (broken === undefined) return
  throw new DbError('SYNC_REFUSED', `${broken} would no longer work: change or drop it first`)
}

/** Views that cannot be read, and tables that cannot be written because of a trigger. */
export function findBroken(handle: SqliteHandle): Set<string> {
  const broken = new Set<string>()
  const attempt = (told: string, text: string): void => {
    try {
      handle.prepare(text)
    } catch {
      broken.add(told)
    }
  }
  const all = handle.prepare(
    "SELECT type, name, tbl_name AS owner FROM sqlite_master WHERE type IN ('view', 'trigger')",
  )
  for (const { type, name, owner } of all.all() as { type: string; name: string; owner: string }[]) {
    if (type === 'view') attempt(`view \`${name}\``, `SELECT * FROM ${quoteName(name)}`)
    else for (const text of writesOf(handle, owner)) attempt(`trigger \`${name}\``, text)
  }
  return broken
}

/** Statements that set off each trigger of a table. They are prepared, which compiles the triggers, and never run. */
function writesOf(handle: SqliteHandle, table: string): string[] {
  const columns = handle.prepare('SELECT name FROM pragma_table_info(?)').all(table) as { name: string }[]
  const names = columns.map((it) => quoteName(it.name))
  const target = quoteName(table)
  return [
    `INSERT INTO ${target} (${names.join(', ')}) VALUES (${names.map(() => 'NULL').join(', ')})`,
    `UPDATE ${target} SET ${names.map((it) => `${it} = ${it}`).join(', ')}`,
    `DELETE FROM ${target}`,
  ]
}
