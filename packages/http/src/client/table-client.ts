import type { FieldPath, Found, KeyInput, OrderBy, ValueAt } from '@portico/db'
import type { NoRelations, TableDeclaration } from '@portico/schema/runtime'
import { ProblemError, readProblem } from './problem-error.ts'
import { isImpossible, type QueryInput, writeQuery, writeScalar } from './write-query.ts'

export interface TableClientOptions {
  /** The address of the table's routes, such as `https://example.com/tasks`. */
  readonly url: string
  /** Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /**
   * The bearer token, or what gets it before each request; without one where it answers `undefined`. Anything else that
   * is no token, such as `null` or an empty text, is refused with `TOKEN_UNAVAILABLE`.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
}

type Scalar = string | number | boolean

/** What a field is compared with over HTTP. */
export interface ClientOperators<V> {
  readonly $eq?: V
  readonly $ne?: V
  readonly $gt?: V
  readonly $gte?: V
  readonly $lt?: V
  readonly $lte?: V
  readonly $in?: readonly V[]
  readonly $nin?: readonly V[]
  readonly $null?: boolean
}

/** What text is compared with over HTTP. A decimal is a number, although its type is `string`: it has no patterns. */
export interface ClientTextOperators<V> extends ClientOperators<V> {
  readonly $like?: string
  readonly $ilike?: string
}

/** In brackets, so that a union is one type here and not a condition for each member. */
type ConditionOn<V, IsDecimal> = [V] extends [Scalar]
  ? V | null | ([V, IsDecimal] extends [string, false] ? ClientTextOperators<V> : ClientOperators<V>)
  : null | Pick<ClientOperators<V>, '$null'>

/** A condition over HTTP: every entry has to hold. */
export type ClientWhere<R, D = never> = {
  readonly [P in FieldPath<R>]?: ConditionOn<ValueAt<R, P>, P extends D ? true : false>
}

export interface ClientQuery<R, L, D, S extends keyof R & string, W extends keyof L & string> {
  readonly where?: ClientWhere<R, D>
  readonly orderBy?: OrderBy<R>
  /** How many records at most. The server has a default, 100, and a maximum, 1000, of its own. */
  readonly limit?: number
  readonly offset?: number
  /** The fields to read; the key always comes along. */
  readonly select?: readonly S[]
  /** The related records to read along. */
  readonly with?: readonly W[]
}

/** One page of records. */
export interface Page<T> {
  readonly records: T[]
  /** How many there are in all, when that was asked for. */
  readonly total: number | undefined
  /** The relations of `with` whose lists were cut; the rest is had from the routes of their own table. */
  readonly truncated: readonly string[]
  /** Reads the next page; absent on the last one. */
  readonly next: (() => Promise<Page<T>>) | undefined
}

type Related<W extends string> = { readonly [N in W]: true }

/** Over HTTP a scope may hide a record that a required foreign key leads to. */
type FoundOverHttp<R, S extends keyof R, W extends string, L> = Found<R, S, Related<W>, Partial<L>>

/** The version that a write expects, from an earlier answer; another one is `PRECONDITION_FAILED`. */
export interface WriteOptions {
  readonly ifMatch?: string | number
}

/** The routes of a table as functions, with the types of its declaration. */
export interface TableClient<R, I, U, K, P, L = NoRelations, D = never> {
  /** The record with this key, or `undefined`. */
  getOne<S extends keyof R & string = keyof R & string, W extends keyof L & string = never>(
    key: KeyInput<K>,
    options?: Pick<ClientQuery<R, L, D, S, W>, 'select' | 'with'>,
  ): Promise<FoundOverHttp<R, S, W, L> | undefined>
  findMany<S extends keyof R & string = keyof R & string, W extends keyof L & string = never>(
    query?: ClientQuery<R, L, D, S, W>,
  ): Promise<FoundOverHttp<R, S, W, L>[]>
  /** Like `findMany`, a page at a time. */
  findPage<S extends keyof R & string = keyof R & string, W extends keyof L & string = never>(
    query?: ClientQuery<R, L, D, S, W> & { readonly count?: boolean },
  ): Promise<Page<FoundOverHttp<R, S, W, L>>>
  /**
   * Stores a record. Auto-increment fields, versions and time stamps are the server's to set: leave them out, unless the
   * controller `accepts` them.
   */
  insertOne(record: I): Promise<R>
  insertMany(records: readonly I[]): Promise<R[]>
  replaceOne(record: P, options?: WriteOptions): Promise<R>
  updateOne(changes: U, options?: WriteOptions): Promise<R>
  deleteOne(key: KeyInput<K>, options?: WriteOptions): Promise<void>
}

/**
 * Makes a client of a table's routes. Every failure is a {@link ProblemError}.
 *
 * ```ts
 * const tasks = createTableClient(Task, { url: '/tasks', token })
 * const open = await tasks.findMany({ where: { state: 'open', priority: { $gte: 2 } }, orderBy: { dueAt: 'asc' } })
 * ```
 */
export function createTableClient<R, I, U, K, P, L, D>(
  table: TableDeclaration<R, I, U, K, P, L, D>,
  options: TableClientOptions,
): TableClient<R, I, U, K, P, L, D> {
  // The declaration carries the types of what the routes take and answer.
  return new HttpTableClient(table.key, options) as unknown as TableClient<R, I, U, K, P, L, D>
}

type Fields = Readonly<Record<string, unknown>>

class HttpTableClient {
  readonly #key: readonly string[]
  readonly #options: TableClientOptions
  readonly #url: string

