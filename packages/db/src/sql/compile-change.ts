import type { ForeignKey } from '@portico/schema/model'
import { type CreateIndex, type FillColumn, type TableChange } from '../contract/change.ts'
import { type ForeignKeySnapshot } from '../contract/snapshot.ts'
import { type PlanColumn, type TableName, type TablePlan } from '../contract/table-plan.ts'
import { describeForeignKey, storedDefault } from '../table/describe-table.ts'
import { EachUuid } from '../values/each-uuid.ts'
import { encodeColumn } from '../values/row-mapping.ts'
import { toIndexName } from '../values/table-name.ts'
import { actionWords, type Dialect, fillText, quoteTableName } from './dialect.ts'

/** Engines that rebuild tables do so themselves. */
type Compiled = Exclude<TableChange, { kind: 'rebuildTable' }>

/** Returns the statements of a change. */
export function compileChange(change: Compiled, dialect: Dialect, hasSchemas: boolean): readonly string[] {
  const { quoteName } = dialect
  const alter = (tableName: TableName, what: string): string => alterTable(tableName, what, dialect)
  switch (change.kind) {
    case 'createSchema':
      return [`CREATE SCHEMA IF NOT EXISTS ${quoteName(change.schema)}`]
    case 'createTable':
      return [compileTable(change.plan, change.foreignKeys, dialect, hasSchemas)]
    case 'renameTable':
      return dialect.renameTable(change.from, change.to, change.keyName)
    case 'dropTable':
      return [`DROP TABLE ${quoteTableName(change.tableName, quoteName)}`]
    case 'addColumn':
      return compileAddColumn(change, dialect)
    case 'renameColumn':
      return [alter(change.plan.tableName, `RENAME COLUMN ${quoteName(change.from)} TO ${quoteName(change.to)}`)]
    case 'alterColumn':
      return dialect.alterColumn(change)
    case 'fillColumn':
      return [compileFill(change, dialect)]
    case 'dropColumn':
      return [alter(change.plan.tableName, `DROP COLUMN ${quoteName(change.column)}`)]
    case 'dropKey':
      return [alter(change.tableName, `DROP CONSTRAINT ${quoteName(change.name ?? keyNameOf(change.tableName))}`)]
    case 'addKey':
      return change.plan.key.length === 0
        ? []
        : [alter(change.plan.tableName, `ADD ${compileKey(change.plan, dialect)}`)]
    case 'createIndex':
      return [compileIndex(change, dialect)]
    case 'renameIndex':
      return [`ALTER INDEX ${quotePart(change.tableName, change.from, dialect)} RENAME TO ${quoteName(change.to)}`]
    case 'dropIndex': {
      const how = change.concurrently ? 'CONCURRENTLY ' : ''
      return [`DROP INDEX ${how}IF EXISTS ${quotePart(change.tableName, change.name, dialect)}`]
    }
    case 'addForeignKey':
      return [
        alter(
          change.plan.tableName,
          `ADD ${defineForeignKey(describeForeignKey(change.foreignKey, hasSchemas), dialect, change.plan.tableName)}`,
        ),
      ]
    case 'renameForeignKey':
      return [alter(change.tableName, `RENAME CONSTRAINT ${quoteName(change.from)} TO ${quoteName(change.to)}`)]
    case 'dropForeignKey':
      return [alter(change.tableName, `DROP CONSTRAINT IF EXISTS ${quoteName(change.name)}`)]
  }
}

/** PostgreSQL's default name for the primary key of a table. */
export function keyNameOf({ table }: TableName): string {
  return `${table}_pkey`
}

export function alterTable(tableName: TableName, what: string, { quoteName }: Dialect): string {
  return `ALTER TABLE ${quoteTableName(tableName, quoteName)} ${what}`
}

/** Indexes are in the schema of their table. */
function quotePart({ schema }: TableName, name: string, { quoteName }: Dialect): string {
  return quoteTableName({ schema, table: name }, quoteName)
}

function compileTable(
  plan: TablePlan,
  foreignKeys: readonly ForeignKey[],
  dialect: Dialect,
  hasSchemas: boolean,
): string {
  const { lines: further, options } = dialect.completeTable?.(plan) ?? { lines: [], options: '' }
  const lines = [
    ...defineColumns(plan, dialect),
    ...foreignKeys.map((foreignKey) =>
      defineForeignKey(describeForeignKey(foreignKey, hasSchemas), dialect, plan.tableName),
    ),
    ...further,
  ]
  return `CREATE TABLE ${quoteTableName(plan.tableName, dialect.quoteName)} (\n  ${lines.join(',\n  ')}\n)${options}`
}

