/** Orphans in an SQLite file: rows that refer to a missing row. */
import { spawnSync } from 'node:child_process'
import { type Database, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { describe, expect, it } from 'vitest'
import { findSqlShells } from '../../../scripts/environment.mjs'
import { temporaryFolder } from './support/engines.ts'
import { models, run, syncWhole } from './support/sync.ts'

const family = (field: string, index = '') =>
  models(`@db.table 'parents' export interface Parent { @meta.id id: number\n ${index} a${field}: string }
@db.table 'children' export interface Child { @meta.id id: number\n b${field}: string\n @db.rel.FK parentId: Parent.id }`)

/** Children, one of them without its parent. */
async function openWithOrphan(file = ':memory:'): Promise<Database> {
  const db = await openDatabase(sqlite({ file }))
  await db.sync(family(''))
  await db.sql`insert into parents values (1, 'x')`
  await db.sql`insert into children values (1, 'y', 1)`
  await db.sql`pragma foreign_keys = off`
  await db.sql`insert into children values (2, 'z', 9)`
  await db.sql`pragma foreign_keys = on`
  return db
}

const orphans = (db: Database) => db.sql`select "rowid" as id, parent from pragma_foreign_key_check`

describe('orphans on SQLite', () => {
  it('that existed before stay as they are and do not stop a sync', async () => {
    await using db = await openWithOrphan()
    await syncWhole(db, family('?'))
    expect(await orphans(db)).toEqual([{ id: 2, parent: 'parents' }])
  })

  it('stay as they are when all tables and their indexes are renamed', async () => {
    await using db = await openWithOrphan()
    await db.sync(family('', '@db.index.unique'))
    const renamed = models(`@db.table 'elders' @db.table.renamed 'parents'
export interface Parent { @meta.id id: number\n @db.index.unique a?: string }
@db.table 'kids' @db.table.renamed 'children'
export interface Child { @meta.id id: number\n b: string\n @db.rel.FK parentId: Parent.id }`)
    await syncWhole(db, renamed)
    expect(await orphans(db)).toEqual([{ id: 2, parent: 'elders' }])
  })

  it('of other tables, and broken foreign keys of others, do not stop a sync', async () => {
    await using db = await openWithOrphan()
    await db.sql`create table broken (a text references parents (a))`
    await expect(orphans(db)).rejects.toThrow('foreign key mismatch')
    await syncWhole(db, family('?'))
  })

  it.each([
    ['', '2 rows refer to missing rows'],
    ['insert into theirs values (9)', '2 rows refer to missing rows'],
    ['delete from theirs where parent = 1', '1 row refers to a missing row'],
  ])('are refused if there would be more of them: %s', async (text, reason) => {
    await using db = await openWithOrphan()
    await db.sql`create table theirs (parent integer references parents (id) on delete cascade)`
    await db.sql`insert into parents values (2, 'y')`
    await db.sql`insert into theirs values (1), (2)`
    await db.sql`pragma foreign_keys = off`
    if (text !== '') await run(db, text)
    await db.sql`pragma foreign_keys = on`
    const rows = await db.sql`select * from theirs`
    await expect(db.sync([], { allow: ['drop children', 'drop parents'] })).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: `table \`theirs\`: ${reason} of \`parents\``,
    })
    expect(await db.sql`select * from theirs`).toEqual(rows)
    expect((await db.sync(family(''))).steps).toEqual([])
  })

  it('are avoided by keeping an index that other tables need', async () => {
    await using db = await openWithOrphan()
    await db.sync(family('', '@db.index.unique'))
    await db.sql`create table theirs (a text references parents (a))`
    expect((await db.sync(family(''))).steps).toEqual([])
    const allow = ['drop parents__a']
    const refused = db.sync(family(''), { allow })
    await expect(refused).rejects.toThrow('table `theirs`: one of its foreign keys would no longer work')
    await expect(db.scriptSync(family(''), { allow })).rejects.toThrow('would no longer work')
    await db.sql`insert into theirs values ('x')`
  })

  it.skipIf(!findSqlShells())('old and new, are distinguished by a script too', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('app.db')
    await using db = await openWithOrphan(file)
    const script = await db.scriptSync(family('?'))
    await db.sql`pragma foreign_keys = off`
    await db.sql`insert into children values (3, 'late', 10)`
    await db.sql`pragma foreign_keys = on`
    const runScript = () => spawnSync('sqlite3', [file], { input: script, encoding: 'utf8' })
    expect(runScript()).toMatchObject({ status: 1, stderr: expect.stringContaining('rows that no longer fit') })
    await db.sql`delete from children where id = 3`
    expect(runScript()).toMatchObject({ status: 0, stderr: '' })
    expect((await db.planSync(family('?'))).steps).toEqual([])
    expect(await orphans(db)).toEqual([{ id: 2, parent: 'parents' }])
  })
})
