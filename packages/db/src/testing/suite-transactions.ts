import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../database.ts'
import type { DbError } from '../errors.ts'
import { Group, Thing } from './suite.portico.ts'
import { type AdapterCase, expectCode, makeThing } from './suite-case.ts'

const group = (code: number) => ({ region: 'eu', code, title: 't' })

function createSignal(): [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [promise, resolve]
}

/** Statements that end a transaction or start another one. An engine may refuse those that it does not know. */
const endings = [
  'commit',
  'rollback',
  'begin',
  'commit and chain',
  'rollback and chain',
  ' /* what */ COMMIT',
  '-- why\n Rollback /* to */ and chain',
]

function runText(tables: Queryable, text: string): Promise<object[]> {
  return tables.sql(Object.assign([text], { raw: [text] }))
}

/** True if the engine supports SQL. Otherwise checks that `sql` is refused. */
async function hasSql(db: Queryable): Promise<boolean> {
  const outcome = await db.sql`select 1`.catch((error: unknown) => error)
  if (Array.isArray(outcome)) return true
  await expectCode('SQL_UNSUPPORTED', Promise.reject(outcome))
  return false
}

export const transactionCases: readonly AdapterCase[] = [
  {
    name: 'transaction > commits when its function returns, and rolls back when it throws',
    async run({ db }) {
      const result = await db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(1))
        return tx.table(Group).count()
      })
      assert.equal(result, 1)
      const failure = new Error('changed my mind')
      const failed = db.transaction(async (tx) => {
        await tx.table(Group).insertMany([group(2), group(3)])
        assert.equal(await tx.table(Group).count(), 3)
        throw failure
      })
      await assert.rejects(failed, (error) => error === failure)
      assert.equal(await db.table(Group).count(), 1)
    },
  },
  {
    name: 'transaction > its writes are not visible outside before it ends',
    async run({ db }) {
      const outside = db.table(Group)
      await outside.insertOne(group(1))
      const [written, markWritten] = createSignal()
      const [asked, markAsked] = createSignal()
      const running = db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(2))
        markWritten()
        await asked
        throw new Error('back')
      })
      // If the transaction cannot start, its function never signals.
      await Promise.race([written, running])
      // An engine may answer now, or when the transaction has ended.
      const seen = Promise.all([outside.count(), outside.findById({ region: 'eu', code: 2 }), outside.findMany()])
      markAsked()
      await assert.rejects(running, /back/)
      assert.deepEqual(await seen, [1, undefined, [group(1)]])
    },
  },
  {
    name: 'transaction > nests: a failed inner one does not affect the outer one',
    async run({ db }) {
      await db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(1))
        await expectCode(
          'UNIQUE_VIOLATION',
          tx.transaction(async (inner) => {
            await inner.table(Group).insertOne(group(2))
            await inner.table(Group).insertOne(group(1))
          }),
        )
        await tx.transaction(async (inner) => {
          await inner.table(Group).insertOne(group(3))
          await assert.rejects(
            inner.transaction(async (deepest) => {
              await deepest.table(Group).insertOne(group(4))
              throw new Error('no')
            }),
          )
        })
      })
      assert.deepEqual(
        (await db.table(Group).findMany({ orderBy: { code: 'asc' } })).map((it) => it.code),
        [1, 3],
      )
    },
  },
  {
    name: 'transaction > concurrent inner ones run one after the other',
    async run({ db }) {
      await db.transaction(async (tx) => {
        const outcomes = await Promise.allSettled(
          [1, 2, 3, 4].map((code) =>
            tx.transaction(async (inner) => {
              await inner.table(Group).insertOne(group(code))
              await Promise.resolve()
              if (code % 2 === 0) throw new Error('no')
            }),
          ),
        )
        assert.deepEqual(
          outcomes.map((it) => it.status),
          ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
        )
      })
      assert.deepEqual(
        (await db.table(Group).findMany({ orderBy: { code: 'asc' } })).map((it) => it.code),
        [1, 3],
      )
    },
  },
  {
    name: 'transaction > inner ones end with the outer one, on commit and on rollback',
    async run({ db }) {
      const outcomes: PromiseSettledResult<unknown>[] = []
      const writeSlowly = async (tx: Queryable, first: number): Promise<void> => {
        const writing = tx.transaction(async (inner) => {
          for (let code = first; code < first + 5; code++) {
            await inner.table(Group).insertOne(group(code))
            await sleep(5)
          }
        })
        outcomes.push(...(await Promise.allSettled([writing])))
      }
      const late: Promise<void>[] = []
      const failed = db.transaction(async (tx) => {
        late.push(writeSlowly(tx, 10), writeSlowly(tx, 20))
        await sleep(7)
        throw new Error('no')
      })
      await assert.rejects(failed, /no/)
      assert.equal(await db.table(Group).count(), 0)
      await db.transaction(async (tx) => {
        late.push(writeSlowly(tx, 30))
        await sleep(7)
      })
      await Promise.all(late)
      assert.equal(await db.table(Group).count(), 0)
      const codes = outcomes.map((it) => it.status === 'rejected' && (it.reason as { code: unknown }).code)
      assert.deepEqual(codes, ['TRANSACTION_MISUSE', 'TRANSACTION_MISUSE', 'TRANSACTION_MISUSE'])
    },
  },
  {
    name: 'transaction > a refused operation aborts it, even if the error is caught',
    async run({ db }) {
      await db.table(Group).insertOne(group(1))
      await expectCode(
        'TRANSACTION_ABORTED',
        db.transaction(async (tx) => {
          await tx.table(Group).insertOne(group(2))
          await expectCode('UNIQUE_VIOLATION', tx.table(Group).insertOne(group(1)))
          await expectCode('TRANSACTION_ABORTED', tx.table(Group).insertOne(group(3)))
        }),
      )
      assert.equal(await db.table(Group).count(), 1)
    },
  },
  {
    name: 'transaction > invalid input is refused before the engine sees it, and does not abort it',
    async run({ db }) {
      await db.transaction(async (tx) => {
        await expectCode('VALIDATION_FAILED', tx.table(Group).insertOne({ region: 'eu' } as never))
        await tx.table(Group).insertOne(group(1))
      })
      assert.equal(await db.table(Group).count(), 1)
    },
  },
  {
    name: 'transaction > inside, the outer scope is refused; afterwards, the transaction itself',
    async run({ db }) {
      let kept: Queryable | undefined
      await db.transaction(async (tx) => {
        kept = tx
        await expectCode('TRANSACTION_MISUSE', db.table(Group).count())
        await expectCode(
          'TRANSACTION_MISUSE',
          db.transaction(async () => {}),
        )
        await tx.transaction(async () => {
          await expectCode('TRANSACTION_MISUSE', tx.table(Group).count())
          await expectCode('TRANSACTION_MISUSE', db.table(Group).count())
        })
        await tx.table(Group).insertOne(group(1))
      })
      await expectCode('TRANSACTION_MISUSE', kept!.table(Group).count())
      await expectCode(
        'TRANSACTION_MISUSE',
        kept!.transaction(async () => {}),
      )
      assert.equal(await db.table(Group).count(), 1)
    },
  },
  {
    name: 'transaction > concurrent ones lose no update',
    async run({ db }) {
      const things = db.table(Thing)
      const { id } = await things.insertOne(makeThing({ whole: 0 }))
      const raise = () =>
        db.transaction(
          async (tx) => {
            const thing = await tx.table(Thing).findById(id)
            await tx.table(Thing).updateOne({ id, whole: thing!.whole + 1 })
          },
          { isolation: 'serializable', retries: 100 },
        )
      await Promise.all(Array.from({ length: 20 }, raise))
      assert.equal((await things.findById(id))?.whole, 20)
    },
  },
  {
    name: 'transaction > a raw statement that ends it is detected, and nothing after it is kept',
    async run({ db }) {
      if (!(await hasSql(db))) return
      for (const [index, text] of endings.entries()) {
        const [before, after] = [10 * index, 10 * index + 1]
        const goOn = async (tx: Queryable): Promise<void> => {
          await tx.table(Group).insertOne(group(before))
          await runText(tx, text).catch(() => {})
          await tx
            .table(Group)
            .insertOne(group(after))
            .catch(() => {})
        }
        await expectCode('TRANSACTION_ABORTED', db.transaction(goOn))
        assert.equal(await db.table(Group).exists({ code: after }), false, text)
        const failed = db.transaction(async (tx) => {
          await goOn(tx)
          throw new Error('no')
        })
        // If the statement committed the first record, the second attempt finds it.
        const isExpected = ({ message, code }: DbError): boolean => message === 'no' || code === 'UNIQUE_VIOLATION'
        await assert.rejects(failed, (error) => isExpected(error as DbError))
        assert.equal(await db.table(Group).exists({ code: after }), false, text)
        // The same as the last statement.
        const last = db.transaction(async (tx) => void (await runText(tx, text).catch(() => {})))
        await expectCode('TRANSACTION_ABORTED', last)
      }
      for (const text of ['commit', 'rollback']) {
        const nested = db.transaction(async (tx) => {
          await tx.transaction((inner) => runText(inner, text)).catch(() => {})
          await tx.table(Group).insertOne(group(1001))
        })
        await expectCode('TRANSACTION_ABORTED', nested)
        assert.equal(await db.table(Group).exists({ code: 1001 }), false, text)
      }
      await db.transaction((tx) => tx.table(Group).insertOne(group(1000)))
      assert.equal(await db.table(Group).exists({ code: 1000 }), true)
    },
  },
  {
    name: 'transaction > raw savepoints are allowed, except with the names of nested transactions',
    async run({ db }) {
      if (!(await hasSql(db))) return
      await db.transaction(async (tx) => {
        await tx.table(Group).insertOne(group(1))
        await tx.sql`savepoint mine`
        await tx.table(Group).insertOne(group(2))
        await tx.sql`/* back */ rollback to mine`
        await tx.sql`release savepoint mine`
        const reserved = tx.transaction(async (inner) => {
          await inner.table(Group).insertOne(group(3))
          await expectCode('TRANSACTION_MISUSE', inner.sql`savepoint portico_2`)
          await expectCode('TRANSACTION_MISUSE', inner.sql`release savepoint /* x */ portico_2`)
          throw new Error('no')
        })
        await assert.rejects(reserved, /no/)
      })
      assert.deepEqual(
        (await db.table(Group).findMany()).map((it) => it.code),
        [1],
      )
    },
  },
  {
    name: 'transaction > is rolled back after its timeout, and others continue',
    async run({ db }) {
      const never = new Promise<never>(() => {})
      let kept: Queryable | undefined
      const idle = db.transaction(
        async (tx) => {
          kept = tx
          await tx.table(Group).insertOne(group(1))
          await never
        },
        { timeoutMs: 40 },
      )
      await expectCode('TIMEOUT', idle)
      await expectCode('TIMEOUT', kept!.table(Group).insertOne(group(2)))
      await expectCode(
        'TIMEOUT',
        kept!.transaction(async () => {}),
      )
      const nested = db.transaction(
        async (tx) => {
          await tx.transaction(async (inner) => {
            kept = inner
            await inner.table(Group).insertOne(group(1))
            await never
          })
        },
        { timeoutMs: 40 },
      )
      await expectCode('TIMEOUT', nested)
      await expectCode('TIMEOUT', kept!.table(Group).insertOne(group(2)))
      assert.equal(await db.table(Group).count(), 0)
      await db.transaction((tx) => tx.table(Group).insertOne(group(1)))
      assert.equal(await db.table(Group).count(), 1)
    },
  },
  {
    name: 'insertMany > works inside a transaction, with explicit and generated keys',
    async run({ db }) {
      await db.transaction(async (tx) => {
        await tx
          .table(Thing)
          .insertMany([makeThing({ name: 'a' }), makeThing({ name: 'b', id: 8_000_000 }), makeThing({ name: 'c' })])
      })
      assert.equal(await db.table(Thing).count(), 3)
    },
  },
  {
    name: 'sync > has no steps if everything matches',
    async run({ db }) {
      assert.deepEqual(await db.sync([Thing, Group]), { steps: [] })
    },
  },
]