/** The column and key lines of `CREATE TABLE`. */
export function defineColumns(plan: TablePlan, dialect: Dialect): string[] {
  const lines = plan.columns.map((column) => defineColumn(column, plan, dialect))
  if (plan.key.length > 0 && !dialect.hasInlineKey(plan)) lines.push(compileKey(plan, dialect))
  return lines
}

export function compileKey({ key }: TablePlan, { quoteName }: Dialect): string {
  return `PRIMARY KEY (${key.map((it) => quoteName(it.name)).join(', ')})`
}

export function defineColumn(column: PlanColumn, plan: TablePlan, dialect: Dialect): string {
  const preset = storedDefault(column, plan)
  const parts = [dialect.quoteName(column.name), dialect.defineType(column, plan)]
  if (!column.nullable) parts.push('NOT NULL')
  // The table layer applies defaults itself; `setDefault` and other programs need them in the database.
  if (preset !== undefined) parts.push(`DEFAULT ${dialect.literal(encodeColumn(column, preset), column)}`)
  return parts.join(' ')
}

function compileAddColumn(
  { plan, column, fill }: Extract<TableChange, { kind: 'addColumn' }>,
  dialect: Dialect,
): readonly string[] {
  const alter = (what: string): string => alterTable(plan.tableName, what, dialect)
  const definition = `ADD COLUMN ${defineColumn(column, plan, dialect)}`
  if (fill === undefined || storedDefault(column, plan) !== undefined) return [alter(definition)]
  // Each row gets its own value, which no default can provide.
  if (fill instanceof EachUuid) {
    const name = dialect.quoteName(column.name)
    return [
      alter(definition.replace(/ NOT NULL$/, '')),
      compileFill({ kind: 'fillColumn', plan, column, fill }, dialect),
      ...(column.nullable ? [] : [alter(`ALTER COLUMN ${name} SET NOT NULL`)]),
    ]
  }
  // The default is only for existing rows: the table layer fills in later ones.
  return [
    alter(`${definition} DEFAULT ${dialect.literal(fill, column)}`),
    alter(`ALTER COLUMN ${dialect.quoteName(column.name)} DROP DEFAULT`),
  ]
}

/** Fills NULLs; for a column of an object, only in rows that have the object. */
function compileFill({ plan, column, fill, within }: FillColumn, dialect: Dialect): string {
  const { quoteName } = dialect
  const name = quoteName(column.name)
  const isThere = within ? ` AND (${within.map((it) => `${quoteName(it)} IS NOT NULL`).join(' OR ')})` : ''
  const table = quoteTableName(plan.tableName, quoteName)
  return `UPDATE ${table} SET ${name} = ${fillText(fill, column, dialect)} WHERE ${name} IS NULL${isThere}`
}

export function defineForeignKey(
  foreignKey: ForeignKeySnapshot,
  { quoteName, home }: Dialect,
  owner: TableName,
): string {
  const { name, columns, tableName, references, onDelete, onUpdate } = foreignKey
  const target = owner.schema === undefined ? tableName : { ...tableName, schema: tableName.schema ?? home }
  return [
    ...(name === undefined ? [] : [`CONSTRAINT ${quoteName(name)}`]),
    `FOREIGN KEY (${columns.map(quoteName).join(', ')})`,
    // A foreign key that sync did not create may refer to the primary key without naming its columns.
    `REFERENCES ${quoteTableName(target, quoteName)}${references.length > 0 ? ` (${references.map(quoteName).join(', ')})` : ''}`,
    `ON DELETE ${actionWords[onDelete]} ON UPDATE ${actionWords[onUpdate]}`,
  ].join(' ')
}

function compileIndex({ plan, index, concurrently }: CreateIndex, dialect: Dialect): string {
  const columns = index.columns.map(({ path, column, order }) =>
    dialect.indexColumn(dialect.quoteName(column), order, plan.byPath.get(path)?.nullable ?? false),
  )
  const how = `${index.unique ? 'UNIQUE ' : ''}INDEX ${concurrently ? 'CONCURRENTLY ' : ''}`
  const name = dialect.quoteName(toIndexName(index.name, plan))
  return `CREATE ${how}${name} ON ${quoteTableName(plan.tableName, dialect.quoteName)} (${columns.join(', ')})`
}
