import type { Column } from '@portico/schema/model'
import type { JsonSchema, Schema } from '@portico/schema/runtime'
import { problemSchema } from '../problem.ts'
import type { HttpMethod, InputDefinition, ResponseDefinition } from '../route.ts'
import type { ResolvedType } from '../types.ts'
import { shareGroups } from './share-groups.ts'
import { MAX_COUNT } from './table-query.ts'
import type { TableView } from './table-view.ts'

/** What can be done with a table over HTTP. */
export type TableOperation = 'getOne' | 'findMany' | 'insert' | 'replace' | 'update' | 'delete'

/** A route of a table, as plain data. */
export interface OperationDescription {
  readonly operation: TableOperation
  readonly method: HttpMethod
  readonly path: string
  readonly label: string
  readonly inputs: readonly InputDefinition[]
  readonly responses: readonly ResponseDefinition[]
}

/** The routes of a table. The handlers read their input by themselves, so all of it is unbound here. */
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
  const ifMatch = view.version ? [header('if-match', 'Only when the record still has this `ETag`.')] : []
  const ifNoneMatch = view.version ? [header('if-none-match', 'Not when the record still has this `ETag`.')] : []
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
      label: `Insert one ${name} or several`,
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
      label: `Change one ${name}`,
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
  query('$limit', count, { description: 'How many records at most.' }),
  query('$offset', count, { description: 'How many records to leave out at the beginning.' }),
  query(
    '$after',
    { type: 'string' },
    {
      description:
        'The cursor of the `Link` header: the page after the one it came with. Excludes `$sort` and `$offset`.',
    },
  ),
  query('$count', { type: 'boolean' }, { description: 'Whether to count all that fit, in `X-Total-Count`.' }),
]

function describeSort(view: TableView): InputDefinition {
  const names = [...view.columns.values()].filter((it) => it.type !== 'json').map((it) => it.path)
  const description = 'Fields, separated by commas, each once, with `-` in front for descending.'
  return query('$sort', listOf(names, '-?'), { description })
}

/** Some of the names, separated by commas. It stays one text: clients disagree on how to write lists in a query. */
function listOf(names: readonly string[], prefix = ''): JsonSchema {
  const name = `${prefix}(?:${names.map((it) => it.replaceAll('.', '\\.')).join('|')})`
  return { type: 'string', pattern: `^${name}(?:,${name})*$` }
}

const insertHeaders = { location: 'The address of the record, when it is one.' }

const pageHeaders = {
  'x-total-count': 'How many records fit in all, when `$count` asks for it.',
  link: 'The next page, when there is one.',
  'x-truncated': 'The relations of `$with` whose lists were cut, when there are any.',
}

function readControls(view: TableView, relations: readonly string[]): InputDefinition[] {
  const fields = [...view.fields].join(', ')
  const select = query('$select', listOf([...view.fields]), { description: `Fields, separated by commas: ${fields}.` })
  if (relations.length === 0) return [select]
  const description = `Related records to read along, separated by commas: ${relations.join(', ')}.`
  return [select, query('$with', listOf(relations), { description })]
}

function tagHeader({ version }: TableView): { headers?: Readonly<Record<string, string>> } {
  return version ? { headers: { etag: 'The version of the record.' } } : {}
}

const problemTexts: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  404: 'There is no such record.',
  409: 'The record is in conflict with another, or with a change of it.',
  412: 'The record is no longer the one that `If-Match` names.',
  413: 'The body is too long.',
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
 * The body of a write whose key is in the query. The server takes the key in the body too, instead or as well; a
 * description has no words for "in one of the two", so it has the form that always works.
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
