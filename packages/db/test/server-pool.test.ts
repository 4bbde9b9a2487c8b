import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@portico/db'
import { Group, suiteTables, Team } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { runText, servers } from './support/engines.ts'
import { killOthers } from './support/kill-others.ts'
import { runProgram } from './support/programs.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

describe.each(servers)('the connections of $name', ({ name, isThere, use, adapter, openPool, command, texts }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = use()

    it('close waits for pending calls, also for those without a connection yet', async () => {
      const url = await databases.create()
      const db = await openDatabase(adapter({ url, maxConnections: 2 }))
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
      expect(await command(url, 'select code from "groups"')).toHaveLength(21)
    })

    it('idle connections do not keep the process alive', async () => {
      await using program = runProgram('end-by-itself', [await databases.create()])
      await program.line(/^used/)
      expect((await program.ended).code).toBe(0)
    })

    it('a transaction that times out does not wait for its statement, and releases its only connection', async () => {
      const db = await openDatabase(adapter({ url: await databases.create(), maxConnections: 1 }))
      await db.sync(suiteTables)
      const outcomes: PromiseSettledResult<unknown>[] = []
      const running = db.transaction(
        async (tx) => {
          await tx.table(Group).insertOne(group(1))
          // The second is not sent before the first is answered.
          outcomes.push(...(await Promise.allSettled([runText(tx, texts.sleep), tx.table(Group).count()])))
        },
        { timeoutMs: 300 },
      )
      await expect(running).rejects.toMatchObject({ code: 'TIMEOUT' })
      await expect.poll(() => outcomes).toHaveLength(2)
      const timeout = { status: 'rejected', reason: { code: 'TIMEOUT' } }
      expect(outcomes).toMatchObject([timeout, timeout])
      expect(await db.table(Group).count()).toBe(0)
      await db.close()
    })

    it('neither does one whose statement belongs to a nested one, or blocks one', async () => {
      const db = await openDatabase(adapter({ url: await databases.create(), maxConnections: 1 }))
      await db.sync(suiteTables)
      const outcomes: PromiseSettledResult<unknown>[] = []
      const keep = async (...calls: readonly Promise<unknown>[]): Promise<void> => {
        outcomes.push(...(await Promise.allSettled(calls)))
      }
      const deep = db.transaction(
        (tx) =>
          tx.transaction((inner) =>
            inner.transaction(async (innermost) => {
              await innermost.table(Group).insertOne(group(1))
              await keep(runText(innermost, texts.sleep))
            }),
          ),
        { timeoutMs: 300 },
      )
      await expect(deep).rejects.toMatchObject({ code: 'TIMEOUT' })
      const behind = db.transaction(
        (tx) =>
          keep(
            runText(tx, texts.sleep),
            tx.transaction((inner) => inner.table(Group).insertOne(group(2))),
          ),
        { timeoutMs: 300 },
      )
      await expect(behind).rejects.toMatchObject({ code: 'TIMEOUT' })
      // The function is over, and what it has nested is not.
      const left = db.transaction(
        async (tx) => {
          void keep(tx.transaction((inner) => runText(inner, texts.sleep)))
          await tx.table(Group).count()
        },
        { timeoutMs: 300 },
      )
      await expect(left).rejects.toMatchObject({ code: 'TIMEOUT' })
      await expect.poll(() => outcomes).toHaveLength(4)
      const timeout = { status: 'rejected', reason: { code: 'TIMEOUT' } }
      expect(outcomes).toMatchObject([timeout, timeout, timeout, timeout])
      expect(await db.table(Group).count()).toBe(0)
      await db.close()
    })

    it('a pool that is passed in: a connection killed inside a transaction fails only that transaction', async () => {
      const url = await databases.create()
      const pool = openPool(url, 2)
      // This connection is older than the database, which saw no event for it.
      await pool.touch()
      const db = await openDatabase(pool.adapter)
      await db.sync(suiteTables)
      const running = db.transaction(async (tx) => {
        const [{ id }] = (await runText(tx, texts.connectionId)) as [{ id: number }]
        await command(url, texts.kill(id))
        await sleep(50)
        await tx.table(Group).insertOne(group(1))
      })
      await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      expect(await db.table(Group).count()).toBe(0)
      await db.close()
      await pool.end()
    })

    it('idle connections that died: reads and transactions use new ones', async () => {
      const url = await databases.create()
      const db = await openDatabase(adapter({ url, maxConnections: 10 }))
      await db.sync(suiteTables)
      await db.table(Group).insertOne(group(1))
      const openAll = async (): Promise<void> => {
        const opened = await Promise.all(Array.from({ length: 10 }, () => runText(db, texts.nap)))
        expect(opened).toHaveLength(10)
      }
      await openAll()
      killOthers(name, url)
      const counts = await Promise.all(Array.from({ length: 10 }, () => db.table(Group).count()))
      expect(counts).toEqual(Array.from({ length: 10 }, () => 1))
      await openAll()
      killOthers(name, url)
      await Promise.all([2, 3, 4].map((code) => db.transaction((tx) => tx.table(Group).insertOne(group(code)))))
      // After a single loss, what is as old is not used either.
      await openAll()
      killOthers(name, url)
      await db.table(Group).count()
      await Promise.all([5, 6, 7].map((code) => db.table(Group).insertOne(group(code))))
      expect(await db.table(Group).count()).toBe(7)
      await db.close()
    })

    it.each(texts.lasting)('session state of raw SQL does not leak to other calls: %s', async (text) => {
      const db = await openDatabase(adapter({ url: await databases.create(), maxConnections: 1 }))
      await db.sync(suiteTables)
      const stored = await db.table(Group).insertOne(group(1))
      const [before] = await runText(db, texts.connectionId)
      await runText(db, text)
      expect(await db.table(Group).findMany()).toEqual([stored])
      expect(await runText(db, texts.connectionId)).not.toEqual([before])
      await db.transaction((tx) => runText(tx, text)).catch(() => {})
      await db.table(Group).insertOne(group(2))
      expect(await db.table(Group).count()).toBe(2)
      await db.close()
    })

    it('raw SQL without session state keeps its connection', async () => {
      const db = await openDatabase(adapter({ url: await databases.create(), maxConnections: 1 }))
      const [before] = await runText(db, texts.connectionId)
      for (const text of texts.passing) {
        await runText(db, text)
        await db.transaction((tx) => runText(tx, text))
      }
      expect(await runText(db, texts.connectionId)).toEqual([before])
      await db.close()
    })

    it('a pool that is passed in is left as it was', async () => {
      const pool = openPool(await databases.create(), 1)
      await pool.touch()
      const before = await pool.countListeners()
      for (let round = 0; round < 3; round++) {
        const db = await openDatabase(pool.adapter)
        await db.transaction((tx) => tx.sql`select 1`)
        await db.close()
      }
      expect(await pool.countListeners()).toEqual(before)
      const db = await openDatabase(pool.adapter)
      await pool.end()
      await expect(db.sql`select 1`).rejects.toMatchObject({ code: 'CLOSED' })
      await db.close()
    })
  })
})
