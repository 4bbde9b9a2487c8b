import type { InsertOperation } from '../../contract/operation.ts'
import { exhausted, isExhausted } from '../../errors.ts'
import { quoteName, quoteTableName } from '../../sql/dialect.ts'
import { isRowId } from './dialect.ts'
import type { SqliteHandle } from './driver.ts'
import { isSqliteError } from './errors.ts'

interface Connection {
  readonly handle: SqliteHandle
  atomically<T>(work: () => T): T
}

/** The largest number that SQLite can generate. */
const LAST_ROWID = '9223372036854775807'

/**
 * Inserts rows whose numbers SQLite generates, and checks the numbers before they are kept. If the counter has run out
 * although higher rows were deleted, numbering continues after the highest stored number.
 */
export function insertNumbered(
  connection: Connection,
  operation: InsertOperation,
  insert: () => number[],
  isSingle: boolean,
): number[] {
  const { autoIncrement, plan } = operation
  const { handle } = connection
  const attempt = (): number[] => {
    const numbers = insert()
    if (!numbers.every(Number.isSafeInteger)) throw exhausted(autoIncrement!.path)
    return numbers
  }
  // A savepoint costs half as much as the insert, and one row can be removed without it.
  const wasOpen = handle.inTransaction
  const isAlone = isSingle && wasOpen
  try {
    return isAlone ? attempt() : withSavepoint(connection, attempt)
  } catch (error) {
    const isFull = isSqliteError(error) && error.code === 'SQLITE_FULL'
    if (!(isFull || isExhausted(error)) || !isRowId(plan)) throw error
    if (wasOpen && !handle.inTransaction) {
      // SQLite has rolled back the whole transaction. An insert now would be kept without the rest of it.
      throw restartCounter(handle, operation, isFull) ? exhausted(autoIncrement!.path, error) : error
    }
    if (isAlone && isExhausted(error)) {
      handle.exec(`DELETE FROM ${quoteTableName(plan.tableName)} WHERE rowid = last_insert_rowid()`)
    }
    return withSavepoint(connection, () => {
      if (!restartCounter(handle, operation, isFull)) throw error
      return attempt()
    })
  }
}

/**
 * Sets the counter back to the highest stored number. Returns false if it was not higher. SQLite reports a full disk
 * with the same error; then the counter stays, unless it has reached its end.
 */
function restartCounter(handle: SqliteHandle, { plan, autoIncrement }: InsertOperation, isFull: boolean): boolean {
  const preset = autoIncrement!.model.default
  const start = preset?.kind === 'increment' ? preset.start : 1
  const column = quoteName(autoIncrement!.name)
  const highest = `(SELECT coalesce(max(${column}), 0) FROM ${quoteTableName(plan.tableName)} WHERE ${column} >= ${start})`
  const text = `UPDATE sqlite_sequence SET seq = max(${highest}, ${start - 1}) WHERE name = ? AND seq > ${highest}${
    isFull ? ` AND seq = ${LAST_ROWID}` : ''
  }`
  return handle.prepare(text).run(plan.tableName.table).changes > 0
}

/** Undoes a failed attempt, also inside a transaction, so that it can be repeated. */
function withSavepoint<T>(connection: Connection, work: () => T): T {
  const { handle } = connection
  if (!handle.inTransaction) return connection.atomically(work)
  handle.exec('SAVEPOINT portico_numbered')
  try {
    const result = work()
    handle.exec('RELEASE portico_numbered')
    return result
  } catch (error) {
    // A trigger may have rolled back everything.
    if (handle.inTransaction) handle.exec('ROLLBACK TO portico_numbered; RELEASE portico_numbered')
    throw error
  }
}
