import { DbError } from '@portico/db'
import { checkContentType, checkQuery } from '../bind/arguments.ts'
import type { QueryValues } from '../bind/query-string.ts'
import { HttpError, validationFailed } from '../errors.ts'
import { type HttpReply, reply } from '../reply.ts'
import type { HttpRequest } from '../request.ts'
import { afterCursor, writeCursor } from './cursor.ts'
import { isKnown, readIfMatch, writeEntityTag } from './entity-tag.ts'
import type { RelatedRecords } from './related.ts'
import { readScope, type ScopeOf } from './scope.ts'
import type { ServerSet } from './server-set.ts'
import { joinKey, readKeyParameters, readPathKey, refuseOthers, requireKey } from './table-key.ts'
import { type FindRequest, type QueryContext, readFindRequest, readOneRequest } from './table-query.ts'
import type { Change, TableStore } from './table-store.ts'
import type { Fields, TableView } from './table-view.ts'

/** The requested fields and relations. */
type Selection = Pick<FindRequest, 'select' | 'with'>

export interface HandlerOptions extends QueryContext {
  readonly store: TableStore
  readonly related: RelatedRecords
  readonly maxInsert: number
  readonly serverSet: ServerSet
  readonly scope: ScopeOf | undefined
}

/** The handlers of a table's routes. */
export class TableHandlers {
  readonly #context: QueryContext
  readonly #view: TableView
  readonly #store: TableStore
  readonly #related: RelatedRecords
  readonly #maxInsert: number
  readonly #serverSet: ServerSet
  readonly #scope: ScopeOf | undefined

  constructor(options: HandlerOptions) {
    this.#context = options
    this.#view = options.view
    this.#store = options.store
    this.#related = options.related
    this.#maxInsert = options.maxInsert
    this.#serverSet = options.serverSet
    this.#scope = options.scope
  }

