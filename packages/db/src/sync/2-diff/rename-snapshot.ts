/** Renames tables and columns in snapshots, so that everything after it compares under the declared names. Pure. */

import type { ColumnSnapshot, TableSnapshot } from '../../contract/snapshot.ts'
import type { TableName } from '../../contract/table-plan.ts'
import { isSameTable } from '../../values/table-name.ts'
import type { TableMatch } from '../1-read/match-tables.ts'

/** A table under its new names, including the names of the tables that it refers to. */
export function renameSnapshot(match: TableMatch, matches: readonly TableMatch[]): TableSnapshot | undefined {
  const { plan, before } = match
  if (!before) return undefined
  const nameOf = renamer(match)
  return {
    tableName: plan.tableName,
    columns: before.columns.map((it) => ({ ...restoreStorage(it, match), name: nameOf(it.name) })),
    key: before.key.map(nameOf),
    ...(before.keyName !== undefined && { keyName: renameKey(before.keyName, before.tableName, plan.tableName) }),
    indexes: before.indexes.map((index) => ({
      ...index,
      columns: index.columns.map((it) => ({ ...it, name: nameOf(it.name) })),
    })),
    foreignKeys: before.foreignKeys.map((it) => {
      const target = matches.find((other) => other.before && isSameTable(other.before.tableName, it.tableName))
      const columns = it.columns.map(nameOf)
      return target
        ? { ...it, columns, tableName: target.plan.tableName, references: it.references.map(renamer(target)) }
        : { ...it, columns }
    }),
  }
}

/** The recorded snapshot under the new names. */
export function renameRecord(snapshot: TableSnapshot, match: TableMatch): TableSnapshot {
  const nameOf = renamer(match)
  return {
    ...snapshot,
    columns: snapshot.columns.map((it) => ({ ...it, name: nameOf(it.name) })),
    foreignKeys: snapshot.foreignKeys.map((it) => ({ ...it, columns: it.columns.map(nameOf) })),
  }
}

/** A primary key that is named after its table is renamed with it. */
function renameKey(name: string, from: TableName, to: TableName): string {
  return name === `${from.table}_pkey` ? `${to.table}_pkey` : name
}

function renamer({ columns }: TableMatch): (name: string) => string {
  const renamed = new Map([...columns].map(([column, former]) => [former, column.name]))
  return (name) => renamed.get(name) ?? name
}

/**
 * Several storages share one column type, and only the record shows which one a column has. A column without a record
 * is taken to have the declared storage if its type is the declared one.
 */
function restoreStorage(column: ColumnSnapshot, { record, columns }: TableMatch): ColumnSnapshot {
  const recorded = record?.snapshot.columns.find((it) => it.name === column.name)
  const [declared] = [...columns].find(([, former]) => former === column.name) ?? []
  const known = recorded ?? (declared && { ...declared.model, type: declared.storage.type })
  if (known?.type !== column.type) return column
  const { storage: _, precision: __, ...rest } = column
  const { storage, precision } = known
  return { ...rest, ...(storage !== undefined && { storage }), ...(precision && { precision }) }
}
