import type { PinnedSession, Session, Transaction } from '../../contract/adapter.ts'
import type { TableChange } from '../../contract/change.ts'
import type {
  CountOperation,
  DeleteOperation,
  FindOperation,
  InsertOperation,
  Operation,
  UpdateOperation,
  UpsertOperation,
} from '../../contract/operation.ts'
import type { TablePlace, TablePlan } from '../../contract/plan.ts'
import { type SyncProblem } from '../../contract/problem.ts'
import type { Question } from '../../contract/question.ts'
import type { Row } from '../../contract/storage.ts'
import { begunByHand, DbError, exhausted, isExhausted } from '../../errors.ts'
import { firstWords, isSavepoint, mysqlComments } from '../../sql/by-hand.ts'
import { checkValues } from '../../sql/check-values.ts'
import { compileQuestion } from '../../sql/compile-question.ts'
import { quotePlace } from '../../sql/dialect.ts'
import type { Executor } from '../../sql/executor.ts'
import { readWide } from '../../sql/read-wide.ts'
import { Savepoints } from '../../sql/savepoints.ts'
import { MAX_INTEGER } from '../../values/limits.ts'
import { labelOf } from '../../values/place.ts'
import { quickly, stepsOf, withoutWriters } from './change.ts'
import { quoteName } from './dialect.ts'
import { isOpen, leavesOpen, type MysqlClientExecutor, type MysqlQuery, type MysqlResult } from './driver.ts'
import { explainCounted, explainLock, isKeyTaken, isOutrun, isSavepointGone, isTooQuick, tooLarge } from './errors.ts'
import { inspectMysql, type MysqlInspection, type MysqlTable } from './introspect.ts'
import { foreseeMysql } from './preflight.ts'
import { isLarger, type Statements, splitRows } from './statements.ts'

/** Runs several statements so that all of them happen or none. */
type Atomically = <T>(work: (session: MysqlSession) => Promise<T>) => Promise<T>

/** How often an upsert looks again, when others store and delete the row meanwhile. */
const MOST_ATTEMPTS = 100

export class MysqlSession implements Session {
  protected readonly executor: Executor<MysqlQuery, MysqlResult>
  readonly #statements: Statements
  readonly #atomically: Atomically

  constructor(executor: Executor<MysqlQuery, MysqlResult>, statements: Statements, atomically?: Atomically) {
    this.executor = executor
    this.#statements = statements
    // Inside of a transaction whatever is run is part of it.
    this.#atomically = atomically ?? ((work) => work(this))
  }

  async find(operation: FindOperation, params: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#run(operation, params, true)).rows as Row[]
  }

  async count(operation: CountOperation, params: readonly unknown[]): Promise<number> {
    const { rows } = await this.#run(operation, params, true)
    return Number((rows[0] as Row)[0])
  }

  async insert(operation: InsertOperation, rows: readonly Row[]): Promise<readonly number[]> {
    try {
      return await this.#insert(operation, rows)
    } catch (error) {
      const { plan, counted } = operation
      if (!counted || !isExhausted(error)) throw error
      // What changes a table would end the transaction: the next one sees to it.
      if (!this.isAlone) this.#statements.exhausted.set(plan, operation)
      if (!this.isAlone || !(await this.restartCounter(operation))) throw error
      return this.#insert(operation, rows)
    }
  }

  /**
   * Where the counter is at its end but the rows are not, as after a delete, counting goes on behind the highest number
   * that is stored. Says whether it does.
   */
  async restartCounter({ plan, counted }: InsertOperation): Promise<boolean> {
    const table = quotePlace(plan.place, quoteName)
    const { rows } = await this.query({ text: `SELECT MAX(${quoteName(counted!.name)}) FROM ${table}` }, plan)
    const highest = Number((rows[0] as Row)[0] ?? 0)
    if (highest >= (counted!.storage.max ?? MAX_INTEGER)) return false
    const preset = counted!.model.default
    const start = preset?.kind === 'increment' ? preset.start : 1
    // The server takes the number behind the highest that is stored where this one is lower.
    await this.query({ text: `ALTER TABLE ${table} AUTO_INCREMENT = ${start}`, isUnlimited: true }, plan)
    return true
  }

