import { randomBytes } from 'node:crypto'
import { type Database, openDatabase } from '@portico/db'
import { type PostgresOptions, postgres } from '@portico/db/postgres'
import { Group, suiteTables, Team } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { command, postgresEngine, quietPool } from './support/engines.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

describe.skipIf(!postgresEngine.isThere)('the statements of PostgreSQL', () => {
  const databases = postgresEngine.use()

  async function open(
    options: Partial<PostgresOptions> = {},
  ): Promise<{ db: Database; url: string } & AsyncDisposable> {
    const url = await databases.create()
    const db = await openDatabase(postgres({ ...options, url }))
    await db.sync(suiteTables)
    return { db, url, [Symbol.asyncDispose]: () => db.close() }
  }

  it('concurrent statements of one transaction run one after the other', async () => {
    const pool = quietPool(await databases.create(), 2)
    let running = 0
    let most = 0
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (config: unknown, done: (...args: unknown[]) => void) => void
      client.query = ((config: unknown, done: (...args: unknown[]) => void) => {
        most = Math.max(most, ++running)
        query(config, (...args) => {
          running -= 1
          done(...args)
        })
      }) as never
    })
    const db = await openDatabase(postgres({ pool }))
    await db.sync(suiteTables)
    const codes = Array.from({ length: 20 }, (_, code) => code)
    await db.transaction(async (tx) => {
      await Promise.all(codes.map((code) => tx.table(Group).insertOne(group(code))))
      expect(await Promise.all(codes.map((code) => tx.table(Group).exists({ code })))).not.toContain(false)
    })
    expect(most).toBe(1)
    const outcomes = db.transaction(async (tx) =>
      Promise.allSettled([tx.table(Group).insertOne(group(1)), tx.table(Group).insertOne(group(99))]),
    )
    await expect(outcomes).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    expect(await db.table(Group).count()).toBe(20)
    await db.close()
    await pool.end()
  })

  it('stops retrying a transaction after `retries` attempts', async () => {
    await using setup = await open()
    let calls = 0
    const running = setup.db.transaction(
      async (tx) => {
        calls += 1
        await tx.sql`do $$ begin raise exception using errcode = '40001'; end $$`
      },
      { retries: 3 },
    )
    await expect(running).rejects.toMatchObject({ code: 'SERIALIZATION_FAILED' })
    expect(calls).toBe(4)
  })

  it('prepared statements that are lost, as behind a pooler, are sent as text instead', async () => {
    const pool = quietPool(await databases.create(), 1)
    const db = await openDatabase(postgres({ pool }))
    await db.sync(suiteTables)
    await db.table(Group).insertOne(group(1))
    await db.table(Group).count()
    await pool.query('deallocate all')
    expect(await db.table(Group).count()).toBe(1)
    await pool.query('deallocate all')
    await db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(2))
      expect(await tx.table(Group).count()).toBe(2)
    })
    await db.close()
    await pool.end()
  })

  it('prepared statements that are out of date after a table change are prepared again', async () => {
    await using setup = await open()
    const { db } = setup
    const found = await db.table(Group).insertOne(group(1))
    expect(await db.table(Group).findMany()).toEqual([found])
    await command(setup.url, 'alter table groups alter column title type varchar(50)')
    expect(await db.table(Group).findMany()).toEqual([found])
    await db.table(Group).findMany()
    await command(setup.url, 'alter table groups alter column title type text')
    expect(await db.transaction((tx) => tx.table(Group).findMany())).toEqual([found])
  })

  it('names no statement with pooler: true', async () => {
    await using setup = await open({ pooler: true })
    await setup.db.table(Group).insertOne(group(1))
    await setup.db.table(Group).count()
    expect(await setup.db.sql`select count(*)::int as n from pg_prepared_statements`).toEqual([{ n: 0 }])
  })

  it('a read-only server, as after a failover: the write fails once, then uses a new connection', async () => {
    const url = await databases.create()
    const name = new URL(url).pathname.slice(1)
    {
      await using direct = await openDatabase(postgres({ url }))
      await direct.sync(suiteTables)
    }
    const setReadOnly = (value: string) =>
      command(url, `alter database ${name} set default_transaction_read_only = ${value}`)
    await setReadOnly('on')
    await using db = await openDatabase(postgres({ url, maxConnections: 3 }))
    await Promise.all([1, 2, 3].map(() => db.sql`select pg_sleep(0.2)`))
    await command(
      url,
      'set default_transaction_read_only = off',
      `alter database ${name} set default_transaction_read_only = off`,
    )
    const refused = { code: 'UNAVAILABLE', message: expect.stringMatching(/read-only transaction/) }
    await expect(db.table(Group).insertOne(group(0))).rejects.toMatchObject(refused)
    // All connections of that time lead to the same server.
    await Promise.all([1, 2, 3].map((code) => db.table(Group).insertOne(group(code))))
    expect(await db.table(Group).count()).toBe(3)
  })

  it('a missing database: the error says how to create it', async () => {
    const url = new URL(await databases.create())
    url.pathname = '/not_there'
    const opening = openDatabase(postgres({ url: url.href }))
    const message = expect.stringMatching(/database "not_there" does not exist\. Create it first: createdb not_there$/)
    await expect(opening).rejects.toMatchObject({ code: 'UNAVAILABLE', message })
  })

  it('a user without access to sync’s metadata: the error names the missing privilege', async () => {
    const url = new URL(await databases.create())
    {
      await using owner = await openDatabase(postgres({ url: url.href }))
      await owner.sync(suiteTables)
    }
    const role = `reader_${process.pid}`
    await command(url.href, `create role ${role} login`)
    try {
      url.username = role
      await using db = await openDatabase(postgres({ url: url.href }))
      await expect(db.planSync([Group])).rejects.toMatchObject({
        code: 'QUERY_FAILED',
        message: expect.stringMatching(/permission denied.*GRANT SELECT on portico__\w+ to this user/),
      })
    } finally {
      url.username = 'portico'
      await command(url.href, `drop role ${role}`)
    }
  })

  it('a text that is too long for an index is refused, and not stored', async () => {
    await using setup = await open()
    // Text that repeats itself would be packed.
    const name = randomBytes(4000).toString('base64')
    await expect(setup.db.table(Team).insertOne({ name })).rejects.toMatchObject({
      code: 'CONSTRAINT_VIOLATION',
      message: expect.stringMatching(/^table `Team`: a value is too long for an index/),
    })
    expect(await setup.db.table(Team).count()).toBe(0)
  })

  it('auto-increment stops at 2^53 − 1, and nothing is stored', async () => {
    const db = await openDatabase(postgres({ url: await databases.create() }))
    await db.sync(suiteTables)
    const teams = db.table(Team)
    await db.sql`insert into org.teams (id, name) values (${Number.MAX_SAFE_INTEGER}, 'last')`
    await db.sql`select setval('org.teams_id_seq', ${Number.MAX_SAFE_INTEGER})`
    const refused = { code: 'NUMBER_UNSAFE', fields: ['id'] }
    await expect(teams.insertOne({ name: 'one' })).rejects.toMatchObject(refused)
    await expect(teams.insertMany([{ name: 'one' }, { name: 'two' }])).rejects.toMatchObject(refused)
    expect(await teams.findMany()).toEqual([{ id: Number.MAX_SAFE_INTEGER, name: 'last' }])
    await db.close()
  })

  it('an exhausted sequence continues after the highest stored number, also concurrently and after a transaction', async () => {
    await using db = await openDatabase(postgres({ url: await databases.create() }))
    await db.sync(suiteTables)
    const teams = db.table(Team)
    await teams.insertOne({ id: 150, name: 'stored' })
    const exhaust = () => db.sql`select setval('org.teams_id_seq', ${Number.MAX_SAFE_INTEGER})`
    await exhaust()
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => teams.insertOne({ name: `${index}` })))
    expect(many.map((it) => it.id).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => 151 + i))
    await exhaust()
    const insert = () => db.transaction((tx) => tx.table(Team).insertMany([{ name: 'x' }, { name: 'y' }]))
    await expect(insert()).rejects.toMatchObject({ code: 'NUMBER_UNSAFE' })
    expect((await insert()).map((it) => it.id)).toEqual([171, 172])
    await teams.deleteMany({})
    await exhaust()
    expect((await teams.insertOne({ name: 'first' })).id).toBe(100)
  })
})
