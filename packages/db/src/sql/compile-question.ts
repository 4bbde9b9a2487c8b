import type { Question } from '../sync/question.ts'
import { type Dialect, quotePlace } from './dialect.ts'

/** The query that answers a question of sync with one number. */
export function compileQuestion(question: Question, dialect: Dialect): string {
  const { quoteName } = dialect
  const table = quotePlace(question.place, quoteName)
  const [n, g, c, p] = ['n', 'g', 'c', 'p'].map(quoteName)
  const count = `SELECT count(*) FROM ${table}`
  switch (question.ask) {
    case 'rows':
      return count
    case 'nulls':
      return `${count} WHERE ${quoteName(question.column)} IS NULL`
    case 'duplicates': {
      const columns = question.columns.map(quoteName).join(', ')
      const isKnown = question.columns.map((it) => `${quoteName(it)} IS NOT NULL`).join(' AND ')
      const groups = `SELECT count(*) AS ${n} FROM ${table} WHERE ${isKnown} GROUP BY ${columns} HAVING count(*) > 1`
      return `SELECT coalesce(sum(${n} - 1), 0) FROM (${groups}) AS ${g}`
    }
    case 'unfit': {
      const column = quoteName(question.from.name)
      return `${count} WHERE ${column} IS NOT NULL AND (${dialect.isUnfit(column, question.from, question.to)})`
    }
    case 'orphans': {
      const { columns, references, target } = question
      const isKnown = columns.map((it) => `${c}.${quoteName(it)} IS NOT NULL`)
      const isSame = columns.map((it, index) => `${p}.${quoteName(references[index]!)} = ${c}.${quoteName(it)}`)
      const found = `SELECT 1 FROM ${quotePlace(target, quoteName)} AS ${p} WHERE ${isSame.join(' AND ')}`
      return `${count} AS ${c} WHERE ${isKnown.join(' AND ')} AND NOT EXISTS (${found})`
    }
  }
}