  async #insert(operation: InsertOperation, rows: readonly Row[]): Promise<readonly number[]> {
    try {
      if (rows.length === 1) return await this.#insertRow(operation, rows[0]!)
      const parts = splitRows(rows, operation.columns.length, this.#statements.features.mostBytes)
      if (parts.length === 1) return await this.#insertRows(operation, parts[0]!)
      return await this.#atomically(async (session) => {
        const numbers: number[] = []
        for (const part of parts) for (const number of await session.#insertRows(operation, part)) numbers.push(number)
        return numbers
      })
    } catch (error) {
      throw operation.counted ? explainCounted(error, operation.plan) : error
    }
  }

  async write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Promise<number> {
    return (await this.#run(operation, params)).done?.affectedRows ?? 0
  }

  upsert(operation: UpsertOperation, params: readonly unknown[]): Promise<Row | undefined> {
    const { update, insert, find } = this.#statements.splitUpsert(operation)
    return this.#atomically(async (session) => {
      for (let attempt = 1; ; attempt++) {
        const isThere = ((await session.#runPart(update, params)).done?.affectedRows ?? 0) > 0
        if (!isThere) {
          try {
            await session.#runPart(insert, params)
          } catch (error) {
            if (!isKeyTaken(error)) throw error
            // There is a row after all: of another version, or stored since we looked.
            if (operation.version?.slot !== undefined) return undefined
            if (attempt < MOST_ATTEMPTS) continue
            throw error
          }
        }
        return (await session.#runPart(find, params)).rows[0] as Row | undefined
      }
    })
  }

  async sql(parts: readonly string[], values: readonly unknown[]): Promise<readonly object[]> {
    checkValues(values)
    // A prepared statement is one alone.
    const { rows, fields } = await this.runByHand({ text: parts.join('?'), values: [...values], named: true })
    return readWide(
      rows,
      fields.filter((it) => it.columnType === LONGLONG),
    )
  }

  inspect(places: readonly TablePlace[]): Promise<MysqlInspection> {
    return inspectMysql(this.#read, places)
  }

  ask(question: Question): Promise<number> {
    return this.#countFound(compileQuestion(question, this.#statements.dialect))
  }

  async change(change: TableChange): Promise<void> {
    const plan = 'plan' in change ? change.plan : undefined
    for (const step of await stepsOf(change, {
      dialect: this.#statements.dialect,
      look: this.#look,
      isTidb: this.#statements.features.server === 'tidb',
    })) {
      if (typeof step === 'string') await this.#alter(step, plan)
      else if ((await this.#countFound(step.finds)) > 0) throw new DbError('SYNC_REFUSED', step.told)
    }
  }

  foresee(changes: readonly TableChange[]): Promise<readonly SyncProblem[]> {
    const { dialect, features } = this.#statements
    return foreseeMysql(changes, {
      read: async (text, values) => (await this.query({ text, values, isUnlimited: true })).rows,
      look: this.#look,
      home: dialect.home,
      isMariadb: features.server === 'mariadb',
      foldsNames: features.foldsNames,
    })
  }

  readonly #read = async (text: string, values: unknown[]): Promise<readonly unknown[]> =>
    (await this.query({ text, values })).rows

  readonly #look = async (place: TablePlace): Promise<MysqlTable | undefined> =>
    (await inspectMysql(this.#read, [place])).tables[0]

  async #countFound(text: string): Promise<number> {
    const { rows } = await this.query({ text, isUnlimited: true })
    return Number((rows[0] as Row)[0])
  }

  /** Changes a table in the way that holds up others least. What the server cannot do so, it refuses whole. */
  async #alter(text: string, plan: TablePlan | undefined): Promise<void> {
    let last = text
    for (const quick of quickly(text)) {
      try {
        return void (await this.query({ text: quick, isUnlimited: true }, plan))
      } catch (error) {
        if (!isTooQuick(error)) throw error
        // Left to itself, the server would try once more while others write.
        if (isOutrun(error)) last = withoutWriters(text)
      }
    }
    try {
      await this.query({ text: last, isUnlimited: true }, plan)
    } catch (error) {
      throw plan && text.startsWith('LOCK TABLES ') ? explainLock(error, labelOf(plan)) : error
    }
  }

  /** Whether each statement stands alone, outside of transactions. */
  protected get isAlone(): boolean {
    return true
  }

  /** A statement by hand may have begun a transaction, or ended one. */
  protected async runByHand(query: MysqlQuery): Promise<MysqlResult> {
    const result = await this.query(query)
    if (result.done && leavesOpen(result.done)) throw begunByHand()
    return result
  }

  protected query(query: MysqlQuery, plan?: TablePlan, isRead = false): Promise<MysqlResult> {
    return this.executor.execute(query, plan, isRead)
  }

  #run(operation: Operation, params: readonly unknown[], isRead = false): Promise<MysqlResult> {
    const { text: head, bind, tail } = this.#statements.compile(operation)
    const values = bind ? bind(params) : (params as unknown[])
    const text = tail ? head + tail(params) : head
    // The server would close the connection, often before its reason is read.
    if (isLarger(values, this.#statements.features.mostBytes)) return Promise.reject(tooLarge(operation.plan))
    return this.query({ text, values }, operation.plan, isRead)
  }

  /** Runs an operation that uses the first of the parameters alone. */
  #runPart(operation: Operation, params: readonly unknown[]): Promise<MysqlResult> {
    const { size, bind } = this.#statements.compile(operation)
    return this.#run(operation, bind ? params : params.slice(0, size))
  }

  async #insertRow(operation: InsertOperation, row: Row): Promise<number[]> {
    const { done } = await this.#run(operation, row)
    if (!operation.counted) return []
    const { insertId } = done!
    return isSafe(insertId) ? [insertId] : this.#takeBack(operation, [insertId])
  }

  async #insertRows(operation: InsertOperation, rows: readonly Row[]): Promise<number[]> {
    if (rows.length === 1) return this.#insertRow(operation, rows[0]!)
    const text = this.#statements.compileRows(operation, rows.length)
    const { rows: returned, done } = await this.query({ text, values: rows.flat() }, operation.plan)
    if (!operation.counted) return []
    // The numbers of rows whose count is known beforehand are given out together, whatever the server's lock mode is.
    const { returning, step } = this.#statements.features
    const numbers = returning ? returned.map((row) => (row as Row)[0]) : countFrom(done!.insertId, rows.length, step)
    return numbers.every(isSafe) ? numbers : this.#takeBack(operation, numbers)
  }

  /** A number that JavaScript would round is not kept. No column can forbid it: one that is counted takes no checks. */
  async #takeBack({ plan, counted }: InsertOperation, numbers: readonly unknown[]): Promise<never> {
    const places = numbers.map(() => '?').join(', ')
    const text = `DELETE FROM ${quotePlace(plan.place, quoteName)} WHERE ${quoteName(counted!.name)} IN (${places})`
    await this.query({ text, values: numbers.map(String) }, plan)
    throw exhausted(counted!.path)
  }
}

function countFrom(first: number | string, count: number, step: number): unknown[] {
  const numbers = Array.from({ length: count }, (_, index) => index * step)
  return isSafe(first) && isSafe(first + count * step)
    ? numbers.map((it) => first + it)
    : numbers.map((it) => BigInt(first) + BigInt(it))
}

function isSafe(number: unknown): number is number {
  return Number.isSafeInteger(number)
}

/** How the driver calls the widest whole numbers. */
const LONGLONG = 8

/** Statements that leave a transaction open. Others may commit it, as `ANALYZE TABLE` does. */
const harmless: ReadonlySet<string | undefined> = new Set(
  'select with values insert replace update delete show explain describe'.split(' '),
)

/** A savepoint of its own, set before a statement that may end the transaction: it is gone when that has done so. */
const CHECK = 'portico_check'

export class MysqlTransaction extends MysqlSession implements Transaction {
  readonly #client: MysqlClientExecutor
  readonly #savepoints: Savepoints

  constructor(client: MysqlClientExecutor, statements: Statements) {
    super(client, statements)
    this.#client = client
    this.#savepoints = new Savepoints((text) => this.query({ text }))
    // A statement by hand can end it, and so does every change of a table.
    client.watch(({ done }) => !done || isOpen(done))
  }

  protected override get isAlone(): boolean {
    return false
  }

  protected override runByHand(query: MysqlQuery): Promise<MysqlResult> {
    const words = firstWords(query.text, mysqlComments)
    if (harmless.has(words[0]) || isSavepoint(words)) return this.query(query)
    return this.#runChecked(query)
  }

  /**
   * After `COMMIT AND CHAIN`, `BEGIN`, or a procedure that does the like, a transaction is open as before, but another
   * one. No answer of the server shows that. All three are sent at once, so that no other statement comes in between.
   */
  async #runChecked(query: MysqlQuery): Promise<MysqlResult> {
    const [, run, released] = await Promise.allSettled([
      this.query({ text: `SAVEPOINT ${CHECK}` }),
      this.query(query),
      this.query({ text: `RELEASE SAVEPOINT ${CHECK}`, isCheck: true }),
    ])
    if (run.status === 'rejected') throw run.reason
    if (released.status === 'fulfilled') return run.value
    throw isSavepointGone(released.reason) ? this.#client.lose() : released.reason
  }

  async commit(): Promise<void> {
    const { isLost } = this.#client
    await this.#client.end({ text: isLost ? 'ROLLBACK' : 'COMMIT' })
    if (isLost) throw new DbError('TRANSACTION_ABORTED', 'nothing of the transaction was kept')
  }

  async rollback(): Promise<void> {
    // A connection that is gone has rolled back.
    await this.#client.end({ text: 'ROLLBACK' }).catch(() => {})
  }

  abort(): Promise<void> {
    return this.#client.abort({ text: 'ROLLBACK' })
  }

  savepoint(depth: number): Promise<void> {
    return this.#savepoints.set(depth)
  }

  release(depth: number): Promise<void> {
    return this.#savepoints.release(depth)
  }

  rollbackTo(depth: number): Promise<void> {
    return this.#savepoints.rollbackTo(depth)
  }
}

