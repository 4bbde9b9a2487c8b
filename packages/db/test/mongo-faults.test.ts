import { randomInt } from 'node:crypto'
import { getServers, setServers } from 'node:dns'
import { inspect } from 'node:util'
import { openDatabase } from '@portico/db'
import type { Adapter } from '@portico/db/adapter'
import { type MongoDatabase, type MongoOptions, mongo } from '@portico/db/mongo'
import { Group, Person, suiteTables, Team } from '@portico/db/testing'
import { MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { hasMongo, useMongo, withMongo, withOption } from './support/mongo-databases.ts'
import { hookWrites } from './support/mongo-hooks.ts'
import { cuts, openProxied, type ProxiedDatabase } from './support/proxied-database.ts'
import { tableOf } from './support/statements.ts'
import { notes } from './support/sync.ts'
import type { Fault } from './support/tcp-proxy.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

describe.skipIf(!hasMongo)('MongoDB behind a connection that fails', () => {
  const databases = useMongo()

  interface Setup extends ProxiedDatabase {
    /** Reads the collection without the proxy. */
    stored(collection: string): Promise<object[]>
  }

  // Only what the tests do is to pass the proxy, not the driver's own looking around.
  const adapter = ({ url, ...options }: MongoOptions): Adapter =>
    mongo({ ...options, url: withOption(url, 'directConnection', 'true') })

  async function open(options: Partial<MongoOptions> = {}): Promise<Setup> {
    const url = databases.create()
    const stored: Setup['stored'] = (collection) =>
      withMongo(url, (client) => client.db().collection(collection).find().toArray())
    return Object.assign(await openProxied(adapter, url, options), { stored })
  }

  it.each(cuts)('a write in flight fails with UNAVAILABLE and is applied at most once: %s', async (fault, applied) => {
    await using setup = await open()
    const { db, proxy } = setup
    proxy.arm(/insert.*groups/s, fault)
    await expect(db.table(Group).insertOne(group(1))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: expect.any(Error),
    })
    expect(proxy.isSprung).toBe(true)
    await expect.poll(() => setup.stored('groups')).toHaveLength(applied)
    // Later calls use a new connection.
    await db.table(Group).insertOne(group(2))
    expect(await db.table(Group).count()).toBe(applied + 1)
  })

  it.each(cuts)('a read in flight is retried: %s', async (fault) => {
    await using setup = await open()
    const { db, proxy } = setup
    await db.table(Group).insertOne(group(1))
    proxy.arm(/find.*groups/s, fault)
    expect(await db.table(Group).findMany()).toEqual([group(1)])
    expect(proxy.isSprung).toBe(true)
  })

  // This state is hard to time, so the driver's error is simulated.
  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])(
    'a write on a connection that the server has just ended fails with UNAVAILABLE: %s',
    (code) =>
      withMongo(databases.create(), async (client) => {
        const hooked = hookWrites(client.db(), ({ collection }) => {
          if (collection === 'groups') throw Object.assign(new Error('the other party has gone'), { code })
        })
        await using db = await openDatabase(mongo({ db: hooked }))
        await expect(db.table(Group).insertOne(group(1))).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          cause: { code },
        })
      }),
  )

  it('an answer that never comes is a TIMEOUT, and later calls work', async () => {
    await using setup = await open({ statementTimeoutMs: 200 })
    const { db, proxy } = setup
    proxy.arm(/insert.*groups/s, 'hold')
    await expect(db.table(Group).insertOne(group(1))).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(await db.table(Group).count()).toBe(1)
  })

  it('statementTimeoutMs does not apply to sync', { timeout: 60_000 }, async () => {
    await using setup = await open({ statementTimeoutMs: 200 })
    const { db, proxy } = setup
    await db.sync(notes('a: number'))
    await db.table(tableOf(notes('a: number')[0]!)).insertOne({ id: 1, a: 1 })
    const after = notes('a: string')
    proxy.arm(/aggregate.*notes/s, 'late')
    expect((await db.planSync(after)).steps).toHaveLength(1)
    expect(proxy.isSprung).toBe(true)
    proxy.arm(/update.*portico__new/s, 'late')
    expect((await db.sync(after, { allow: ['convert notes.a'] })).steps).toHaveLength(1)
    expect(proxy.isSprung).toBe(true)
    proxy.arm(/insert.*notes/s, 'late')
    const inserting = db.table(tableOf(after[0]!)).insertOne({ id: 2, a: 'x' })
    await expect(inserting).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('calls fail while the server is away, and work again afterwards', async () => {
    await using setup = await open({ connectTimeoutMs: 300 })
    const { db, proxy } = setup
    await Promise.all([1, 2, 3].map((code) => db.table(Group).insertOne(group(code))))
    proxy.down(true)
    await expect(db.table(Group).count()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(db.table(Group).insertOne(group(4))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    proxy.down(false)
    await expect
      .poll(() =>
        db
          .table(Group)
          .count()
          .catch(() => 0),
      )
      .toBe(3)
    await db.table(Group).insertOne(group(4))
    expect(await db.table(Group).count()).toBe(4)
  })

  it('no acknowledged update is lost, and none is applied twice, whatever fails', {
    timeout: 180_000,
  }, async () => {
    await using setup = await open({ statementTimeoutMs: 300 })
    const { db, proxy } = setup
    const { id } = await db.table(Person).insertOne({ name: 'p' })
    const kinds: Fault[] = ['cutBefore', 'cutAfter', 'reset', 'hold']
    let acknowledged = 0
    let unknown = 0
    for (let round = 0; round < heavy(60); round++) {
      if (round % 2 === 0) proxy.arm(/update.*people/s, kinds[randomInt(kinds.length)]!)
      await db
        .table(Person)
        .updateOne({ id, name: `round ${round}` })
        .then(
          () => (acknowledged += 1),
          (error: { code: string }) => {
            expect(['UNAVAILABLE', 'TIMEOUT']).toContain(error.code)
            unknown += 1
          },
        )
    }
    const [{ version }] = (await setup.stored('people')) as [{ version: number }]
    expect(version - 1).toBeGreaterThanOrEqual(acknowledged)
    expect(version - 1).toBeLessThanOrEqual(acknowledged + unknown)
    expect(unknown).toBeGreaterThan(0)
    expect(acknowledged).toBeGreaterThan(0)
  })

  it('opening fails with UNAVAILABLE if nobody listens, without the password in the message', async () => {
    const url = 'mongodb://me:secret@127.0.0.1:1/app'
    const error = await openDatabase(mongo({ url, connectTimeoutMs: 300 })).catch((it: Error) => it)
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message: 'cannot reach MongoDB at 127.0.0.1:1 (ECONNREFUSED)' })
  })

  it.each([
    ['lacks a host', 'mongodb://bob:secret@/app'],
    ['has a port alone', 'mongodb://bob:secret@:27017/app'],
    ['has a password that is not encoded', 'mongodb://bob:my@secret@127.0.0.1:1/app'],
    ['has an unknown option', 'mongodb://bob:secret@127.0.0.1:1/app?sure=1'],
  ])('a URL that %s is OPTIONS_INVALID, without the password in the message', async (_, url) => {
    const error = await (async () => openDatabase(mongo({ url })))().catch((it: Error) => it)
    expect(error).toMatchObject({ code: 'OPTIONS_INVALID' })
    expect(inspect(error)).not.toContain('secret')
  })

  it('unacknowledged writes (w=0) are refused at opening', async () => {
    const url = withOption(databases.create(), 'w', '0')
    const refused = { code: 'OPTIONS_INVALID', message: expect.stringContaining('`w=0`') }
    await expect(openDatabase(mongo({ url }))).rejects.toMatchObject(refused)
    await withMongo(url, async (client) => {
      const db = client.db() as unknown as MongoDatabase
      await expect(openDatabase(mongo({ db }))).rejects.toMatchObject(refused)
    })
  })

  it('a URL whose host names cannot be resolved is UNAVAILABLE', { timeout: 60_000 }, async () => {
    const servers = getServers()
    setServers(['127.0.0.1:1'])
    try {
      const url = 'mongodb+srv://me:secret@nowhere.invalid/app'
      const error = await openDatabase(mongo({ url, connectTimeoutMs: 300 })).catch((it: Error) => it)
      const message = expect.stringMatching(/^cannot reach MongoDB at nowhere\.invalid \(E[A-Z]+\)$/)
      expect(error).toMatchObject({ code: 'UNAVAILABLE', message })
    } finally {
      setServers(servers)
    }
  })

  it.skipIf(databases.isNamed)('a refused authentication is UNAVAILABLE, with its reason', async () => {
    const url = databases.create().replace('//', '//me:secret@')
    const error = await openDatabase(mongo({ url })).catch((it: Error) => it)
    const message = expect.stringMatching(/^MongoDB at 127\.0\.0\.1:\d+ does not accept the connection: .*sasl/)
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message })
  })

  it('opens at most maxConnections, and times out waiting for a free one', async () => {
    await using setup = await open({ maxConnections: 1, connectTimeoutMs: 300 })
    const { db, proxy } = setup
    proxy.arm(/insert.*groups/s, 'hold')
    const held = db.table(Group).insertOne(group(1))
    const outcome = held.catch(() => {})
    await expect.poll(() => proxy.isSprung).toBe(true)
    await expect(db.table(Group).count()).rejects.toMatchObject({ code: 'TIMEOUT' })
    proxy.down(true)
    proxy.down(false)
    await outcome
  })

  it('close waits for pending calls', async () => {
    const url = databases.create()
    const db = await openDatabase(mongo({ url, maxConnections: 2 }))
    await db.sync(suiteTables)
    // A number of its own takes several commands, one after the other.
    const calls = Array.from({ length: 20 }, (_, index) => db.table(Team).insertOne({ name: `team ${index}` }))
    const closing = db.close()
    expect((await Promise.allSettled(calls)).filter((it) => it.status === 'rejected')).toEqual([])
    await closing
    await expect(db.table(Group).count()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('a handle that was passed in stays open, and a closed one is CLOSED', async () => {
    const client = new MongoClient(databases.create())
    const handle = client.db() as unknown as MongoDatabase
    const first = await openDatabase(mongo({ db: handle }))
    await first.close()
    const second = await openDatabase(mongo({ db: handle }))
    await second.sync(suiteTables)
    expect(await second.table(Group).count()).toBe(0)
    await second.close()
    const third = await openDatabase(mongo({ db: handle }))
    await client.close()
    await expect(third.table(Group).count()).rejects.toMatchObject({
      code: expect.stringMatching(/CLOSED|UNAVAILABLE/),
    })
    await third.close()
  })
})
