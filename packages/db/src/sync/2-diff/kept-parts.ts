/** Parts of a table that sync created and that are no longer declared. Pure. */
import type { ColumnSnapshot, ForeignKeySnapshot } from '../../contract/snapshot.ts'
import type { Difference, KeptPart } from './difference.ts'

export function foreignKeyName({ name, columns }: ForeignKeySnapshot, table: string): string {
  return name ?? `${table} (${columns.join(', ')})`
}

/** True if a program that does not know the column can still insert rows. */
export function isOptionalOnInsert({ nullable, default: preset, autoIncrement }: ColumnSnapshot): boolean {
  return nullable || preset !== undefined || autoIncrement
}

/** Columns that are dropped or change type: indexes and foreign keys on them cannot stay. */
export function changedColumns(differences: readonly Difference[]): ReadonlySet<string> {
  return new Set(
    differences.flatMap((it) => {
      if (it.kind === 'dropColumn') return [it.before.name]
      return it.kind === 'changeType' && it.before.storage !== it.after.storage ? [it.after.name] : []
    }),
  )
}

/** True if a kept index or foreign key uses the column. */
export function isUsedBy(parts: readonly KeptPart[], column: string): boolean {
  return parts.some(
    (it) =>
      (it.kind === 'index' && it.index.columns.some(({ name }) => name === column)) ||
      (it.kind === 'foreignKey' && it.foreignKey.columns.includes(column)),
  )
}
