/** How SQLite's tables change: in place where it can, and made anew with their rows where not. */

import type { CopyProgress } from '../../contract/adapter.ts'
import type { RebuildTable, TableChange } from '../../contract/change.ts'
import type { TablePlan } from '../../contract/plan.ts'
import { DbError } from '../../errors.ts'
import { compileChange, defineColumns, defineForeignKey } from '../../sql/compile-change.ts'
import { fillText, quoteName, quoteText } from '../../sql/dialect.ts'
import { tableNameOf } from '../../sync/4-apply/change-place.ts'
import { describeForeignKeys } from '../../table/describe-table.ts'
import { convertOrFail, failAt } from './convert.ts'
import { isRowId, sqliteDialect } from './dialect.ts'
import type { SqliteHandle } from './driver.ts'
import { withoutNames } from './introspect.ts'

/** Copies all rows at once, or those between two row numbers. */
interface Copy {
  readonly text: string
  readonly table: string
  /** The name by which row numbers can be asked for; none where the table has no row numbers. */
  readonly rowId: string | undefined
}

/** The statements of a change. Some depend on what the file has at that moment, so that they come one by one. */
export function* stepsOf(handle: SqliteHandle, change: TableChange): Generator<string | Copy> {
  refuseTemporary(handle, change)
  if (change.kind === 'rebuildTable') return yield* rebuild(handle, change)
  yield* compileChange(change, sqliteDialect, false)
  if (change.kind === 'createTable') yield* startCounting(change.plan, change.plan.tableName.table)
}

/** What a connection has for itself alone comes first by its name, and a trigger of that kind goes with its table. */
function refuseTemporary(handle: SqliteHandle, change: TableChange): void {
  const table = tableNameOf(change)?.table
  const text = "SELECT type, name FROM temp.sqlite_master WHERE tbl_name = ? COLLATE NOCASE AND type <> 'index'"
  const all = handle.prepare(text).all(table) as { type: string; name: string }[]
  const found = all.find((it) => it.type !== 'trigger' || change.kind === 'rebuildTable')
  if (!found) return
  const told = `this connection has a temporary ${found.type} \`${found.name}\`, which is in the way: drop it first`
  throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${told}`)
}

/** SQLite counts from 1 unless its own table of counters says otherwise. */
function* startCounting(plan: TablePlan, table: string): Generator<string> {
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
  yield* keepCounting(handle, change, fresh)
  yield `DROP TABLE ${quoteName(table)}`
  // Views, triggers and foreign keys that speak of the table mean the new one: none of them is to be rewritten.
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

/** The text that made a table, and those of what would go with it. A trigger keeps its table's name as it was typed. */
function readDefinition(handle: SqliteHandle, table: string): { sql: string; dependents: Dependent[] } {
  const [definition] = handle.prepare(`SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?`).all(table) as {
    sql: string
  }[]
  const text = `SELECT type, name, sql FROM sqlite_master WHERE tbl_name = ? COLLATE NOCASE AND type <> 'table' AND sql IS NOT NULL ORDER BY rowid`
  return { sql: definition?.sql ?? '', dependents: handle.prepare(text).all(table) as Dependent[] }
}

// A column that is computed may be written without the word for it: `b AS (a + 1)`.
const ownRules =
  /\b(VIRTUAL|CHECK|COLLATE|GENERATED|UNIQUE|STRICT|WITHOUT\s+ROWID|DEFERRABLE|ON\s+CONFLICT)\b|\b(AS)\s*\(/i

/** Sync makes no such rules, so that it cannot make them anew either. */
function refuseOwnRules(table: string, sql: string): void {
  const [, word, computed] = ownRules.exec(withoutNames(sql)) ?? []
  const rule = computed === undefined ? word?.toUpperCase() : 'GENERATED'
  if (rule === undefined) return
  const told = `it would have to be made anew, and has a rule of its own (${rule}) that sync does not know`
  throw new DbError('SYNC_REFUSED', `table \`${table}\`: ${told}: change the table by hand`)
}

/** A column that sync did not make, as it was declared. */
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
    // A key of others may be NULL in some rows, and a row number would be made up for them.
    if (isRowId(plan) && column === plan.key[0]) return `coalesce(${name}, ${failAt(name, 'is no key')})`
    const converted = convertOrFail(name, present, after)
    return fill === undefined ? converted : `coalesce(${converted}, ${value})`
  })
  const others = kept.columns.map((it) => quoteName(it.name))
  const taken = [...before.columns, ...plan.columns].map((it) => it.name.toLowerCase())
  const rowId = ['rowid', '_rowid_', 'oid'].find((it) => !taken.includes(it))
  // Full-text indexes of others know rows by their numbers.
  const number = rowId === undefined || isRowId(plan) ? [] : [rowId]
  const names = [...number, ...filled.map((it) => quoteName(it.column.name)), ...others].join(', ')
  const sources = [...number, ...values, ...others].join(', ')
  return {
    text: `INSERT INTO ${quoteName(fresh)} (${names}) SELECT ${sources} FROM ${quoteName(table)}`,
    table,
    rowId,
  }
}

/** Numbers that were given out are not given out again, also those of rows that are gone. */
function* keepCounting(handle: SqliteHandle, { plan, before }: RebuildTable, fresh: string): Generator<string> {
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

/** How many rows are copied before others get a turn. */
const CHUNK = 50_000

/** Copies the rows of a table in parts, so that the program can tell how far it is, and do other things meanwhile. */
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
    // Whoever handed the connection in can write by it during that pause: to rows that were copied before.
    if (countWritten() - before === copied) continue
    const told = 'somebody else wrote through its connection while its rows were copied'
    throw new DbError('TRANSACTION_MISUSE', `table \`${table}\`: ${told}, so nothing was changed`)
  }
}
