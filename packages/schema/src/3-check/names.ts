import type { Report } from '../diagnostics/report.ts'
import type { Span } from '../source.ts'

/** The schema and name of a table. */
export interface TableName {
  readonly schema?: string | undefined
  readonly table: string
}

/** PostgreSQL silently truncates longer names. */
const MAX_NAME_BYTES = 63

/** Reports a physical name that some database would reject or change. */
export function checkPhysicalName(name: string, span: Span | (() => Span), report: Report): void {
  const why = problemOf(name)
  const at = (): Span => (typeof span === 'function' ? span() : span)
  if (why) report.add('bad_physical_name', at(), name, why)
  // As a property name it would set the prototype of an object.
  if (name === '__proto__') report.add('reserved_physical_name', at(), name, 'has a special meaning in JavaScript')
}

/** Reports a table whose name is reserved for schema sync, such as `portico__tables`. */
export function checkTableName(table: TableName, span: Span, report: Report): void {
  const flat = flatName(table)
  if (!foldName(flat).startsWith('portico__')) return
  report.add('reserved_physical_name', span, flat, 'begins with `portico__`, which is reserved for schema sync')
}

/** A name as case-insensitive databases compare it. SQLite folds ASCII letters only. */
export function foldName(name: string): string {
  const lower = name.toLowerCase()
  if (lower === name) return name
  return /[^\0-\x7f]/.test(name) ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : lower
}

export function differOnlyInCase(one: string, other: string): boolean {
  return one !== other && foldName(one) === foldName(other)
}

/** The table name on databases without schemas. It has to be unique, too. */
export function flatName({ schema, table }: TableName): string {
  return schema === undefined ? table : `${schema}__${table}`
}

function problemOf(name: string): string | undefined {
  if (name.trim() === '') return 'is empty'
  if (/[^\x20-\x7e\xa0-\uffff]/.test(name)) return 'has control characters'
  if (name.length * 3 <= MAX_NAME_BYTES) return undefined
  const bytes = new TextEncoder().encode(name).length
  return bytes > MAX_NAME_BYTES ? `is ${bytes} bytes long; the maximum is ${MAX_NAME_BYTES}` : undefined
}
