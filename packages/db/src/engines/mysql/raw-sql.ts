import { rawTransactionError } from '../../errors.ts'
import type { Connection } from '../../sql/pooled-session.ts'
import { checkValues, firstWords, isSavepoint, mysqlComments, readBigIntegers } from '../../sql/raw-sql.ts'
import { leavesOpen, type MysqlQuery, type MysqlResult } from './driver.ts'
import { isSavepointGone } from './errors.ts'

type MysqlConnection = Connection<MysqlQuery, MysqlResult>

/** The driver's number of the type `BIGINT`. */
const LONGLONG = 8

/** Runs a statement that a user of `db.sql` wrote. */
export async function runRawSql(
  connection: MysqlConnection,
  parts: readonly string[],
  values: readonly unknown[],
): Promise<readonly object[]> {
  checkValues(values)
  // Only one statement can be prepared at a time.
  const query = { text: parts.join('?'), values: [...values], named: true }
  const { rows, fields } = connection.transaction
    ? await runInTransaction(connection, query)
    : await runAlone(connection, query)
  return readBigIntegers(
    rows,
    fields.filter((it) => it.columnType === LONGLONG),
  )
}

async function runAlone(connection: MysqlConnection, query: MysqlQuery): Promise<MysqlResult> {
  const result = await connection.query(query)
  if (result.done && leavesOpen(result.done)) throw rawTransactionError()
  return result
}

/** Statements that never end a transaction. Others may commit it, as `ANALYZE TABLE` does. */
const harmless: ReadonlySet<string | undefined> = new Set(
  'select with values insert replace update delete show explain describe'.split(' '),
)

/** Set before a statement that may end the transaction. If it did, the savepoint is gone. */
const CHECK = 'portico_check'

function runInTransaction(connection: MysqlConnection, query: MysqlQuery): Promise<MysqlResult> {
  const words = firstWords(query.text, mysqlComments)
  return harmless.has(words[0]) || isSavepoint(words) ? connection.query(query) : runChecked(connection, query)
}

/**
 * After `COMMIT AND CHAIN`, `BEGIN`, or a procedure that runs them, another transaction is open, and the server's answer
 * does not show it. All three statements are sent at once, so that no other statement runs between them.
 */
async function runChecked(connection: MysqlConnection, query: MysqlQuery): Promise<MysqlResult> {
  const [, run, released] = await Promise.allSettled([
    connection.query({ text: `SAVEPOINT ${CHECK}` }),
    connection.query(query),
    connection.query({ text: `RELEASE SAVEPOINT ${CHECK}`, isCheck: true }),
  ])
  if (run.status === 'rejected') throw run.reason
  if (released.status === 'fulfilled') return run.value
  throw isSavepointGone(released.reason) ? connection.transaction!.markAborted() : released.reason
}
