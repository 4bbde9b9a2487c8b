import type { TableChange } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'
import { quoteName } from '../../sql/dialect.ts'
import type { SqliteHandle } from './driver.ts'
import { Orphans } from './orphans.ts'

/**
 * What goes with a transaction of sync. Foreign keys are off in it, which has to be said before it begins: with them
 * on, dropping the old table of a rebuild would silently delete the rows that refer to it. So they are checked before
 * the commit, as are views and triggers that worked before.
 */
export class SqliteSyncChecks {
  readonly #handle: SqliteHandle
  readonly #orphans: Orphans
  #brokenBefore: Broken | undefined

  constructor(handle: SqliteHandle) {
    this.#handle = handle
    this.#orphans = new Orphans(handle)
  }

  begin(): void {
    this.#handle.pragma('foreign_keys = OFF')
    // Else what refers to a table would not follow it to its new name.
    this.#handle.pragma('legacy_alter_table = OFF')
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
    this.#orphans.watch(change)
  }

  beforeCommit(): void {
    this.#orphans.refuse()
    this.#refuseBroken()
  }

  /** For a script, which copies rows later: the same, as far as it can be told without them, and queries for the rest. */
  beforeScript(): readonly string[] {
    this.#refuseBroken()
    return this.#orphans.compile()
  }

  end(): void {
    this.#handle.pragma('foreign_keys = ON')
    // A rebuild that failed may have left it on.
    this.#handle.pragma('legacy_alter_table = OFF')
  }

  /** Refuses to leave behind what worked before. */
  #refuseBroken(): void {
    const before = this.#brokenBefore
    const broken = before && [...findBroken(this.#handle)].find(([use]) => !before.has(use))
    if (!broken) return
    throw new DbError('SYNC_REFUSED', `${broken[1]} would no longer work: change or drop it first`)
  }
}

/** Whether a change leaves everything working that speaks of the table. A trigger may count its columns. */
function isPlain({ kind }: TableChange): boolean {
  return kind === 'createTable' || kind === 'createIndex'
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

/** What does not work, by what it would be used for. */
type Broken = ReadonlyMap<string, string>

/** Views that cannot be read, and tables that cannot be written because of a trigger. */
function findBroken(handle: SqliteHandle): Broken {
  const broken = new Map<string, string>()
  const attempt = (told: string, text: string): void => {
    try {
      handle.prepare(text)
    } catch {
      // A view may be made for inserts alone.
      broken.set(`${told} ${text.slice(0, 6)}`, told)
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
