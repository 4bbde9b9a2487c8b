/** A sync as a script, which people read and `psql` or `sqlite3` runs. */
import type { Engine } from '../../contract/adapter.ts'
import type { TableChange } from '../../contract/change.ts'
import type { RowQuery } from '../../contract/row-query.ts'
import { DbError } from '../../errors.ts'
import { quoteName, quoteTableName, quoteText } from '../../sql/dialect.ts'
import { formatTableName } from '../../values/table-name.ts'
import type { TableRecord } from '../1-read/metadata-table.ts'
import { programOf } from '../1-read/renamed-table.ts'
import { isSameNote } from '../1-read/table-facts.ts'
import type { TableDifference } from '../2-diff/diff.ts'
import { unfitQuestion } from '../3-plan/measure.ts'
import { orderChanges } from '../3-plan/order-changes.ts'
import { refusePlan } from '../3-plan/refuse.ts'
import { look, makePlan, type Sight, type Subject } from '../read-state.ts'
import { isMade, recordOf } from './apply.ts'

export async function scriptPlan(engine: Engine, subject: Subject): Promise<string> {
  if (!subject.supports.sql) throw new DbError('SQL_UNSUPPORTED', 'this engine has no SQL')
  if (!engine.session.script) {
    throw new DbError(
      'SQL_UNSUPPORTED',
      'this engine changes tables step by step, as it finds them: there is no script, and a plan shows the steps',
    )
  }
  const transaction = await engine.begin({ isolation: 'default', purpose: 'sync' })
  try {
    const sight = await look(transaction, subject)
    const plan = await makePlan(transaction, subject, sight)
    refusePlan(plan)
    if (plan.steps.length === 0) return ''
    const registry: TableChange[] = sight.hasRegistry
      ? []
      : [{ kind: 'createTable', plan: subject.registry.plan, foreignKeys: [] }]
    const changes = [...orderChanges(sight.difference, subject.supports), ...registry]
    const checks = sight.difference.tables.flatMap(unfitQuestions)
    const statements = await transaction.script!(changes, recordStatements(subject, sight), checks)
    // A name may hold a line break, after which a comment would be none.
    const told = plan.steps.map((it) => `-- ${it.class}: ${it.told.replaceAll(/\s+/g, ' ')}`)
    return [...told, '', ...statements.map((it) => (isShellCommand(it) ? it : `${it};`)), ''].join('\n')
  } finally {
    await transaction.rollback()
  }
}

/**
 * What the engine itself would not refuse when the script runs: values that it would round or cut. NULLs, duplicates
 * and rows that refer to nothing fail by themselves.
 */
function unfitQuestions(table: TableDifference): RowQuery[] {
  return table.differences.flatMap((it) => (it.kind === 'changeType' ? (unfitQuestion(it, table) ?? []) : []))
}

/** What speaks to the program that runs the script, and not to the engine, is a line without an end. */
function isShellCommand(statement: string): boolean {
  return /^[.\\]/.test(statement)
}

/** What sync would remember of the tables. */
function recordStatements({ registry }: Subject, { difference }: Sight): string[] {
  const { plan } = registry
  const table = quoteTableName(plan.tableName)
  const [name, content] = plan.columns.map((it) => quoteName(it.name))
  const forget = (place: string): string => `DELETE FROM ${table} WHERE ${name} = ${quoteText(place)}`
  const noted = difference.tables
    .filter(isMade)
    .map((it) => ({
      known: it.record,
      name: formatTableName(it.plan.tableName),
      next: recordOf(it, programOf(difference)),
    }))
    .filter(({ known, name: place, next }) => !known || known.noted !== place || !isSameNote(withoutNote(known), next))
  return [
    ...noted.flatMap(({ known }) => (known ? [forget(known.noted!)] : [])),
    ...difference.dropped.map((it) => forget(it.noted!)),
    ...noted.map((it) => {
      const values = registry.encode(it.name, it.next) as string[]
      return `INSERT INTO ${table} (${name}, ${content}) VALUES (${values.map(quoteText).join(', ')})`
    }),
  ]
}

function withoutNote(record: TableRecord): Omit<TableRecord, 'noted'> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'noted')) as unknown as TableRecord
}