  constructor(key: readonly string[], options: TableClientOptions) {
    this.#key = key
    this.#options = options
    this.#url = options.url.replace(/\/+$/, '')
  }

  async getOne(key: unknown, { select = [], with: relations = [] }: QueryInput = {}): Promise<unknown> {
    const search = [this.#writeKey(key), writeQuery({ select, with: relations }).toString()].filter(Boolean).join('&')
    try {
      return await readBody(await this.#send('GET', `/one?${search}`))
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'RECORD_NOT_FOUND') return undefined
      throw error
    }
  }

  async findMany(query: QueryInput = {}): Promise<unknown> {
    return (await this.findPage(query)).records
  }

  async findPage(query: QueryInput = {}): Promise<Page<unknown>> {
    const search = writeQuery(query).toString()
    // An empty list cannot be written in a query, where it would be no condition at all.
    if (isImpossible(query)) return { records: [], total: query.count ? 0 : undefined, truncated: [], next: undefined }
    return this.#readPage(`?${search}`)
  }

  insertOne(record: unknown): Promise<unknown> {
    return this.#write('POST', record)
  }

  insertMany(records: readonly unknown[]): Promise<unknown> {
    return this.#write('POST', records)
  }

  replaceOne(record: unknown, options?: WriteOptions): Promise<unknown> {
    return this.#write('PUT', record, options)
  }

  updateOne(changes: unknown, options?: WriteOptions): Promise<unknown> {
    return this.#write('PATCH', changes, options)
  }

  async deleteOne(key: unknown, options?: WriteOptions): Promise<void> {
    await this.#send('DELETE', `/?${this.#writeKey(key)}`, undefined, options)
  }

  async #readPage(search: string): Promise<Page<unknown>> {
    const response = await this.#send('GET', `/query${search}`)
    const records = await readBody(response)
    if (!Array.isArray(records)) throw invalidAnswer(response)
    const total = response.headers.get('x-total-count')
    const [, next] = response.headers.get('link')?.match(/<(\?[^>]*)>; rel="next"/) ?? []
    return {
      records,
      total: total === null ? undefined : Number(total),
      truncated: response.headers.get('x-truncated')?.split(', ') ?? [],
      next: next === undefined ? undefined : () => this.#readPage(next),
    }
  }

  async #write(method: string, body: unknown, options?: WriteOptions): Promise<unknown> {
    return readBody(await this.#send(method, '/', body, options))
  }

  async #send(method: string, path: string, body?: unknown, options: WriteOptions = {}): Promise<Response> {
    const { ifMatch } = options
    // A version that went missing must not become a write whatever the version.
    if ('ifMatch' in options && (ifMatch === undefined || ifMatch === null)) {
      throw new ProblemError(0, 'REQUEST_INVALID', `\`ifMatch\` is ${ifMatch}: leave it out, or say a version`)
    }
    const headers: Record<string, string> = { accept: 'application/json, application/problem+json' }
    const token = await this.#readToken()
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (ifMatch !== undefined) headers['if-match'] = typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch
    const text = body === undefined ? {} : { body: writeBody(body) }
    const send = this.#options.fetch ?? ((url, init) => fetch(url, init))
    let response: Response
    try {
      response = await send(this.#url + path, { method, headers, ...text })
    } catch (cause) {
      throw new ProblemError(0, 'NETWORK', 'the server could not be reached', { cause })
    }
    if (!response.ok) throw await readProblem(response)
    return response
  }

  async #readToken(): Promise<string | undefined> {
    const { token } = this.#options
    const given = typeof token === 'function' ? await askFor(token) : token
    if (typeof given === 'string' && given !== '') return given
    const mayLack = typeof token === 'function' || !('token' in this.#options)
    if (given === undefined && mayLack) return undefined
    const told = given === '' ? 'empty' : given === null || given === undefined ? String(given) : `a ${typeof given}`
    throw new ProblemError(0, 'TOKEN_UNAVAILABLE', `\`token\` is ${told}: leave it out, or give a token`)
  }

  /** A key that lacks something is refused here: what it would mean is not for the server to guess. */
  #writeKey(key: unknown): string {
    const isBare = typeof key !== 'object' || key === null
    const fields = isBare && this.#key.length === 1 ? { [this.#key[0]!]: key } : ((key ?? {}) as Fields)
    const missing = this.#key.filter((it) => !Object.hasOwn(fields, it) || (fields[it] ?? null) === null)
    if (missing.length > 0) {
      const issues = missing.map((it) => ({ path: [it], code: 'required', message: 'is required' }))
      throw new ProblemError(0, 'KEY_INCOMPLETE', `the key lacks ${missing.join(', ')}`, { issues })
    }
    const values = Object.entries(fields).map(([name, it]): [string, string] => [name, writeScalar(name, it)])
    return new URLSearchParams(values).toString()
  }
}

async function askFor(token: () => string | undefined | Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await token()
  } catch (cause) {
    throw new ProblemError(0, 'TOKEN_UNAVAILABLE', 'there was no token to be had', { cause })
  }
}

function writeBody(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new ProblemError(0, 'REQUEST_INVALID', 'the record cannot be written as JSON', { cause })
  }
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw invalidAnswer(response)
  }
}

function invalidAnswer({ status }: Response): ProblemError {
  return new ProblemError(status, 'ANSWER_INVALID', 'the server answered something else than was asked for')
}
