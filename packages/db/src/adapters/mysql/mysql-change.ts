/**
 * How tables of MySQL change: in place, by statements of which each happens whole or not at all. The server itself picks
 * the quickest way that it has for each (`INSTANT`, `INPLACE`, else a copy that it swaps in).
 */
import type { AlterColumn, TableChange } from '../../change.ts'
import { DbError } from '../../errors.ts'
import { alterTable, compileChange, compileKey, defineColumn, defineForeignKey } from '../../sql/compile-change.ts'
import { type Dialect, quotePlace } from '../../sql/dialect.ts'
import type { TableSnapshot } from '../../sync/snapshot.ts'
import type { PlanColumn, TablePlace, TablePlan } from '../../table-plan.ts'
import { convertMysql, needsConversion } from './mysql-convert.ts'
import { quoteName } from './mysql-dialect.ts'

export interface ChangeTools {
  readonly dialect: Dialect
  /** What a table is at this moment. */
  readonly look: (place: TablePlace) => Promise<TableSnapshot | undefined>
}

/** What is counted has to be the first column of some index: this one, where no other is. */
const COUNTED = 'portico__counted'

/** The column in which converted values wait until it takes the place of the old one. */
const FRESH = 'portico__new'

/** The statements of a change. Some depend on what the table is at that moment. */
export async function stepsOf(change: TableChange, tools: ChangeTools): Promise<readonly string[]> {
  const { dialect, look } = tools
  refuseSetDefault(change)
  switch (change.kind) {
    case 'alterColumn':
      return alterColumn(change, tools)
    case 'dropKey':
      return [dropKey(await found(look, change.place), dialect)]
    case 'addKey':
      return addKey(change.plan, await found(look, change.plan.place), dialect)
    case 'dropIndex':
      return [dropIndex(change.name, await found(look, change.place), dialect)]
    case 'renameIndex':
      return [alterTable(change.place, `RENAME INDEX ${quoteName(change.from)} TO ${quoteName(change.to)}`, dialect)]
    case 'dropForeignKey':
      return [alterTable(change.place, `DROP FOREIGN KEY ${quoteName(change.name)}`, dialect)]
    case 'renameForeignKey':
      return [renameForeignKey(change, await found(look, change.place), dialect)]
    // Tables change in place: none is made anew by us.
    case 'rebuildTable':
      return []
    default:
      return compileChange(change, dialect, true)
  }
}

async function found(look: ChangeTools['look'], place: TablePlace): Promise<TableSnapshot> {
  const table = await look(place)
  if (table) return table
  throw new DbError('SYNC_FAILED', `table \`${place.table}\` is gone`)
}

/** InnoDB takes the words, or refuses them, but never does what they say. */
function refuseSetDefault(change: TableChange): void {
  const foreignKeys =
    change.kind === 'createTable' ? change.foreignKeys : change.kind === 'addForeignKey' ? [change.foreignKey] : []
  const refused = foreignKeys.find((it) => it.onDelete === 'setDefault' || it.onUpdate === 'setDefault')
  if (!refused) return
  throw new DbError('SYNC_REFUSED', `foreign key \`${refused.constraint}\`: MySQL has no \`setDefault\``)
}

function dropKey({ place, columns }: TableSnapshot, dialect: Dialect): string {
  const counted = columns.find((it) => it.counted)
  return alterTable(place, ['DROP PRIMARY KEY', ...(counted ? [addCounted(counted.name)] : [])].join(', '), dialect)
}

function addCounted(column: string): string {
  return `ADD INDEX ${quoteName(COUNTED)} (${quoteName(column)})`
}

function addKey(plan: TablePlan, table: TableSnapshot, dialect: Dialect): string[] {
  const parts = plan.key.length > 0 ? [`ADD ${compileKey(plan, dialect)}`] : []
  const isNeeded = table.columns.some((it) => it.counted && plan.key[0]?.name !== it.name)
  if (!isNeeded && table.indexes.some((it) => it.name === COUNTED)) parts.push(`DROP INDEX ${quoteName(COUNTED)}`)
  return parts.length === 0 ? [] : [alterTable(plan.place, parts.join(', '), dialect)]
}

/** A foreign key needs an index: where it loses a declared one, it gets one of its own, as it would have had without. */
function dropIndex(name: string, { place, indexes, foreignKeys, key }: TableSnapshot, dialect: Dialect): string {
  const columnsOf = (index: { columns: readonly { name: string }[] }): string[] => index.columns.map((it) => it.name)
  const serves = (columns: readonly string[], link: readonly string[]): boolean =>
    link.every((it, position) => columns[position] === it)
  const others = [key, ...indexes.filter((it) => it.name !== name).map(columnsOf)]
  const bare = foreignKeys.filter((link) => !others.some((columns) => serves(columns, link.columns)))
  const added = bare.map((it) => `ADD INDEX ${quoteName(it.name!)} (${it.columns.map(quoteName).join(', ')})`)
  return alterTable(place, [`DROP INDEX ${quoteName(name)}`, ...added].join(', '), dialect)
}

