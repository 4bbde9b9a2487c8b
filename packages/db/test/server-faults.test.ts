import { randomInt } from 'node:crypto'
import { inspect } from 'node:util'
import { type Database, openDatabase } from '@portico/db'
import { Group, Person, suiteTables } from '@portico/db/testing'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { runText, type ServerOptions, servers } from './support/engines.ts'
import { cuts, openProxied, type ProxiedDatabase } from './support/proxied-database.ts'
import { type Fault, startProxy } from './support/tcp-proxy.ts'

/** Values go over the wire when a statement is run; its text, where it is prepared, before that. */
const mark = 'm4rk'
const group = (code: number, title = 't') => ({ region: 'eu', code, title })
const stored = 'select code from "groups"'

describe.each(servers)('behind a connection that fails, $name', ({ name, isThere, use, adapter, command, texts }) => {
  describe.skipIf(!isThere)('', () => {
    const databases = use()
    const label = { postgres: 'PostgreSQL', mysql: 'MySQL' }[name]

    const open = async (options: Partial<ServerOptions> = {}): Promise<ProxiedDatabase> =>
      openProxied(adapter, await databases.create(), options)

    it.each(cuts)(
      'a write in flight fails with UNAVAILABLE and is applied at most once: %s',
      async (fault, applied) => {
        await using setup = await open()
        const { db, proxy } = setup
        proxy.arm(new RegExp(mark), fault)
        await expect(db.table(Group).insertOne(group(1, mark))).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          cause: expect.any(Error),
        })
        expect(proxy.isSprung).toBe(true)
        await expect.poll(() => command(setup.url, stored)).toHaveLength(applied)
        // Later calls use a new connection.
        await db.table(Group).insertOne(group(2))
        expect(await db.table(Group).count()).toBe(applied + 1)
      },
    )

    it.each(cuts)(
      'a commit in flight fails with UNAVAILABLE, is not repeated, and is all or nothing: %s',
      async (fault, applied) => {
        await using setup = await open()
        const { db, proxy } = setup
        let calls = 0
        proxy.arm(/COMMIT/, fault)
        const running = db.transaction(async (tx) => {
          calls += 1
          await tx.table(Group).insertMany([group(1), group(2)])
          await tx.table(Group).insertOne(group(3))
        })
        await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' })
        expect(calls).toBe(1)
        await expect.poll(() => command(setup.url, stored)).toHaveLength(applied * 3)
        expect(await db.table(Group).count()).toBe(applied * 3)
      },
    )

    it('a connection that is lost inside a transaction leaves nothing of it', async () => {
      await using setup = await open()
      const { db, proxy } = setup
      const running = db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(1))
        proxy.down(true)
        proxy.down(false)
        await tx.table(Group).insertOne(group(2))
      })
      await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      expect(await db.table(Group).count()).toBe(0)
    })

    it('an answer that never comes is a TIMEOUT, and later calls work', async () => {
      await using setup = await open({ statementTimeoutMs: 200 })
      const { db, proxy } = setup
      proxy.arm(/SELECT count/, 'hold')
      await expect(db.table(Group).count()).rejects.toMatchObject({ code: 'TIMEOUT' })
      expect(await db.table(Group).count()).toBe(0)
    })

    it('calls fail while the server is away, and work again afterwards', async () => {
      await using setup = await open()
      const { db, proxy } = setup
      await Promise.all([1, 2, 3].map((code) => db.table(Group).insertOne(group(code))))
      const inFlight = runText(db, texts.sleep)
      const outcome = expect(inFlight).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await expect.poll(() => command(setup.url, texts.sleepers)).toHaveLength(1)
      proxy.down(true)
      await outcome
      await expect(db.table(Group).count()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await expect(db.transaction(async () => {})).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      proxy.down(false)
      expect(await db.table(Group).count()).toBe(3)
      expect(await db.transaction((tx) => tx.table(Group).count())).toBe(3)
    })

    it('no acknowledged update is lost, and none is applied twice, whatever fails', {
      timeout: 120_000,
    }, async () => {
      await using setup = await open({ statementTimeoutMs: 300 })
      const { db, proxy } = setup
      const { id } = await db.table(Person).insertOne({ name: 'p' })
      const kinds: Fault[] = ['cutBefore', 'cutAfter', 'reset', 'hold']
      let acknowledged = 0
      let unknown = 0
      for (let round = 0; round < heavy(200); round++) {
        const fault = kinds[randomInt(kinds.length)]!
        if (round % 2 === 0) proxy.arm([/./s, /COMMIT/, /BEGIN|START/][randomInt(3)]!, fault)
        const change = { id, name: `round ${round}` }
        const write =
          round % 4 < 2
            ? db.table(Person).updateOne(change)
            : db.transaction((tx) => tx.table(Person).updateOne(change))
        await write.then(
          () => (acknowledged += 1),
          (error: { code: string }) => {
            expect(['UNAVAILABLE', 'TIMEOUT']).toContain(error.code)
            unknown += 1
          },
        )
      }
      const [{ version }] = (await command(setup.url, 'select version from people')) as [{ version: number }]
      expect(version - 1).toBeGreaterThanOrEqual(acknowledged)
      expect(version - 1).toBeLessThanOrEqual(acknowledged + unknown)
      expect(unknown).toBeGreaterThan(0)
      expect(acknowledged).toBeGreaterThan(0)
    })

    it('opening fails with UNAVAILABLE if nobody listens', async () => {
      await using proxy = await startProxy(1)
      await proxy[Symbol.asyncDispose]()
      const opening = openDatabase(adapter({ url: `${name}://portico@127.0.0.1:${proxy.port}/x` }))
      await expect(opening).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    })

    it('errors name host and port, without the password, at opening and later', async () => {
      const error = await openDatabase(adapter({ url: `${name}://me:secret@127.0.0.1:1/app` })).catch((it: Error) => it)
      expect(error).toMatchObject({
        code: 'UNAVAILABLE',
        message: `cannot reach ${label} at 127.0.0.1:1 (ECONNREFUSED)`,
      })
      await using setup = await open({ maxConnections: 1 })
      const { port } = setup.proxy
      await setup.proxy[Symbol.asyncDispose]()
      await setup.db
        .table(Group)
        .count()
        .catch(() => {})
      await expect(setup.db.table(Group).count()).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: `cannot reach ${label} at ${new URL(setup.url).hostname}:${port} (ECONNREFUSED)`,
      })
    })

    it('an invalid URL is reported without the password', async () => {
      const open = async (): Promise<Database> =>
        openDatabase(adapter({ url: `${name}://bob:secret@127.0.0.1:99999/app` }))
      const error = await open().catch((it: Error) => it)
      expect(error).toMatchObject(
        name === 'postgres'
          ? { code: 'UNAVAILABLE', message: 'cannot reach PostgreSQL' }
          : { code: 'OPTIONS_INVALID', message: expect.stringContaining('a URL that begins with mysql://') },
      )
      expect(inspect(error)).not.toContain('secret')
    })

    it('opening a missing database fails with UNAVAILABLE and names it', async () => {
      const url = new URL(await databases.create())
      url.pathname = '/no_such_database'
      const refused = expect.stringMatching(/^the database does not accept the connection: .*no_such_database/)
      await expect(openDatabase(adapter({ url: url.href }))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: refused,
      })
    })

    it('the server cancels a slow statement: TIMEOUT', async () => {
      await using setup = await open({ statementTimeoutMs: 150 })
      await expect(runText(setup.db, texts.sleep)).rejects.toMatchObject({ code: 'TIMEOUT' })
      // Left to itself it would go on for several seconds.
      await expect.poll(() => command(setup.url, texts.sleepers), { timeout: 2000 }).toEqual([])
      const slow = setup.db.transaction((tx) => runText(tx, texts.sleep))
      await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' })
      expect(await setup.db.table(Group).count()).toBe(0)
    })

    it('a timeout of 0 disables it', async () => {
      const url = await databases.create()
      await using db = await openDatabase(adapter({ url, connectTimeoutMs: 0, statementTimeoutMs: 0 }))
      // Longer than the second after which an answer to a limited statement is no longer waited for.
      expect(await runText(db, texts.sleep.replace('5', '1.2'))).toHaveLength(1)
    })

    it('opens at most maxConnections, and times out waiting for a free one', async () => {
      await using setup = await open({ maxConnections: 2, connectTimeoutMs: 300 })
      const { db } = setup
      let release = (): void => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const holders = [1, 2].map((code) =>
        db.transaction(async (tx) => {
          await tx.table(Group).insertOne(group(code))
          await held
        }),
      )
      const late = {
        code: 'TIMEOUT',
        message: expect.stringMatching(/timed out waiting for a connection: all are in use/),
      }
      try {
        await expect(db.table(Group).count()).rejects.toMatchObject(late)
      } finally {
        release()
      }
      await Promise.all(holders)
      expect(await db.table(Group).count()).toBe(2)
    })

    it('deadlocked transactions are retried until both are done', async () => {
      await using setup = await open()
      const { db } = setup
      await db.table(Group).insertMany([group(1), group(2)])
      let calls = 0
      let bothHold = 0
      const swap = (first: number, second: number) =>
        db.transaction(async (tx) => {
          calls += 1
          await tx.table(Group).updateOne({ region: 'eu', code: first, title: `${first}` })
          bothHold += 1
          while (bothHold < 2) await new Promise((resolve) => setTimeout(resolve, 5))
          await tx.table(Group).updateOne({ region: 'eu', code: second, title: `${first}` })
        })
      await Promise.all([swap(1, 2), swap(2, 1)])
      expect(calls).toBeGreaterThan(2)
      const titles = (await db.table(Group).findMany()).map((it) => it.title)
      expect(titles[0]).toBe(titles[1])
    })

    it('of ten concurrent syncs one does the work, and the others find it done', async () => {
      const url = await databases.create()
      const opened = await Promise.all(Array.from({ length: 10 }, () => openDatabase(adapter({ url }))))
      const results = await Promise.all(opened.map((db) => db.sync(suiteTables)))
      expect(results.filter((it) => it.steps.length > 0)).toHaveLength(1)
      await Promise.all(opened.map((db) => db.close()))
    })
  })
})
