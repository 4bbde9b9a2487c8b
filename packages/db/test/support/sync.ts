import { type Database, openDatabase, type SyncOptions } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { mysql } from '@portico/db/mysql'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { compile } from '@portico/schema'
import type { TableModel } from '@portico/schema/model'
import { describe, expect } from 'vitest'
import { hasPostgres, mysqlEngine, usePostgres } from './engines.ts'
import { hasMongo, useMongo } from './mongo-databases.ts'
import { runStatement } from './statements.ts'

/** The tables of a schema, as the compiler gives them. */
export function models(text: string): TableModel[] {
  const { diagnostics, failed, models: files } = compile([{ path: 'test.portico', text }])
  if (failed) throw new Error(diagnostics.map((it) => it.message).join('\n'))
  return files.flatMap((it) => it.declarations).flatMap((it) => it.table ?? [])
}

/** A table `notes` with a key and these fields. */
export function notes(...fields: readonly string[]): TableModel[] {
  return models(`@db.table 'notes'\nexport interface Note {\n  @meta.id\n  id: number\n  ${fields.join('\n  ')}\n}`)
}

export interface SyncEngine {
  readonly name: 'SQLite' | 'PostgreSQL' | 'MySQL' | 'MongoDB'
  readonly open: () => Promise<Database>
  /** Runs a statement about tables as they were synced last. */
  readonly run: (db: Database, tables: readonly TableModel[], text: string) => Promise<Record<string, unknown>[]>
}

/** Runs tests on each engine that there is. */
export function onEachEngine(body: (engine: SyncEngine) => void): void {
  onEachSqlEngine(body)
  describe.skipIf(!hasMongo)('on MongoDB', () => {
    const databases = useMongo()
    body({ name: 'MongoDB', open: () => openDatabase(mongo({ url: databases.create() })), run: runStatement })
  })
}

/** Runs tests on each engine that has SQL. */
export function onEachSqlEngine(body: (engine: SyncEngine) => void): void {
  describe('on SQLite', () =>
    body({ name: 'SQLite', open: () => openDatabase(sqlite({ file: ':memory:' })), run: runSql }))
  describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
    const databases = usePostgres()
    let url: string | undefined
    const open = async (): Promise<Database> => {
      // Emptying one is quicker than making another.
      url ??= await databases.create()
      const db = await openDatabase(postgres({ url, maxConnections: 2 }))
      await run(db, 'drop schema if exists public, org, hr, one cascade')
      await run(db, 'create schema public')
      return db
    }
    body({ name: 'PostgreSQL', open, run: runSql })
  })
  describe.skipIf(!mysqlEngine.isThere)('on MySQL', () => {
    const databases = mysqlEngine.use()
    body({
      name: 'MySQL',
      open: async () => openDatabase(mysql({ url: await databases.create(), maxConnections: 2 })),
      run: runSql,
    })
  })
}

const runSql: SyncEngine['run'] = (db, _, text) => run(db, text)

/** Runs a statement that is written as text. */
export function run(db: Database, text: string): Promise<Record<string, unknown>[]> {
  return db.sql(Object.assign([text], { raw: [text] }))
}

/** Syncs, and expects that there is nothing left to do afterwards. */
export async function syncWhole(db: Database, tables: readonly TableModel[], options?: SyncOptions): Promise<string[]> {
  const { steps } = await db.sync(tables, options)
  expect((await db.planSync(tables)).steps).toEqual([])
  expect((await db.sync(tables)).steps).toEqual([])
  return steps.map((it) => `${it.class}: ${it.description}`)
}
