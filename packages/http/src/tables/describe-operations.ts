import type { Column } from '@portico/schema/model'
import type { JsonSchema, Schema } from '@portico/schema/runtime'
import { problemSchema } from '../problem.ts'
import type { HttpMethod, InputDefinition, ResponseDefinition } from '../route.ts'
import type { ResolvedType } from '../types.ts'
import { shareGroups } from './share-groups.ts'
import { MAX_COUNT } from './table-query.ts'
import type { TableView } from './table-view.ts'

/** An operation of the table routes. */
export type TableOperation = 'getOne' | 'findMany' | 'insert' | 'replace' | 'update' | 'delete'

/** A table route as plain data. */
export interface OperationDescription {
  readonly operation: TableOperation
  readonly method: HttpMethod
  readonly path: string
  readonly label: string
  readonly inputs: readonly InputDefinition[]
  readonly responses: readonly ResponseDefinition[]
}

/** The routes of a table. Their handlers read the input themselves, so all inputs are unbound. */
export function describeOperations(
  view: TableView,
  relations: readonly string[],
  insertType: ResolvedType,
): OperationDescription[] {
  const { name, replaceSchema, updateSchema } = view.declaration
  const key = view.key.map((it) => query(it.path, view.parameterSchemaOf(it), { required: true }))
  const writtenKey = view.key.map((it) => query(it.path, view.writtenKeySchemaOf(it), { required: true }))
  const [first] = view.key
  const id = view.key.length === 1 ? [input('path', 'id', jsonSchema(view.parameterSchemaOf(first!)), true)] : undefined
  const one = readControls(view, relations)
  const record = view.recordType
  const selected = view.selectedType
  const tag = tagHeader(view)
  const ifMatch = view.version ? [header('if-match', 'Write only if the record still has this `ETag`.')] : []
  const ifNoneMatch = view.version
    ? [header('if-none-match', 'Respond with 304 if the record still has this `ETag`.')]
    : []
  const known = view.version ? [{ status: 304, description: 'The record still has the `ETag`.', ...tag }] : []
  const read = { operation: 'getOne', method: 'GET', label: `Read one ${name}` } as const
  const answers = [{ status: 200, type: selected, ...tag }, ...known, ...problems(400, 404)]
  const remove = { operation: 'delete', method: 'DELETE', label: `Delete one ${name}` } as const
  const removed = [{ status: 204, description: 'Deleted.' }, ...problems(400, 404, 409, ...(view.version ? [412] : []))]
  const written = [{ status: 200, type: record, ...tag }, ...problems(400, 404, 409, 412, 413, 415)]
  return [
    { ...read, path: '/one', inputs: [...key, ...one, ...ifNoneMatch], responses: answers },
    ...(id ? [{ ...read, path: '/one/:id', inputs: [...id, ...one, ...ifNoneMatch], responses: answers }] : []),
    {
      operation: 'findMany',
      method: 'GET',
      path: '/query',
      label: `Find ${name} records`,
      inputs: [
        ...[...view.columns.values()].flatMap((it) => describeFilter(view, it)),
        describeSort(view),
        ...pageControls,
        ...one,
      ],
      responses: [{ status: 200, type: { kind: 'array', element: selected }, headers: pageHeaders }, ...problems(400)],
    },
    {
      operation: 'insert',
      method: 'POST',
      path: '/',
      label: `Insert one or more ${name} records`,
      inputs: [body({ kind: 'one-or-many', element: shareGroups(insertType) })],
      responses: [
        { status: 201, type: { kind: 'one-or-many', element: record }, headers: { ...insertHeaders, ...tag.headers } },
        ...problems(400, 409, 413, 415),
      ],
    },
    {
      operation: 'replace',
      method: 'PUT',
      path: '/',
      label: `Replace one ${name}`,
      inputs: [...writtenKey, ...ifMatch, body(shareGroups(withoutKey(view, replaceSchema)))],
      responses: written,
    },
    {
      operation: 'update',
      method: 'PATCH',
      path: '/',
      label: `Update one ${name}`,
      inputs: [...writtenKey, ...ifMatch, body(shareGroups(withoutKey(view, updateSchema)))],
      responses: written,
    },
    { ...remove, path: '/', inputs: [...key, ...ifMatch], responses: removed },
    ...(id ? [{ ...remove, path: '/:id', inputs: [...id, ...ifMatch], responses: removed }] : []),
  ]
}

