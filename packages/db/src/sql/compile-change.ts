import type { ForeignKey, Index } from '@portico/schema/model'
import type { TableChange } from '../change.ts'
import { encodeColumn } from '../row-mapping.ts'
import { type PlanColumn, placeTable, type TablePlan } from '../table-plan.ts'
import { actionWords, type Dialect, quotePlace } from './dialect.ts'

/** The statement that makes a change. */
export function compileChange(change: TableChange, dialect: Dialect, hasSchemas: boolean): string {
  switch (change.kind) {
    case 'createSchema':
      return `CREATE SCHEMA IF NOT EXISTS ${dialect.quoteName(change.schema)}`
    case 'createTable':
      return compileTable(change.plan, change.foreignKeys, dialect, hasSchemas)
    case 'createIndex':
      return compileIndex(change.plan, change.index, dialect)
    case 'addForeignKey':
      return `ALTER TABLE ${quotePlace(change.plan.place, dialect.quoteName)} ADD ${compileForeignKey(change.foreignKey, dialect, hasSchemas)}`
  }
}

function compileTable(
  plan: TablePlan,
  foreignKeys: readonly ForeignKey[],
  dialect: Dialect,
  hasSchemas: boolean,
): string {
  const lines = plan.columns.map((column) => compileColumn(column, plan, dialect))
  if (plan.key.length > 0 && !dialect.hasInlineKey(plan)) {
    lines.push(`PRIMARY KEY (${plan.key.map((it) => dialect.quoteName(it.name)).join(', ')})`)
  }
  for (const foreignKey of foreignKeys) lines.push(compileForeignKey(foreignKey, dialect, hasSchemas))
  const { lines: further, options } = dialect.completeTable?.(plan) ?? { lines: [], options: '' }
  const body = [...lines, ...further].join(',\n  ')
  return `CREATE TABLE ${quotePlace(plan.place, dialect.quoteName)} (\n  ${body}\n)${options}`
}

function compileColumn(column: PlanColumn, plan: TablePlan, dialect: Dialect): string {
  const { default: preset } = column.model
  const parts = [dialect.quoteName(column.name), dialect.defineType(column, plan)]
  if (!column.nullable) parts.push('NOT NULL')
  // The table layer fills defaults in; `setDefault` and other writers need the database to know them too.
  if (preset?.kind === 'value') parts.push(`DEFAULT ${dialect.literal(encodeColumn(column, preset.value), column)}`)
  return parts.join(' ')
}

function compileForeignKey(foreignKey: ForeignKey, { quoteName }: Dialect, hasSchemas: boolean): string {
  const { constraint, columns, references, onDelete, onUpdate } = foreignKey
  const target = quotePlace(placeTable(references, hasSchemas), quoteName)
  return [
    `CONSTRAINT ${quoteName(constraint)} FOREIGN KEY (${columns.map(quoteName).join(', ')})`,
    `REFERENCES ${target} (${references.columns.map(quoteName).join(', ')})`,
    `ON DELETE ${actionWords[onDelete]} ON UPDATE ${actionWords[onUpdate]}`,
  ].join(' ')
}

function compileIndex(plan: TablePlan, index: Index, dialect: Dialect): string {
  const columns = index.columns.map(({ path, column, order }) =>
    dialect.indexColumn(dialect.quoteName(column), order, plan.byPath.get(path)?.nullable ?? false),
  )
  const unique = index.unique ? 'UNIQUE ' : ''
  const place = quotePlace(plan.place, dialect.quoteName)
  return `CREATE ${unique}INDEX ${dialect.quoteName(dialect.indexName(index, plan))} ON ${place} (${columns.join(', ')})`
}
