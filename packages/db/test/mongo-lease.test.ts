/** One sync at a time on MongoDB, whatever becomes of those that hold its lease. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Database, openDatabase } from '@portico/db'
import { type MongoDatabase, mongo } from '@portico/db/mongo'
import { type Db, type Document, MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { speedUpClock } from '../../../test/support/fast-clock.ts'
import { after, allow, before, expected, fill } from './programs/sync-scenario.mjs'
import { startFakeReplicaSet } from './support/fake-replica-set.ts'
import { hasMongo, useMongo, withMongo } from './support/mongo-databases.ts'
import { hookWrites, type Write } from './support/mongo-hooks.ts'
import { runStatement, tableOf } from './support/statements.ts'
import { models, notes } from './support/sync.ts'

const syncAndDie = fileURLToPath(new URL('programs/sync-and-die.mjs', import.meta.url))
const slow = { timeout: 120_000 }

describe.skipIf(!hasMongo)('the lease of a sync on MongoDB', () => {
  const databases = useMongo()
  const leaseOf = (raw: Db) => raw.collection('portico__lease').findOne()
  const take = (raw: Db) =>
    raw.collection('portico__lease').updateOne({}, { $set: { owner: 'another', leaseMs: 50 }, $inc: { token: 1 } })
  const others = models("@db.table 'others' export interface Other { @meta.id @db.default.increment id: number }")
  const first = notes('@db.index.unique\n a: string')
  const second = [...notes('@db.index.unique\n a: number'), ...others]
  const narrow = { allow: ['narrow notes.a'] }

  /** A sync of two tables, one of which has values that are converted. */
  async function syncHooked(raw: Db, hook: (write: Write) => unknown): Promise<unknown> {
    await using db = await openDatabase(mongo({ db: hookWrites(raw, hook), leaseMs: 60_000 }))
    return await db.sync(second, narrow)
  }

  async function prepare(raw: Db): Promise<void> {
    await using db = await openDatabase(mongo({ db: hookWrites(raw, () => {}) }))
    await db.sync(first)
    await db.table(tableOf(first[0]!)).insertMany([
      { id: 1, a: '1' },
      { id: 2, a: '2' },
    ])
  }

  async function expectWhole(raw: Db): Promise<void> {
    await using db = await openDatabase(mongo({ db: hookWrites(raw, () => {}), leaseMs: 50 }))
    await db.sync(second, narrow)
    expect(await db.planSync(second)).toMatchObject({ steps: [], problems: [] })
    expect(await runStatement(db, second, 'select * from notes')).toEqual([
      { id: 1, a: 1 },
      { id: 2, a: 2 },
    ])
    expect(await raw.collection('notes').countDocuments({ portico__new: { $exists: true } })).toBe(0)
  }

  it('a sync that lost it writes nothing more, and the next one finishes', slow, async () => {
    let total = 0
    await withMongo(databases.create(), async (client) => {
      await prepare(client.db())
      await syncHooked(client.db(), ({ count }) => (total = count))
    })
    expect(total).toBeGreaterThan(10)
    for (let place = 1; place <= total; place++) {
      await withMongo(databases.create(), async (client) => {
        const raw = client.db()
        await prepare(raw)
        let last = 0
        const syncing = syncHooked(raw, async ({ count }) => {
          last = count
          if (count === place) await take(raw)
        })
        // A write that was already sent cannot be recalled.
        if (place < total) await expect(syncing).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
        await syncing.catch(() => {})
        expect(last).toBe(place)
        expect(await leaseOf(raw)).toMatchObject({ owner: 'another' })
        await expectWhole(raw)
      })
    }
  })

  it('the next sync undoes what the former owner had only prepared', async () => {
    await withMongo(databases.create(), async (client) => {
      const raw = client.db()
      await prepare(raw)
      const syncing = syncHooked(raw, async ({ method }) => {
        if (method === 'bulkWrite') await take(raw)
      })
      await expect(syncing).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
      const isPrepared = { portico__new: { $exists: true } }
      expect(await raw.collection('notes').countDocuments(isPrepared)).toBe(2)
      await using db = await openDatabase(mongo({ db: hookWrites(raw, () => {}), leaseMs: 50 }))
      expect((await db.sync(first)).steps).toEqual([])
      expect(await raw.collection('notes').countDocuments(isPrepared)).toBe(0)
      expect(await raw.collection('portico__catalog').countDocuments({ task: { $ne: 'null' } })).toBe(0)
    })
  })

  it('a late metadata write of the former owner does not undo those of the next one', async () => {
    await withMongo(databases.create(), async (client) => {
      const raw = client.db()
      await prepare(raw)
      const catalog = raw.collection('portico__catalog')
      const syncing = syncHooked(raw, async ({ collection }) => {
        if (collection === 'portico__catalog') await catalog.updateMany({}, { $set: { fence: 99 } })
      })
      await expect(syncing).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
      const [entry] = await catalog.find({ _id: 'notes' as never }).toArray()
      expect(entry).toMatchObject({ fence: 99, task: 'null' })
    })
  })

  it('the former owner cannot swap in the copy of the next one', slow, async () => {
    await withMongo(databases.create(), async (client) => {
      const raw = client.db()
      const keyed = (type: string) => models(`@db.table 'notes' export interface Note { @meta.id id: ${type} }`)
      const allow = ['narrow notes.id', 'convert notes.id']
      const open = (hook: (write: Write) => unknown, leaseMs: number) =>
        openDatabase(mongo({ db: hookWrites(raw, hook), leaseMs }))
      const [held, release] = createSignal()
      const [holding, isHolding] = createSignal()
      let outcome: Promise<unknown> = Promise.resolve()
      const holdSwap = async ({ method }: Write): Promise<void> => {
        if (method !== 'rename') return
        isHolding()
        await held
      }
      const letSwap = async ({ method, collection }: Write): Promise<void> => {
        if (method !== 'insertMany' || !collection.endsWith('notes')) return
        release()
        await outcome
        expect(await raw.collection('notes').countDocuments()).toBe(2)
      }
      await using late = await open(holdSwap, 60_000)
      await late.sync(keyed('string'))
      await raw.collection('notes').insertMany([{ _id: '1' as never }, { _id: '2' as never }])
      outcome = late.sync(keyed('number'), { allow }).catch((error: { code: string }) => error.code)
      await holding
      // As if it had been silent for longer than it said.
      await raw.collection('portico__lease').updateOne({}, { $set: { leaseMs: 50 } })
      await using next = await open(letSwap, 50)
      await next.sync(keyed('number'), { allow })
      await next.sync(keyed('string'), { allow })
      expect(await raw.collection('notes').find().sort({ _id: 1 }).toArray()).toEqual([{ _id: '1' }, { _id: '2' }])
      expect(await outcome).toEqual(expect.any(String))
    })
  })

  it('a running sync keeps it, however long it takes', slow, async () => {
    await withMongo(databases.create(), async (client) => {
      const raw = client.db()
      const [held, release] = createSignal()
      const [holding, isHolding] = createSignal()
      const hook = ({ collection }: Write): Promise<void> | undefined => {
        if (collection !== 'notes') return undefined
        isHolding()
        return held
      }
      await using slowly = await openDatabase(mongo({ db: hookWrites(raw, hook), leaseMs: 2000 }))
      const syncing = slowly.sync(first)
      await holding
      const begun = (await leaseOf(raw))!
      await using other = await openDatabase(mongo({ db: hookWrites(raw, () => {}), leaseMs: 2000 }))
      const waiting = other.sync(first)
      // Five beats take longer than the other one waits for a sign of life.
      await expect
        .poll(async () => (await leaseOf(raw))!['beat'], { timeout: 60_000 })
        .toBeGreaterThan(begun['beat'] + 5)
      expect(await leaseOf(raw)).toMatchObject({ owner: begun['owner'], token: begun['token'] })
      release()
      expect((await syncing).steps).toHaveLength(1)
      expect((await waiting).steps).toEqual([])
    })
  })

  it('stores how long it is valid without a renewal, whatever others use', slow, async () => {
    const url = databases.create()
    await withMongo(url, async (client) => {
      const raw = client.db()
      const [held, release] = createSignal()
      const [holding, isHolding] = createSignal()
      const hook = ({ collection }: Write): Promise<void> | undefined => {
        if (collection !== 'notes') return undefined
        isHolding()
        return held
      }
      await using silent = await openDatabase(mongo({ db: hookWrites(raw, hook), leaseMs: 600_000 }))
      const syncing = silent.sync(first)
      await holding
      const begun = await leaseOf(raw)
      const hasty = new MongoClient(url, { monitorCommands: true })
      let looks = 0
      hasty.on('commandStarted', ({ commandName, command }) => {
        if (commandName === 'find' && command['find'] === 'portico__lease') looks += 1
      })
      await using other = await openDatabase(mongo({ db: hasty.db() as unknown as MongoDatabase, leaseMs: 20 }))
      const waiting = other.sync(first)
      // It looks every 5 ms: many times as long as it would be silent itself.
      await expect.poll(() => looks, { timeout: 60_000 }).toBeGreaterThan(100)
      expect(await leaseOf(raw)).toEqual(begun)
      release()
      expect((await syncing).steps).toHaveLength(1)
      expect((await waiting).steps).toEqual([])
      await hasty.close()
    })
  })

  it('a sync that resumes too late reports that it was lost', async () => {
    await withMongo(databases.create(), async (client) => {
      const raw = client.db()
      await prepare(raw)
      const counted = raw.collection.bind(raw)
      // Another sync takes over and works, right before this one asks about values.
      raw.collection = ((name: string) => {
        const found = counted(name)
        const find = found.find.bind(found)
        if (name !== 'notes') return found
        return Object.assign(found, {
          find: (...args: Parameters<typeof find>) => {
            const cursor = find(...args)
            const read = async (): Promise<void> => {
              if ((await leaseOf(raw))?.['owner'] === 'another') return
              await take(raw)
              await counted('notes').updateOne({ _id: 1 as never }, { $set: { a: 'none' } })
            }
            const toArray = cursor.toArray.bind(cursor)
            cursor.toArray = async () => {
              await read()
              return toArray()
            }
            const iterate = cursor[Symbol.asyncIterator].bind(cursor)
            cursor[Symbol.asyncIterator] = async function* () {
              await read()
              yield* iterate()
            }
            return cursor
          },
        })
      }) as never
      await using db = await openDatabase(mongo({ db: raw as unknown as MongoDatabase }))
      await expect(db.sync(second, narrow)).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
    })
  })

  it('times out after half a minute if a running sync does not end', slow, async () => {
    await withMongo(databases.create(), async (client) => {
      const raw = client.db()
      const leases = raw.collection('portico__lease')
      await leases.insertOne({ _id: 'sync' as never, owner: 'another', token: 1, beat: 0 })
      const beating = setInterval(() => void leases.updateOne({}, { $inc: { beat: 1 } }).catch(() => {}), 5)
      await using db = await openDatabase(mongo({ db: hookWrites(raw, () => {}), leaseMs: 20_000 }))
      try {
        using clock = speedUpClock(20)
        await expect(db.sync(first)).rejects.toMatchObject({ code: 'SYNC_LOCKED' })
        expect(clock.passedMs).toBeGreaterThan(30_000)
      } finally {
        clearInterval(beating)
      }
      expect(await leaseOf(raw)).toMatchObject({ owner: 'another', token: 1 })
    })
  })

  it('of a killed program is taken over after ten seconds, and its sync is finished', slow, async () => {
    const url = databases.create()
    await using db: Database = await openDatabase(mongo({ url }))
    await db.sync(before)
    await fill((text) => runStatement(db, before, text))
    const dying = promisify(execFile)(process.execPath, [syncAndDie, 'mongo', url, '40', 'after'])
    await expect(dying).rejects.toMatchObject({ signal: 'SIGKILL' })
    {
      using clock = speedUpClock(20)
      await db.sync(after, { allow })
      expect(clock.passedMs).toBeGreaterThan(10_000)
    }
    for (const [table, rows] of Object.entries(expected)) {
      expect(await runStatement(db, after, `select * from ${table} order by id`)).toEqual(rows)
    }
    await withMongo(url, async (client) => expect(await leaseOf(client.db())).toMatchObject({ owner: null, token: 3 }))
  })

  it('uses majority concerns and the primary, as sync and counters do, whatever the URL says', async () => {
    const url = new URL(databases.create())
    await using set = await startFakeReplicaSet(Number(url.port))
    url.port = String(set.port)
    const options = { replicaSet: 'fake', w: '1', readPreference: 'secondaryPreferred' }
    for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value)
    await using db = await openDatabase(mongo({ url: url.href }))
    const strangers = models("@db.table 'strangers' export interface Stranger { @meta.id id: number\n a: string }")
    await db.sync(first)
    await db.table(tableOf(first[0]!)).insertOne({ id: 1, a: '1' })
    await db.table(tableOf(strangers[0]!)).insertOne({ id: 1, a: '1' })
    await db.planSync([...second, ...strangers], narrow)
    await db.sync([...second, ...strangers], narrow)
    await db.table(tableOf(others[0]!)).insertOne({})
    const own = ['notes', 'strangers', 'others']
    const commands = set.take().filter((it) => !own.includes(it['insert']))
    const isElsewhere = (it: Document): boolean => (it['$readPreference']?.mode ?? 'primary') !== 'primary'
    expect(commands.filter(isElsewhere)).toEqual([])
    const writes = ['insert', 'update', 'delete', 'findAndModify', 'create', 'createIndexes']
    const nameOf = (it: Document): string => Object.keys(it)[0]!
    const written = commands.filter((it) => writes.includes(nameOf(it)))
    expect(new Set(written.map(nameOf))).toHaveLength(writes.length)
    expect(written.filter((it) => it['writeConcern']?.w !== 'majority')).toEqual([])
    // Tables are read and written as the address says.
    await db.table(tableOf(second[0]!)).findMany()
    await db.table(tableOf(second[0]!)).deleteMany({})
    expect(
      set
        .take()
        .filter((it) => it['find'] === 'notes')
        .map(isElsewhere),
    ).toEqual([true])
  })
})

function createSignal(): [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [promise, resolve]
}
