import type { Column } from '@portico/schema/model'
import type { ColumnStorage, TableUses } from '../../contract/storage.ts'
import { storeExactDecimal, storeSqlColumn, storeZeroOrOne } from '../../sql/store-column.ts'
import type { Codec } from '../../values/codec.ts'

/** Maximum length of an indexed text. Three such columns fit into the 3072 bytes of one index. */
const INDEXED_LENGTH = 255

export const storeMysqlColumn = (column: Column, table: TableUses): ColumnStorage => {
  const storage = store(column, table)
  if (storage.type === 'INT') return { ...storage, max: 2 ** 31 - 1 }
  return storage.type === `VARCHAR(${INDEXED_LENGTH})` ? { ...storage, encode: keepSpaces(storage.encode!) } : storage
}

const store = storeSqlColumn({
  // Indexes hold only text of a limited length. Other text is as long as on other engines: TEXT would end at 64 KB.
  text: (column, table) => (isIndexed(column, table) ? `VARCHAR(${INDEXED_LENGTH})` : 'LONGTEXT'),
  // `number.int` and timestamps hold all of ±(2^53 − 1).
  integer: ({ subtype }) => (subtype === undefined ? 'INT' : 'BIGINT'),
  real: 'DOUBLE',
  json: 'JSON',
  boolean: storeZeroOrOne('TINYINT(1)'),
  decimal: (column) => storeExactDecimal('DECIMAL', column),
})

/**
 * The server silently truncates excess trailing spaces. With a character after them it refuses the text as too long. In
 * a filter the result is the same, since no stored text is that long.
 */
function keepSpaces(encode: Codec): Codec {
  return (value) => {
    const text = encode(value) as string
    // Counts characters as the server does.
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
