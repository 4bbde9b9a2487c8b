/**
 * The JSON format of snapshots that are stored in the database. Databases of earlier versions have them, so the stored
 * field names stay the same when the names in the code change.
 */

import type { ColumnSnapshot, ForeignKeySnapshot, TableSnapshot } from '../contract/snapshot.ts'
import type { TableName } from '../contract/table-plan.ts'

export type ColumnJson<Column extends ColumnSnapshot = ColumnSnapshot> = Omit<Column, 'autoIncrement'> & {
  readonly counted: boolean
}

export type ForeignKeyJson = Omit<ForeignKeySnapshot, 'tableName'> & { readonly place: TableName }

export type TableJson = Omit<TableSnapshot, 'tableName' | 'columns' | 'foreignKeys'> & {
  readonly place: TableName
  readonly columns: readonly ColumnJson[]
  readonly foreignKeys: readonly ForeignKeyJson[]
}

export function tableToJson({ tableName, columns, foreignKeys, ...rest }: TableSnapshot): TableJson {
  return {
    ...rest,
    place: tableName,
    columns: columns.map((it) => columnToJson(it)),
    foreignKeys: foreignKeys.map(foreignKeyToJson),
  }
}

export function tableFromJson({ place, columns, foreignKeys, ...rest }: TableJson): TableSnapshot {
  return {
    ...rest,
    tableName: tableNameFromJson(place),
    columns: columns.map((it) => columnFromJson(it)),
    foreignKeys: foreignKeys.map(foreignKeyFromJson),
  }
}

export function columnToJson<Column extends ColumnSnapshot>({ autoIncrement, ...rest }: Column): ColumnJson<Column> {
  return { ...rest, counted: autoIncrement }
}

export function columnFromJson<Column extends ColumnSnapshot>({ counted, ...rest }: ColumnJson<Column>): Column {
  return { ...rest, autoIncrement: counted } as unknown as Column
}

export function foreignKeyToJson({ tableName, ...rest }: ForeignKeySnapshot): ForeignKeyJson {
  return { ...rest, place: tableName }
}

export function foreignKeyFromJson({ place, ...rest }: ForeignKeyJson): ForeignKeySnapshot {
  return { ...rest, tableName: tableNameFromJson(place) }
}

/** JSON has no `undefined`. */
function tableNameFromJson({ schema, table }: TableName): TableName {
  return { schema: schema ?? undefined, table }
}
