/** Statements that alter MySQL's tables in place. Each statement is atomic, but they are not one transaction. */
import { type AlterColumn, type FillColumn, type TableChange } from '../../contract/change.ts'
import type { TableSnapshot } from '../../contract/snapshot.ts'
import type { PlanColumn, TableName, TablePlan } from '../../contract/table-plan.ts'
import { DbError } from '../../errors.ts'
import { alterTable, compileChange, compileKey, defineColumn, defineForeignKey } from '../../sql/compile-change.ts'
import { compileRowQuery } from '../../sql/compile-row-query.ts'
import { type Dialect, fillText, quoteTableName } from '../../sql/dialect.ts'
import { EachUuid } from '../../values/each-uuid.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { convertMysql, isUnfitMysql, needsConversion } from './convert.ts'
import { quoteName, quoteString } from './dialect.ts'
import { type MysqlTable, UNFINISHED } from './introspect.ts'

export interface ChangeTools {
  /** TiDB cannot drop a column in the statement that gives another column its name. */
  readonly isTidb?: boolean
  readonly dialect: Dialect
  readonly readTable: (tableName: TableName) => Promise<MysqlTable | undefined>
}

/** A statement, or a check: if its query counts any row, the change is refused with `message`. */
export type Step = string | { readonly finds: string; readonly message: string }

/** MySQL requires an auto-increment column to be the first column of an index. This index is added if there is no other. */
const AUTO_INCREMENT_INDEX = 'portico__counted'

/** The column that holds converted values until it replaces the old one. */
const NEW_COLUMN = 'portico__new'

/** Returns the statements of a change. Some depend on the current state of the table. */
export async function stepsOf(change: TableChange, tools: ChangeTools): Promise<readonly Step[]> {
  const { dialect, readTable } = tools
  switch (change.kind) {
    case 'addColumn':
      return addColumn(change, await readTable(change.plan.tableName), dialect)
    case 'fillColumn':
      return [fillColumn(change, await found(readTable, change.plan.tableName), dialect)]
    case 'alterColumn':
      return alterColumn(change, tools)
    case 'dropKey':
      return [dropKey(await found(readTable, change.tableName), dialect)]
    case 'addKey':
      return addKey(change.plan, await found(readTable, change.plan.tableName), dialect)
    case 'dropIndex':
      return [dropIndex(change.name, await found(readTable, change.tableName), dialect)]
    case 'renameIndex':
      return [
        alterTable(change.tableName, `RENAME INDEX ${quoteName(change.from)} TO ${quoteName(change.to)}`, dialect),
      ]
    case 'dropForeignKey':
      return [dropForeignKey(change.name, await found(readTable, change.tableName), dialect)]
    case 'renameForeignKey':
      return [renameForeignKey(change, await found(readTable, change.tableName), dialect)]
    // MySQL alters tables in place and never rebuilds one.
    case 'rebuildTable':
      return []
    default:
      return compileChange(change, dialect, true)
  }
}

/**
 * Returns variants of a statement that block others less, best first: instant, then without locking out writers. A
 * server that does not support a variant refuses it before it starts.
 */
export function fasterVariants(text: string): readonly string[] {
  const online = inWay(text, 'ALGORITHM = INPLACE', 'LOCK = NONE')
  if (text.startsWith('ALTER TABLE ')) return [inWay(text, 'ALGORITHM = INSTANT'), online]
  return /^CREATE (UNIQUE )?INDEX /.test(text) ? [online] : []
}

/** Blocks writers while the statement runs. */
export function withoutWriters(text: string): string {
  return inWay(text, 'LOCK = SHARED')
}

function inWay(text: string, ...options: readonly string[]): string {
  return [text, ...options].join(text.startsWith('ALTER TABLE ') ? ', ' : ' ')
}

async function found(readTable: ChangeTools['readTable'], tableName: TableName): Promise<MysqlTable> {
  const table = await readTable(tableName)
  if (table) return table
  throw new DbError('SYNC_FAILED', `table \`${tableName.table}\` no longer exists`)
}