/** The name of the lock that lets one sync of a database run at a time. */
export const SYNC_LOCK = "CONCAT('portico:', MD5(DATABASE()))"

/** A session on one connection that holds the lock of sync. */
export class MysqlPinnedSession extends MysqlSession implements PinnedSession {
  readonly #client: MysqlClientExecutor
  /** What the connection is set back to. */
  readonly #last: readonly string[]

  constructor(client: MysqlClientExecutor, statements: Statements, last: readonly string[]) {
    super(client, statements)
    this.#client = client
    this.#last = last
  }

  /** Who holds the lock knows that nobody goes on with what another sync has left unfinished. */
  override async inspect(places: readonly TablePlace[]): Promise<MysqlInspection> {
    const inspection = await super.inspect(places)
    for (const { place, unfinished } of inspection.tables) {
      for (const column of unfinished) {
        const text = `ALTER TABLE ${quotePlace(place, quoteName)} DROP COLUMN ${quoteName(column)}`
        await this.query({ text, isUnlimited: true })
      }
    }
    return inspection
  }

  async release(): Promise<void> {
    try {
      // Where a change failed in the middle, the table is still locked.
      for (const text of this.#last) await this.#client.execute({ text })
    } catch {
      // A connection that is gone holds no lock.
    } finally {
      await this.#client.end({ text: `DO RELEASE_LOCK(${SYNC_LOCK})` }).catch(() => {})
    }
  }
}
