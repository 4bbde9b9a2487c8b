import type { TableChange } from '../../contract/change.ts'
import { DbError } from '../../errors.ts'
import { quoteText } from '../../sql/dialect.ts'
import { describeOrphans } from '../../values/describe-orphans.ts'
import type { SqliteHandle } from './driver.ts'
import { isSqliteError } from './errors.ts'

/** Orphaned rows of a table, per foreign key; `unknown` if one of the foreign keys cannot be checked. */
type Found = Known | 'unknown'
type Known = ReadonlyMap<string, { readonly parent: string; readonly rows: number }>

/**
 * Finds rows that refer to missing rows. A sync does not fix orphans that existed before: it counts only those that its
 * changes could create, before and after them.
 */
export class Orphans {
  readonly #handle: SqliteHandle
  readonly #before = new Map<string, Found>()
  /** Tables whose foreign keys work, but may need an index that will be dropped. */
  readonly #working = new Set<string>()

  constructor(handle: SqliteHandle) {
    this.#handle = handle
  }

  /** Counts orphans in the tables whose references this change could break. */
  watch(change: TableChange): void {
    if (change.kind === 'dropIndex' && this.#isUnique(change)) {
      // Tables may still be renamed, so rows are not compared yet.
      for (const it of this.#referrers(change.tableName.table)) if (this.#find(it) !== 'unknown') this.#working.add(it)
    }
    const table = emptiedBy(change)
    if (table === undefined) return
    for (const it of [table, ...this.#referrers(table)]) {
      if (!this.#before.has(it)) this.#before.set(it, this.#find(it))
    }
  }

  /** Refuses new orphans, and foreign keys that no longer work. */
  refuse(): void {
    for (const [table, before, now] of this.#compare()) {
      for (const [key, { parent, rows }] of now) {
        const more = rows - (before.get(key)?.rows ?? 0)
        if (more > 0) throw refusal(table, describeOrphans(more, parent))
      }
    }
  }

  /** Returns queries that count new orphans, for a script that copies the rows later. */
  compile(): string[] {
    return this.#compare().map(([table, before]) => {
      const known = [...before.values()].reduce((sum, it) => sum + it.rows, 0)
      const rows = known === 0 ? 'count(*)' : `max(count(*) - ${known}, 0)`
      return `SELECT ${rows} FROM pragma_foreign_key_check(${quoteText(table)})`
    })
  }

  /** The watched tables that still exist and could be checked before, with the orphans before and now. */
  #compare(): [table: string, before: Known, now: Known][] {
    for (const table of this.#working) if (this.#isThere(table)) this.#findWorking(table)
    return [...this.#before].flatMap(([table, before]) =>
      before === 'unknown' || !this.#isThere(table) ? [] : [[table, before, this.#findWorking(table)]],
    )
  }

  #findWorking(table: string): Known {
    const found = this.#find(table)
    if (found !== 'unknown') return found
    throw refusal(table, 'one of its foreign keys would no longer work: the referenced columns would not be unique')
  }

  #isThere(table: string): boolean {
    const text = "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?"
    return this.#handle.prepare(text).get(table) !== undefined
  }

  #isUnique({ tableName, name }: Extract<TableChange, { kind: 'dropIndex' }>): boolean {
    const text = `SELECT 1 FROM pragma_index_list(?, 'main') WHERE name = ? AND "unique" = 1`
    return this.#handle.prepare(text).get(tableName.table, name) !== undefined
  }

  #referrers(table: string): string[] {
    const text = `SELECT DISTINCT "m".name FROM main.sqlite_master AS "m"
      JOIN pragma_foreign_key_list("m".name, 'main') AS "k"
      WHERE "m".type = 'table' AND "m".rootpage > 0 AND "k"."table" = ? COLLATE NOCASE`
    return (this.#handle.prepare(text).all(table) as { name: string }[]).map((it) => it.name)
  }

  #find(table: string): Found {
    const text = `SELECT parent, count(*) AS "rows", (SELECT json_group_array("from")
        FROM pragma_foreign_key_list("c"."table", 'main') WHERE id = "c".fkid) AS "columns"
      FROM pragma_foreign_key_check(?, 'main') AS "c" GROUP BY fkid`
    try {
      const found = this.#handle.prepare(text).safeIntegers(false).all(table) as OrphanCount[]
      return new Map(found.map((it) => [`${it.columns} ${it.parent}`, it]))
    } catch (error) {
      // A foreign key to columns that are not unique cannot be checked, and its table cannot be written.
      if (isSqliteError(error) && error.message.startsWith('foreign key mismatch')) return 'unknown'
      throw error
    }
  }
}

interface OrphanCount {
  readonly parent: string
  readonly rows: number
  readonly columns: string
}

/** The table whose rows a change may replace or remove. All renames are done by then. */
function emptiedBy(change: TableChange): string | undefined {
  if (change.kind === 'rebuildTable') return change.plan.tableName.table
  return change.kind === 'dropTable' ? change.tableName.table : undefined
}

function refusal(table: string, reason: string): DbError {
  return new DbError('SYNC_REFUSED', `table \`${table}\`: ${reason}`)
}
