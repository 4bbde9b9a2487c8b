import type { PlanColumn, TablePlan } from '../contract/plan.ts'
import type { Row } from '../contract/storage.ts'
import { DbError } from '../errors.ts'
import type { RowReader } from '../values/row-mapping.ts'

type Fields = Record<string, unknown>

/** How rows of a find become records. */
export interface RowShape {
  readonly operation: { readonly plan: TablePlan; readonly columns: readonly PlanColumn[] }
  readonly read: RowReader
}

/** Turns rows into records. One that cannot be read fails the whole, by an error that names its key. */
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

/** The same for one row: calls by key are short enough for a list to show. */
export function readRow({ operation, read }: RowShape, row: Row): Fields {
  try {
    return read(row)
  } catch (error) {
    throw explainUnreadable(error, operation, row)
  }
}

/** Names table and key of the record, so that it can be looked at, changed or deleted while all others are read. */
function explainUnreadable(error: unknown, { plan, columns }: RowShape['operation'], row: Row): unknown {
  if (!(error instanceof DbError)) return error
  const key = readKeyOf(plan, columns, row)
  const place = key ? `the record ${nameKey(key)}` : 'a record, whose key was not selected,'
  return new DbError(error.code, `table \`${plan.name}\`: ${place} cannot be read: ${error.message}`, {
    cause: error,
    fields: error.fields,
    ...(key && { key }),
  })
}

function readKeyOf({ key }: TablePlan, columns: readonly PlanColumn[], row: Row): Fields | undefined {
  const positions = key.map((it) => columns.indexOf(it))
  if (positions.length === 0 || positions.includes(-1)) return undefined
  return Object.fromEntries(key.map((column, index) => [column.path, decodeKey(column, row[positions[index]!])]))
}

/** The key may be what cannot be read: then it is shown as it is stored. */
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
