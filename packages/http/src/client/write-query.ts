import { ProblemError } from './problem-error.ts'

/** A query as an object: fields with values or operators, and controls. */
export interface QueryInput {
  readonly where?: Readonly<Record<string, unknown>>
  readonly orderBy?: Readonly<Record<string, 'asc' | 'desc'>> | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly after?: string | undefined
  readonly select?: readonly string[] | undefined
  readonly with?: readonly string[] | undefined
  readonly count?: boolean | undefined
}

/** Writes a query as the table routes read it. Empty lists are left out. */
export function writeQuery(input: QueryInput): URLSearchParams {
  checkObject('query', input)
  const { where = {}, orderBy = {}, limit, offset, after, select = [], with: relations = [], count } = input
  for (const [name, it] of Object.entries({ where, orderBy })) checkObject(name, it)
  const query = new URLSearchParams()
  for (const [path, condition] of Object.entries(where)) writeCondition(query, path, condition)
  const order = Object.entries(orderBy).map(([path, direction]) => writeOrder(path, direction))
  if (order.length > 0) query.set('$sort', order.join())
  if (limit !== undefined) query.set('$limit', String(limit))
  if (offset !== undefined) query.set('$offset', String(offset))
  if (after !== undefined) query.set('$after', after)
  if (select.length > 0) query.set('$select', select.join())
  if (relations.length > 0) query.set('$with', relations.join())
  if (count !== undefined) query.set('$count', String(count))
  return query
}

/** True for an empty `$in`, which no record matches. */
export function isImpossible({ where = {} }: QueryInput): boolean {
  return Object.values(where).some((it) => {
    const listed = typeof it === 'object' && it !== null ? (it as { readonly $in?: unknown }).$in : undefined
    return Array.isArray(listed) && listed.length === 0
  })
}

/** The error for a query that is not sent. */
function refuse(name: string, message: string): ProblemError {
  const issues = [{ path: [name], code: 'query', message }]
  return new ProblemError(0, 'REQUEST_INVALID', `\`${name}\` ${message}`, { issues })
}

/** Refuses promises, maps and instances: they have no entries, so the query would match every record. */
function checkObject(name: string, value: unknown): void {
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined
  if (prototype === Object.prototype || prototype === null) return
  if (typeof (value as { readonly then?: unknown } | undefined)?.then === 'function') {
    throw refuse(name, 'is a promise: await it')
  }
  throw refuse(name, `is ${value === null ? 'null' : 'not a plain object'}: leave it out, or pass an object of fields`)
}

function writeOrder(path: string, direction: unknown): string {
  if (direction !== 'asc' && direction !== 'desc') throw refuse(path, "has to be ordered by 'asc' or 'desc'")
  return direction === 'desc' ? `-${path}` : path
}

function writeCondition(query: URLSearchParams, path: string, condition: unknown): void {
  const isScalar = typeof condition !== 'object' || condition === null
  const operators: [string, unknown][] = isScalar ? [['$eq', condition]] : Object.entries(condition)
  // An empty condition would match every record.
  if (operators.length === 0) throw refuse(path, 'has a condition without an operator')
  for (const [operator, value] of operators) writeOperator(query, path, operator, value)
}

function writeOperator(query: URLSearchParams, path: string, operator: string, value: unknown): void {
  if (!operator.startsWith('$')) {
    throw refuse(
      path,
      `has no operator \`${operator}\`: operators begin with $, and nested fields are written '${path}.${operator}'`,
    )
  }
  if (value === null && (operator === '$eq' || operator === '$ne')) {
    query.append(`${path}[null]`, String(operator === '$eq'))
    return
  }
  // An empty list in place of a value would become no condition at all.
  if (Array.isArray(value) && operator !== '$in' && operator !== '$nin') {
    throw refuse(path, 'is compared with a list, which only $in and $nin accept')
  }
  const name = operator === '$eq' ? path : `${path}[${operator.slice(1)}]`
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const it of values) query.append(name, writeScalar(path, it))
}

/** Writes a value as text. Throws an error that names the field if it is not a scalar. */
export function writeScalar(path: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === undefined) throw refuse(path, 'is undefined: leave it out, or use null for an absent value')
  throw refuse(path, 'is compared with something other than a string, number or boolean')
}
