import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import type { TableModel } from '@portico/schema/model'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findSqlShells } from '../../../scripts/environment.mjs'
import { hasPostgres, usePostgres } from './support/engines.ts'
import { models, notes, run } from './support/sync.ts'

interface ScriptCase {
  readonly name: string
  readonly before: readonly TableModel[]
  readonly after: readonly TableModel[]
  readonly allow?: readonly string[]
  readonly fill: string
  /** What somebody writes after the script was made. */
  readonly meanwhile: string
}

const family = (annotation: string) =>
  models(`@db.table 'notes' export interface Note { @meta.id id: number }
@db.table 'replies' export interface Reply { @meta.id id: number\n ${annotation} noteId?: ${annotation === '' ? 'number.int' : 'Note.id'} }`)

const cases: readonly ScriptCase[] = [
  {
    name: 'a NULL in a column that becomes required',
    before: notes('a?: string'),
    after: notes('a: string'),
    fill: `insert into notes (id, a) values (1, 'x')`,
    meanwhile: 'insert into notes (id, a) values (2, null)',
  },
  {
    name: 'text that is no number',
    before: notes('a?: string'),
    after: notes('a?: number'),
    allow: ['narrow notes.a'],
    fill: `insert into notes (id, a) values (1, '7')`,
    meanwhile: `insert into notes (id, a) values (2, 'seven')`,
  },
  {
    name: 'a decimal that would be rounded',
    before: notes('@db.column.precision 8, 3 a: decimal'),
    after: notes('@db.column.precision 8, 1 a: decimal'),
    allow: ['narrow notes.a'],
    fill: 'insert into notes (id, a) values (1, 1.5)',
    meanwhile: 'insert into notes (id, a) values (2, 1.25)',
  },
  {
    name: 'a duplicate of what becomes unique',
    before: notes('a?: string'),
    after: notes('@db.index.unique a: string'),
    fill: `insert into notes (id, a) values (1, 'x')`,
    meanwhile: `insert into notes (id, a) values (2, 'x')`,
  },
  {
    name: 'a row that refers to nothing',
    before: family(''),
    after: family('@db.rel.FK'),
    allow: ['narrow replies.noteId'],
    fill: 'insert into replies (id) values (1)',
    meanwhile: 'insert into replies (id, "noteId") values (2, 5)',
  },
]

interface Shell {
  readonly db: Database
  /** Runs a script, and answers whether all of it went well. */
  readonly run: (script: string) => boolean
}

function scriptTests(open: () => Promise<Shell>): void {
  const dump = async (db: Database, tables: readonly TableModel[]) =>
    await Promise.all(tables.map((it) => run(db, `select * from ${it.table} order by id`)))

  it.each(cases)('does all of it', async ({ before, after, allow = [], fill }) => {
    const shell = await open()
    await using db = shell.db
    await db.sync(before)
    await run(db, fill)
    expect(shell.run(await db.scriptSync(after, { allow }))).toBe(true)
    expect((await db.planSync(after)).steps).toEqual([])
  })

  it.each(cases)('fails and leaves all as it was over $name that came meanwhile', async (it) => {
    const shell = await open()
    await using db = shell.db
    await db.sync(it.before)
    await run(db, it.fill)
    const script = await db.scriptSync(it.after, { allow: it.allow ?? [] })
    await run(db, it.meanwhile)
    const rows = await dump(db, it.before)
    expect(shell.run(script)).toBe(false)
    expect(await dump(db, it.before)).toEqual(rows)
    expect((await db.planSync(it.before)).steps).toEqual([])
  })
}

describe.skipIf(!findSqlShells())('a script that sqlite3 runs', () => {
  const open = async (): Promise<Shell> => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-script-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'app.db')
    const db = await openDatabase(sqlite({ file }))
    return { db, run: (input) => spawnSync('sqlite3', [file], { input }).status === 0 }
  }
  scriptTests(open)

  it('is refused where it would leave a view behind that no longer works', async () => {
    await using db = (await open()).db
    await db.sync(notes('a?: string', 'b?: string'))
    await run(db, 'create view seen as select a from notes')
    const refused = db.scriptSync(notes('b?: string'), { allow: ['drop notes.a'] })
    await expect(refused).rejects.toMatchObject({
      code: 'SYNC_REFUSED',
      message: expect.stringMatching(/view `seen` would no longer work/),
    })
    expect((await db.planSync(notes('a?: string', 'b?: string'))).steps).toEqual([])
  })
})

describe.skipIf(!hasPostgres || !findSqlShells())('a script that psql runs', () => {
  const databases = usePostgres()
  scriptTests(async () => {
    const url = await databases.create()
    const db = await openDatabase(postgres({ url, maxConnections: 2 }))
    return { db, run: (input) => spawnSync('psql', ['-X', '-q', url], { input }).status === 0 }
  })
})
