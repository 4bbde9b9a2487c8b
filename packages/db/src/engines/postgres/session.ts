import type { Inspection, PinnedSession, Session, Transaction } from '../../contract/adapter.ts'
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
import type { Question } from '../../contract/question.ts'
import type { Row } from '../../contract/storage.ts'
import { begunByHand, DbError, isExhausted } from '../../errors.ts'
import { checkValues } from '../../sql/check-values.ts'
import { compileChange } from '../../sql/compile-change.ts'
import { compileOperation } from '../../sql/compile-operation.ts'
import { compileQuestion } from '../../sql/compile-question.ts'
import { quotePlace, quoteText } from '../../sql/dialect.ts'
import type { Executor } from '../../sql/executor.ts'
import { readWide } from '../../sql/read-wide.ts'
import { Savepoints } from '../../sql/savepoints.ts'
import { compileRestart } from './auto-increment.ts'
import { compileBulkInsert, postgresDialect, transpose } from './dialect.ts'
import {
  isBegin,
  isOpenAfter,
  type PostgresClientExecutor,
  type PostgresQuery,
  type PostgresResult,
  type StatementNames,
} from './driver.ts'
import { inspectPostgres } from './introspect.ts'
import { parserOf } from './types.ts'

/** The number of the lock that lets one sync run at a time: the letters of "portico". */
export const SYNC_LOCK = 0x70_6f_72_74_69_63

const types = { getTypeParser: parserOf }

/** The longest that a timer takes: a change of a big table takes the time it needs. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

interface Compiled {
  readonly text: string
  readonly name: string | undefined
  readonly bind: ((params: readonly unknown[]) => unknown[]) | undefined
}

/** The statements of all sessions of one pool: compiled once for each operation and kept as long as that is. */
export class Statements {
  readonly #names: StatementNames
  readonly #compiled = new WeakMap<Operation, Compiled>()
  readonly #bulk = new WeakMap<InsertOperation, Compiled>()
  /** Tables whose sequence was found at its end in a transaction. */
  readonly exhausted: Set<TablePlan> = new Set()

  constructor(names: StatementNames) {
    this.#names = names
  }

  compile(operation: Operation): Compiled {
    const known = this.#compiled.get(operation)
    if (known) return known
    const { text, bind } = compileOperation(operation, postgresDialect)
    const compiled = { text, name: this.#names.nameOf(text), bind }
    this.#compiled.set(operation, compiled)
    return compiled
  }

  compileBulk(operation: InsertOperation): Compiled {
    const known = this.#bulk.get(operation)
    if (known) return known
    const text = compileBulkInsert(operation)
    const compiled = { text, name: this.#names.nameOf(text), bind: undefined }
    this.#bulk.set(operation, compiled)
    return compiled
  }
}

export class PostgresSession implements Session {
  protected readonly executor: Executor<PostgresQuery, PostgresResult>
  readonly #statements: Statements

  constructor(executor: Executor<PostgresQuery, PostgresResult>, statements: Statements) {
    this.executor = executor
    this.#statements = statements
  }

  /** Whether each statement stands alone, outside of transactions. */
  protected get isAlone(): boolean {
    return true
  }

  async find(operation: FindOperation, params: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#run(operation, params, true)).rows as Row[]
  }

  async count(operation: CountOperation, params: readonly unknown[]): Promise<number> {
    const { rows } = await this.#run(operation, params, true)
    return Number((rows[0] as Row)[0])
  }

  async insert(operation: InsertOperation, rows: readonly Row[]): Promise<readonly number[]> {
    const result = operation.counted ? await this.#insertCounted(operation, rows) : await this.#insert(operation, rows)
    await this.#countOn(operation, rows)
    return result.rows.map((row) => Number((row as Row)[0]))
  }

  async write(operation: UpdateOperation | DeleteOperation, params: readonly unknown[]): Promise<number> {
    return (await this.#run(operation, params)).rowCount ?? 0
  }

  async upsert(operation: UpsertOperation, params: readonly unknown[]): Promise<Row | undefined> {
    const { rows } = await this.#run(operation, params)
    await this.#countOn(operation, [params])
    return rows[0] as Row | undefined
  }

  async sql(parts: readonly string[], values: readonly unknown[]): Promise<readonly object[]> {
    const text = parts.reduce((before, part, index) => `${before}$${index}${part}`)
    checkValues(values)
    // The extended protocol takes one statement alone.
    const { rows, fields, command } = await this.query({ text, values: [...values], queryMode: 'extended' })
    if (this.isAlone && isBegin(command)) throw begunByHand()
    return readWide(
      rows,
      fields.filter((it) => it.dataTypeID === INT8),
    )
  }

  inspect(places: readonly TablePlace[]): Promise<Inspection> {
    return inspectPostgres((query) => this.query(query), places)
  }

  async ask(question: Question): Promise<number> {
    const text = compileQuestion(question, postgresDialect)
    const { rows } = await this.query({ text, rowMode: 'array', query_timeout: NO_TIMEOUT_MS })
    return Number((rows[0] as Row)[0])
  }

  async change(change: TableChange): Promise<void> {
    const plan = 'plan' in change ? change.plan : undefined
    for (const text of compilePostgres(change)) await this.query({ text, query_timeout: NO_TIMEOUT_MS }, plan)
  }

  script(changes: readonly TableChange[], last: readonly string[], checks: readonly Question[]): readonly string[] {
    return [
      // psql goes on after a failure unless it is told otherwise, and exits with 0.
      '\\set ON_ERROR_STOP on',
      'BEGIN',
      `SELECT pg_advisory_xact_lock(${SYNC_LOCK})`,
      ...checks.map(compileCheck),
      ...changes.flatMap(compilePostgres),
      ...last,
      'COMMIT',
    ]
  }

  protected query(query: PostgresQuery, plan?: TablePlan): Promise<PostgresResult> {
    return this.executor.execute(query, plan)
  }

  #run(operation: Operation, params: readonly unknown[], isRead = false): Promise<PostgresResult> {
    const compiled = this.#statements.compile(operation)
    return this.#send(compiled, compiled.bind ? compiled.bind(params) : (params as unknown[]), operation.plan, isRead)
  }

  #send({ text, name }: Compiled, values: unknown[], plan: TablePlan, isRead = false): Promise<PostgresResult> {
    return this.executor.execute({ text, name, values, rowMode: 'array', types }, plan, isRead)
  }

  #insert(operation: InsertOperation, rows: readonly Row[]): Promise<PostgresResult> {
    return rows.length === 1 ? this.#run(operation, rows[0]!) : this.#insertBulk(operation, rows)
  }