function dropKey({ tableName, columns }: TableSnapshot, dialect: Dialect): string {
  const numbered = columns.find((it) => it.autoIncrement)
  return alterTable(
    tableName,
    ['DROP PRIMARY KEY', ...(numbered ? [addAutoIncrementIndex(numbered.name)] : [])].join(', '),
    dialect,
  )
}

function addAutoIncrementIndex(column: string): string {
  return `ADD INDEX ${quoteName(AUTO_INCREMENT_INDEX)} (${quoteName(column)})`
}

function addKey(plan: TablePlan, table: TableSnapshot, dialect: Dialect): string[] {
  const parts = plan.key.length > 0 ? [`ADD ${compileKey(plan, dialect)}`] : []
  const isNeeded = table.columns.some((it) => it.autoIncrement && plan.key[0]?.name !== it.name)
  if (!isNeeded && table.indexes.some((it) => it.name === AUTO_INCREMENT_INDEX))
    parts.push(`DROP INDEX ${quoteName(AUTO_INCREMENT_INDEX)}`)
  return parts.length === 0 ? [] : [alterTable(plan.tableName, parts.join(', '), dialect)]
}

/** A foreign key needs an index. If its declared index is dropped, it gets the one that the server would have created. */
function dropIndex(name: string, { tableName, indexes, foreignKeys, key }: TableSnapshot, dialect: Dialect): string {
  const columnsOf = (index: { columns: readonly { name: string }[] }): string[] => index.columns.map((it) => it.name)
  const serves = (columns: readonly string[], link: readonly string[]): boolean =>
    link.every((it, position) => columns[position] === it)
  const others = [key, ...indexes.filter((it) => it.name !== name).map(columnsOf)]
  const bare = foreignKeys.filter((link) => !others.some((columns) => serves(columns, link.columns)))
  const added = bare.map((it) => `ADD INDEX ${quoteName(it.name!)} (${it.columns.map(quoteName).join(', ')})`)
  return alterTable(tableName, [`DROP INDEX ${quoteName(name)}`, ...added].join(', '), dialect)
}

/** Also drops the index that the server created for the foreign key, unless another foreign key needs it. */
function dropForeignKey(name: string, { tableName, indexes, foreignKeys }: TableSnapshot, dialect: Dialect): string {
  const index = indexes.find((it) => it.name === name)
  const isNeeded = foreignKeys.some((it) => it.name !== name && it.columns[0] === index?.columns[0]?.name)
  const parts = [
    `DROP FOREIGN KEY ${quoteName(name)}`,
    ...(index && !isNeeded ? [`DROP INDEX ${quoteName(name)}`] : []),
  ]
  return alterTable(tableName, parts.join(', '), dialect)
}

function renameForeignKey(
  { from, to, tableName }: Extract<TableChange, { kind: 'renameForeignKey' }>,
  { foreignKeys }: TableSnapshot,
  dialect: Dialect,
): string {
  const link = foreignKeys.find((it) => it.name === from)!
  const parts = [
    `DROP FOREIGN KEY ${quoteName(from)}`,
    `ADD ${defineForeignKey({ ...link, name: to }, dialect, tableName)}`,
  ]
  return alterTable(tableName, parts.join(', '), dialect)
}

/** The server would invent a value for rows inserted after planning. So the table is locked and counted again. */
function addColumn(
  change: Extract<TableChange, { kind: 'addColumn' }>,
  table: MysqlTable | undefined,
  dialect: Dialect,
): Step[] {
  const { plan, column, fill } = change
  if (fill instanceof EachUuid && table) {
    const required = alterTable(plan.tableName, `MODIFY COLUMN ${defineColumn(column, plan, dialect)}`, dialect)
    return [
      alterTable(
        plan.tableName,
        `ADD COLUMN ${quoteName(column.name)} ${dialect.defineType(column, plan)} NULL`,
        dialect,
      ),
      fillColumn({ kind: 'fillColumn', plan, column, fill }, table, dialect),
      ...(column.nullable ? [] : [required]),
    ]
  }
  const steps = compileChange(change, dialect, true)
  const { default: preset } = column.model
  if (column.nullable || fill !== undefined || preset?.kind === 'value' || preset?.kind === 'increment')
    return [...steps]
  const finds = compileRowQuery({ kind: 'rows', tableName: plan.tableName }, dialect)
  return locked(
    plan,
    { finds, message: `has rows by now that would have no value in column \`${column.name}\`` },
    steps,
  )
}

