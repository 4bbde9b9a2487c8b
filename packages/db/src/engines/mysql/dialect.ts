import type { Filter, InsertOperation } from '../../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../../contract/table-plan.ts'
import type { LikePattern } from '../../query/read-filter.ts'
import { type Dialect, quoteTableName, quoteText } from '../../sql/dialect.ts'
import { type ParameterList, padList } from '../../sql/statement.ts'
import { DEFAULT_DECIMAL } from '../../values/codec.ts'
import { countWholeDigits } from '../../values/decimal.ts'
import { convertMysql, isUnfitMysql } from './convert.ts'

/** Collations by code point, best first. The last one treats `'a'` and `'a '` as equal. */
export const collations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin'] as const
export type Collation = (typeof collations)[number]

export type MysqlServer = 'mariadb' | 'mysql' | 'tidb'

export function readServer(version: string): MysqlServer {
  if (/mariadb/i.test(version)) return 'mariadb'
  return /tidb/i.test(version) ? 'tidb' : 'mysql'
}

/** TiDB's type for a long text with a default, which its LONGTEXT cannot have. Introspection reports it as declared. */
export const TIDB_TEXT = 'VARCHAR(16383)'

export function createMysqlDialect(collation: Collation, home?: string, server: MysqlServer = 'mariadb'): Dialect {
  const isTidb = server === 'tidb'
  return {
    // MariaDB accepts any integral number as a limit, MySQL and TiDB only numbers that the driver sends as integers.
    inlinesLimits: server !== 'mariadb',
    ...(home !== undefined && { home }),
    quoteName,
    placeholder: () => '?',
    isOther: (column, place) => `NOT (${column} <=> ${place})`,
    isIn,
    like,
    orderNulls: () => '',
    noLimit: 'LIMIT 18446744073709551615',
    emptyRow: '() VALUES ()',
    // The driver reports the generated number.
    nextAutoIncrement: () => ({ value: undefined, returning: false }),
    defineType(column, plan) {
      const isPreset = column.model.default?.kind === 'value'
      const type = isTidb && isPreset && column.storage.type === 'LONGTEXT' ? TIDB_TEXT : column.storage.type
      if (column.model.storage === 'text') return `${type} CHARACTER SET utf8mb4 COLLATE ${collation}`
      return column === plan.autoIncrement ? `${type} AUTO_INCREMENT` : type
    },
    hasInlineKey: () => false,
    indexColumn: (column, order) => (order === 'desc' ? `${column} DESC` : column),
    literal: isTidb ? plainLiteral : literal,
    eachUuid: (head) => {
      const digits = (count: number): string => `LEFT(LOWER(HEX(RANDOM_BYTES(${Math.ceil(count / 2)}))), ${count})`
      const variant = "SUBSTR('89ab', 1 + (ORD(RANDOM_BYTES(1)) & 3), 1)"
      return `CONCAT(${quoteText(head)}, ${digits(3)}, '-', ${variant}, ${digits(3)}, '-', ${digits(12)})`
    },
    compared: (column, slot, parameters) => compared(column, parameters.value(slot, boundOf(column))),
    completeTable,
    renameTable: (from, to) => [`RENAME TABLE ${quoteTableName(from, quoteName)} TO ${quoteTableName(to, quoteName)}`],
    // Depends on the current state of the table: see change.ts.
    alterColumn: () => [],
    convert: convertMysql,
    isUnconvertible: isUnfitMysql,
  }
}

/** Backticks quote an identifier in every SQL mode; double quotes only in some. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** A text compared with a decimal would be compared as a floating-point number, which is inexact. */
function compared({ model }: PlanColumn, place: string): string {
  if (model.storage !== 'decimal') return place
  return `CAST(${place} AS DECIMAL(${MAX_DIGITS}, ${(model.precision ?? DEFAULT_DECIMAL).scale}))`
}

/** The most digits of a DECIMAL. */
const MAX_DIGITS = 65

/** Replaces a decimal that is too large for any column by the largest one, so that it still compares as larger. */
function boundOf({ model }: PlanColumn): ((value: unknown) => unknown) | undefined {
  if (model.storage !== 'decimal') return undefined
  const room = MAX_DIGITS - (model.precision ?? DEFAULT_DECIMAL).scale
  return (value) => {
    const text = value as string
    return countWholeDigits(text) <= room ? text : `${text.startsWith('-') ? '-' : ''}${'9'.repeat(room)}`
  }
}

