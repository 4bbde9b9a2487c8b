import type { TableName, TablePlan } from '../../contract/table-plan.ts'
import type { LikePattern } from '../../query/read-filter.ts'
import { type Dialect, quoteName, quoteTableName, quoteText } from '../../sql/dialect.ts'
import { padList } from '../../sql/statement.ts'
import { convertSqlite, isUnfitSqlite } from './convert.ts'

export const sqliteDialect: Dialect = {
  quoteName,
  placeholder: () => '?',
  isOther: (column, placeholder) => `${column} IS NOT ${placeholder}`,
  isIn(columns, { slot, size }, parameters) {
    const places = parameters.spread(slot, size * columns.length, (list) => padList(list as unknown[], size).flat())
    if (columns.length === 1) return `${columns[0]} IN (${places.join(', ')})`
    const tuple = `(${columns.map(() => '?').join(', ')})`
    return `(${columns.join(', ')}) IN (VALUES ${Array.from({ length: size }, () => tuple).join(', ')})`
  },
  like(column, { fold, slot }, parameters) {
    // LIKE ignores the case of ASCII letters only; GLOB is case-sensitive.
    const place = parameters.value(slot, (value) =>
      fold ? (value as LikePattern).pattern : toGlob(value as LikePattern),
    )
    return fold ? `${column} LIKE ${place} ESCAPE '\\'` : `${column} GLOB ${place}`
  },
  orderNulls: () => '',
  noLimit: 'LIMIT -1',
  emptyRow: 'DEFAULT VALUES',
  nextAutoIncrement({ plan }, column) {
    if (isRowId(plan)) return { value: undefined, returning: false }
    const start = column.model.default?.kind === 'increment' ? column.model.default.start : 1
    const last = `SELECT max(${quoteName(column.name)}) FROM ${quoteTableName(plan.tableName)}`
    return { value: `coalesce((${last}), ${start - 1}) + 1`, returning: true }
  },
  defineType(column, plan) {
    if (!isRowId(plan) || column !== plan.key[0]) return column.storage.type
    return `${column.storage.type} PRIMARY KEY${plan.autoIncrement === column ? ' AUTOINCREMENT' : ''}`
  },
  hasInlineKey: isRowId,
  indexColumn: (column, order) => (order === 'desc' ? `${column} DESC` : column),
  literal: (value) => (typeof value === 'string' ? quoteText(value) : String(value)),
  eachUuid: (head) => {
    const digits = (count: number): string => `substr(lower(hex(randomblob(${Math.ceil(count / 2)}))), 1, ${count})`
    const variant = "substr('89ab', (random() & 3) + 1, 1)"
    return `${quoteText(head)} || ${digits(3)} || '-' || ${variant} || ${digits(3)} || '-' || ${digits(12)}`
  },
  renameTable: renameSqliteTable,
  alterColumn: () => [],
  convert: convertSqlite,
  isUnconvertible: isUnfitSqlite,
}

/** SQLite ignores the case of names, so a rename that only changes case needs an intermediate name. */
function renameSqliteTable({ table: from }: TableName, { table: to }: TableName): string[] {
  const rename = (one: string, other: string): string => `ALTER TABLE ${quoteName(one)} RENAME TO ${quoteName(other)}`
  if (from.toLowerCase() !== to.toLowerCase()) return [rename(from, to)]
  return [rename(from, `portico__new__${to}`), rename(`portico__new__${to}`, to)]
}

/** True if the key is the row ID: a single column of type INTEGER. */
export function isRowId({ key }: TablePlan): boolean {
  return key.length === 1 && key[0]!.model.storage === 'integer'
}

const globWords: Readonly<Record<string, string>> = { '%': '*', _: '?', '*': '[*]', '?': '[?]', '[': '[[]' }

function toGlob({ pattern }: LikePattern): string {
  return pattern.replaceAll(/\\([\s\S])|([%_])|([*?[])/gu, (_, escaped?: string, wild?: string, special?: string) =>
    escaped !== undefined ? (escaped in globEscapes ? globWords[escaped]! : escaped) : globWords[(wild ?? special)!]!,
  )
}

const globEscapes = { '*': true, '?': true, '[': true }
