import type { Column } from '@portico/schema/model'
import { isColumnValue } from './read-value.ts'
import type { Fields } from './table-view.ts'

/** A cursor is the key of the last record of a page. */
export function writeCursor(key: readonly Column[], record: Fields): string {
  return Buffer.from(JSON.stringify(key.map((it) => record[it.path]))).toString('base64url')
}

/** The key values in a cursor, or `undefined` if it is not a cursor of this table. */
export function readCursor(key: readonly Column[], text: string): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(values) || values.length !== key.length) return undefined
    return key.every((column, index) => isColumnValue(column, values[index])) ? values : undefined
  } catch {
    return undefined
  }
}

/** The condition for the records after a key, in the order of the key. */
export function afterCursor(key: readonly Column[], values: readonly unknown[]): Fields {
  const steps = key.map(({ path }, index) => ({
    ...Object.fromEntries(key.slice(0, index).map((it, before) => [it.path, values[before]])),
    [path]: { $gt: values[index] },
  }))
  return steps.length === 1 ? steps[0]! : { $or: steps }
}