function renameForeignKey(
  { from, to, place }: Extract<TableChange, { kind: 'renameForeignKey' }>,
  { foreignKeys }: TableSnapshot,
  dialect: Dialect,
): string {
  const link = foreignKeys.find((it) => it.name === from)!
  const parts = [
    `DROP FOREIGN KEY ${quoteName(from)}`,
    `ADD ${defineForeignKey({ ...link, name: to }, dialect, place)}`,
  ]
  return alterTable(place, parts.join(', '), dialect)
}

async function alterColumn(change: AlterColumn, tools: ChangeTools): Promise<string[]> {
  const { plan, column, before, after, fill } = change
  const { dialect } = tools
  const table = await found(tools.look, plan.place)
  if (needsConversion(before, after)) return convertColumn(change, table, dialect)
  const name = quoteName(column.name)
  const modify = (more = ''): string =>
    alterTable(plan.place, `MODIFY COLUMN ${defineColumn(column, plan, dialect)}${more}`, dialect)
  const begin = startCounting(column, table)
  if (fill === undefined) return [modify(begin)]
  const place = quotePlace(plan.place, quoteName)
  return [
    // NULL goes only when the column can hold what stands in for it.
    alterTable(plan.place, `MODIFY COLUMN ${name} ${bareType(column, plan, dialect)} NULL`, dialect),
    `UPDATE ${place} SET ${name} = ${dialect.literal(fill, column)} WHERE ${name} IS NULL`,
    modify(begin),
  ]
}

/** The type without what makes a column counted. */
function bareType(column: PlanColumn, plan: TablePlan, dialect: Dialect): string {
  return dialect.defineType(column, plan).replace(/ AUTO_INCREMENT$/, '')
}

/** What a column needs that is counted from now on. Counting goes on behind the numbers that are there by itself. */
function startCounting(column: PlanColumn, { columns, key, indexes }: TableSnapshot): string {
  const preset = column.model.default
  if (preset?.kind !== 'increment' || columns.some((it) => it.counted && it.name === column.name)) return ''
  const isFirst = [key[0], ...indexes.map((it) => it.columns[0]?.name)].includes(column.name)
  return `${isFirst ? '' : `, ${addCounted(column.name)}`}, AUTO_INCREMENT = ${preset.start}`
}

/**
 * Values that the server would convert otherwise are written into a column of their own, which then takes the place of
 * the old one in a single statement, with the indexes that go over it. Nobody writes meanwhile: the lock is the
 * connection's, and goes with it.
 */
function convertColumn(
  { plan, column, before, after, fill }: AlterColumn,
  table: TableSnapshot,
  dialect: Dialect,
): string[] {
  const place = quotePlace(plan.place, quoteName)
  const name = quoteName(column.name)
  const fresh = quoteName(FRESH)
  const converted = convertMysql(name, before, after)
  const value = fill === undefined ? converted : `COALESCE(${converted}, ${dialect.literal(fill, column)})`
  const over = table.indexes.filter((it) => it.columns.some((part) => part.name === column.name))
  const isKey = table.key.includes(column.name)
  const swap = [
    ...over.map((it) => `DROP INDEX ${quoteName(it.name)}`),
    ...(isKey ? ['DROP PRIMARY KEY'] : []),
    `DROP COLUMN ${name}`,
    `CHANGE COLUMN ${fresh} ${defineColumn(column, plan, dialect)}`,
    ...(isKey ? [`ADD PRIMARY KEY (${table.key.map(quoteName).join(', ')})`] : []),
    ...over.map((it) => {
      const columns = it.columns.map((part) => dialect.indexColumn(quoteName(part.name), part.order, false))
      return `ADD ${it.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(it.name)} (${columns.join(', ')})`
    }),
  ]
  return [
    // What a sync that was cut off left.
    ...(table.columns.some((it) => it.name === FRESH) ? [alterTable(plan.place, `DROP COLUMN ${fresh}`, dialect)] : []),
    alterTable(plan.place, `ADD COLUMN ${fresh} ${bareType(column, plan, dialect)} NULL`, dialect),
    `LOCK TABLES ${place} WRITE`,
    `UPDATE ${place} SET ${fresh} = ${value}`,
    alterTable(plan.place, swap.join(', '), dialect),
    'UNLOCK TABLES',
  ]
}