function isIn(
  columns: readonly string[],
  { slot, size, columns: all }: Extract<Filter, { kind: 'in' }>,
  parameters: ParameterList,
): string {
  const places = parameters.spread(slot, size * columns.length, (list) => padList(list as unknown[], size).flat())
  const values = places.map((place, index) => compared(all[index % all.length]!, place))
  if (columns.length === 1) return `${columns[0]} IN (${values.join(', ')})`
  const tuples = Array.from({ length: size }, (_, index) =>
    values.slice(index * columns.length, (index + 1) * columns.length).join(', '),
  )
  return `(${columns.join(', ')}) IN ((${tuples.join('), (')}))`
}

function like(column: string, { fold, slot }: Extract<Filter, { kind: 'like' }>, parameters: ParameterList): string {
  const place = (convert: (pattern: string) => string): string =>
    `${parameters.value(slot, (value) => convert((value as LikePattern).pattern))} ESCAPE '|'`
  if (!fold) return `${column} LIKE ${place(escapeByBar)}`
  // Collations that ignore case also ignore accents. So one finds the candidates, and lower-cased letters decide.
  const candidates = `${column} COLLATE utf8mb4_general_ci LIKE ${place(escapeByBar)}`
  return `(${candidates} AND ${lowerAscii(column)} LIKE ${place((it) => lowerText(escapeByBar(it)))})`
}

/** A backslash escapes only in some SQL modes; a bar named in `ESCAPE` does in all of them. */
function escapeByBar(pattern: string): string {
  return pattern.replaceAll(/\\([\s\S])|\|/gu, (_, escaped?: string) => `|${escaped ?? '|'}`)
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

function lowerAscii(column: string): string {
  return letters.reduce((text, letter) => `REPLACE(${text}, '${letter}', '${letter.toLowerCase()}')`, column)
}

function lowerText(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Connections use an SQL mode in which a backslash escapes. */
export function quoteString(text: string): string {
  return quoteText(text.replaceAll('\\', '\\\\'))
}

function literal(value: unknown, { storage }: { readonly storage: Pick<PlanColumn['storage'], 'type'> }): string {
  if (typeof value !== 'string') return String(value)
  // The server stores and reports defaults in character sets that may lack the characters.
  if (/[\u0080-\uffff]/.test(value)) return `(CONVERT(X'${Buffer.from(value).toString('hex')}' USING utf8mb4))`
  const text = quoteString(value)
  // Long text accepts only an expression as its default.
  return /^(?:LONGTEXT|JSON)$/.test(storage.type) ? `(${text})` : text
}

/** For TiDB: no expressions as defaults, and one character set. */
function plainLiteral(value: unknown): string {
  return typeof value === 'string' ? quoteString(value) : String(value)
}

function completeTable({ autoIncrement, key }: TablePlan): { lines: readonly string[]; options: string } {
  const preset = autoIncrement?.model.default
  const start = preset?.kind === 'increment' && preset.start !== 1 ? ` AUTO_INCREMENT = ${preset.start}` : ''
  // An auto-increment column must be the first column of an index.
  const lines = autoIncrement && key[0] !== autoIncrement ? [`KEY (${quoteName(autoIncrement.name)})`] : []
  // Indexes of other row formats hold 767 bytes per column, and an indexed text takes 1020.
  return { lines, options: ` ENGINE = InnoDB ROW_FORMAT = DYNAMIC${start}` }
}

/** One insert of several rows. */
export function compileRows(
  { plan, columns, autoIncrement }: InsertOperation,
  count: number,
  returning: boolean,
): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  const head = `INSERT INTO ${quoteTableName(plan.tableName, quoteName)} (${columns.map((it) => quoteName(it.name)).join(', ')})`
  const tail = autoIncrement && returning ? ` RETURNING ${quoteName(autoIncrement.name)}` : ''
  return `${head} VALUES ${Array.from({ length: count }, () => row).join(', ')}${tail}`
}
