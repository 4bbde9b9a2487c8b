import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../../adapter.ts'
import { storeExactDecimal, storeSqlColumn, storeZeroOrOne } from '../../sql/store-column.ts'

/** How many characters an indexed text may have: three such columns fit into the 3072 bytes of one index. */
export const INDEXED_LENGTH = 255

/** How MySQL and MariaDB store a column. */
export const storeMysqlColumn: (column: Column, table: TableUses) => ColumnStorage = storeSqlColumn({
  // Indexes hold text of a bounded length alone. What is in none is as long as on other engines: TEXT ends at 64 KB.
  text: (column, table) => (isIndexed(column, table) ? `VARCHAR(${INDEXED_LENGTH})` : 'LONGTEXT'),
  // A whole number that was declared as one, or as a time, has room for all of ±(2^53 − 1).
  integer: ({ subtype }) => (subtype === undefined ? 'INT' : 'BIGINT'),
  real: 'DOUBLE',
  json: 'JSON',
  boolean: storeZeroOrOne('TINYINT(1)'),
  decimal: (column) => storeExactDecimal('DECIMAL', column),
})

function isIndexed({ key, name }: Column, { indexes, foreignKeys }: TableUses): boolean {
  return (
    key ||
    indexes.some(({ columns }) => columns.some((it) => it.column === name)) ||
    foreignKeys.some(({ columns }) => columns.includes(name))
  )
}
