import { type Database, openDatabase } from '@portico/db'
import { type MongoOptions, mongo } from '@portico/db/mongo'
import { Group, Membership, Person, suiteTables, Team } from '@portico/db/testing'
import type { Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { type FakeReplicaSet, startFakeReplicaSet } from './support/fake-replica-set.ts'
import { hasMongo, useMongo } from './support/mongo-databases.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

const transient = { ok: 0, code: 246, codeName: 'SnapshotUnavailable', errorLabels: ['TransientTransactionError'] }
const duplicate = {
  ok: 0,
  code: 11000,
  errmsg: 'E11000 duplicate key error collection: x.groups index: _id_ dup key: {}',
}
const unknownCommit = {
  ok: 0,
  code: 91,
  codeName: 'ShutdownInProgress',
  errorLabels: ['UnknownTransactionCommitResult'],
}

describe.skipIf(!hasMongo)('commands sent to a MongoDB with transactions', () => {
  const databases = useMongo()

  interface Setup extends AsyncDisposable {
    readonly db: Database
    readonly set: FakeReplicaSet
  }

  async function open(options: Partial<MongoOptions> = {}): Promise<Setup> {
    const url = new URL(databases.create())
    const set = await startFakeReplicaSet(Number(url.port))
    url.port = String(set.port)
    url.searchParams.set('replicaSet', 'fake')
    // These are not part of transactions.
    url.searchParams.set('readPreference', 'secondaryPreferred')
    const db = await openDatabase(mongo({ connectTimeoutMs: 2000, ...options, url: url.href }))
    await db.sync(suiteTables)
    set.take()
    return {
      db,
      set,
      async [Symbol.asyncDispose]() {
        await db.close()
        await set[Symbol.asyncDispose]()
      },
    }
  }

  const nameOf = (command: Document): string => Object.keys(command)[0]!
  const inTransaction = (commands: readonly Document[]): Document[] =>
    commands.filter((it) => it['autocommit'] === false)
  const numbersOf = (commands: readonly Document[]): Set<string> =>
    new Set(commands.map((it) => JSON.stringify([it['lsid'], it['txnNumber']])))

  it('one session and one transaction number from the first command to the commit', async () => {
    await using setup = await open()
    await setup.db.transaction(async (tx) => {
      await tx.table(Group).insertMany([group(1), group(2)])
      await tx.table(Group).updateOne({ ...group(1), title: 'u' })
      expect(await tx.table(Group).count()).toBe(2)
    })
    const commands = setup.set.take()
    expect(commands.map(nameOf)).toEqual(['insert', 'update', 'aggregate', 'commitTransaction'])
    expect(inTransaction(commands)).toHaveLength(4)
    expect(numbersOf(commands).size).toBe(1)
    expect(commands[0]).toMatchObject({ startTransaction: true, readConcern: { level: 'snapshot' } })
    expect(commands.filter((it) => it['startTransaction'])).toHaveLength(1)
    expect(commands[3]).toMatchObject({ writeConcern: { w: 'majority' } })
    expect(commands.filter((it) => it['$readPreference']?.mode === 'secondaryPreferred')).toEqual([])
  })

  it('a throwing function rolls back, and so does a refused operation', async () => {
    await using setup = await open()
    const failing = setup.db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(1))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(setup.set.take().map(nameOf)).toEqual(['insert', 'abortTransaction'])
    const refused = setup.db.transaction(async (tx) => {
      await expect(tx.table(Group).insertOne(group(1))).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
    })
    await expect(refused).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    expect(setup.set.take().map(nameOf)).toEqual(['insert', 'abortTransaction'])
  })

  it('a transient error rolls back, and the transaction runs again under another number', async () => {
    await using setup = await open()
    let calls = 0
    setup.set.fail('update', transient, transient)
    await setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).findById({ region: 'eu', code: 1 })
      await tx.table(Group).updateOne(group(1))
    })
    expect(calls).toBe(3)
    const commands = setup.set.take()
    const attempt = ['find', 'update', 'abortTransaction']
    expect(commands.map(nameOf)).toEqual([...attempt, ...attempt, 'find', 'update', 'commitTransaction'])
    expect(numbersOf(commands).size).toBe(3)
    setup.set.fail('update', ...Array.from({ length: 3 }, () => transient))
    const given = setup.db.transaction((tx) => tx.table(Group).updateOne(group(1)), { retries: 2 })
    await expect(given).rejects.toMatchObject({ code: 'SERIALIZATION_FAILED' })
  })

  it('a command that takes too long is a TIMEOUT, and the work is not repeated', async () => {
    await using setup = await open({ statementTimeoutMs: 1000 })
    setup.set.fail('insert', 'hold')
    let calls = 0
    const running = setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).insertOne(group(1))
    })
    await expect(running).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(calls).toBe(1)
    expect(setup.set.take().map(nameOf)).toEqual(['insert', 'abortTransaction'])
  })

  it('a transaction that exceeds its timeout is rolled back, with or without a running command', async () => {
    await using setup = await open({ statementTimeoutMs: 2000 })
    const never = new Promise<never>(() => {})
    const idle = setup.db.transaction(
      async (tx) => {
        await tx.table(Group).insertOne(group(1))
        await never
      },
      { timeoutMs: 300 },
    )
    await expect(idle).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(setup.set.take().map(nameOf)).toEqual(['insert', 'abortTransaction'])
    setup.set.fail('insert', 'hold')
    const busy = setup.db.transaction((tx) => tx.table(Group).insertOne(group(2)), { timeoutMs: 300 })
    await expect(busy).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(setup.set.take().map(nameOf)).toEqual(['insert'])
  })

  it('a commit whose answer is lost is sent again under the same number; the work is not repeated', async () => {
    await using setup = await open()
    let calls = 0
    setup.set.fail('commitTransaction', 'cutAfter')
    await setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).insertOne(group(1))
    })
    const commands = setup.set.take()
    expect(commands.map(nameOf)).toEqual(['insert', 'commitTransaction', 'commitTransaction'])
    expect(numbersOf(commands).size).toBe(1)
    expect(calls).toBe(1)
  })

  it('a commit with an unknown result is sent again until the result is known', async () => {
    await using setup = await open()
    let calls = 0
    setup.set.fail('commitTransaction', unknownCommit, unknownCommit, unknownCommit)
    await setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).insertOne(group(1))
    })
    const commands = setup.set.take()
    expect(commands.map(nameOf)).toEqual(['insert', ...Array.from({ length: 4 }, () => 'commitTransaction')])
    expect(numbersOf(commands).size).toBe(1)
    expect(commands.at(-1)).toMatchObject({ writeConcern: { w: 'majority' } })
    expect(calls).toBe(1)
  })

  it.each([
    ['took too long', { ...unknownCommit, code: 50, codeName: 'MaxTimeMSExpired' }, 'UNAVAILABLE', 1],
    ['was refused', { ok: 0, code: 251, codeName: 'NoSuchTransaction' }, 'UNAVAILABLE', 1],
  ])('a commit that %s is not sent again, and the work is not repeated', async (_, fault, code, sent) => {
    await using setup = await open()
    setup.set.fail('commitTransaction', fault, fault)
    let calls = 0
    const running = setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).insertOne(group(1))
    })
    await expect(running).rejects.toMatchObject({ code })
    expect(setup.set.take().filter((it) => nameOf(it) === 'commitTransaction')).toHaveLength(sent)
    expect(calls).toBe(1)
  })

  it('a commit that conflicts is rolled back by the server, and the transaction runs again', async () => {
    await using setup = await open()
    let calls = 0
    setup.set.fail('commitTransaction', { ...transient, code: 251 })
    await setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).updateOne(group(1))
    })
    expect(calls).toBe(2)
    expect(numbersOf(setup.set.take()).size).toBe(2)
  })

  it('a commit whose result stays unknown is UNAVAILABLE, and the work is not repeated', async () => {
    await using setup = await open()
    let calls = 0
    setup.set.fail('commitTransaction', ...Array.from({ length: 50 }, () => unknownCommit))
    const running = setup.db.transaction(async (tx) => {
      calls += 1
      await tx.table(Group).insertOne(group(1))
    })
    await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(calls).toBe(1)
    expect(setup.set.take().map(nameOf)).not.toContain('abortTransaction')
  })

  it('a failed nested transaction fails the outer one: MongoDB has no savepoints', async () => {
    await using setup = await open()
    const running = setup.db.transaction(async (tx) => {
      await tx.table(Group).insertOne(group(1))
      await tx.transaction((inner) => inner.table(Group).insertOne(group(2)))
      const failing = tx.transaction(async () => {
        throw new Error('inside')
      })
      await expect(failing).rejects.toThrow('inside')
    })
    await expect(running).rejects.toMatchObject({ code: 'TRANSACTION_ABORTED' })
    expect(setup.set.take().map(nameOf)).toEqual(['insert', 'insert', 'abortTransaction'])
  })

  it('insertMany uses its own transaction; auto-increment runs outside of it', async () => {
    await using setup = await open()
    await setup.db.table(Team).insertMany([{ name: 'a' }, { name: 'b' }])
    const commands = setup.set.take()
    const inside = inTransaction(commands)
    expect(inside.map(nameOf)).toEqual(['insert', 'commitTransaction'])
    const outside = commands.filter((it) => !inside.includes(it))
    expect(new Set(outside.map((it) => it[nameOf(it)]))).toEqual(new Set(['portico__counters', 'org__teams']))
    expect(outside.map(nameOf)).toContain('findAndModify')
    expect(outside.map(nameOf)).not.toContain('insert')
  })

  it('foreign keys are checked and written in one transaction', async () => {
    await using setup = await open()
    const { db, set } = setup
    const person = await db.table(Person).insertOne({ name: 'p' })
    await db.table(Group).insertOne(group(1))
    await db.table(Membership).insertOne({ personId: person.id, region: 'eu', code: 1 })
    set.take()
    await db.table(Person).deleteOne(person.id)
    const commands = set.take()
    const inside = inTransaction(commands)
    expect(inside.filter((it) => nameOf(it) === 'delete').map((it) => it['delete'])).toEqual(['memberships', 'people'])
    expect(nameOf(inside.at(-1)!)).toBe('commitTransaction')
    expect(numbersOf(inside).size).toBe(1)
    expect(await db.table(Membership).count()).toBe(0)
  })

  it('concurrent operations run one after the other', async () => {
    await using setup = await open()
    setup.set.mostAtOnce = 0
    await setup.db.transaction(async (tx) => {
      await Promise.all(Array.from({ length: 10 }, (_, code) => tx.table(Group).insertOne(group(code))))
    })
    const commands = setup.set.take()
    expect(commands[0]).toMatchObject({ startTransaction: true })
    expect(commands.filter((it) => it['startTransaction'])).toHaveLength(1)
    expect(commands.at(-1)).toHaveProperty('commitTransaction')
    expect(setup.set.mostAtOnce).toBe(1)
  })

  it('a single-document write whose answer is lost is sent again under its number', async () => {
    await using setup = await open()
    const groups = setup.db.table(Group)
    const writes: [string, () => Promise<unknown>][] = [
      ['insert', () => groups.insertOne(group(1))],
      ['update', () => groups.updateOne({ ...group(1), title: 'u' })],
      ['findAndModify', () => groups.upsertOne(group(1))],
    ]
    for (const [name, write] of writes) {
      setup.set.fail(name, 'cutBefore')
      await write()
      const commands = setup.set.take()
      expect(commands.map(nameOf)).toEqual([name, name])
      expect(commands[0]!['txnNumber']).toBeDefined()
      expect(numbersOf(commands).size).toBe(1)
    }
    setup.set.fail('update', 'cutBefore')
    // Several documents at once have no number: they are not written twice.
    await expect(setup.db.table(Group).updateMany({}, { title: 'x' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(setup.set.take().map(nameOf)).toEqual(['update'])
  })

  it.each([
    [11602, 'UNAVAILABLE'],
    [133, 'UNAVAILABLE'],
    [50, 'TIMEOUT'],
    [112, 'SERIALIZATION_FAILED'],
    [121, 'CONSTRAINT_VIOLATION'],
    [13, 'QUERY_FAILED'],
  ])('server error %i becomes %s', async (number, code) => {
    await using setup = await open()
    setup.set.fail('update', { ok: 0, code: number, errmsg: 'no' })
    await expect(setup.db.table(Group).updateMany({}, { title: 'x' })).rejects.toMatchObject({ code })
  })

  it('a write that too few members confirmed is reported as written', async () => {
    await using setup = await open()
    const writeConcernError = { code: 100, errmsg: 'Not enough data-bearing nodes' }
    setup.set.fail('insert', { ok: 1, n: 1, writeConcernError })
    await expect(setup.db.table(Group).insertOne(group(1))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('the write succeeded'),
    })
  })

  it('of two concurrent upserts of a new key, the refused one overwrites', async () => {
    await using setup = await open()
    setup.set.fail('findAndModify', duplicate)
    expect(await setup.db.table(Group).upsertOne(group(1))).toEqual(group(1))
    setup.set.fail('findAndModify', duplicate, duplicate)
    await expect(setup.db.table(Group).upsertOne(group(1))).rejects.toMatchObject({
      code: 'UNIQUE_VIOLATION',
      fields: ['region', 'code'],
    })
  })

  it('of two concurrent upserts with a version, the later one is a conflict', async () => {
    await using setup = await open()
    setup.set.fail('insert', {
      ok: 0,
      code: 11000,
      errmsg: 'E11000 duplicate key error collection: x.people index: _id_ dup key: {}',
    })
    const person = { id: '00000000-0000-7000-8000-000000000000', name: 'p', version: 1 }
    await expect(setup.db.table(Person).upsertOne(person)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
  })

  it('closing the database waits for the transaction to end', async () => {
    const setup = await open()
    let finish = (): void => {}
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    const running = setup.db.transaction(async (tx) => {
      await held
      await tx.table(Group).insertOne(group(1))
    })
    const closing = setup.db.close()
    finish()
    await running
    await closing
    expect(setup.set.take().map(nameOf)).toEqual(['insert', 'commitTransaction'])
    await setup.set[Symbol.asyncDispose]()
  })
})
