import { spawnSync } from 'node:child_process'
import { openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { findSqlShells } from '../../../scripts/environment.mjs'
import { hasPostgres, temporaryFolder, usePostgres } from './support/engines.ts'
import { models, notes, run } from './support/sync.ts'

const decimals = models(
  "@db.table 'notes' export interface Note { @meta.id id: number\n @db.column.precision 12, 2\n a?: decimal }",
)

describe.skipIf(!findSqlShells())('a script that sqlite3 runs', () => {
  const runScript = (file: string, script: string) => spawnSync('sqlite3', [file], { input: script, encoding: 'utf8' })

  it('does what a sync does', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('app.db')
    await using db = await openDatabase(sqlite({ file }))
    await db.sync(notes('a?: string', 'b: number'))
    await db.sql`insert into notes (id, a, b) values (1, '12.5', 2)`
    const after = notes("@db.column.renamed 'a'\n c?: decimal", '@db.index.plain\n b?: number')
    const script = await db.scriptSync(after, { allow: ['narrow notes.c'] })
    expect(runScript(file, script)).toMatchObject({ status: 0, stderr: '' })
    expect((await db.planSync(after)).steps).toEqual([])
    expect(await db.sql`select * from notes`).toEqual([{ id: 1, c: 12.5, b: 2 }])
  })

  it.each([
    ['a NULL in what is required', notes('a: string'), [], 'insert into notes values (3, null)'],
    ['a value that does not fit', notes('a?: number'), ['narrow notes.a'], "insert into notes values (3, 'many')"],
  ])('keeps every row where there is %s by then', async (_, after, allow, late) => {
    await using folder = await temporaryFolder()
    const file = folder.file('app.db')
    await using db = await openDatabase(sqlite({ file }))
    await db.sync(notes('a?: string'))
    await db.sql`insert into notes (id, a) values (1, '1'), (2, '2')`
    const script = await db.scriptSync(after, { allow })
    await run(db, late)
    const rows = await db.sql`select * from notes order by id`
    expect(runScript(file, script).status).toBe(1)
    expect(await db.sql`select * from notes order by id`).toEqual(rows)
    expect((await db.planSync(notes('a?: string'))).steps).toEqual([])
  })

  it('stops before anything is changed while another program writes', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('app.db')
    await using db = await openDatabase(sqlite({ file }))
    await db.sync(notes('a?: string'))
    const script = await db.scriptSync(notes('a: string'))
    using writer = Object.assign(new BetterSqlite(file), {
      [Symbol.dispose]() {
        writer.close()
      },
    })
    writer.exec('begin immediate')
    const { stderr } = runScript(file, script)
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('database is locked')])
  })

  it('stops where a row refers to one that is not there', async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('app.db')
    const family = (reference: string) =>
      models(`@db.table 'parents' export interface Parent { @meta.id id: number }
@db.table 'notes' export interface Note { @meta.id id: number\n ${reference} parentId: Parent.id }`)
    await using db = await openDatabase(sqlite({ file }))
    await db.sync(family(''))
    const script = await db.scriptSync(family('@db.rel.FK'))
    await db.sql`insert into notes values (1, 7)`
    expect(runScript(file, script)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('rows that no longer fit'),
    })
    expect(await db.sql`select * from notes`).toEqual([{ id: 1, parentId: 7 }])
  })
})

describe.skipIf(!hasPostgres || !findSqlShells())('a script that psql runs', () => {
  const databases = usePostgres()
  const runScript = (url: string, script: string) =>
    spawnSync('psql', ['-v', 'ON_ERROR_STOP=1', url], { input: script, encoding: 'utf8' })

  it('does what a sync does, and keeps every row where a value does not fit by then', async () => {
    const url = await databases.create()
    await using db = await openDatabase(postgres({ url }))
    await db.sync(notes('a?: number'))
    await db.sql`insert into notes (id, a) values (1, 1.25)`
    const script = await db.scriptSync(decimals, { allow: ['narrow notes.a'] })
    await db.sql`insert into notes (id, a) values (2, 1.239)`
    const { status, stderr } = runScript(url, script)
    expect([status, stderr]).toEqual([3, expect.stringContaining('no longer fit')])
    expect(await db.sql`select a from notes order by id`).toEqual([{ a: 1.25 }, { a: 1.239 }])
    await db.sql`delete from notes where id = 2`
    expect(runScript(url, script)).toMatchObject({ status: 0, stderr: '' })
    expect((await db.planSync(decimals)).steps).toEqual([])
    expect(await db.sql`select a from notes`).toEqual([{ a: '1.25' }])
  })

  it('waits for a sync that is under way', async () => {
    const url = await databases.create()
    await using db = await openDatabase(postgres({ url }))
    expect(await db.scriptSync(notes('a?: number'))).toMatch(/BEGIN;\nSELECT pg_advisory_xact_lock\(\d+\);/)
  })
})
