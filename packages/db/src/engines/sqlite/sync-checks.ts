import type { TableChange } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'
import { quoteName } from '../../sql/dialect.ts'
import type { SqliteHandle } from './driver.ts'
import { Orphans } from './orphans.ts'

/**
 * Checks around the transaction of a sync. Foreign keys are off in it, and have to be turned off before it begins: with
 * them on, dropping the old table of a rebuild would silently delete the rows that refer to it. So foreign keys are
 * checked before the commit, and so are views and triggers that worked before.
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
    // Otherwise references to a table would not follow its new name.
    this.#handle.pragma('legacy_alter_table = OFF')
    try {
      this.#handle.exec('BEGIN IMMEDIATE')
    } catch (error) {
      // The next user of the connection must not find foreign keys off.
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

  /** For a script, which copies rows later: runs the checks that need no rows, and returns queries for the others. */
  beforeScript(): readonly string[] {
    this.#refuseBroken()
    return this.#orphans.compile()
  }

  end(): void {
    this.#handle.pragma('foreign_keys = ON')
    // A failed rebuild may have left it on.
    this.#handle.pragma('legacy_alter_table = OFF')
  }

  /** Refuses changes that break a view or trigger. */
  #refuseBroken(): void {
    const before = this.#brokenBefore
    const broken = before && [...findBroken(this.#handle)].find(([use]) => !before.has(use))
    if (!broken) return
    throw new DbError('SYNC_REFUSED', `${broken[1]} would no longer work: change or drop it first`)
  }
}

/** True if a change cannot break views and triggers. Adding a column can: a trigger may depend on the number of columns. */
function isPlain({ kind }: TableChange): boolean {
  return kind === 'createTable' || kind === 'createIndex'
}

/** Statements for a script that fail if one of these queries counts any row. */
export function expectNone(queries: readonly string[]): readonly string[] {
  if (queries.length === 0) return []
  const table = 'temp."portico__check"'
  return [
    `CREATE TEMP TABLE "portico__check" ("rows that no longer fit" INTEGER CHECK ("rows that no longer fit" = 0))`,
    ...queries.map((it) => `INSERT INTO ${table} ${it}`),
    `DROP TABLE ${table}`,
  ]
}

/** Broken views and triggers, by object and kind of statement. */
type Broken = ReadonlyMap<string, string>

/** Finds views that cannot be read, and triggers that keep a table from being written. */
function findBroken(handle: SqliteHandle): Broken {
  const broken = new Map<string, string>()
  const attempt = (object: string, text: string): void => {
    try {
      handle.prepare(text)
    } catch {
      // A view may be broken for reads and still work for inserts.
      broken.set(`${object} ${text.slice(0, 6)}`, object)
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

/** Statements that fire each trigger of a table. They are only prepared, which compiles the triggers. */
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
