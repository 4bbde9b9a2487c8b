/** Reads the declared tables from the database, along with the records that sync keeps about them. */
import type { Inspection, Session } from '../../contract/adapter.ts'
import type { TableSnapshot } from '../../contract/snapshot.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { TableName, TablePlan } from '../../contract/table-plan.ts'
import { declaredNameOf, isSameTable, toTableName } from '../../values/table-name.ts'
import { possibleFormerNames } from './match-tables.ts'
import { recordFromJson, type TableRecord } from './metadata-table.ts'
import type { SyncContext } from './sync-context.ts'

export interface DatabaseState {
  /** The declared tables under their current or former names, and every table that has a record. */
  readonly tables: readonly TableSnapshot[]
  /** The records of tables that still exist. */
  readonly records: readonly TableRecord[]
  readonly hasRegistry: boolean
  readonly hasJournal: boolean
  /** Journal entries of a sync that did not finish. */
  readonly pending: readonly string[]
  /** Foreign keys to tables that neither exist nor are declared. */
  readonly missingTargets: readonly SyncProblem[]
}

export async function readState(session: Session, context: SyncContext): Promise<DatabaseState> {
  const { plans, supports, registry, journal } = context
  const targets = undeclaredTargets(context)
  const tableNames = [
    ...plans.map((plan) => plan.tableName),
    ...plans.flatMap((plan) => possibleFormerNames(plan, [], supports)),
    ...targets.map((it) => it.tableName),
    registry.plan.tableName,
    journal.plan.tableName,
  ]
  const { tables: first, home } = await inspect(session, tableNames, plans)
  const exists = (tableName: TableName): boolean => first.some((it) => isSameTable(it.tableName, tableName))
  const hasRegistry = exists(registry.plan.tableName)
  const hasJournal = exists(journal.plan.tableName)
  const records = hasRegistry ? readRecords(await registry.read(session), plans, home) : []
  const more = records
    .map((it) => it.snapshot.tableName)
    .filter((tableName) => !tableNames.some((it) => isSameTable(it, tableName)))
  const others = more.length > 0 ? (await inspect(session, more, plans)).tables : []
  const tables = [...first, ...others]
  return {
    tables,
    records: records.filter((it) => tables.some(({ tableName }) => isSameTable(tableName, it.snapshot.tableName))),
    hasRegistry,
    hasJournal,
    pending: hasJournal ? [...(await journal.read(session)).keys()] : [],
    missingTargets: targets.filter((it) => !exists(it.tableName)).map((it) => it.problem),
  }
}

async function inspect(
  session: Session,
  tableNames: readonly TableName[],
  plans: readonly TablePlan[],
): Promise<Inspection> {
  const { tables, home } = await session.inspect(tableNames, plans)
  if (home === undefined) return { tables }
  // Foreign keys to the default schema omit it, unless a declaration names it.
  const shorten = (tableName: TableName): TableName =>
    tableName.schema !== home || plans.some((it) => isSameTable(it.tableName, tableName))
      ? tableName
      : { ...tableName, schema: undefined }
  const shortened = tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map((it) => ({ ...it, tableName: shorten(it.tableName) })),
  }))
  return { tables: shortened, home }
}

/** Tables that foreign keys refer to and that are not part of this sync. They have to exist already. */
function undeclaredTargets({ plans, supports }: SyncContext): { tableName: TableName; problem: SyncProblem }[] {
  return plans.flatMap((plan) =>
    plan.declaration.foreignKeys.flatMap(({ constraint, references }) => {
      const tableName = toTableName(references, supports.schemas)
      if (plans.some((it) => isSameTable(it.tableName, tableName))) return []
      const message = `foreign key \`${constraint}\` refers to table \`${tableName.table}\`, which neither exists in the database nor is part of this sync: add it to \`db.sync([…])\``
      return [{ tableName, problem: { table: declaredNameOf(plan), message } }]
    }),
  )
}

function readRecords(
  stored: ReadonlyMap<string, unknown>,
  plans: readonly TablePlan[],
  home: string | undefined,
): TableRecord[] {
  // A table in the default schema can be named with or without it: follow the declaration.
  const spell = (tableName: TableName): TableName =>
    plans.find(
      (it) => it.tableName.table === tableName.table && (it.tableName.schema ?? home) === (tableName.schema ?? home),
    )?.tableName ?? tableName
  return [...stored].map(([key, it]) => {
    const record = recordFromJson(key, it)
    return { ...record, snapshot: { ...record.snapshot, tableName: spell(record.snapshot.tableName) } }
  })
}
