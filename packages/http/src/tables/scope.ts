import { DbError } from '@portico/db'
import type { Column } from '@portico/schema/model'
import { HttpError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { toProblem } from '../server/reply-error.ts'
import { isPlainObject } from '../shared/objects.ts'
import type { Fields } from './table-view.ts'

/** The condition that a request is confined to, as a program gives it. */
export type ScopeOf = (request: HttpRequest) => unknown

/**
 * Asks for the condition of a request. What is none is a failure of the server, never a permission and never the
 * caller's: `{}` is how everything is said. An `HttpError` refuses the request, as in a guard.
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

/** Whether the table layer would blame the caller of the route. */
export function isCallersFault(error: unknown): boolean {
  return error instanceof DbError && toProblem(error).problem.status < 500
}

export function scopeFailed(table: string, cause?: unknown): Error {
  return new Error(`the scope of table \`${table}\` is no valid condition`, cause === undefined ? {} : { cause })
}

/** Refuses a record that cannot be inside, before the database says anything about other records. */
export function refuseOutside(record: Fields, scope: Fields, columns: ReadonlyMap<string, Column>): void {
  if (contradicts(record, scope, columns)) throw outside()
}

export function outside(): HttpError {
  return new HttpError(403, 'FORBIDDEN', 'the record would be outside of what may be written here')
}

/** What a scope fixes need not be sent: its plain values are filled in where a record leaves the field out. */
export function fillFromScope(record: Fields, scope: Fields): Fields {
  const fixed = Object.entries(scope).filter(([name, value]) => !/[.$]/.test(name) && isScalar(value))
  return { ...Object.fromEntries(fixed), ...record }
}

/** Whether a record has a value that the scope rules out for certain; other conditions are the database's to judge. */
function contradicts(record: Fields, scope: Fields, columns: ReadonlyMap<string, Column>): boolean {
  return Object.entries(scope).some(([name, condition]) => {
    if (name === '$and' && Array.isArray(condition)) {
      return condition.some((it) => contradicts(record, it as Fields, columns))
    }
    const column = columns.get(name)
    // Decimals may be equal in other digits.
    if (!column || column.type === 'decimal' || !Object.hasOwn(record, name)) return false
    const allowed = allowedValues(condition)
    const value = record[name]
    return allowed?.every((it) => typeof it === typeof value && it !== value) ?? false
  })
}

/**
 * Whether a record is inside for certain, so that the database need not judge: it has the values that the scope fixes.
 * Of a record that was inside before, `changed` names the fields that may be others now.
 */
export function isSettled(
  record: Fields,
  scope: Fields,
  columns: ReadonlyMap<string, Column>,
  changed?: ReadonlySet<string>,
): boolean {
  return Object.entries(scope).every(([name, condition]) => {
    if (changed && !namesOf(name, condition).some((it) => it === undefined || changed.has(it))) return true
    if (name === '$and' && Array.isArray(condition)) {
      return condition.every((it) => isPlainObject(it) && isSettled(record, it, columns, changed))
    }
    const value = columns.has(name) && Object.hasOwn(record, name) ? record[name] : undefined
    if (!isScalar(value)) return false
    const isAlone = isScalar(condition) || (isPlainObject(condition) && Object.keys(condition).length === 1)
    return isAlone && (allowedValues(condition)?.includes(value) ?? false)
  })
}

/** The fields that a condition is about; `undefined` stands for what is no condition. */
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