  async getOne(request: HttpRequest): Promise<unknown> {
    const query = queryOf(request)
    const asked = readOneRequest(query, this.#context)
    const key = this.#readKey(request, query)
    const scope = this.#scope && (await this.#readScope(request))
    if (asked.with.length > 0) return this.#getOneWith(asked, key, scope, request)
    const record = await this.#store.findOne(key, scope, asked.select && { select: asked.select })
    if (!record) throw notFound()
    const shown = this.#view.show(record)
    const tag = this.#tagOf(record)
    if (tag === undefined) return shown
    if (isKnown(request.headers['if-none-match'], tag)) return reply(undefined, { status: 304, headers: { etag: tag } })
    return reply(shown, { headers: { etag: tag } })
  }

  /** Without an `ETag`: included records can change while the record's version stays the same. */
  async #getOneWith(
    asked: Selection,
    key: Fields,
    scope: Fields | undefined,
    request: HttpRequest,
  ): Promise<HttpReply> {
    const permitted = await this.#related.permit(asked.with, request)
    const record = await this.#store.findOne(key, scope, this.#selectionOf(asked))
    if (!record) throw notFound()
    const { of, truncated } = await this.#related.read(permitted, [record])
    return reply({ ...this.#show(record, asked), ...of(record) }, { headers: truncatedHeader(truncated) })
  }

  async findMany(request: HttpRequest): Promise<unknown> {
    const query = queryOf(request)
    const asked = readFindRequest(query, this.#context)
    const scope = await this.#readScope(request)
    const permitted = await this.#related.permit(asked.with, request)
    const total = asked.count ? await this.#store.count(asked.where, scope) : undefined
    const { records, hasMore } = await this.#findPage(asked, scope)
    const included = permitted.length > 0 ? await this.#related.read(permitted, records) : undefined
    const headers = truncatedHeader(included?.truncated ?? [])
    if (total !== undefined) headers['x-total-count'] = String(total)
    if (hasMore) headers['link'] = this.#linkToNext(query, asked, records)
    return reply(
      records.map((it) => (included ? { ...this.#show(it, asked), ...included.of(it) } : this.#view.show(it))),
      { headers },
    )
  }

  async insert(request: HttpRequest): Promise<HttpReply> {
    refuseOthers(this.#view, queryOf(request))
    const body = bodyOf(request)
    if (Array.isArray(body) && body.length > this.#maxInsert) {
      const message = `has more than ${this.#maxInsert} records`
      throw validationFailed([{ in: 'body', path: [], code: 'maxItems', message }])
    }
    const input = Array.isArray(body) ? body.map(asRecord) : asRecord(body)
    this.#serverSet.refuse(input)
    const stored = await this.#store.insert(input, await this.#readScope(request)).catch(refuseUnsafe)
    const shown = stored.map((it) => this.#view.show(it))
    if (Array.isArray(body)) return reply(shown, { status: 201 })
    return reply(shown[0], {
      status: 201,
      headers: { ...this.#headersOf(stored[0]!), location: this.#locationOf(request, stored[0]!) },
    })
  }

  replace(request: HttpRequest): Promise<HttpReply> {
    return this.#write('replace', request)
  }

  update(request: HttpRequest): Promise<HttpReply> {
    return this.#write('update', request)
  }

  async delete(request: HttpRequest): Promise<void> {
    const query = queryOf(request)
    refuseOthers(this.#view, query)
    const key = this.#readKey(request, query)
    const versions = readIfMatch(request.headers['if-match'])
    const isDeleted = await this.#store.delete(key, { scope: await this.#readScope(request), versions })
    if (!isDeleted) throw notFound()
  }

  async #write(change: Change, request: HttpRequest): Promise<HttpReply> {
    const query = queryOf(request)
    refuseOthers(this.#view, query)
    const record = joinKey(this.#view, asRecord(bodyOf(request)), readKeyParameters(this.#view, query))
    const versions = readIfMatch(request.headers['if-match'])
    const condition = { scope: await this.#readScope(request), versions }
    const stored = await this.#store.write(change, record, condition).catch(refuseUnsafe)
    if (!stored) throw notFound()
    return reply(this.#view.show(stored), { headers: this.#headersOf(stored) })
  }

  #readKey(request: HttpRequest, query: QueryValues): Fields {
    const { id } = request.params as { id?: string }
    if (id === undefined) return requireKey(this.#view, readKeyParameters(this.#view, query))
    const [column] = this.#view.key
    if (query[column!.path] === undefined) return readPathKey(this.#view, id)
    throw validationFailed([
      { in: 'query', path: [column!.path], code: 'query', message: 'is already given in the path' },
    ])
  }

  async #readScope(request: HttpRequest): Promise<Fields | undefined> {
    return this.#scope && readScope(this.#scope, request, this.#view.declaration.name)
  }

  /** Reads one record more than the page holds, to know if there is another page. */
  async #findPage(asked: FindRequest, scope: Fields | undefined): Promise<{ records: Fields[]; hasMore: boolean }> {
    const { where, orderBy, limit, offset, after } = asked
    if (limit === 0) return { records: [], hasMore: false }
    const query = {
      where: after ? { $and: [where, afterCursor(this.#view.key, after)] } : where,
      limit: limit + 1,
      ...(orderBy && { orderBy }),
      ...(offset !== undefined && { offset }),
      ...this.#selectionOf(asked),
    }
    const found = await this.#store.findMany(query, scope)
    return { records: found.slice(0, limit), hasMore: found.length > limit }
  }

  /** The next page as a relative reference, so that it works behind any proxy. */
  #linkToNext(query: QueryValues, { orderBy, limit, offset }: FindRequest, records: readonly Fields[]): string {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (name === '$after' || name === '$offset') continue
      for (const it of typeof value === 'string' ? [value] : value) parameters.append(name, it)
    }
    if (orderBy || offset !== undefined) parameters.set('$offset', String((offset ?? 0) + limit))
    else parameters.set('$after', writeCursor(this.#view.key, records.at(-1)!))
    return `<?${parameters.toString()}>; rel="next"`
  }

  /** The requested fields, and those that are needed to load the requested relations. */
  #selectionOf({ select, with: relations }: Selection): Fields | undefined {
    return select && { select: [...new Set([...select, ...this.#related.fieldsFor(relations)])] }
  }

  #show(record: Fields, { select, with: relations }: Selection): Fields {
    const shown = this.#view.show(record)
    if (!select || relations.length === 0) return shown
    return Object.fromEntries(Object.entries(shown).filter(([name]) => select.includes(name)))
  }

  #tagOf(record: Fields): string | undefined {
    const version = this.#view.version && record[this.#view.version.path]
    return version === undefined ? undefined : writeEntityTag(version)
  }

  #headersOf(record: Fields): Record<string, string> {
    const etag = this.#tagOf(record)
    return etag === undefined ? {} : { etag }
  }

  #locationOf({ url }: HttpRequest, record: Fields): string {
    const key = this.#view.key.map(({ path }): [string, string] => [path, String(record[path])])
    return `${url.split('?', 1)[0]!.replace(/\/$/, '')}/one?${new URLSearchParams(key).toString()}`
  }
}

function queryOf(request: HttpRequest): QueryValues {
  checkQuery(request)
  return request.query as QueryValues
}

function bodyOf(request: HttpRequest): unknown {
  if (request.body === undefined) {
    throw validationFailed([{ in: 'body', path: [], code: 'required', message: 'is required' }])
  }
  checkContentType(request, ['application/json'])
  return request.body
}

function asRecord(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw validationFailed([{ in: 'body', path: [], code: 'type', message: 'expected an object' }])
}

/** A sequence or version that has reached its maximum is a 409, not a failure of the server. */
function refuseUnsafe(error: unknown): never {
  if (!(error instanceof DbError && error.code === 'NUMBER_UNSAFE')) throw error
  const issues = error.fields.map((it) => ({
    path: it.split('.'),
    code: 'maximum',
    message: 'has reached its maximum',
  }))
  throw new HttpError(
    409,
    'NUMBER_UNSAFE',
    'an auto-increment field or version of the record has reached its maximum',
    {
      issues,
      cause: error,
    },
  )
}

/** Names the relations whose lists were cut, so that no caller takes them for complete. */
function truncatedHeader(names: readonly string[]): Record<string, string> {
  return names.length === 0 ? {} : { 'x-truncated': names.join(', ') }
}

function notFound(): HttpError {
  return new HttpError(404, 'RECORD_NOT_FOUND', 'there is no such record')
}
