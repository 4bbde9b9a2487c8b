import type { ForeignKey, ForeignKeyAction } from '@portico/schema/model'
import {
  type ColumnDefinition,
  defineTable,
  type TableDeclaration,
  type TableDefinition,
} from '@portico/schema/runtime'

type Fields = Record<string, unknown>

/** A table whose input nobody checks. */
export type LooseTable = TableDeclaration<Fields, Fields, Fields, Fields, Fields>

/** Declares a table by hand, where a schema file would be more than the test needs. */
export function declareTable(table: string, columns: readonly ColumnDefinition[], more: Partial<TableDefinition> = {}) {
  const key = columns.filter((it) => it.key).map((it) => it.path)
  const definition = { name: table, table, key, columns, jsonSchema: {}, check: () => {}, ...more }
  return defineTable<Fields, Fields, Fields, Fields, Fields>(definition)
}

export function integer(path: string, more: Partial<ColumnDefinition> = {}): ColumnDefinition {
  return { path, name: path.replaceAll('.', '__'), type: 'number', storage: 'integer', integer: true, ...more }
}

export function text(path: string, more: Partial<ColumnDefinition> = {}): ColumnDefinition {
  return { path, name: path.replaceAll('.', '__'), type: 'string', storage: 'text', ...more }
}

export function decimal(path: string, more: Partial<ColumnDefinition> = {}): ColumnDefinition {
  return { path, name: path.replaceAll('.', '__'), type: 'decimal', storage: 'decimal', ...more }
}

export const optional = { nullable: true, optional: true } as const

/** A foreign key of fields that are named like those that they refer to, with the table's name in front. */
export function refer(
  table: string,
  paths: readonly string[],
  target: string,
  targetPaths: readonly string[],
  onDelete: ForeignKeyAction,
): ForeignKey {
  return {
    name: paths[0]!,
    constraint: `${table}_${paths[0]}_fk`,
    paths,
    columns: paths,
    references: { declaration: target, table: target, paths: targetPaths, columns: targetPaths },
    onDelete,
    onUpdate: 'restrict',
  }
}
