/** Statements that change SQLite's tables: in place if SQLite can, otherwise by rebuilding the table. */

import type { CopyProgress } from '../../contract/adapter.ts'
import type { RebuildTable, TableChange } from '../../contract/change.ts'
import type { TablePlan } from '../../contract/table-plan.ts'
import { DbError } from '../../errors.ts'
import { compileChange, defineColumns, defineForeignKey } from '../../sql/compile-change.ts'
import { fillText, quoteName, quoteText } from '../../sql/dialect.ts'
import { describeForeignKeys } from '../../table/describe-table.ts'
import { tableOfChange } from '../../values/table-of-change.ts'
import { convertOrFail, failAt } from './convert.ts'
import { isRowId, sqliteDialect } from './dialect.ts'
import type { SqliteHandle } from './driver.ts'
import { withoutNames } from './introspect.ts'

/** Copies all rows, or those between two row IDs. */
interface Copy {
  readonly text: string
  readonly table: string
  /** The name of the row ID column; undefined for tables WITHOUT ROWID. */
  readonly rowId: string | undefined
}

/** Yields the statements of a change one by one, since some depend on the effect of those before. */
export function* stepsOf(handle: SqliteHandle, change: TableChange): Generator<string | Copy> {
  refuseTemporary(handle, change)
  if (change.kind === 'rebuildTable') return yield* rebuild(handle, change)
  yield* compileChange(change, sqliteDialect, false)
  if (change.kind === 'createTable') yield* startNumbering(change.plan, change.plan.tableName.table)
}

/** A temporary object shadows the table of the same name, and a temporary trigger is dropped with its table. */
function refuseTemporary(handle: SqliteHandle, change: TableChange): void {
  const table = tableOfChange(change)?.table
  const text = "SELECT type, name FROM temp.sqlite_master WHERE tbl_name = ? COLLATE NOCASE AND type <> 'index'"
  const all = handle.prepare(text).all(table) as { type: string; name: string }[]
  const found = all.find((it) => it.type !== 'trigger' || change.kind === 'rebuildTable')
  if (!found) return
  const reason = `this connection has a temporary ${found.type} \`${found.name}\`: drop it first`
  throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${reason}`)
}

/** SQLite numbers from 1 unless `sqlite_sequence` says otherwise. */
function* startNumbering(plan: TablePlan, table: string): Generator<string> {
  const preset = plan.autoIncrement?.model.default
  if (preset?.kind !== 'increment' || preset.start === 1 || !isRowId(plan)) return
  yield setSequence(table, String(preset.start - 1))
}

function setSequence(table: string, value: string): string {
  return `INSERT INTO sqlite_sequence (name, seq) SELECT ${quoteText(table)}, ${value}`
}

function* rebuild(handle: SqliteHandle, change: RebuildTable): Generator<string | Copy> {
  const { plan, kept } = change
  const { table } = plan.tableName
  const fresh = `portico__new__${table}`
  const { sql, dependents } = readDefinition(handle, table)
  refuseOwnRules(table, sql)
  const lines = [
    ...defineColumns(plan, sqliteDialect).slice(0, plan.columns.length),
    ...kept.columns.map(({ name }) => readRawColumn(handle, table, name)),
    ...defineColumns(plan, sqliteDialect).slice(plan.columns.length),
    ...[...describeForeignKeys(plan, false), ...kept.foreignKeys].map((it) =>
      defineForeignKey(it, sqliteDialect, plan.tableName),
    ),
  ]
  yield `CREATE TABLE ${quoteName(fresh)} (\n  ${lines.join(',\n  ')}\n)`
  yield compileCopy(change, fresh)
  yield* keepNumbering(handle, change, fresh)
  yield `DROP TABLE ${quoteName(table)}`
  // Views, triggers and foreign keys that name the table must refer to the new one, so they are not rewritten.
  yield 'PRAGMA legacy_alter_table = ON'
  yield `ALTER TABLE ${quoteName(fresh)} RENAME TO ${quoteName(table)}`
  yield 'PRAGMA legacy_alter_table = OFF'
  for (const it of dependents) if (!(it.type === 'index' && change.ownIndexes.includes(it.name))) yield it.sql
}

interface Dependent {
  readonly type: 'index' | 'trigger'
  readonly name: string
  readonly sql: string
}

/** The SQL of a table and of its indexes and triggers. A trigger keeps its table's name as it was typed. */
function readDefinition(handle: SqliteHandle, table: string): { sql: string; dependents: Dependent[] } {
  const [definition] = handle.prepare(`SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?`).all(table) as {
    sql: string
  }[]
  const text = `SELECT type, name, sql FROM sqlite_master WHERE tbl_name = ? COLLATE NOCASE AND type <> 'table' AND sql IS NOT NULL ORDER BY rowid`
  return { sql: definition?.sql ?? '', dependents: handle.prepare(text).all(table) as Dependent[] }
}

// GENERATED ALWAYS is optional: `b AS (a + 1)`.
const ownRules =
  /\b(VIRTUAL|CHECK|COLLATE|GENERATED|UNIQUE|STRICT|WITHOUT\s+ROWID|DEFERRABLE|ON\s+CONFLICT)\b|\b(AS)\s*\(/i

/** Sync never creates such constraints, so a rebuild would lose them. */
function refuseOwnRules(table: string, sql: string): void {
  const [, word, computed] = ownRules.exec(withoutNames(sql)) ?? []
  const rule = computed === undefined ? word?.toUpperCase() : 'GENERATED'
  if (rule === undefined) return
  const reason = `it would have to be rebuilt, and has a constraint (${rule}) that sync would lose`
  throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${reason}: change the table yourself`)
}

