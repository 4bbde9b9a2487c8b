import type { Report } from '../diagnostics/report.ts'
import type { TableModel } from '../model.ts'
import type { Span } from '../source.ts'

/** PostgreSQL cuts longer names silently. */
export const LONGEST_NAME_BYTES = 63

/** Reports a physical name that some database would refuse or change. */
export function checkPhysicalName(name: string, span: Span | (() => Span), report: Report): void {
  const why = problemOf(name)
  const at = (): Span => (typeof span === 'function' ? span() : span)
  if (why) report.add('bad_physical_name', at(), name, why)
  // Read or written as a property, it would be the prototype of an object.
  if (name === '__proto__') report.add('reserved_physical_name', at(), name, 'means something else to JavaScript')
}

/** Reports a table that would be taken for one of sync's own, such as `portico__tables`. */
export function checkTableName(table: Pick<TableModel, 'schema' | 'table'>, span: Span, report: Report): void {
  const flat = flatName(table)
  if (!foldName(flat).startsWith('portico__')) return
  report.add('reserved_physical_name', span, flat, 'begins with `portico__`, as the tables of sync itself do')
}

/** A name as databases compare it that do not tell `B` from `b`: SQLite folds ASCII letters and no others. */
export function foldName(name: string): string {
  const lower = name.toLowerCase()
  if (lower === name) return name
  return /[^\0-\x7f]/.test(name) ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : lower
}

export function differOnlyInCase(one: string, other: string): boolean {
  return one !== other && foldName(one) === foldName(other)
}

/** Databases without schemas keep the table under this name, so that it has to be unique as well. */
export function flatName({ schema, table }: Pick<TableModel, 'schema' | 'table'>): string {
  return schema === undefined ? table : `${schema}__${table}`
}

function problemOf(name: string): string | undefined {
  if (name.trim() === '') return 'is empty'
  if (/[^\x20-\x7e\xa0-\uffff]/.test(name)) return 'has control characters'
  if (name.length * 3 <= LONGEST_NAME_BYTES) return undefined
  const bytes = new TextEncoder().encode(name).length
  return bytes > LONGEST_NAME_BYTES ? `is ${bytes} bytes long; ${LONGEST_NAME_BYTES} is the most` : undefined
}