function fillColumn({ column, fill, within }: FillColumn, table: MysqlTable, dialect: Dialect): string {
  const name = quoteName(column.name)
  const isThere = within ? ` AND (${within.map((it) => `${quoteName(it)} IS NOT NULL`).join(' OR ')})` : ''
  return updateRows(table, `${name} = ${fillText(fill, column, dialect)}`, `${name} IS NULL${isThere}`)
}

/** Locks the table, and runs the steps if the check finds nothing. */
function locked(plan: TablePlan, { finds, message }: Exclude<Step, string>, steps: readonly Step[]): Step[] {
  const check = { finds, message: `table \`${declaredNameOf(plan)}\`: ${message}` }
  return [`LOCK TABLES ${quoteTableName(plan.tableName, quoteName)} WRITE`, check, ...steps, 'UNLOCK TABLES']
}

/** Values may have been written after planning. If some may not fit, the table is locked and they are checked again. */
async function alterColumn(change: AlterColumn, tools: ChangeTools): Promise<Step[]> {
  const { plan, column, before, after } = change
  const { dialect } = tools
  const table = await found(tools.readTable, plan.tableName)
  const steps = needsConversion(before, after)
    ? convertColumn(change, table, tools)
    : modifyColumn(change, table, dialect)
  const isUnfit = isUnfitMysql(quoteName(column.name), before, after)
  if (isUnfit === 'FALSE' && !needsConversion(before, after)) return steps
  const from = { ...before, name: column.name }
  const finds = compileRowQuery({ kind: 'unconvertible', tableName: plan.tableName, from, to: after }, dialect)
  const message = `column \`${column.name}\` has values by now that cannot be kept exactly as ${after.storage}`
  return locked(plan, { finds, message }, steps)
}

function modifyColumn({ plan, column, fill }: AlterColumn, table: MysqlTable, dialect: Dialect): string[] {
  const name = quoteName(column.name)
  const modify = (more = ''): string =>
    alterTable(plan.tableName, `MODIFY COLUMN ${redefine(column, plan, table, dialect)}${more}`, dialect)
  const autoIncrement = defineAutoIncrement(column, table)
  if (fill === undefined) return [modify(autoIncrement)]
  const loose = `${name} ${bareType(column, plan, dialect)} NULL${keptComment(column, table)}`
  return [
    // The column must accept the fill value before NULLs are replaced.
    alterTable(plan.tableName, `MODIFY COLUMN ${loose}`, dialect),
    updateRows(table, `${name} = ${fillText(fill, column, dialect)}`, `${name} IS NULL`),
    modify(autoIncrement),
  ]
}

function redefine(column: PlanColumn, plan: TablePlan, table: MysqlTable, dialect: Dialect): string {
  return `${defineColumn(column, plan, dialect)}${keptComment(column, table)}`
}

/** An altered column keeps its comment. */
function keptComment({ name }: PlanColumn, { comments }: MysqlTable): string {
  return defineComment(comments.get(name) ?? '')
}

function defineComment(comment: string): string {
  return comment && ` COMMENT ${quoteString(comment)}`
}

/** Updates rows without touching their `ON UPDATE CURRENT_TIMESTAMP` columns. */
function updateRows({ tableName, stamped }: MysqlTable, what: string, where = ''): string {
  const kept = stamped.map((it) => `${quoteName(it)} = ${quoteName(it)}`)
  return `UPDATE ${quoteTableName(tableName, quoteName)} SET ${[what, ...kept].join(', ')}${where && ` WHERE ${where}`}`
}

