import type { TableModel } from '@portico/schema/model'
import type { Inspection } from '../../../contract/adapter.ts'
import type { TableName, TablePlan } from '../../../contract/table-plan.ts'
import type { CommandOptions, MongoDatabase } from '../client/driver.ts'
import { KEY_INDEX } from '../client/errors.ts'
import { layoutOf } from '../documents/document.ts'
import { describeExisting } from './adopt.ts'
import { readEntries, toSnapshot } from './catalog.ts'
import { describeIndex, listIndexes } from './indexes.ts'

/** Reads these tables from the catalog, or, for a collection that sync did not create, from its documents. */
export async function inspectMongo(
  { agreed, patient }: { readonly agreed: MongoDatabase; readonly patient: MongoDatabase },
  tableNames: readonly TableName[],
  plans: readonly TablePlan[],
): Promise<Inspection> {
  // Refuses reserved names before anything else.
  for (const plan of plans) layoutOf(plan)
  const found = await agreed.listCollections({}, { nameOnly: true }).toArray()
  const names = new Set(found.map((it) => it['name']))
  const tables = [...new Set(tableNames.map((it) => it.table))].filter((it) => names.has(it))
  const rows = await readEntries(agreed, { _id: { $in: tables } })
  return {
    tables: await Promise.all(
      tables.map(async (table) => {
        const plan = plans.find((it) => it.tableName.table === table)
        const known = rows.find((it) => it.table === table)?.entry
        const entry = known ?? (plan ? await describeExisting(patient, plan) : unknown)
        const indexes = (await listIndexes(agreed, table)).filter((it) => it.name !== KEY_INDEX)
        return { ...toSnapshot(table, entry), indexes: indexes.map((it) => describeIndex(it, entry.columns)) }
      }),
    ),
  }
}

const unknown = { columns: [], key: [], foreignKeys: [] }

export async function readReferrers(
  db: MongoDatabase,
  { table }: TableName,
  options: CommandOptions,
): Promise<TableModel[]> {
  const rows = await readEntries(db, { refersTo: table }, options)
  return rows.map((it) => it.entry.model)
}
