import type { TableModel } from '@portico/schema/model'
import type { TableName, TablePlan } from '../contract/table-plan.ts'

/** The physical name of a table. On an engine without schemas, the schema becomes a prefix. */
export function toTableName({ schema, table }: Pick<TableModel, 'schema' | 'table'>, hasSchemas: boolean): TableName {
  if (schema === undefined || hasSchemas) return { schema, table }
  return { schema: undefined, table: `${schema}__${table}` }
}

/** The physical name of an index. It has the schema as a prefix if the name of its table has. */
export function toIndexName(name: string, { declaration: { schema }, tableName }: TablePlan): string {
  return schema === undefined || tableName.schema !== undefined ? name : `${schema}__${name}`
}

/** A table name as people write it: `users`, `auth.users`. */
export function formatTableName({ schema, table }: TableName): string {
  return schema === undefined ? table : `${schema}.${table}`
}

export function isSameTable(one: TableName, other: TableName): boolean {
  return one.table === other.table && one.schema === other.schema
}

/** The declared name of a table, `auth.users`, even on an engine without schemas. */
export function declaredNameOf({ declaration: { schema, table } }: TablePlan): string {
  return formatTableName({ schema, table })
}
