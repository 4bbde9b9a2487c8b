/** A query before it is text: fields with values or operators, and controls. */
export interface QueryInput {
  readonly where?: Readonly<Record<string, unknown>>
  readonly orderBy?: Readonly<Record<string, 'asc' | 'desc'>>
  readonly limit?: number
  readonly offset?: number
  readonly after?: string
  readonly select?: readonly string[]
  readonly with?: readonly string[]
  readonly count?: boolean
}

/** Writes a query as the table routes read it. */
export function writeQuery({
  where = {},
  orderBy,
  limit,
  offset,
  after,
  select,
  with: relations,
  count,
}: QueryInput): URLSearchParams {
  const query = new URLSearchParams()
  for (const [path, condition] of Object.entries(where)) writeCondition(query, path, condition)
  if (orderBy) {
    const fields = Object.entries(orderBy).map(([path, direction]) => (direction === 'desc' ? `-${path}` : path))
    query.set('$sort', fields.join())
  }
  if (limit !== undefined) query.set('$limit', String(limit))
  if (offset !== undefined) query.set('$offset', String(offset))
  if (after !== undefined) query.set('$after', after)
  if (select) query.set('$select', select.join())
  if (relations) query.set('$with', relations.join())
  if (count !== undefined) query.set('$count', String(count))
  return query
}

/** Whether a field would have to equal one of no values. */
export function isImpossible({ where = {} }: QueryInput): boolean {
  return Object.values(where).some((it) => {
    const listed = typeof it === 'object' && it !== null ? (it as { readonly $in?: unknown }).$in : undefined
    return Array.isArray(listed) && listed.length === 0
  })
}

type Scalar = string | number | boolean

function writeCondition(query: URLSearchParams, path: string, condition: unknown): void {
  if (condition === undefined) return
  if (condition === null) query.append(`${path}[null]`, 'true')
  else if (typeof condition !== 'object') query.append(path, String(condition as Scalar))
  else for (const [operator, value] of Object.entries(condition)) writeOperator(query, path, operator.slice(1), value)
}

function writeOperator(query: URLSearchParams, path: string, operator: string, value: unknown): void {
  if (value === undefined) return
  for (const it of Array.isArray(value) ? (value as Scalar[]) : [value as Scalar]) {
    query.append(`${path}[${operator}]`, String(it))
  }
}
