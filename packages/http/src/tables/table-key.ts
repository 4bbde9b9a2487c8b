import type { QueryValues } from '../bind/query-string.ts'
import { HttpError, type RequestIssue, validationFailed } from '../errors.ts'
import { isColumnValue, readColumnText } from './read-value.ts'
import type { Fields, TableView } from './table-view.ts'

/** The key fields in a query, converted. Other parameters are ignored. */
export function readKeyParameters({ key }: TableView, query: QueryValues): Fields {
  const fields: Fields = {}
  const issues: RequestIssue[] = []
  for (const column of key) {
    const given = query[column.path]
    if (given === undefined) continue
    const read = typeof given === 'string' ? readColumnText(column, given) : { expected: 'one value' }
    if ('value' in read) fields[column.path] = read.value
    else issues.push({ in: 'query', path: [column.path], code: 'type', message: `expected ${read.expected}` })
  }
  if (issues.length > 0) throw validationFailed(issues)
  return fields
}

/** The key in the path, for tables with a single key field. */
export function readPathKey({ key }: TableView, id: string): Fields {
  const [column] = key
  const read = readColumnText(column!, id)
  if ('value' in read) return { [column!.path]: read.value }
  throw validationFailed([{ in: 'path', path: ['id'], code: 'type', message: `expected ${read.expected}` }])
}

/** Refuses an incomplete key and names the missing fields. */
export function requireKey({ key, declaration }: TableView, fields: Fields): Fields {
  const missing = key.filter((it) => !Object.hasOwn(fields, it.path) || fields[it.path] === null).map((it) => it.path)
  if (missing.length === 0) return fields
  const names = missing.map((it) => `\`${it}\``).join(', ')
  const issues = missing.map((it): RequestIssue => ({ path: [it], code: 'required', message: 'is required' }))
  throw new HttpError(400, 'KEY_INCOMPLETE', `the key of ${declaration.name} lacks ${names}`, { issues })
}

/** Refuses parameters that are not key fields. */
export function refuseOthers({ key }: TableView, query: QueryValues): void {
  const others = Object.keys(query).filter((name) => !key.some((it) => it.path === name))
  if (others.length === 0) return
  throw validationFailed(
    others.map((it) => ({ in: 'query', path: [it], code: 'query', message: 'is not a key field' })),
  )
}

/** Adds the key in the query to the body. If both have a field, the values have to be equal. */
export function joinKey(view: TableView, body: Fields, fromQuery: Fields): Fields {
  for (const [name, value] of Object.entries(fromQuery)) {
    if (Object.hasOwn(body, name) && body[name] !== value) {
      throw validationFailed([{ in: 'body', path: [name], code: 'key', message: 'differs from the key in the query' }])
    }
  }
  const record = { ...body, ...fromQuery }
  requireKey(view, record)
  // An object as a key would be read as a condition and could match more than one record.
  const issues = view.key
    .filter((it) => !isColumnValue(it, record[it.path]))
    .map(
      (it): RequestIssue => ({
        in: 'body',
        path: [it.path],
        code: 'type',
        message: 'has the wrong type for this key field',
      }),
    )
  if (issues.length > 0) throw validationFailed(issues)
  return record
}