function describeFilter(view: TableView, column: Column): InputDefinition[] {
  if (column.type === 'json') return []
  const operators = column.type === 'string' ? `${comparisons}, like, ilike` : comparisons
  const description = `Also with an operator, as in \`${column.path}[gte]\`: ${operators}, null.`
  return [query(column.path, view.parameterSchemaOf(column), { description })]
}

const count: JsonSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_COUNT }

const comparisons = 'eq, ne, gt, gte, lt, lte, in, nin'

const pageControls: readonly InputDefinition[] = [
  query('$limit', count, { description: 'The maximum number of records.' }),
  query('$offset', count, { description: 'The number of records to skip.' }),
  query(
    '$after',
    { type: 'string' },
    {
      description:
        'The cursor from the `Link` header of the previous page. Cannot be combined with `$sort` and `$offset`.',
    },
  ),
  query(
    '$count',
    { type: 'boolean' },
    { description: 'Return the number of all matching records in `X-Total-Count`.' },
  ),
]

function describeSort(view: TableView): InputDefinition {
  const names = [...view.columns.values()].filter((it) => it.type !== 'json').map((it) => it.path)
  const description = 'Comma-separated fields, each once; a leading `-` sorts descending.'
  return query('$sort', listOf(names, '-?'), { description })
}

/** Comma-separated names as one string: clients disagree on how to write lists in a query. */
function listOf(names: readonly string[], prefix = ''): JsonSchema {
  const name = `${prefix}(?:${names.map((it) => it.replaceAll('.', '\\.')).join('|')})`
  return { type: 'string', pattern: `^${name}(?:,${name})*$` }
}

const insertHeaders = { location: 'The URL of the record, after inserting one.' }

const pageHeaders = {
  'x-total-count': 'The number of all matching records, if `$count` is set.',
  link: 'The next page, if there is one.',
  'x-truncated': 'The relations of `$with` whose lists were cut, if any.',
}

function readControls(view: TableView, relations: readonly string[]): InputDefinition[] {
  const fields = [...view.fields].join(', ')
  const select = query('$select', listOf([...view.fields]), { description: `Comma-separated fields: ${fields}.` })
  if (relations.length === 0) return [select]
  const description = `Comma-separated relations to include: ${relations.join(', ')}.`
  return [select, query('$with', listOf(relations), { description })]
}

function tagHeader({ version }: TableView): { headers?: Readonly<Record<string, string>> } {
  return version ? { headers: { etag: 'The version of the record.' } } : {}
}

const problemTexts: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  404: 'There is no such record.',
  409: 'The record conflicts with another record or with a concurrent change.',
  412: 'The record no longer has the version in `If-Match`.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
}

function problems(...statuses: readonly number[]): ResponseDefinition[] {
  const type: ResolvedType = { kind: 'json-schema', name: 'Problem', schema: problemSchema }
  const contentType = 'application/problem+json'
  return statuses.map((status) => ({ status, type, contentType, description: problemTexts[status]! }))
}

function query(
  name: string,
  schema: JsonSchema,
  { required = false, description }: { required?: boolean; description?: string } = {},
): InputDefinition {
  return input('query', name, jsonSchema(schema), required, description)
}

function header(name: string, description: string): InputDefinition {
  return input('header', name, jsonSchema({ type: 'string' }), false, description)
}

function body(type: ResolvedType): InputDefinition {
  return { in: 'body', type, required: true, unbound: true, metadata: {} }
}

/**
 * The body of a write whose key is in the query. The server also accepts the key in the body. OpenAPI cannot express
 * "in one of the two", so the description has the form that always works.
 */
function withoutKey({ key }: TableView, { name, jsonSchema: schema }: Schema<unknown>): ResolvedType {
  const isKey = (field: string): boolean => key.some(({ path }) => path === field)
  const properties = Object.entries(schema['properties'] as object).filter(([field]) => !isKey(field))
  const required = ((schema['required'] ?? []) as readonly string[]).filter((it) => !isKey(it))
  return {
    kind: 'json-schema',
    name,
    schema: { ...schema, properties: Object.fromEntries(properties), required },
  }
}

function input(
  place: InputDefinition['in'],
  name: string,
  type: ResolvedType,
  required: boolean,
  description?: string,
): InputDefinition {
  return { in: place, name, type, required, unbound: true, metadata: description === undefined ? {} : { description } }
}

function jsonSchema(schema: JsonSchema): ResolvedType {
  return { kind: 'json-schema', schema }
}
