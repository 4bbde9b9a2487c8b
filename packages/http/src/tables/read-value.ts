import type { Column } from '@portico/schema/model'
import type { JsonSchema } from '@portico/schema/runtime'
import { readBoolean, readInteger, readNumber } from '../bind/convert.ts'

/** The value, or a description of what was expected. */
export type ReadResult = { readonly value: unknown } | { readonly expected: string }

/** Converts text from a query or path to a value of a column, strictly. */
export function readColumnText(column: Column, text: string): ReadResult {
  const read = readByType(column, text)
  if ('expected' in read || !column.values) return read
  if ((column.values as readonly unknown[]).includes(read.value)) return read
  return { expected: `one of ${column.values.map((it) => `'${it}'`).join(', ')}` }
}

const decimalText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/**
 * The JSON Schema of the text that {@link readColumnText} accepts. It is wider than the column's own: a filter has no
 * default, and may ask for a value that no record can have.
 */
export function describeColumnText({ type, integer, values }: Column): JsonSchema {
  if (values) return { ...describeValues(type, integer), enum: values }
  if (type === 'decimal') return { type: 'string', pattern: decimalText.source }
  const schema = describeValues(type, integer)
  if (!integer || type !== 'number') return schema
  return { ...schema, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
}

function describeValues(type: Column['type'], integer: boolean): JsonSchema {
  if (type === 'boolean') return { type }
  if (type === 'number') return integer ? { type: 'integer', format: 'int64' } : { type }
  return { type: 'string' }
}

function readByType({ type, integer }: Column, text: string): ReadResult {
  switch (type) {
    case 'string':
      // Engines treat NUL in text differently, so the database layer refuses it too.
      return text.includes('\0') ? { expected: 'text without a NUL character' } : { value: text }
    case 'number':
      if (integer) return orExpected(readInteger(text), 'a whole number')
      return orExpected(readNumber(text), 'a number')
    case 'boolean':
      return orExpected(readBoolean(text), 'true or false')
    case 'decimal':
      return orExpected(decimalText.test(text) ? text : undefined, 'a decimal number')
    case 'json':
      return { expected: 'nothing: JSON columns cannot be compared' }
  }
}

/** True if a value from JSON, in a cursor or a body, has the type of the column. */
export function isColumnValue({ type, integer }: Column, value: unknown): boolean {
  if (type === 'number') return integer ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return type !== 'json' && typeof value === 'string'
}

function orExpected(value: unknown, expected: string): ReadResult {
  return value === undefined ? { expected } : { value }
}
