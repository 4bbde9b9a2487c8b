import type { TableChange } from '../contract/change.ts'
import type { TableName } from '../contract/table-plan.ts'
import { isSameTable } from './table-name.ts'

/** The table of a change, under its name when the change runs. Creating a schema concerns no table. */
export function tableOfChange(change: TableChange): TableName | undefined {
  if ('plan' in change) return change.plan.tableName
  if (change.kind === 'createSchema') return undefined
  return change.kind === 'renameTable' ? change.from : change.tableName
}

/** The name of a table before these changes rename it. */
export function formerTableName(tableName: TableName, changes: readonly TableChange[]): TableName {
  const isRenaming = (it: TableChange): it is Extract<TableChange, { readonly kind: 'renameTable' }> =>
    it.kind === 'renameTable' && isSameTable(it.to, tableName)
  return changes.find(isRenaming)?.from ?? tableName
}
