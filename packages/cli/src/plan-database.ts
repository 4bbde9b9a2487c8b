import { openDatabase, type SyncPlan } from '@portico/db'
import type { CompileResult } from '@portico/schema'
import { findAdapter, type LoadedConfig } from './load-config.ts'

/** What a sync of the database would do. Changes nothing. */
export async function planDatabase(config: LoadedConfig, { models }: CompileResult): Promise<SyncPlan> {
  const db = await openDatabase(await findAdapter(config))
  try {
    const tables = models.flatMap((it) => it.declarations).flatMap((it) => it.table ?? [])
    return await db.planSync(tables)
  } finally {
    await db.close()
  }
}
