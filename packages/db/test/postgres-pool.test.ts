import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@portico/db'
import { postgres } from '@portico/db/postgres'
import { Group, suiteTables, Team } from '@portico/db/testing'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { command, hasPostgres, usePostgres } from './support/engines.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

describe.skipIf(!hasPostgres)('the connections of PostgreSQL', () => {
  const databases = usePostgres()

  it('close waits for what is under way, also for calls that have no connection yet', async () => {
    const url = await databases.create()
    const db = await openDatabase(postgres({ url, maxConnections: 2 }))
    await db.sync(suiteTables)
    const calls = Array.from({ length: 20 }, (_, code) => db.table(Group).insertOne(group(code)))
    // A number of its own takes a second statement.
    calls.push(db.table(Team).insertOne({ id: 5, name: 'five' }) as never)
    const long = db.transaction(async (tx) => {
      await sleep(50)
      await tx.table(Group).insertOne(group(100))
    })
    const closing = db.close()
    const outcomes = await Promise.allSettled([...calls, long])
    expect(outcomes.filter((it) => it.status === 'rejected')).toEqual([])
    await closing
    expect(await command(url, 'select code from groups')).toHaveLength(21)
  })

  it('a ready pool: a connection that is killed inside a transaction fails it, and nothing else', async () => {
    const url = await databases.create()
    const pool = new Pool({ connectionString: url, max: 2 })
    // This connection was there before the database: nothing tells of its making.
    await pool.query('select 1')
    const db = await openDatabase(postgres({ pool }))
    await db.sync(suiteTables)
    const running = db.transaction(async (tx) => {
      const [{ pid }] = (await tx.sql`select pg_backend_pid() as pid`) as [{ pid: number }]
      await command(url, `select pg_terminate_backend(${pid})`)
      await sleep(50)
      await tx.table(Group).insertOne(group(1))
    })
    await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await db.table(Group).count()).toBe(0)
    await db.close()
    await pool.end()
  })

  it('a ready pool is left as it was found', async () => {
    const pool = new Pool({ connectionString: await databases.create(), max: 1 })
    const client = await pool.connect()
    client.release()
    const listeners = () => [pool, client].map((it) => it.listenerCount('error'))
    const before = listeners()
    for (let round = 0; round < 3; round++) {
      const db = await openDatabase(postgres({ pool }))
      await db.transaction((tx) => tx.sql`select 1`)
      await db.close()
    }
    expect(listeners()).toEqual(before)
    const db = await openDatabase(postgres({ pool }))
    await pool.end()
    await expect(db.sql`select 1`).rejects.toMatchObject({ code: 'CLOSED' })
    await db.close()
  })

  it('a number beyond 2^53 − 1 is not counted, and nothing is stored', async () => {
    const db = await openDatabase(postgres({ url: await databases.create() }))
    await db.sync(suiteTables)
    const teams = db.table(Team)
    await teams.insertOne({ id: Number.MAX_SAFE_INTEGER, name: 'last' })
    const refused = { code: 'NUMBER_UNSAFE', fields: ['id'] }
    await expect(teams.insertOne({ name: 'one' })).rejects.toMatchObject(refused)
    await expect(teams.insertMany([{ name: 'one' }, { name: 'two' }])).rejects.toMatchObject(refused)
    expect(await teams.findMany()).toEqual([{ id: Number.MAX_SAFE_INTEGER, name: 'last' }])
    await db.close()
  })
})
