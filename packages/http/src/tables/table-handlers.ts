import { checkContentType, checkQuery } from '../bind/arguments.ts'
import type { QueryValues } from '../bind/query-string.ts'
import { HttpError, validationFailed } from '../errors.ts'
import { type HttpReply, reply } from '../reply.ts'
import type { HttpRequest } from '../request.ts'
import { afterCursor, writeCursor } from './cursor.ts'
import { isKnown, readIfMatch, writeEntityTag } from './entity-tag.ts'
import { joinKey, readKeyParameters, readPathKey, refuseOthers, requireKey } from './table-key.ts'
import { type FindRequest, type QueryLimits, readFindRequest, readOneRequest } from './table-query.ts'
import type { Change, TableStore } from './table-store.ts'
import { type Fields, TableView } from './table-view.ts'

export interface HandlerOptions {
  readonly view: TableView
  readonly store: TableStore
  readonly limits: QueryLimits
  readonly maxInsert: number
  /** The condition that this request is confined to. */
  readonly scope: ((request: HttpRequest) => unknown) | undefined
}

/** The answers of a table's routes. */
export class TableHandlers {
  readonly #view: TableView
  readonly #store: TableStore
  readonly #limits: QueryLimits
  readonly #maxInsert: number
  readonly #scope: HandlerOptions['scope']
  readonly #related = new Map<string, TableView>()

  constructor({ view, store, limits, maxInsert, scope }: HandlerOptions) {
    this.#view = view
    this.#store = store
    this.#limits = limits
    this.#maxInsert = maxInsert
    this.#scope = scope
    for (const name of limits.relations) this.#related.set(name, new TableView(view.relations.get(name)!.table()))
  }

  async getOne(request: HttpRequest): Promise<unknown> {
    const query = queryOf(request)
    const asked = readOneRequest(this.#view, query, this.#limits)
    const key = this.#readKey(request, query)
    const { select, with: relations } = asked
    const isWhole = select === undefined && relations.length === 0
    const options = isWhole ? undefined : { ...(select && { select }), with: this.#withOf(relations) }
    const scope = this.#scope && (await this.#readScope(request))
    const record = await this.#store.findOne(key, scope, options)
    if (!record) throw notFound()
    const shown = this.#show(record, relations)
    // What is read along changes without the record's version, so a tag would promise too much.
    const tag = relations.length === 0 ? this.#tagOf(record) : undefined
    if (tag === undefined) return shown
    if (isKnown(request.headers['if-none-match'], tag)) return reply(undefined, { status: 304, headers: { etag: tag } })
    return reply(shown, { headers: { etag: tag } })
  }

  async findMany(request: HttpRequest): Promise<unknown> {
    const query = queryOf(request)
    const asked = readFindRequest(this.#view, query, this.#limits)
    const scope = await this.#readScope(request)
    const total = asked.count ? await this.#store.count(asked.where, scope) : undefined
    const { records, hasMore } = await this.#findPage(asked, scope)
    const headers: Record<string, string> = {}
    if (total !== undefined) headers['x-total-count'] = String(total)
    if (hasMore) headers['link'] = this.#linkToNext(query, asked, records)
    return reply(
      records.map((it) => this.#show(it, asked.with)),
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
    const stored = await this.#store.insert(input, await this.#readScope(request))
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
    const stored = await this.#store.write(change, record, { scope: await this.#readScope(request), versions })
    if (!stored) throw notFound()
    return reply(this.#view.show(stored), { headers: this.#headersOf(stored) })
  }

  #readKey(request: HttpRequest, query: QueryValues): Fields {
    const { id } = request.params as { id?: string }
    if (id === undefined) return requireKey(this.#view, readKeyParameters(this.#view, query))
    const [column] = this.#view.key
    if (query[column!.path] === undefined) return readPathKey(this.#view, id)
    throw validationFailed([
      { in: 'query', path: [column!.path], code: 'query', message: 'is given in the path already' },
    ])
  }

  /** A scope that says nothing is a mistake, not a permission: `{}` is how everything is said. */
  async #readScope(request: HttpRequest): Promise<Fields | undefined> {
    if (!this.#scope) return undefined
    const scope = await this.#scope(request)
    if (typeof scope === 'object' && scope !== null && !Array.isArray(scope)) return scope as Fields
    throw new Error(`the scope of table \`${this.#view.declaration.name}\` returned no condition`)
  }

  /** One record more than is shown says whether there is another page. */
  async #findPage(asked: FindRequest, scope: Fields | undefined): Promise<{ records: Fields[]; hasMore: boolean }> {
    const { where, orderBy, limit, offset, select, after } = asked
    if (limit === 0) return { records: [], hasMore: false }
    const query = {
      where: after ? { $and: [where, afterCursor(this.#view.key, after)] } : where,
      limit: limit + 1,
      ...(orderBy && { orderBy }),
      ...(offset !== undefined && { offset }),
      ...(select && { select }),
      ...(asked.with.length > 0 && { with: this.#withOf(asked.with) }),
    }
    const found = await this.#store.findMany(query, scope)
    return { records: found.slice(0, limit), hasMore: found.length > limit }
  }

  /** The next page, as a reference relative to this one, so that no proxy in between needs to be known. */
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

  #withOf(names: readonly string[]): Fields {
    return Object.fromEntries(names.map((name) => [name, true]))
  }

  #show(record: Fields, relations: readonly string[]): Fields {
    const shown = this.#view.show(record)
    if (relations.length === 0) return shown
    const related = relations.map((name) => [name, this.#showRelated(name, record[name])] as const)
    return { ...shown, ...Object.fromEntries(related.filter(([, value]) => value !== undefined)) }
  }

  #showRelated(name: string, value: unknown): unknown {
    const view = this.#related.get(name)!
    if (Array.isArray(value)) return value.map((it) => view.show(it as Fields))
    return value === undefined || value === null ? value : view.show(value as Fields)
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

function notFound(): HttpError {
  return new HttpError(404, 'RECORD_NOT_FOUND', 'there is no such record')
}
