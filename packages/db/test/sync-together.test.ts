import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@portico/db'
import { mongo } from '@portico/db/mongo'
import { postgres } from '@portico/db/postgres'
import { sqlite } from '@portico/db/sqlite'
import { defineTable } from '@portico/schema/runtime'
import { createConnection } from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { speedUpClock } from '../../../test/support/fast-clock.ts'
import { after, before, expected, fill } from './programs/sync-scenario.mjs'
import { command, hasPostgres, mysqlEngine, quietPool, temporaryFolder, usePostgres } from './support/engines.ts'
import { hasMongo, useMongo, withMongo } from './support/mongo-databases.ts'
import { runProgram } from './support/programs.ts'
import { runStatement } from './support/statements.ts'
import { models, notes, run, syncWhole } from './support/sync.ts'

const program = fileURLToPath(new URL('programs/sync-once.mjs', import.meta.url))

/** Runs ten programs that sync at the same moment. Returns the number of steps that each applied. */
async function syncTogether(where: string): Promise<number[]> {
  const children = Array.from({ length: 10 }, () =>
    spawn(process.execPath, [program, where], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  try {
    const printed = children.map(readAll)
    await Promise.all(children.map((it) => new Promise((resolve) => it.stdout.once('data', resolve))))
    for (const { stdin } of children) stdin.write('go\n')
    return (await Promise.all(printed)).map((text) => Number(/did (\d+)/.exec(text)?.[1]))
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

function readAll(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', () => resolve(text)))
}

const slow = { timeout: 120_000 }

describe('programs that sync at the same time', () => {
  it('on SQLite: one does the work, and the others find it done', slow, async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('together.db')
    const db = await openDatabase(sqlite({ file }))
    await db.sync(before)
    await fill((text) => run(db, text))
    const did = await syncTogether(file)
    expect(did.filter((it) => it > 0)).toHaveLength(1)
    expect(did.filter((it) => it === 0)).toHaveLength(9)
    expect(await db.sql`select * from people order by id`).toEqual(expected.people)
    expect((await db.planSync(after)).steps).toEqual([])
    await db.close()
  })

  it('on SQLite: a lock is released when its owner dies', slow, async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('locked.db')
    await using db = await openDatabase(sqlite({ file }))
    await using holder = runProgram('hold-lock', [file, '60000'])
    await holder.line(/locked/)
    const waiting = db.sync(notes('a: string'))
    await holder.kill()
    expect((await waiting).steps).toHaveLength(1)
  })

  it('on SQLite: a lock that is not released is reported', slow, async () => {
    await using folder = await temporaryFolder()
    const file = folder.file('locked.db')
    await using db = await openDatabase(sqlite({ file, busyTimeoutMs: 200 }))
    await using holder = runProgram('hold-lock', [file, '60000'])
    await holder.line(/locked/)
    await expect(db.sync(notes('a: string'))).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
    await holder.kill()
    expect(await db.sql`pragma foreign_keys`).toEqual([{ foreign_keys: 1 }])
  })

  describe.skipIf(!mysqlEngine.isThere)('on MySQL', () => {
    const databases = mysqlEngine.use()

    it('one does the work, and the others find it done', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(mysqlEngine.adapter({ url }))
      await db.sync(before)
      await fill((text) => run(db, text))
      const did = await syncTogether(url)
      expect(did.filter((it) => it > 0)).toHaveLength(1)
      expect(did.filter((it) => it === 0)).toHaveLength(9)
      expect(await db.sql`select * from people order by id`).toEqual(expected.people)
      expect(await db.planSync(after)).toMatchObject({ steps: [], problems: [] })
      expect(await db.sql`select * from portico__journal`).toEqual([])
    })

    it('a lock is released when its owner dies', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(mysqlEngine.adapter({ url }))
      const holder = await createConnection(url)
      const [rows] = await holder.query(
        "select get_lock(concat('portico:', md5(database())), 0) as l, connection_id() as id",
      )
      const [{ l, id }] = rows as [{ l: number; id: number }]
      expect(l).toBe(1)
      const waiting = db.sync(notes('a: string'))
      await mysqlEngine.command(url, `kill ${id}`)
      holder.on('error', () => {})
      expect((await waiting).steps).toHaveLength(1)
      holder.destroy()
    })
  })

  describe.skipIf(!hasMongo)('on MongoDB', () => {
    const databases = useMongo()
    const leases = (url: string) =>
      withMongo(url, (client) => client.db().collection('portico__lease').find().toArray())

    it('one does the work, and the others find it done', slow, async () => {
      const url = databases.create()
      await using db = await openDatabase(mongo({ url }))
      await db.sync(before)
      await fill((text) => runStatement(db, before, text))
      const did = await syncTogether(url)
      expect(did.filter((it) => it > 0)).toHaveLength(1)
      expect(did.filter((it) => it === 0)).toHaveLength(9)
      expect(await runStatement(db, after, 'select * from people')).toEqual(expected.people)
      expect(await db.planSync(after)).toMatchObject({ steps: [], problems: [] })
      expect(await leases(url)).toMatchObject([{ owner: null }])
    })

    it('a lease whose owner gives no sign of life expires, and the token rises', slow, async () => {
      const url = databases.create()
      await using db = await openDatabase(mongo({ url, leaseMs: 300 }))
      await withMongo(url, async (client) => {
        const lease = { _id: 'sync', owner: 'dead', token: 7, beat: 3 }
        await client.db().collection<{ _id: string }>('portico__lease').insertOne(lease)
      })
      expect((await db.sync(notes('a: string'))).steps).toHaveLength(1)
      expect(await leases(url)).toMatchObject([{ owner: null, token: 8 }])
    })
  })

  describe.skipIf(!hasPostgres)('on a server', () => {
    const databases = usePostgres()

    it('on PostgreSQL: one does the work, and the others find it done', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      await db.sync(before)
      await fill((text) => run(db, text))
      const did = await syncTogether(url)
      expect(did.filter((it) => it > 1)).toHaveLength(1)
      // Between the commit and the end of the index builds, another sync may build the remaining ones.
      expect(did.filter((it) => it <= 1)).toHaveLength(9)
      expect(await db.sql`select * from people order by id`).toEqual(expected.people)
      expect((await db.planSync(after)).steps).toEqual([])
      expect(await db.sql`select * from portico__journal`).toEqual([])
    })

    it('on PostgreSQL: a lock is released when its owner dies', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      const pool = quietPool(url, 1)
      const lock = 0x70_6f_72_74_69_63
      const { rows } = await pool.query<{ pid: number }>(`select pg_advisory_lock(${lock}), pg_backend_pid() as pid`)
      const waiting = db.sync(notes('a: string'))
      await command(url, `select pg_terminate_backend(${rows[0]!.pid})`)
      expect((await waiting).steps).toHaveLength(1)
      await pool.end()
    })

    it('on PostgreSQL: a lock that is not released is reported', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      const pool = quietPool(url, 1)
      const holder = await pool.connect()
      await holder.query(`select pg_advisory_lock(${0x70_6f_72_74_69_63})`)
      try {
        using clock = speedUpClock(60)
        await expect(db.sync(notes())).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
        expect(clock.passedMs).toBeGreaterThan(30_000)
      } finally {
        holder.release(true)
        await pool.end()
      }
      await syncWhole(db, notes())
    })

    it('on PostgreSQL: indexes of large tables are built without blocking writers', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      await db.sync(notes('a: string'))
      await db.sql`insert into notes (id, a) select n, 'v' || n from generate_series(1, 1000) n`
      const indexed = notes('@db.index.unique a: string')
      await using other = await openDatabase(postgres({ url }))
      // A writer with an open transaction: a plain build would wait for it and block all others.
      await other.transaction(async (tx) => {
        await tx.sql`insert into notes (id, a) values (2000, 'w')`
        const building = db.sync(indexed, { concurrentRows: 500 })
        await expect.poll(() => run(db, 'select name from portico__journal')).toEqual([{ name: 'index notes__a' }])
        await db.sql`insert into notes (id, a) values (3000, 'x')`
        void building.catch(() => {})
      })
      await expect.poll(() => run(db, 'select name from portico__journal')).toEqual([])
      expect((await db.planSync(indexed)).steps).toEqual([])
    })

    it('on PostgreSQL: a failed index build leaves nothing behind and is repeated', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      await db.sync(notes('a: string'))
      await db.sql`insert into notes (id, a) select n, 'v' || n from generate_series(1, 100) n`
      const other = models("@db.table 'others' export interface Other { @meta.id id: number }")
      const indexed = [...notes('@db.index.unique a: string'), ...other]
      const invalid = 'select relname from pg_index join pg_class on oid = indexrelid where not indisvalid'
      // The duplicate is written after planning: the build waits for the open transaction.
      await using writer = await openDatabase(postgres({ url }))
      let building: Promise<unknown> | undefined
      await writer.transaction(async (tx) => {
        await tx.sql`insert into notes (id, a) values (2000, 'v1')`
        building = db.sync(indexed, { concurrentRows: 50 }).catch((error: Error) => error)
        await expect.poll(() => run(db, invalid)).toEqual([{ relname: 'notes__a' }])
      })
      expect(await building).toMatchObject({
        code: 'SYNC_REFUSED',
        message:
          'table `notes`: cannot create the unique index `notes__a`: some rows duplicate the values of another row. Everything except the index `notes__a` was applied, and the next sync continues from there',
        cause: expect.anything(),
      })
      expect(await run(db, invalid)).toEqual([])
      expect((await db.planSync(indexed)).steps.map((it) => it.description)).toEqual([
        'create unique index on notes (a)',
      ])
      await expect(db.sync(indexed)).rejects.toThrow('1 row duplicates the values of another row')
      await db.sql`delete from notes where id = 2000`
      await syncWhole(db, indexed, { concurrentRows: 50 })
      expect(await db.sql`select * from portico__journal`).toEqual([])
    })

    it('on PostgreSQL: a refused index build is reported, with all indexes that were not built', slow, async () => {
      await using db = await openDatabase(postgres({ url: await databases.create() }))
      await db.sync(notes('a: string', 'b: string'))
      await db.sql`insert into notes (id, a, b) select 1, string_agg(md5(n::text), ''), 'x' from generate_series(1, 500) n`
      const indexed = notes('@db.index.plain a: string', '@db.index.plain b: string', 'c?: string')
      await expect(db.sync(indexed, { concurrentRows: 1 })).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringMatching(
          /^table `notes`: the database refused to create index: .* Everything except the indexes `notes__a`, `notes__b` was applied, and/,
        ),
      })
      expect((await db.planSync(indexed)).steps.map((it) => it.kind)).toEqual(['createIndex', 'createIndex'])
      await db.sql`update notes set a = 'short'`
      await syncWhole(db, indexed, { concurrentRows: 1 })
    })

    it('on PostgreSQL: behind a pooler no lock stays on a shared connection', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url, pooler: true }))
      await db.sync(notes('a: string'))
      await db.sql`insert into notes values (1, 'x')`
      await syncWhole(db, notes('@db.index.plain a: string'), { concurrentRows: 0 })
      expect(await db.sql`select to_regclass('portico__journal')::text as name`).toEqual([{ name: null }])
    })

    it('on PostgreSQL: waiting for a locked table ends with a timeout', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      await db.sync(notes('a: string'))
      await db.sql`create table seen (patience text)`
      await run(
        db,
        "create function see() returns event_trigger language plpgsql as $$ begin insert into seen values (current_setting('lock_timeout')); end $$",
      )
      await db.sql`create event trigger seeing on ddl_command_end execute function see()`
      await syncWhole(db, notes('a: string', 'b?: string'))
      expect(await db.sql`select distinct patience from seen`).toEqual([{ patience: '30s' }])
      const pool = quietPool(url, 1)
      const holder = await pool.connect()
      try {
        await holder.query('begin; select * from notes')
        await using hasty = await openDatabase(postgres({ url: `${url}?options=-c%20lock_timeout=100` }))
        await expect(hasty.sync(notes('a?: string', 'b?: string'))).rejects.toMatchObject({
          code: 'TIMEOUT',
          message: 'table `Note`: timed out waiting for a lock',
        })
      } finally {
        holder.release(true)
        await pool.end()
      }
      await syncWhole(db, notes('a?: string', 'b?: string'))
    })

    it(
      'on PostgreSQL: a sync that is in the way of others, and they in its, gives way and comes again',
      slow,
      async () => {
        const url = await databases.create()
        await using db = await openDatabase(postgres({ url }))
        const both = (mark: string) =>
          models(`@db.table 'a' export interface A { @meta.id id: number\n x${mark}: string }
@db.table 'b' export interface B { @meta.id id: number\n x${mark}: string }`)
        await db.sync(both(''))
        await using other = await openDatabase(postgres({ url }))
        let syncing: Promise<unknown> | undefined
        await other.transaction(async (tx) => {
          await tx.sql`select * from b`
          // The server may end this transaction instead, which is then repeated.
          if (syncing) return
          syncing = db.sync(both('?')).catch((error: Error) => error)
          const waiting =
            "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
          await expect.poll(() => run(db, waiting), { interval: 10 }).toHaveLength(1)
          // A deadlock, until the server ends one of the two.
          await tx.sql`select * from a`
        })
        expect(await syncing).toMatchObject({ steps: [{ kind: 'allowNull' }, { kind: 'allowNull' }] })
      },
    )

    it('on PostgreSQL: an invalid index of a killed build is built again', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url }))
      const indexed = notes('@db.index.plain a: string')
      await db.sync(indexed)
      await db.sql`insert into notes (id, a) values (1, 'x')`
      await db.sql`update pg_index set indisvalid = false where indexrelid = 'notes__a'::regclass`
      expect((await db.planSync(indexed)).steps.map((it) => it.kind)).toEqual(['dropIndex', 'createIndex'])
      await syncWhole(db, indexed, { concurrentRows: 1 })
      expect(await db.sql`select indisvalid from pg_index where indexrelid = 'notes__a'::regclass`).toEqual([
        { indisvalid: true },
      ])
    })

    it('on PostgreSQL: running programs continue after a column changed its type', slow, async () => {
      const url = await databases.create()
      await using db = await openDatabase(postgres({ url, maxConnections: 1 }))
      const declare = (storage: 'real' | 'text') =>
        defineTable<object, { id: number; a: unknown }, object, object, object>({
          name: 'Note',
          table: 'notes',
          key: ['id'],
          columns: [
            { path: 'id', name: 'id', type: 'number', storage: 'integer', integer: true, key: true },
            { path: 'a', name: 'a', type: storage === 'real' ? 'number' : 'string', storage },
          ],
          jsonSchema: {},
          check: () => {},
        })
      await db.sync([declare('real')])
      await db.table(declare('real')).insertOne({ id: 1, a: 1.5 })
      await using other = await openDatabase(postgres({ url }))
      await other.sync([declare('text')], { allow: ['convert notes.a'] })
      // The same statements as before, prepared for another type.
      await db.table(declare('text')).insertOne({ id: 2, a: 'x' })
      await db.transaction((tx) => tx.table(declare('text')).insertOne({ id: 3, a: 'y' }))
      expect(await db.table(declare('text')).findMany()).toHaveLength(3)
    })

    it('on PostgreSQL: journal entries of an interrupted sync are removed by the next', slow, async () => {
      await using db = await openDatabase(postgres({ url: await databases.create() }))
      await db.sync(notes('a: string'))
      await db.sync(notes('@db.index.plain a: string'), { concurrentRows: 0 })
      await db.sql`insert into portico__journal (name, content) values ('index notes__a', '{}')`
      expect((await db.sync(notes('@db.index.plain a: string'))).steps).toEqual([])
      expect(await db.sql`select * from portico__journal`).toEqual([])
    })

    it('on PostgreSQL: tables stay in their schema when the search path changes', slow, async () => {
      const url = await databases.create()
      const linked = (field: string) =>
        models(`@db.table 'teams' export interface Team { @meta.id id: number }
@db.table 'notes' export interface Note { @meta.id id: number\n @db.rel.FK teamId?: Team.id\n ${field} }`)
      await using db = await openDatabase(postgres({ url }))
      await db.sync(linked(''))
      await db.sql`create schema org`
      await using other = await openDatabase(postgres({ url: `${url}?options=-c%20search_path=org,public` }))
      const steps = await syncWhole(other, linked('a?: string'))
      expect(steps).toEqual(['additive: add column notes.a (TEXT, optional)'])
      expect((await db.planSync(linked('a?: string'))).steps).toEqual([])
    })

    it('on PostgreSQL: a temporary table is not mistaken for the one that it hides', slow, async () => {
      // A connection that `db.sql` changed is closed; one of an external pool stays.
      const pool = quietPool(await databases.create(), 1)
      const db = await openDatabase(postgres({ pool }))
      await db.sync(notes('a: string'))
      await pool.query('create temp table notes (id bigint primary key, a text collate "C" not null)')
      await expect(db.sync(notes('a?: string'))).rejects.toThrow(
        'table `notes`: this connection has a temporary table of that name',
      )
      await pool.query('drop table pg_temp.notes')
      await syncWhole(db, notes('a?: string'))
      await db.close()
      await pool.end()
    })

    it('on PostgreSQL: objects of others that depend on a table are reported', slow, async () => {
      await using db = await openDatabase(postgres({ url: await databases.create() }))
      await db.sync(notes('a: string'))
      await db.sql`create view seen as select a from notes`
      await expect(db.sync(notes('a: number'), { allow: ['narrow notes.a'] })).rejects.toMatchObject({
        code: 'SYNC_REFUSED',
        message: expect.stringMatching(/table `notes`: the database refused to alter column: .*view.*view seen/),
      })
    })
  })
})
