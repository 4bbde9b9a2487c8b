import type { FilledColumn, RowQuery } from '../contract/row-query.ts'
import { type Dialect, quoteTableName } from './dialect.ts'

/** The query that answers a question of sync with one number. */
export function compileRowQuery(query: RowQuery, dialect: Dialect): string {
  const { quoteName } = dialect
  const table = quoteTableName(query.tableName, quoteName)
  const [n, g, c, p] = ['n', 'g', 'c', 'p'].map(quoteName)
  const count = `SELECT count(*) FROM ${table}`
  switch (query.kind) {
    case 'rows':
      return count
    case 'nulls':
      return `${count} WHERE ${quoteName(query.column)} IS NULL`
    case 'duplicates': {
      const values = query.columns.map((it) => filledValue(it, query.filled ?? [], dialect))
      const columns = values.join(', ')
      const isKnown = values.map((it) => `${it} IS NOT NULL`).join(' AND ')
      const groups = `SELECT count(*) AS ${n} FROM ${table} WHERE ${isKnown} GROUP BY ${columns} HAVING count(*) > 1`
      return `SELECT coalesce(sum(${n} - 1), 0) FROM (${groups}) AS ${g}`
    }
    case 'unconvertible': {
      const column = quoteName(query.from.name)
      return `${count} WHERE ${column} IS NOT NULL AND (${dialect.isUnconvertible(column, query.from, query.to)})`
    }
    case 'objects': {
      const has = (name: string): string => `${quoteName(name)} IS NOT NULL`
      const conditions = [
        // If none of the object's columns exists yet, no row has the object.
        ...(query.any ? [query.any.length > 0 ? `(${query.any.map(has).join(' OR ')})` : '1 = 0'] : []),
        ...[query.lacks, ...(query.none ?? [])].flatMap((it) => (it === undefined ? [] : [`${quoteName(it)} IS NULL`])),
      ]
      return conditions.length === 0 ? count : `${count} WHERE ${conditions.join(' AND ')}`
    }
    case 'orphans': {
      const { columns, references, target } = query
      const isKnown = columns.map((it) => `${c}.${quoteName(it)} IS NOT NULL`)
      const isSame = columns.map((it, index) => {
        const there = `${p}.${quoteName(references[index]!)}`
        // Columns of different types are compared after conversion.
        const cast = query.converted?.[index]
        const here = cast ? dialect.convert(`${c}.${quoteName(it)}`, cast.from, cast.to) : `${c}.${quoteName(it)}`
        return `${there} = ${here}`
      })
      const found = `SELECT 1 FROM ${quoteTableName(target, quoteName)} AS ${p} WHERE ${isSame.join(' AND ')}`
      return `${count} AS ${c} WHERE ${isKnown.join(' AND ')} AND NOT EXISTS (${found})`
    }
  }
}

/** A column's value, or the value that will replace NULL there. */
function filledValue(name: string, filled: readonly FilledColumn[], dialect: Dialect): string {
  const quoted = dialect.quoteName(name)
  const found = filled.find((it) => it.column === name)
  return found ? `coalesce(${quoted}, ${dialect.literal(found.value, { storage: { type: found.type } })})` : quoted
}
