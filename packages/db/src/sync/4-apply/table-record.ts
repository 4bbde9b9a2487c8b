/** The records that sync keeps of the tables it manages. */
import type { Session } from '../../contract/adapter.ts'
import { declaredNameOf, formatTableName } from '../../values/table-name.ts'
import { recordToJson, type TableRecord } from '../1-read/metadata-table.ts'
import type { SyncContext } from '../1-read/sync-context.ts'
import { isSameJson, renameFacts, updateFacts } from '../1-read/table-facts.ts'
import type { DatabaseDifference, TableDifference } from '../2-diff/difference.ts'

/** Updates the records of all managed tables, under their new names. */
export async function writeRecords(
  session: Session,
  { registry }: SyncContext,
  difference: DatabaseDifference,
  hasRegistry: boolean,
): Promise<void> {
  const managed = difference.tables.filter(isManaged)
  if (!hasRegistry) {
    if (managed.length === 0) return
    await session.change({ kind: 'createTable', plan: registry.plan, foreignKeys: [] })
  }
  for (const table of managed) {
    const record = recordOf(table, programOf(difference))
    const entry = formatTableName(table.plan.tableName)
    const { key, ...known } = table.record ?? {}
    if (key !== undefined && key !== entry) await registry.remove(session, key)
    else if (isSameJson(record, known)) continue
    await registry.write(session, entry, recordToJson(record))
  }
  for (const { key } of difference.dropped) await registry.remove(session, key!)
}

/** Records new and renamed tables before they change: after an interruption, the next sync knows that they are its own. */
export async function writeIntents(
  session: Session,
  { registry }: SyncContext,
  difference: DatabaseDifference,
  hasRegistry: boolean,
): Promise<void> {
  if (!hasRegistry) await session.change({ kind: 'createTable', plan: registry.plan, foreignKeys: [] })
  for (const table of difference.tables) {
    const { before, record, plan } = table
    const entry = formatTableName(plan.tableName)
    if (!before) await registry.write(session, entry, recordToJson(recordOf(table, programOf(difference))))
    else if (record && entry !== formatTableName(before.tableName)) {
      const renamed = { ...record, snapshot: { ...record.snapshot, tableName: plan.tableName } }
      await registry.write(session, entry, recordToJson(renamed))
    }
  }
}

/** True for tables that sync has created or adopted, or does so now. Other tables stay unmanaged, even if they match. */
export function isManaged({ before, record, differences }: TableDifference): boolean {
  return !before || record !== undefined || differences.some((it) => it.kind === 'adoptTable')
}

/** The record to store: the declared parts, and the undeclared parts that are kept. */
export function recordOf({ plan, target, kept, record, columns }: TableDifference, program: string): TableRecord {
  const { name, schema, table } = plan.declaration
  const renamed = new Map([...columns].map(([it, former]) => [former, it.name]))
  const known = record?.snapshot
  const keptColumns = kept.flatMap((it) => (it.kind === 'column' ? [it.column] : []))
  const snapshot = {
    ...target,
    columns: [
      ...target.columns,
      ...keptColumns.map((column) => known?.columns.find((it) => it.name === column.name) ?? column),
    ],
    indexes: [...target.indexes, ...kept.flatMap((it) => (it.kind === 'index' ? [it.index] : []))],
    foreignKeys: [
      ...target.foreignKeys,
      ...kept.flatMap((it) => (it.kind === 'foreignKey' ? [{ ...it.foreignKey, name: it.name }] : [])),
    ],
  }
  const facts = updateFacts(
    plan,
    record?.facts && renameFacts(record.facts, renamed),
    keptColumns.map((it) => it.name),
  )
  return {
    declaration: name,
    ...(schema !== undefined && { schema }),
    table,
    snapshot,
    facts,
    program: record?.program ?? program,
  }
}

/** Identifies the program: by the records of its tables, or by the name of its first table. */
export function programOf({ tables }: DatabaseDifference): string {
  const known = tables.flatMap(({ record }) => record?.program ?? [])[0]
  return known ?? (tables[0] ? declaredNameOf(tables[0].plan) : '')
}
