import { DbError } from '@portico/db'
import type { Column } from '@portico/schema/model'
import { HttpError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { toProblem } from '../server/reply-error.ts'
import { isPlainObject } from '../shared/objects.ts'
import type { Fields } from './table-view.ts'

/** The option `scope`: returns the condition that a request is limited to. */
export type ScopeOf = (request: HttpRequest) => unknown

/**
 * The condition that a request is limited to; `{}` allows every record. Anything that is not a condition is a failure of
 * the server: it never grants access and is never the caller's fault. An `HttpError` refuses the request, as in a guard.
 */
export async function readScope(scopeOf: ScopeOf, request: HttpRequest, table: string): Promise<Fields> {
  let scope: unknown
  try {
    scope = await scopeOf(request)
  } catch (error) {
    throw isCallersFault(error) ? scopeFailed(table, error) : error
  }
  if (isPlainObject(scope)) return scope
  throw scopeFailed(table)
}

/** True for a database error that would be reported to the caller as a 4xx. */
export function isCallersFault(error: unknown): boolean {
  return error instanceof DbError && toProblem(error).problem.status < 500
}

export function scopeFailed(table: string, cause?: unknown): Error {
  return new Error(`the scope of table \`${table}\` is not a valid condition`, cause === undefined ? {} : { cause })
}

/** Refuses a record outside of the scope before the database can reveal anything about other records. */
export function refuseOutside(record: Fields, scope: Fields, columns: ReadonlyMap<string, Column>): void {
  if (contradicts(record, scope, columns)) throw outside()
}

export function outside(): HttpError {
  return new HttpError(403, 'FORBIDDEN', 'the record would be outside of the scope of this caller')
}

/** Adds the plain values of the scope where the record leaves the field out. */
export function fillFromScope(record: Fields, scope: Fields): Fields {
  const fixed = Object.entries(scope).filter(([name, value]) => !/[.$]/.test(name) && isScalar(value))
  return { ...Object.fromEntries(fixed), ...record }
}

/** True if a value of the record contradicts the scope for certain. Other conditions are left to the database. */
function contradicts(record: Fields, scope: Fields, columns: ReadonlyMap<string, Column>): boolean {
  return Object.entries(scope).some(([name, condition]) => {
    if (name === '$and' && Array.isArray(condition)) {
      return condition.some((it) => contradicts(record, it as Fields, columns))
    }
    const column = columns.get(name)
    // Equal decimals may be written differently.
    if (!column || column.type === 'decimal' || !Object.hasOwn(record, name)) return false
    const allowed = allowedValues(condition)
    const value = record[name]
    return allowed?.every((it) => typeof it === typeof value && it !== value) ?? false
  })
}

/**
 * True if the values of the record alone prove that it is inside the scope, so that the database need not check. `changed`
 * names the fields that may have changed in a record that was inside before.
 */
export function isProvenInside(
  record: Fields,
  scope: Fields,
  columns: ReadonlyMap<string, Column>,
  changed?: ReadonlySet<string>,
): boolean {
  return Object.entries(scope).every(([name, condition]) => {
    if (changed && !namesOf(name, condition).some((it) => it === undefined || changed.has(it))) return true
    if (name === '$and' && Array.isArray(condition)) {
      return condition.every((it) => isPlainObject(it) && isProvenInside(record, it, columns, changed))
    }
    const value = columns.has(name) && Object.hasOwn(record, name) ? record[name] : undefined
    if (!isScalar(value)) return false
    const isAlone = isScalar(condition) || (isPlainObject(condition) && Object.keys(condition).length === 1)
    return isAlone && (allowedValues(condition)?.includes(value) ?? false)
  })
}

/** The fields of a condition; `undefined` for anything that is not a condition. */
function namesOf(name: string, condition: unknown): (string | undefined)[] {
  if (!name.startsWith('$')) return [name.split('.')[0]]
  const parts = Array.isArray(condition) ? condition : [condition]
  return parts.flatMap((it) => {
    return isPlainObject(it) ? Object.entries(it).flatMap(([inner, value]) => namesOf(inner, value)) : [undefined]
  })
}

function allowedValues(condition: unknown): readonly unknown[] | undefined {
  if (isScalar(condition)) return [condition]
  if (!isPlainObject(condition)) return undefined
  const { $eq, $in } = condition
  if (isScalar($eq)) return [$eq]
  return Array.isArray($in) ? $in : undefined
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
