import { AsyncLocalStorage } from 'node:async_hooks'
import { readdir } from 'node:fs/promises'
import { type Database, DbError, openDatabase } from '@portico/db'
import { sqlite } from '@portico/db/sqlite'
import { Group, suiteTables, Team } from '@portico/db/testing'
import BetterSqlite from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runText, temporaryFolder } from './support/engines.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function openEmpty(): Promise<Database> {
  const db = await openDatabase(sqlite({ file: ':memory:' }))
  await db.sync(suiteTables)
  return db
}

/** Whoever waits for the connection would wait for ever if it was not given back. */
async function expectFree(db: Database, codes: readonly number[]): Promise<void> {
  await db.transaction((tx) => tx.table(Group).insertOne(group(1000)))
  const found = await db.table(Group).findMany({ orderBy: { code: 'asc' } })
  expect(found.map((it) => it.code)).toEqual([...codes, 1000])
  await db.close()
}

describe('a transaction that cannot be committed is rolled back, and the next one can begin:', () => {
  it('a reference to a missing record', async () => {
    const db = await openEmpty()
    await db.sql`create table parts (id integer primary key, whole integer references parts)`
    const running = db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(1))
      await tx.sql`pragma defer_foreign_keys = on`
      await tx.sql`insert into parts (id, whole) values (1, 2)`
    })
    await expect(running).rejects.toMatchObject({ code: 'FOREIGN_KEY_VIOLATION' })
    await expectFree(db, [])
  })

  it('a file that stays locked by a reader', async () => {
    await using folder = await temporaryFolder()
    const handle = new BetterSqlite(folder.file('a.db'))
    const reader = new BetterSqlite(folder.file('a.db'))
    try {
      const db = await openDatabase(sqlite({ handle, busyTimeoutMs: 30 }))
      await db.sync(suiteTables)
      reader.exec('begin; select count(*) from groups')
      const running = db.transaction((tx) => tx.table(Group).insertOne(group(1)))
      await expect(running).rejects.toMatchObject({ code: 'TIMEOUT' })
      reader.exec('commit')
      await expectFree(db, [])
    } finally {
      reader.close()
      handle.close()
    }
  })

  it('a raw statement that ended it', async () => {
    const db = await openEmpty()
    const last = db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(1))
      await tx.sql`rollback`
    })
    await expect(last).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    const goingOn = db.transaction(async (tx) => {
      await tx.sql`rollback`
      await tx.table(Group).insertOne(group(2))
    })
    await expect(goingOn).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    await expectFree(db, [])
  })

  it('a trigger that rolls back from inside a nested one', async () => {
    const db = await openEmpty()
    await db.sql`create trigger refuse before insert on groups when new.code = 2
      begin select raise(rollback, 'not two'); end`
    const running = db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(1))
      const inner = tx.transaction((nested) => nested.table(Group).insertOne(group(2)))
      await expect(inner).rejects.toMatchObject({ code: 'CONSTRAINT_VIOLATION' })
      await expect(tx.table(Group).insertOne(group(3))).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    })
    await expect(running).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    await expectFree(db, [])
  })
})

it('a list with some explicit numbers may be as long as any other', async () => {
  const db = await openEmpty()
  const counted = Array.from({ length: 150_000 }, (_, index) => ({ name: `${index}` }))
  const stored = await db.table(Team).insertMany([{ id: 5, name: 'five' }, ...counted])
  expect(stored).toHaveLength(150_001)
  expect(await db.table(Team).count()).toBe(150_001)
  await db.close()
})

it('auto-increment stops at 2^53 − 1, and nothing is stored', async () => {
  const db = await openEmpty()
  const teams = db.table(Team)
  await db.sql`insert into org__teams (id, name) values (${Number.MAX_SAFE_INTEGER}, 'last')`
  const refused = { code: 'NUMBER_UNSAFE', fields: ['id'] }
  await expect(teams.insertOne({ name: 'one' })).rejects.toMatchObject(refused)
  await expect(teams.insertMany([{ name: 'one' }, { name: 'two' }])).rejects.toMatchObject(refused)
  await expect(db.transaction((tx) => tx.table(Team).insertOne({ name: 'one' }))).rejects.toMatchObject(refused)
  expect(await teams.findMany()).toEqual([{ id: Number.MAX_SAFE_INTEGER, name: 'last' }])
  await db.close()
})

