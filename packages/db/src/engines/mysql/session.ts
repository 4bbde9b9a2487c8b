import type { TableChange } from '../../contract/change.ts'
import type { InsertOperation, Operation, UpsertOperation } from '../../contract/operation.ts'
import type { Row } from '../../contract/storage.ts'
import type { SyncProblem } from '../../contract/sync-problem.ts'
import type { TableName, TablePlan } from '../../contract/table-plan.ts'
import { DbError, isExhausted } from '../../errors.ts'
import { type Dialect, quoteTableName } from '../../sql/dialect.ts'
import { type Connection, type PooledEngine, readCount } from '../../sql/pooled-session.ts'
import { declaredNameOf } from '../../values/table-name.ts'
import { numbersFrom, removeUnsafeNumbers, restartCounter } from './auto-increment.ts'
import { fasterVariants, stepsOf, withoutWriters } from './change.ts'
import { quoteName } from './dialect.ts'
import { isOpen, type MysqlClient, type MysqlClientExecutor, type MysqlQuery, type MysqlResult } from './driver.ts'
import {
  explainExhausted,
  explainLock,
  isKeyTaken,
  isLogTooSmall,
  isRaced,
  isUnsupportedAlter,
  tooLarge,
} from './errors.ts'
import { inspectMysql, type MysqlInspection, type MysqlTable } from './introspect.ts'
import { preflightMysql } from './preflight.ts'
import { runRawSql } from './raw-sql.ts'
import { isLarger, type Statements, splitRows } from './statements.ts'
import { acquireSyncLock, startTransaction, unlockStatements } from './transaction.ts'

/** Attempts of an upsert, when others insert and delete the row at the same time. */
const MAX_ATTEMPTS = 100

type MysqlConnection = Connection<MysqlQuery, MysqlResult>

/** MySQL's part of a pooled session. */
export class MysqlEngine implements PooledEngine<MysqlClient, MysqlQuery, MysqlResult> {
  readonly dialect: Dialect
  readonly unlock: readonly string[]
  readonly isRaced: typeof isRaced = isRaced
  readonly startTransaction: typeof startTransaction = startTransaction
  readonly #statements: Statements
  readonly #statementTimeoutMs: number | undefined

  /** @param statementTimeoutMs Undefined for a pool that was passed in, whose timeouts are its own. */
  constructor(statements: Statements, statementTimeoutMs: number | undefined) {
    this.dialect = statements.dialect
    this.#statements = statements
    this.#statementTimeoutMs = statementTimeoutMs
    this.unlock = unlockStatements(statementTimeoutMs)
  }

  statement(text: string): MysqlQuery {
    return { text }
  }

  unlimited(text: string): MysqlQuery {
    return { text, isUnlimited: true }
  }

