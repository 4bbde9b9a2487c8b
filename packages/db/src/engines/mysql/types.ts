import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../../contract/storage.ts'
import { storeExactDecimal, storeSqlColumn, storeZeroOrOne } from '../../sql/store-column.ts'
import type { Codec } from '../../values/codec.ts'

/** How many characters an indexed text may have: three such columns fit into the 3072 bytes of one index. */
export const INDEXED_LENGTH = 255

/** How MySQL and MariaDB store a column. */
export const storeMysqlColumn = (column: Column, table: TableUses): ColumnStorage => {
  const storage = store(column, table)
  if (storage.type === 'INT') return { ...storage, max: 2 ** 31 - 1 }
  return storage.type === `VARCHAR(${INDEXED_LENGTH})` ? { ...storage, encode: keepSpaces(storage.encode!) } : storage
}

const store = storeSqlColumn({
  // Indexes hold text of a bounded length alone. What is in none is as long as on other engines: TEXT ends at 64 KB.
  text: (column, table) => (isIndexed(column, table) ? `VARCHAR(${INDEXED_LENGTH})` : 'LONGTEXT'),
  // A whole number that was declared as one, or as a time, has room for all of ±(2^53 − 1).
  integer: ({ subtype }) => (subtype === undefined ? 'INT' : 'BIGINT'),
  real: 'DOUBLE',
  json: 'JSON',
  boolean: storeZeroOrOne('TINYINT(1)'),
  decimal: (column) => storeExactDecimal('DECIMAL', column),
})

/**
 * Of a text that is too long by nothing but spaces, the server would cut them off without a word. With a letter behind
 * them it refuses the text as any other; and as no stored text is so long, one that is only looked for finds the same.
 */
function keepSpaces(encode: Codec): Codec {
  return (value) => {
    const text = encode(value) as string
    // Characters are counted as the server does, where the text is long at all.
    return text.length > INDEXED_LENGTH && text.endsWith(' ') && Array.from(text).length > INDEXED_LENGTH
      ? `${text}.`
      : text
  }
}

function isIndexed({ key, name }: Column, { indexes, foreignKeys }: TableUses): boolean {
  return (
    key ||
    indexes.some(({ columns }) => columns.some((it) => it.column === name)) ||
    foreignKeys.some(({ columns }) => columns.includes(name))
  )
}