it.each([String(Number.MAX_SAFE_INTEGER), '9223372036854775807'])(
  'a counter at %s continues after the highest stored number',
  async (last) => {
    const db = await openEmpty()
    const teams = db.table(Team)
    await teams.insertOne({ id: 150, name: 'stored' })
    const exhaust = () => db.sql`update sqlite_sequence set seq = cast(${last} as integer) where name = 'org__teams'`
    await exhaust()
    expect((await teams.insertMany([{ name: 'a' }, { name: 'b' }])).map((it) => it.id)).toEqual([151, 152])
    // At the very end of 64 bits, SQLite itself takes back the whole transaction.
    await db.sql`update sqlite_sequence set seq = ${Number.MAX_SAFE_INTEGER} where name = 'org__teams'`
    const kept = await db.transaction(async (tx) => {
      const before = await tx.table(Team).insertOne({ id: 160, name: 'before' })
      return [before, await tx.table(Team).insertOne({ name: 'c' })]
    })
    expect(kept.map((it) => it.id)).toEqual([160, 161])
    await db.close()
  },
)

it.each([
  { what: 'one', records: [{ name: 'b' }] },
  { what: 'several', records: [{ name: 'b' }, { name: 'c' }] },
])('if SQLite itself rolls back a transaction, nothing of an insert of $what is kept', async ({ records }) => {
  const db = await openEmpty()
  const teams = db.table(Team)
  await teams.insertOne({ id: 150, name: 'stored' })
  await db.sql`update sqlite_sequence set seq = 9223372036854775807 where name = 'org__teams'`
  const running = db.transaction(async (tx) => {
    await tx.table(Team).updateOne({ id: 150, name: 'changed' })
    await tx.table(Team).insertMany(records)
  })
  await expect(running).rejects.toMatchObject({ code: 'NUMBER_UNSAFE', fields: ['id'] })
  expect(await teams.findMany()).toEqual([{ id: 150, name: 'stored' }])
  expect(await db.transaction((tx) => tx.table(Team).insertOne({ name: 'next' }))).toMatchObject({ id: 151 })
  await db.close()
})