  run(
    connection: MysqlConnection,
    operation: Operation,
    params: readonly unknown[],
    isRead = false,
  ): Promise<MysqlResult> {
    const { text: head, bind, tail } = this.#statements.compile(operation)
    const values = bind ? bind(params) : (params as unknown[])
    const text = tail ? head + tail(params) : head
    // The server would close the connection, often before its reason is read.
    if (isLarger(values, this.#statements.features.maxBytes)) return Promise.reject(tooLarge(operation.plan))
    return connection.query({ text, values }, operation.plan, isRead)
  }

  affectedRows({ done }: MysqlResult): number {
    return done?.affectedRows ?? 0
  }

  async insert(
    connection: MysqlConnection,
    operation: InsertOperation,
    rows: readonly Row[],
  ): Promise<readonly number[]> {
    try {
      return await this.#insert(connection, operation, rows)
    } catch (error) {
      const { plan, autoIncrement } = operation
      if (!autoIncrement || !isExhausted(error)) throw error
      if (connection.transaction) {
        // `ALTER TABLE` would commit the transaction: the counter is restarted before the next one.
        this.#statements.exhausted.set(plan, operation)
        throw error
      }
      if (!(await restartCounter(connection, operation))) throw error
      return this.#insert(connection, operation, rows)
    }
  }

  upsert(
    connection: MysqlConnection,
    operation: UpsertOperation,
    params: readonly unknown[],
  ): Promise<Row | undefined> {
    const { update, insert, find } = this.#statements.splitUpsert(operation)
    return connection.atomically(async (inner) => {
      for (let attempt = 1; ; attempt++) {
        const isThere = this.affectedRows(await this.#runPart(inner, update, params)) > 0
        if (!isThere) {
          try {
            await this.#runPart(inner, insert, params)
          } catch (error) {
            if (!isKeyTaken(error)) throw error
            // The row exists: with another version, or inserted since the update looked for it.
            if (operation.version?.slot !== undefined) return undefined
            if (attempt < MAX_ATTEMPTS) continue
            throw error
          }
        }
        return (await this.#runPart(inner, find, params)).rows[0] as Row | undefined
      }
    })
  }

  sql(connection: MysqlConnection, parts: readonly string[], values: readonly unknown[]): Promise<readonly object[]> {
    return runRawSql(connection, parts, values)
  }

  async inspect(connection: MysqlConnection, tableNames: readonly TableName[]): Promise<MysqlInspection> {
    const inspection = await inspectMysql(readerOf(connection), tableNames)
    if (connection.holdsSyncLock) {
      // Only one sync holds the lock, so no other one still needs these columns.
      for (const { tableName, unfinished } of inspection.tables) {
        for (const column of unfinished) {
          const text = `ALTER TABLE ${quoteTableName(tableName, quoteName)} DROP COLUMN ${quoteName(column)}`
          await connection.query(this.unlimited(text))
        }
      }
    }
    return inspection
  }

  async change(connection: MysqlConnection, change: TableChange): Promise<void> {
    const plan = 'plan' in change ? change.plan : undefined
    for (const step of await stepsOf(change, {
      dialect: this.dialect,
      readTable: tableReaderOf(connection),
      isTidb: this.#statements.features.server === 'tidb',
    })) {
      if (typeof step === 'string') await this.#alter(connection, step, plan)
      else if (readCount(await connection.query(this.unlimited(step.finds))) > 0) {
        throw new DbError('SYNC_REFUSED', step.message)
      }
    }
  }

  preflight(connection: MysqlConnection, changes: readonly TableChange[]): Promise<readonly SyncProblem[]> {
    const { features } = this.#statements
    return preflightMysql(changes, {
      read: async (text, values) => (await connection.query({ text, values, isUnlimited: true })).rows,
      readTable: tableReaderOf(connection),
      home: this.dialect.home,
      isMariadb: features.server === 'mariadb',
      foldsNames: features.foldsNames,
    })
  }

  beforeTransaction(connection: MysqlConnection): Promise<void> | undefined {
    return this.#statements.exhausted.size > 0 ? this.#restartCounters(connection) : undefined
  }

  /** Raw SQL can end a transaction, and so does every change of a table. */
  isOpenAfter({ done }: MysqlResult): boolean {
    return !done || isOpen(done)
  }

  isCommitted(): boolean {
    return true
  }

  acquireSyncLock(client: MysqlClientExecutor): Promise<void> {
    return acquireSyncLock(client, this.#statementTimeoutMs !== undefined)
  }

  async #restartCounters(connection: MysqlConnection): Promise<void> {
    for (const [plan, operation] of this.#statements.exhausted) {
      this.#statements.exhausted.delete(plan)
      await restartCounter(connection, operation)
    }
  }

  /** Alters a table in the way that blocks others least. The server refuses a whole statement that it cannot run so. */
  async #alter(connection: MysqlConnection, text: string, plan: TablePlan | undefined): Promise<void> {
    let last = text
    for (const quick of fasterVariants(text)) {
      try {
        return void (await connection.query(this.unlimited(quick), plan))
      } catch (error) {
        if (!isUnsupportedAlter(error)) throw error
        // Left to itself, the server would try once more while others write.
        if (isLogTooSmall(error)) last = withoutWriters(text)
      }
    }
    try {
      await connection.query(this.unlimited(last), plan)
    } catch (error) {
      throw plan && text.startsWith('LOCK TABLES ') ? explainLock(error, declaredNameOf(plan)) : error
    }
  }

  /** Runs an operation that uses only the first of the parameters. */
  #runPart(connection: MysqlConnection, operation: Operation, params: readonly unknown[]): Promise<MysqlResult> {
    const { size, bind } = this.#statements.compile(operation)
    return this.run(connection, operation, bind ? params : params.slice(0, size))
  }

  async #insert(
    connection: MysqlConnection,
    operation: InsertOperation,
    rows: readonly Row[],
  ): Promise<readonly number[]> {
    try {
      if (rows.length === 1) return await this.#insertRow(connection, operation, rows[0]!)
      const parts = splitRows(rows, operation.columns.length, this.#statements.features.maxBytes)
      if (parts.length === 1) return await this.#insertRows(connection, operation, parts[0]!)
      return await connection.atomically(async (inner) => {
        const numbers: number[] = []
        for (const part of parts) {
          for (const number of await this.#insertRows(inner, operation, part)) numbers.push(number)
        }
        return numbers
      })
    } catch (error) {
      throw operation.autoIncrement ? explainExhausted(error, operation.plan) : error
    }
  }

  async #insertRow(connection: MysqlConnection, operation: InsertOperation, row: Row): Promise<number[]> {
    const { done } = await this.run(connection, operation, row)
    if (!operation.autoIncrement) return []
    const { insertId } = done!
    return isSafe(insertId) ? [insertId] : removeUnsafeNumbers(connection, operation, [insertId])
  }

  async #insertRows(connection: MysqlConnection, operation: InsertOperation, rows: readonly Row[]): Promise<number[]> {
    if (rows.length === 1) return this.#insertRow(connection, operation, rows[0]!)
    const text = this.#statements.compileRows(operation, rows.length)
    const { rows: returned, done } = await connection.query({ text, values: rows.flat() }, operation.plan)
    if (!operation.autoIncrement) return []
    // A statement whose number of rows is known gets consecutive numbers in every `innodb_autoinc_lock_mode`.
    const { returning, step } = this.#statements.features
    const numbers = returning ? returned.map((row) => (row as Row)[0]) : numbersFrom(done!.insertId, rows.length, step)
    return numbers.every(isSafe) ? numbers : removeUnsafeNumbers(connection, operation, numbers)
  }
}

type Reader = (text: string, values: unknown[]) => Promise<readonly unknown[]>

function readerOf(connection: MysqlConnection): Reader {
  return async (text, values) => (await connection.query({ text, values })).rows
}

function tableReaderOf(connection: MysqlConnection): (tableName: TableName) => Promise<MysqlTable | undefined> {
  return async (tableName) => (await inspectMysql(readerOf(connection), [tableName])).tables[0]
}

function isSafe(number: unknown): number is number {
  return Number.isSafeInteger(number)
}