/** The type without AUTO_INCREMENT. */
function bareType(column: PlanColumn, plan: TablePlan, dialect: Dialect): string {
  return dialect.defineType(column, plan).replace(/ AUTO_INCREMENT$/, '')
}

/** The clauses that make a column auto-increment. The server continues after existing numbers by itself. */
function defineAutoIncrement(column: PlanColumn, { columns, key, indexes }: TableSnapshot): string {
  const preset = column.model.default
  if (preset?.kind !== 'increment' || columns.some((it) => it.autoIncrement && it.name === column.name)) return ''
  const isFirst = [key[0], ...indexes.map((it) => it.columns[0]?.name)].includes(column.name)
  return `${isFirst ? '' : `, ${addAutoIncrementIndex(column.name)}`}, AUTO_INCREMENT = ${preset.start}`
}

/**
 * Converts values that the server would convert differently: into a new column, which then replaces the old one, with
 * its indexes, in a single statement.
 */
function convertColumn(
  { plan, column, before, after, fill }: AlterColumn,
  table: MysqlTable,
  { dialect, isTidb = false }: ChangeTools,
): string[] {
  const name = quoteName(column.name)
  const added = quoteName(newColumnName(table))
  const converted = convertMysql(name, before, after)
  const value = fill === undefined ? converted : `COALESCE(${converted}, ${fillText(fill, column, dialect)})`
  const parts = swapColumn(column, plan, table, dialect)
  const swap = isTidb ? swapInSteps(parts, `${added} ${bareType(column, plan, dialect)} NULL`) : [parts]
  return [
    alterTable(
      plan.tableName,
      `ADD COLUMN ${added} ${bareType(column, plan, dialect)} NULL${defineComment(UNFINISHED)}`,
      dialect,
    ),
    updateRows(table, `${added} = ${value}`),
    ...swap.map((parts) => alterTable(plan.tableName, parts.join(', '), dialect)),
  ]
}

/**
 * Replaces the column in several statements. The new column loses its `UNFINISHED` mark before the old one is dropped,
 * so that an interrupted sync keeps the values.
 */
function swapInSteps(parts: readonly string[], added: string): readonly (readonly string[])[] {
  const renamed = parts.findIndex((it) => it.startsWith('CHANGE COLUMN'))
  return [
    [`MODIFY COLUMN ${added}`],
    parts.slice(0, renamed),
    [parts[renamed]!],
    ...parts.slice(renamed + 1).map((it) => [it]),
  ]
}

/** Returns a name that no column has. */
function newColumnName({ columns }: TableSnapshot): string {
  let name = NEW_COLUMN
  while (columns.some((it) => it.name.toLowerCase() === name)) name += '_'
  return name
}

function swapColumn(column: PlanColumn, plan: TablePlan, table: MysqlTable, dialect: Dialect): string[] {
  const { key, indexes, columns } = table
  const left = columns[columns.findIndex((it) => it.name === column.name) - 1]
  const where = left ? `AFTER ${quoteName(left.name)}` : 'FIRST'
  const over = indexes.filter((it) => it.columns.some((part) => part.name === column.name))
  const isKey = key.includes(column.name)
  return [
    ...over.map((it) => `DROP INDEX ${quoteName(it.name)}`),
    ...(isKey ? ['DROP PRIMARY KEY'] : []),
    `DROP COLUMN ${quoteName(column.name)}`,
    `CHANGE COLUMN ${quoteName(newColumnName(table))} ${redefine(column, plan, table, dialect)} ${where}`,
    ...(isKey ? [`ADD PRIMARY KEY (${key.map(quoteName).join(', ')})`] : []),
    ...over.map((it) => {
      const parts = it.columns.map((part) => dialect.indexColumn(quoteName(part.name), part.order, false))
      return `ADD ${it.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(it.name)} (${parts.join(', ')})`
    }),
  ]
}