/** The definition of a column that sync did not create. */
function readRawColumn(handle: SqliteHandle, table: string, name: string): string {
  const text = 'SELECT type, "notnull" AS isRequired, dflt_value AS preset FROM pragma_table_info(?) WHERE name = ?'
  const { type, isRequired, preset } = handle.prepare(text).get(table, name) as {
    type: string
    isRequired: number | bigint
    preset: string | null
  }
  const rules = `${Number(isRequired) === 1 ? ' NOT NULL' : ''}${preset === null ? '' : ` DEFAULT (${preset})`}`
  return `${quoteName(name)} ${type}${rules}`
}

function compileCopy({ plan, copies, kept, before }: RebuildTable, fresh: string): Copy {
  const { table } = plan.tableName
  const filled = copies.filter((it) => it.before || it.fill !== undefined)
  const values = filled.map(({ column, before: present, after, fill, within }) => {
    const literal = fillText(fill, column, sqliteDialect)
    const isThere = within?.map((it) => `${quoteName(it)} IS NOT NULL`).join(' OR ')
    const value = isThere === undefined ? literal : `CASE WHEN ${isThere} THEN ${literal} END`
    if (!present) return value
    const name = quoteName(column.name)
    // A key that sync did not create may be NULL in some rows, which would then get a new row ID.
    if (isRowId(plan) && column === plan.key[0]) return `coalesce(${name}, ${failAt(name, 'is not a key')})`
    const converted = convertOrFail(name, present, after)
    return fill === undefined ? converted : `coalesce(${converted}, ${value})`
  })
  const others = kept.columns.map((it) => quoteName(it.name))
  const taken = [...before.columns, ...plan.columns].map((it) => it.name.toLowerCase())
  const rowId = ['rowid', '_rowid_', 'oid'].find((it) => !taken.includes(it))
  // Full-text indexes refer to rows by row ID.
  const number = rowId === undefined || isRowId(plan) ? [] : [rowId]
  const names = [...number, ...filled.map((it) => quoteName(it.column.name)), ...others].join(', ')
  const sources = [...number, ...values, ...others].join(', ')
  return {
    text: `INSERT INTO ${quoteName(fresh)} (${names}) SELECT ${sources} FROM ${quoteName(table)}`,
    table,
    rowId,
  }
}

/** Keeps the counter, so that the numbers of deleted rows are not used again. */
function* keepNumbering(handle: SqliteHandle, { plan, before }: RebuildTable, fresh: string): Generator<string> {
  if (!plan.autoIncrement || !isRowId(plan)) return
  const { table } = plan.tableName
  const forget = `DELETE FROM sqlite_sequence WHERE name = ${quoteText(fresh)}`
  if (before.columns.some((it) => it.autoIncrement)) {
    const [known] = handle.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').all(table)
    if (known === undefined) return
    yield forget
    yield `${setSequence(fresh, 'seq')} FROM sqlite_sequence WHERE name = ${quoteText(table)}`
    return
  }
  const start = plan.autoIncrement.model.default?.kind === 'increment' ? plan.autoIncrement.model.default.start : 1
  if (start === 1) return
  yield forget
  const highest = `(SELECT max(${quoteName(plan.autoIncrement.name)}) FROM ${quoteName(table)})`
  yield setSequence(fresh, `max(coalesce(${highest}, ${start - 1}), ${start - 1})`)
}

/** Rows per batch. */
const CHUNK = 50_000

/** Copies rows in batches, so that progress can be reported and the event loop stays free. */
export async function copyRows(
  handle: SqliteHandle,
  { text, table, rowId }: Copy,
  progress?: CopyProgress,
): Promise<void> {
  if (rowId === undefined) return void handle.exec(text)
  const name = quoteName(table)
  const next = handle
    .prepare(
      `SELECT max("r") FROM (SELECT ${rowId} AS "r" FROM ${name} WHERE ${rowId} >= ? ORDER BY ${rowId} LIMIT ${CHUNK})`,
    )
    .safeIntegers(true)
    .raw(true)
  const part = handle.prepare(`${text} WHERE ${rowId} BETWEEN ? AND ?`)
  const written = handle.prepare('SELECT total_changes()').safeIntegers(false).raw(true)
  const countWritten = (): number => (written.get() as [number])[0]
  const before = countWritten()
  let copied = 0
  for (let from = -(2n ** 63n); from < 2n ** 63n; ) {
    const [to] = next.get(from) as [bigint | null]
    if (to === null) return
    copied += part.run(from, to).changes
    progress?.(copied)
    from = to + 1n
    await new Promise(setImmediate)
    // The owner of a handle that was passed in may write through it in between, to rows already copied.
    if (countWritten() - before === copied) continue
    const reason = 'somebody else wrote through the connection while its rows were copied'
    throw new DbError('TRANSACTION_MISUSE', `table \`${table}\`: ${reason}, so nothing was changed`)
  }
}