describe('the timeout of a transaction', () => {
  const never = new Promise<never>(() => {})

  afterEach(() => {
    vi.useRealTimers()
  })

  /** A transaction that does nothing, and how it ended, if it did. */
  async function idle(db: Database): Promise<() => string> {
    let state = 'open'
    const { promise, resolve } = createSignal()
    db.transaction(async () => {
      resolve()
      await never
    }).catch((error: { code: string }) => {
      state = error.code
    })
    await promise
    return () => state
  }

  it('is 30 s unless the database says otherwise; 0 disables the limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const db = await openEmpty()
    const state = await idle(db)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(state()).toBe('open')
    await vi.advanceTimersByTimeAsync(1)
    expect(state()).toBe('TIMEOUT')
    await db.close()
    const short = await openDatabase(sqlite({ file: ':memory:' }), { transactionTimeoutMs: 100 })
    const other = await idle(short)
    await vi.advanceTimersByTimeAsync(100)
    expect(other()).toBe('TIMEOUT')
    await short.close()
    const endless = await openDatabase(sqlite({ file: ':memory:' }), { transactionTimeoutMs: 0 })
    const last = await idle(endless)
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(last()).toBe('open')
  })

  it('starts again with each attempt, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const db = await openEmpty()
    let attempts = 0
    await db.transaction(async () => {
      attempts += 1
      await vi.advanceTimersByTimeAsync(20_000)
      if (attempts < 3) throw new DbError('SERIALIZATION_FAILED', 'again')
    })
    expect(attempts).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
    await db.close()
  })

  it('an open transaction does not block readers of a file, which see committed data', async () => {
    await using folder = await temporaryFolder()
    const db = await openDatabase(sqlite({ file: folder.file('a.db') }))
    await db.sync(suiteTables)
    for (const round of [1, 2, 3]) {
      await db.table(Group).insertOne(group(round))
      const { promise: asked, resolve: finish } = createSignal()
      const { promise: written, resolve: signalWritten } = createSignal()
      const running = db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(100 + round))
        signalWritten()
        await asked
      })
      await written
      const seen = Array.from({ length: 2 * round - 1 }, () => expect.anything())
      expect(await db.table(Group).findMany()).toEqual(seen)
      expect(await db.table(Group).count()).toBe(2 * round - 1)
      expect(await db.table(Group).exists({ code: 100 + round })).toBe(false)
      expect(await db.sql`/* how many */ select count(*) as n from groups`).toEqual([{ n: 2 * round - 1 }])
      let streamed = 0
      for await (const _ of db.table(Group).stream()) streamed += 1
      expect(streamed).toBe(2 * round - 1)
      // Writes wait, and so do questions about the connection itself.
      const later = Promise.all([
        db.sql`insert into groups (region, code, title) values ('eu', ${200 + round}, 't') returning code`,
        db.sql`pragma foreign_keys`,
      ])
      finish()
      await running
      expect(await later).toEqual([[{ code: 200 + round }], [{ foreign_keys: 1 }]])
      await db.table(Group).deleteMany({ code: 200 + round })
      expect(await db.table(Group).count()).toBe(2 * round)
    }
    await db.close()
    expect(await readdir(folder.path)).toEqual(['a.db'])
  })

  it('a reader follows schema changes, and waits for a table that is being created', async () => {
    await using folder = await temporaryFolder()
    const db = await openDatabase(sqlite({ file: folder.file('a.db') }))
    await db.sync(suiteTables)
    await db.table(Group).insertOne(group(1))
    const readInside = async (change: string | undefined): Promise<unknown> => {
      let reading: Promise<unknown> | undefined
      await db.transaction(async (tx) => {
        if (change !== undefined) await runText(tx, change)
        reading = outside(() => db.table(Group).findMany())
      })
      return reading
    }
    // Code that runs outside of the transaction while it is open.
    const outside = AsyncLocalStorage.snapshot() as <T>(work: () => T) => T
    const found = [group(1)]
    expect(await readInside(undefined)).toEqual(found)
    await runText(db, 'alter table groups add column extra text')
    expect(await readInside(undefined)).toEqual(found)
    await runText(db, 'alter table groups rename to old')
    expect(await readInside('alter table old rename to groups')).toEqual(found)
    await db.close()
  })

  it('in memory there is one connection: a reader waits for the transaction to end', async () => {
    const db = await openEmpty()
    const { promise: asked, resolve: finish } = createSignal()
    const { promise: written, resolve: signalWritten } = createSignal()
    const running = db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(1))
      signalWritten()
      await asked
    })
    await written
    const reading = db.table(Group).count()
    finish()
    expect(await reading).toBe(1)
    await running
    await db.close()
  })
})

describe('the async context of a transaction', () => {
  it('is kept until the outermost one has ended, and again in the next one', async () => {
    const db = await openEmpty()
    for (const code of [1, 2]) {
      await db.transaction(async (tx) => {
        await tx.transaction((nested) => nested.table(Group).insertOne(group(code)))
        await expect(db.table(Group).count()).rejects.toMatchObject({ code: 'TRANSACTION_MISUSE' })
      })
    }
    expect(await db.table(Group).count()).toBe(2)
    await db.close()
  })

  it('costs nothing once all transactions have ended, committed or not', async () => {
    const db = await openEmpty()
    const disable = vi.spyOn(AsyncLocalStorage.prototype, 'disable')
    try {
      await db.transaction(async (tx) => {
        await tx.transaction((nested) => nested.table(Group).count())
        expect(disable).not.toHaveBeenCalled()
      })
      expect(disable).toHaveBeenCalledTimes(1)
      await db.transaction(() => Promise.reject(new Error('no'))).catch(() => {})
      expect(disable).toHaveBeenCalledTimes(2)
    } finally {
      disable.mockRestore()
    }
    await db.close()
  })
})
