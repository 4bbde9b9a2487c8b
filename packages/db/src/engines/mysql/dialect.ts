import type { Filter, InsertOperation } from '../../contract/operation.ts'
import type { PlanColumn, TablePlan } from '../../contract/plan.ts'
import type { LikePattern } from '../../query/read-filter.ts'
import { type Dialect, quoteTableName, quoteText } from '../../sql/dialect.ts'
import { type ParameterList, padList } from '../../sql/statement.ts'
import { DEFAULT_DECIMAL } from '../../values/codec.ts'
import { countWholeDigits } from '../../values/decimal.ts'
import { convertMysql, isUnfitMysql } from './convert.ts'

/** What a server's collation by code point is called; the plain one would take `'a'` and `'a '` for equal. */
export const collations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'utf8mb4_bin'] as const
export type Collation = (typeof collations)[number]

/** Which of the servers that speak MySQL's protocol it is. */
export type MysqlServer = 'mariadb' | 'mysql' | 'tidb'

export function readServer(version: string): MysqlServer {
  if (/mariadb/i.test(version)) return 'mariadb'
  return /tidb/i.test(version) ? 'tidb' : 'mysql'
}

/** TiDB's type of a long text with a default: its LONGTEXT has none. It is read back as what was declared. */
export const TIDB_TEXT = 'VARCHAR(16383)'

export function createMysqlDialect(collation: Collation, home?: string, server: MysqlServer = 'mariadb'): Dialect {
  const isTidb = server === 'tidb'
  return {
    // MariaDB takes any number that is whole, MySQL and TiDB those alone that the driver sends as whole ones.
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
    // The driver tells the number that was counted.
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
    // Depends on what the table is: the adapter does it itself.
    alterColumn: () => [],
    convert: convertMysql,
    isUnconvertible: isUnfitMysql,
  }
}

/** Backquotes mean a name in every mode of the server; double quotes do in some. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** Text beside a decimal would be compared as a binary number, which is not exact. */
function compared({ model }: PlanColumn, place: string): string {
  if (model.storage !== 'decimal') return place
  return `CAST(${place} AS DECIMAL(${MOST_DIGITS}, ${(model.precision ?? DEFAULT_DECIMAL).scale}))`
}

/** How many digits a DECIMAL can have. */
const MOST_DIGITS = 65

/** A decimal that is too great for any column stays greater than all that they hold. */
function boundOf({ model }: PlanColumn): ((value: unknown) => unknown) | undefined {
  if (model.storage !== 'decimal') return undefined
  const room = MOST_DIGITS - (model.precision ?? DEFAULT_DECIMAL).scale
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
  // Collations that fold case fold accents too. One of them finds what may match; letters replaced one by one, what does.
  const candidates = `${column} COLLATE utf8mb4_general_ci LIKE ${place(escapeByBar)}`
  return `(${candidates} AND ${lowerAscii(column)} LIKE ${place((it) => lowerText(escapeByBar(it)))})`
}

/** Whether a backslash escapes depends on the server's mode; a bar that is said to does in all of them. */
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

/** Connections are set up so that a backslash escapes. */
export function quoteString(text: string): string {
  return quoteText(text.replaceAll('\\', '\\\\'))
}

function literal(value: unknown, { storage }: { readonly storage: Pick<PlanColumn['storage'], 'type'> }): string {
  if (typeof value !== 'string') return String(value)
  // The server keeps defaults in the character set of the table, and tells them in one of its own: both lack characters.
  if (/[\u0080-\uffff]/.test(value)) return `(CONVERT(X'${Buffer.from(value).toString('hex')}' USING utf8mb4))`
  const text = quoteString(value)
  // Long text has no default but an expression.
  return /^(?:LONGTEXT|JSON)$/.test(storage.type) ? `(${text})` : text
}

/** Where expressions are no defaults, and all text is in one character set. */
function plainLiteral(value: unknown): string {
  return typeof value === 'string' ? quoteString(value) : String(value)
}

function completeTable({ autoIncrement, key }: TablePlan): { lines: readonly string[]; options: string } {
  const preset = autoIncrement?.model.default
  const start = preset?.kind === 'increment' && preset.start !== 1 ? ` AUTO_INCREMENT = ${preset.start}` : ''
  // What is counted has to be the first column of some index.
  const lines = autoIncrement && key[0] !== autoIncrement ? [`KEY (${quoteName(autoIncrement.name)})`] : []
  // Indexes of other formats hold 767 bytes of a column, and text in one takes 1020.
  return { lines, options: ` ENGINE = InnoDB ROW_FORMAT = DYNAMIC${start}` }
}

/** One statement for several rows. */
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
