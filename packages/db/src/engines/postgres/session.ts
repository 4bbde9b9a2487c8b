import type { BeginOptions, Inspection } from '../../contract/adapter.ts'
import type { TableChange } from '../../contract/change.ts'
import type { InsertOperation, Operation, UpsertOperation } from '../../contract/operation.ts'
import type { Row } from '../../contract/storage.ts'
import type { TableName, TablePlan } from '../../contract/table-plan.ts'
import { isExhausted, rawTransactionError } from '../../errors.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Connection, PooledEngine } from '../../sql/pooled-session.ts'
import { checkValues, readBigIntegers } from '../../sql/raw-sql.ts'
import { compileAdvance, compileRestart } from './auto-increment.ts'
import { compilePostgres, compileScript } from './change.ts'
import { postgresDialect, transpose } from './dialect.ts'
import {
  isBegin,
  isOpenAfter,
  type PostgresClient,
  type PostgresClientExecutor,
  type PostgresQuery,
  type PostgresResult,
} from './driver.ts'
import { inspectPostgres } from './introspect.ts'
import type { CompiledStatement, Statements } from './statements.ts'
import { acquireSyncLock, startTransaction, UNLOCK } from './transaction.ts'
import { parserOf } from './types.ts'

const types = { getTypeParser: parserOf }

/** The largest delay of a Node timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** The type `bigint`. */
const INT8 = 20

type PostgresConnection = Connection<PostgresQuery, PostgresResult>

/** PostgreSQL's part of a pooled session. */
export class PostgresEngine implements PooledEngine<PostgresClient, PostgresQuery, PostgresResult> {
  readonly dialect: Dialect = postgresDialect
  readonly unlock: readonly string[] = [UNLOCK]
  readonly acquireSyncLock: typeof acquireSyncLock = acquireSyncLock
  readonly isOpenAfter: typeof isOpenAfter = isOpenAfter
  readonly script: typeof compileScript = compileScript
  readonly #statements: Statements
  readonly #transactionTimeoutMs: number

  /** @param transactionTimeoutMs Set on each transaction, for connections that cannot have a timeout; 0 for none. */
  constructor(statements: Statements, transactionTimeoutMs: number) {
    this.#statements = statements
    this.#transactionTimeoutMs = transactionTimeoutMs
  }

  statement(text: string): PostgresQuery {
    return { text }
  }

  unlimited(text: string): PostgresQuery {
    return { text, rowMode: 'array', query_timeout: NO_TIMEOUT_MS }
  }

  run(
    connection: PostgresConnection,
    operation: Operation,
    params: readonly unknown[],
    isRead = false,
  ): Promise<PostgresResult> {
    const compiled = this.#statements.compile(operation)
    const values = compiled.bind ? compiled.bind(params) : (params as unknown[])
    return this.#send(connection, compiled, values, operation.plan, isRead)
  }

  affectedRows({ rowCount }: PostgresResult): number {
    return rowCount ?? 0
  }

  async insert(
    connection: PostgresConnection,
    operation: InsertOperation,
    rows: readonly Row[],
  ): Promise<readonly number[]> {
    const result = operation.autoIncrement
      ? await this.#insertNumbered(connection, operation, rows)
      : await this.#insertRows(connection, operation, rows)
    await this.#advanceSequence(connection, operation, rows)
    return result.rows.map((row) => Number((row as Row)[0]))
  }

  async upsert(
    connection: PostgresConnection,
    operation: UpsertOperation,
    params: readonly unknown[],
  ): Promise<Row | undefined> {
    const { rows } = await this.run(connection, operation, params)
    await this.#advanceSequence(connection, operation, [params])
    return rows[0] as Row | undefined
  }

  async sql(
    connection: PostgresConnection,
    parts: readonly string[],
    values: readonly unknown[],
  ): Promise<readonly object[]> {
    const text = parts.reduce((before, part, index) => `${before}$${index}${part}`)
    checkValues(values)
    // The extended protocol accepts only one statement.
    const { rows, fields, command } = await connection.query({ text, values: [...values], queryMode: 'extended' })
    if (!connection.transaction && isBegin(command)) throw rawTransactionError()
    return readBigIntegers(
      rows,
      fields.filter((it) => it.dataTypeID === INT8),
    )
  }

  inspect(connection: PostgresConnection, tableNames: readonly TableName[]): Promise<Inspection> {
    return inspectPostgres((query) => connection.query(query), tableNames)
  }

  async change(connection: PostgresConnection, change: TableChange): Promise<void> {
    const plan = 'plan' in change ? change.plan : undefined
    for (const text of compilePostgres(change)) await connection.query(this.unlimited(text), plan)
  }

  startTransaction(client: PostgresClientExecutor, options: BeginOptions): Promise<void> {
    return startTransaction(client, options, this.#transactionTimeoutMs)
  }

  /** PostgreSQL answers the commit of a failed transaction with `ROLLBACK`, not with an error. */
  isCommitted(result: PostgresResult | undefined): boolean {
    return result?.command === 'COMMIT'
  }

  #send(
    connection: PostgresConnection,
    { text, name }: CompiledStatement,
    values: unknown[],
    plan: TablePlan,
    isRead = false,
  ): Promise<PostgresResult> {
    return connection.query({ text, name, values, rowMode: 'array', types }, plan, isRead)
  }

  #insertRows(
    connection: PostgresConnection,
    operation: InsertOperation,
    rows: readonly Row[],
  ): Promise<PostgresResult> {
    if (rows.length === 1) return this.run(connection, operation, rows[0]!)
    const compiled = this.#statements.compileBulk(operation)
    return this.#send(connection, compiled, transpose(rows, operation.columns.length), operation.plan)
  }

  /** If the sequence has run out but higher rows were deleted, numbering continues after the highest stored number. */
  async #insertNumbered(
    connection: PostgresConnection,
    operation: InsertOperation,
    rows: readonly Row[],
  ): Promise<PostgresResult> {
    const { plan } = operation
    const { exhausted } = this.#statements
    const restart = (): Promise<unknown> => connection.query({ text: compileRestart(operation) }, plan)
    if (exhausted.delete(plan)) await restart()
    try {
      return await this.#insertRows(connection, operation, rows)
    } catch (error) {
      if (!isExhausted(error)) throw error
      if (connection.transaction) {
        // A failed transaction accepts no more statements: the next insert restarts the sequence.
        exhausted.add(plan)
        throw error
      }
      await restart()
      return this.#insertRows(connection, operation, rows)
    }
  }

  /** Advances the sequence past explicit numbers, so that it does not generate them again. */
  async #advanceSequence(
    connection: PostgresConnection,
    { plan, columns }: InsertOperation | UpsertOperation,
    rows: readonly Row[],
  ): Promise<void> {
    const position = plan.autoIncrement ? columns.indexOf(plan.autoIncrement) : -1
    if (position < 0) return
    const query = compileAdvance(
      plan,
      rows.map((row) => row[position] as number),
    )
    if (query) await connection.query(query, plan)
  }
}
