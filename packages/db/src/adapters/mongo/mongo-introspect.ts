import type { TableModel } from '@portico/schema/model'
import type { Inspection } from '../../adapter.ts'
import type { TablePlace } from '../../table-plan.ts'
import { readEntries, toSnapshot } from './mongo-catalog.ts'
import type { CommandOptions, MongoDatabase } from './mongo-driver.ts'
import { KEY_INDEX } from './mongo-errors.ts'
import { describeIndex, listIndexes } from './mongo-indexes.ts'

/** What a database has of these tables. A collection that sync did not make has no columns to tell of. */
export async function inspectMongo(db: MongoDatabase, places: readonly TablePlace[]): Promise<Inspection> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  const names = new Set(found.map((it) => it['name']))
  const tables = [...new Set(places.map((it) => it.table))].filter((it) => names.has(it))
  const rows = await readEntries(db, { _id: { $in: tables } })
  return {
    tables: await Promise.all(
      tables.map(async (table) => {
        const { entry = unknown } = rows.find((it) => it.table === table) ?? {}
        const indexes = (await listIndexes(db, table)).filter((it) => it.name !== KEY_INDEX)
        return { ...toSnapshot(table, entry), indexes: indexes.map((it) => describeIndex(it, entry.columns)) }
      }),
    ),
  }
}

const unknown = { columns: [], key: [], foreignKeys: [] }

/** The tables that refer to this one. */
export async function readReferrers(
  db: MongoDatabase,
  { table }: TablePlace,
  options: CommandOptions,
): Promise<TableModel[]> {
  const rows = await readEntries(db, { refersTo: table }, options)
  return rows.map((it) => it.entry.model)
}
