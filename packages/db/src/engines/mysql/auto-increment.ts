import type { InsertOperation } from '../../contract/operation.ts'
import { exhausted } from '../../errors.ts'
import { quoteTableName } from '../../sql/dialect.ts'
import { type Connection, readCount } from '../../sql/pooled-session.ts'
import { MAX_INTEGER } from '../../values/limits.ts'
import { quoteName } from './dialect.ts'
import type { MysqlQuery, MysqlResult } from './driver.ts'

type MysqlConnection = Connection<MysqlQuery, MysqlResult>

/**
 * Lets numbering continue after the highest stored number, for a counter that has run out although higher rows were
 * deleted. Returns false if the highest number is stored.
 */
export async function restartCounter(
  connection: MysqlConnection,
  { plan, autoIncrement }: InsertOperation,
): Promise<boolean> {
  const table = quoteTableName(plan.tableName, quoteName)
  const text = `SELECT MAX(${quoteName(autoIncrement!.name)}) FROM ${table}`
  const highest = readCount(await connection.query({ text }, plan))
  if (highest >= (autoIncrement!.storage.max ?? MAX_INTEGER)) return false
  const preset = autoIncrement!.model.default
  const start = preset?.kind === 'increment' ? preset.start : 1
  // If a higher number is stored, the server continues after that one.
  await connection.query({ text: `ALTER TABLE ${table} AUTO_INCREMENT = ${start}`, isUnlimited: true }, plan)
  return true
}

/**
 * Deletes rows whose number JavaScript would round, and fails. The column cannot refuse such numbers itself: MySQL
 * allows no check constraint on an `AUTO_INCREMENT` column.
 */
export async function removeUnsafeNumbers(
  connection: MysqlConnection,
  { plan, autoIncrement }: InsertOperation,
  numbers: readonly unknown[],
): Promise<never> {
  const places = numbers.map(() => '?').join(', ')
  const text = `DELETE FROM ${quoteTableName(plan.tableName, quoteName)} WHERE ${quoteName(autoIncrement!.name)} IN (${places})`
  await connection.query({ text, values: numbers.map(String) }, plan)
  throw exhausted(autoIncrement!.path)
}

/** The numbers of `count` rows. `first` is text where JavaScript would round it. */
export function numbersFrom(first: number | string, count: number, step: number): unknown[] {
  const offsets = Array.from({ length: count }, (_, index) => index * step)
  return typeof first === 'number' && Number.isSafeInteger(first) && Number.isSafeInteger(first + count * step)
    ? offsets.map((it) => first + it)
    : offsets.map((it) => BigInt(first) + BigInt(it))
}
