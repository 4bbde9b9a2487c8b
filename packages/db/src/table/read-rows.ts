import type { Row } from '../contract/storage.ts'
import type { PlanColumn, TablePlan } from '../contract/table-plan.ts'
import { DbError } from '../errors.ts'
import type { RowReader } from '../values/row-mapping.ts'

type Fields = Record<string, unknown>

/** A find, with the function that reads its rows. */
export interface RowShape {
  readonly operation: { readonly plan: TablePlan; readonly columns: readonly PlanColumn[] }
  readonly read: RowReader
}

/** Reads rows as records. If one cannot be read, the error names its key. */
export function readRows({ operation, read }: RowShape, rows: readonly Row[]): Fields[] {
  let index = 0
  const records: Fields[] = []
  try {
    for (; index < rows.length; index++) records.push(read(rows[index]!))
  } catch (error) {
    throw explainUnreadable(error, operation, rows[index]!)
  }
  return records
}

/** `readRows` for one row, without a list: calls by key are fast enough for that to matter. */
export function readRow({ operation, read }: RowShape, row: Row): Fields {
  try {
    return read(row)
  } catch (error) {
    throw explainUnreadable(error, operation, row)
  }
}

/** Names the table and the key of the record, so that it can be fixed or deleted. */
function explainUnreadable(error: unknown, { plan, columns }: RowShape['operation'], row: Row): unknown {
  if (!(error instanceof DbError)) return error
  const key = readKeyOf(plan, columns, row)
  const subject = key ? `the record ${nameKey(key)}` : 'a record, whose key was not selected,'
  return new DbError(error.code, `table \`${plan.name}\`: ${subject} cannot be read: ${error.message}`, {
    cause: error,
    fields: error.fields,
    key,
  })
}

function readKeyOf({ key }: TablePlan, columns: readonly PlanColumn[], row: Row): Fields | undefined {
  const positions = key.map((it) => columns.indexOf(it))
  if (positions.length === 0 || positions.includes(-1)) return undefined
  return Object.fromEntries(key.map((column, index) => [column.path, decodeKey(column, row[positions[index]!])]))
}

/** If the key itself cannot be decoded, the stored value is shown. */
function decodeKey({ storage }: PlanColumn, value: unknown): unknown {
  try {
    return storage.decode ? storage.decode(value) : value
  } catch {
    return String(value)
  }
}

const MAX_KEY_LENGTH = 200

function nameKey(key: Fields): string {
  const text = JSON.stringify(key)
  return text.length > MAX_KEY_LENGTH ? `${text.slice(0, MAX_KEY_LENGTH)}…` : text
}
