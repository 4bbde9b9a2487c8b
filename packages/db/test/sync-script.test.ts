import { spawnSync } from 'node:child_process'
import { type Database, openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import type { TableModel } from '@portico/schema/model'
import BetterSqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findSqlShells } from '../../../scripts/environment.mjs'
import { hasPostgres, temporaryFolder, usePostgres } from './support/engines.ts'
import { models, notes, run } from './support/sync.ts'

interface ScriptCase {
  readonly name: string
  readonly before: readonly TableModel[]
  readonly after: readonly TableModel[]
  readonly allow?: readonly string[]
  readonly fill: string
  /** Rows that are written after the script. */
  readonly meanwhile: string
  /** The error of the shell. */
  readonly error: RegExp
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
    error: /null|NULL/,
  },
  {
    name: 'text that is not a number',
    before: notes('a?: string', 'b: number'),
    after: notes("@db.column.renamed 'a'\n c?: decimal", '@db.index.plain\n b?: number'),
    allow: ['narrow notes.c'],
    fill: `insert into notes (id, a, b) values (1, '12.5', 2)`,
    meanwhile: `insert into notes (id, a, b) values (2, 'seven', 3)`,
    error: /no longer fit|invalid input/,
  },
  {
    name: 'a decimal that would be rounded',
    before: notes('@db.column.precision 8, 3 a: decimal'),
    after: notes('@db.column.precision 8, 1 a: decimal'),
    allow: ['narrow notes.a'],
    fill: 'insert into notes (id, a) values (1, 1.5)',
    meanwhile: 'insert into notes (id, a) values (2, 1.25)',
    error: /no longer fit/,
  },
  {
    name: 'a duplicate of what becomes unique',
    before: notes('a?: string'),
    after: notes('@db.index.unique a: string'),
    fill: `insert into notes (id, a) values (1, 'x')`,
    meanwhile: `insert into notes (id, a) values (2, 'x')`,
    error: /unique|UNIQUE/,
  },
  {
    name: 'an orphan',
    before: family(''),
    after: family('@db.rel.FK'),
    allow: ['narrow replies.noteId'],
    fill: 'insert into replies (id) values (1)',
    meanwhile: 'insert into replies (id, "noteId") values (2, 5)',
    error: /no longer fit|violates foreign key/,
  },
]

interface Shell {
  readonly db: Database
  /** Runs a script; `errors` is what the shell prints. */
  readonly run: (script: string) => { readonly isDone: boolean; readonly errors: string }
}

function runShell(command: string, args: readonly string[], input: string): ReturnType<Shell['run']> {
  const { status, stderr } = spawnSync(command, args, { input, encoding: 'utf8' })
  return { isDone: status === 0, errors: stderr }
}

function scriptTests(open: () => Promise<Shell>): void {
  const dump = async (db: Database, tables: readonly TableModel[]) =>
    await Promise.all(tables.map((it) => run(db, `select * from ${it.table} order by id`)))

  it.each(cases)('does what a sync does, without $name', async ({ before, after, allow = [], fill }) => {
    const [shell, other] = [await open(), await open()]
    await using db = shell.db
    await using synced = other.db
    for (const it of [db, synced]) {
      await it.sync(before)
      await run(it, fill)
    }
    expect(shell.run(await db.scriptSync(after, { allow }))).toEqual({ isDone: true, errors: '' })
    await synced.sync(after, { allow })
    expect((await db.planSync(after)).steps).toEqual([])
    expect(await dump(db, after)).toEqual(await dump(synced, after))
  })

  it.each(cases)('fails and changes nothing because of $name that was written meanwhile', async (it) => {
    const shell = await open()
    await using db = shell.db
    await db.sync(it.before)
    await run(db, it.fill)
    const script = await db.scriptSync(it.after, { allow: it.allow ?? [] })
    await run(db, it.meanwhile)
    const rows = await dump(db, it.before)
    expect(shell.run(script)).toEqual({ isDone: false, errors: expect.stringMatching(it.error) })
    expect(await dump(db, it.before)).toEqual(rows)
    expect((await db.planSync(it.before)).steps).toEqual([])
  })
}

describe.skipIf(!findSqlShells())('a script that sqlite3 runs', () => {
  const open = async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder[Symbol.asyncDispose]())
    const file = folder.file('app.db')
    const db = await openDatabase(sqlite({ file }))
    return { db, file, run: (script: string) => runShell('sqlite3', [file], script) }
  }
  scriptTests(open)

  it('is refused if it would break a view', async () => {
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

  it('stops before anything is changed while another program writes', async () => {
    const shell = await open()
    await using db = shell.db
    await db.sync(notes('a?: string'))
    const script = await db.scriptSync(notes('a: string'))
    using writer = Object.assign(new BetterSqlite(shell.file), {
      [Symbol.dispose]() {
        writer.close()
      },
    })
    writer.exec('begin immediate')
    const { errors } = shell.run(script)
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining('database is locked')])
  })
})

describe.skipIf(!hasPostgres || !findSqlShells())('a script that psql runs', () => {
  const databases = usePostgres()
  const open = async (): Promise<Shell> => {
    const url = await databases.create()
    const db = await openDatabase(postgres({ url, maxConnections: 2 }))
    return { db, run: (script) => runShell('psql', ['-X', '-q', url], script) }
  }
  scriptTests(open)

  it('waits for a running sync', async () => {
    await using db = (await open()).db
    expect(await db.scriptSync(notes('a?: number'))).toMatch(/BEGIN;\nSELECT pg_advisory_xact_lock\(\d+\);/)
  })
})