  /** Where the sequence is at its end but the rows are not, inserting goes on behind the highest number that is stored. */
  async #insertCounted(operation: InsertOperation, rows: readonly Row[]): Promise<PostgresResult> {
    const { plan } = operation
    const { exhausted } = this.#statements
    if (exhausted.delete(plan)) await this.query({ text: compileRestart(operation) }, plan)
    try {
      return await this.#insert(operation, rows)
    } catch (error) {
      if (!isExhausted(error)) throw error
      // A transaction that has failed takes no more statements: the next insert sees to it.
      if (!this.isAlone) exhausted.add(plan)
      if (!this.isAlone) throw error
      await this.query({ text: compileRestart(operation) }, plan)
      return this.#insert(operation, rows)
    }
  }

  #insertBulk(operation: InsertOperation, rows: readonly Row[]): Promise<PostgresResult> {
    const compiled = this.#statements.compileBulk(operation)
    return this.#send(compiled, transpose(rows, operation.columns.length), operation.plan)
  }

  /** Numbers that came with the rows are not given out again: counting goes on behind them, as on other engines. */
  async #countOn({ plan, columns }: InsertOperation | UpsertOperation, rows: readonly Row[]): Promise<void> {
    const position = plan.counted ? columns.indexOf(plan.counted) : -1
    if (position < 0) return
    const preset = plan.counted!.model.default
    const start = preset?.kind === 'increment' ? preset.start : 1
    const highest = rows.reduce((most, row) => Math.max(most, row[position] as number), Number.MIN_SAFE_INTEGER)
    if (highest < start) return
    const text = `SELECT setval("s", $1) FROM (SELECT pg_get_serial_sequence($2, $3)::regclass AS "s") AS "q"
      WHERE $1::bigint > coalesce(pg_sequence_last_value("s"), $4::bigint)`
    const values = [highest, quotePlace(plan.place), plan.counted!.name, start - 1]
    await this.query({ text, values }, plan)
  }
}

/** A statement that fails where a question finds anything. */
function compileCheck(question: Question): string {
  const told = quoteText(`portico: rows of ${quotePlace(question.place)} no longer fit: plan again`)
  const body = `BEGIN IF (${compileQuestion(question, postgresDialect)}) > 0 THEN RAISE EXCEPTION USING MESSAGE = ${told}; END IF; END`
  return `DO ${quoteText(body)}`
}

function compilePostgres(change: TableChange): readonly string[] {
  // Tables change in place: none is ever made anew.
  return change.kind === 'rebuildTable' ? [] : compileChange(change, postgresDialect, true)
}

const INT8 = 20

export class PostgresTransaction extends PostgresSession implements Transaction {
  readonly #client: PostgresClientExecutor
  readonly #savepoints: Savepoints

  constructor(client: PostgresClientExecutor, statements: Statements) {
    super(client, statements)
    this.#client = client
    this.#savepoints = new Savepoints((text) => this.query({ text }))
    client.watch(isOpenAfter)
  }

  protected override get isAlone(): boolean {
    return false
  }

  async commit(): Promise<void> {
    // A statement by hand may have ended it: what came after that was never asked to be kept.
    const result = await this.#client.end({ text: this.#client.isLost ? 'ROLLBACK' : 'COMMIT' })
    // PostgreSQL answers the commit of a failed transaction with a rollback, not with an error.
    if (result?.command !== 'COMMIT') throw new DbError('TRANSACTION_ABORTED', 'nothing of the transaction was kept')
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

/** A session on one connection that holds the lock of sync. */
export class PostgresPinnedSession extends PostgresSession implements PinnedSession {
  readonly #client: PostgresClientExecutor
  readonly #unlock: string

  constructor(client: PostgresClientExecutor, statements: Statements, unlock: string) {
    super(client, statements)
    this.#client = client
    this.#unlock = unlock
  }

  async release(): Promise<void> {
    // A connection that is gone holds no lock.
    await this.#client.end({ text: this.#unlock }).catch(() => {})
  }
}
