import type { TableModel } from '@portico/schema/model'
import type { TablePlace, TablePlan } from '../contract/plan.ts'

/** Where a table is: an engine without schemas has them as a prefix. */
export function placeTable({ schema, table }: Pick<TableModel, 'schema' | 'table'>, hasSchemas: boolean): TablePlace {
  if (schema === undefined || hasSchemas) return { schema, table }
  return { schema: undefined, table: `${schema}__${table}` }
}

/** The physical name of an index. Where a schema is part of the table's name, it is part of the index's as well. */
export function placeIndex(name: string, { declaration: { schema }, place }: TablePlan): string {
  return schema === undefined || place.schema !== undefined ? name : `${schema}__${name}`
}

/** The name of a table as people write it: `users`, `auth.users`. */
export function showPlace({ schema, table }: TablePlace): string {
  return schema === undefined ? table : `${schema}.${table}`
}

export function isSamePlace(one: TablePlace, other: TablePlace): boolean {
  return one.table === other.table && one.schema === other.schema
}

/** The table's name as it was declared: `auth.users`, also where the engine has no schemas. */
export function labelOf({ declaration: { schema, table } }: TablePlan): string {
  return showPlace({ schema, table })
}
