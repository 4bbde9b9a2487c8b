import type { FieldPath, Found, KeyInput, OrderBy, ValueAt } from '@portico/db'
import type { NoRelations, TableDeclaration } from '@portico/schema/runtime'
import { ProblemError, readProblem } from './problem-error.ts'
import { isImpossible, type QueryInput, writeQuery, writeScalar } from './write-query.ts'

export interface TableClientOptions {
  /** The URL of the table's routes, such as `https://example.com/tasks`. */
  readonly url: string
  /** Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /**
   * The bearer token, or a function that returns it before each request; `undefined` from the function sends none. Any
   * other value, such as `null` or an empty string, fails with `TOKEN_UNAVAILABLE`.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
}

type Scalar = string | number | boolean

/** Operators of a condition on one field, over HTTP. */
export interface ClientOperators<Value> {
  readonly $eq?: Value
  readonly $ne?: Value
  readonly $gt?: Value
  readonly $gte?: Value
  readonly $lt?: Value
  readonly $lte?: Value
  readonly $in?: readonly Value[]
  readonly $nin?: readonly Value[]
  readonly $null?: boolean
}

/** Operators of a condition on a text field. A decimal has no patterns: it is a number, although its type is `string`. */
export interface ClientTextOperators<Value> extends ClientOperators<Value> {
  readonly $like?: string
  readonly $ilike?: string
}

/** The brackets keep a union together: one condition for all its members instead of one for each. */
type ConditionOn<Value, IsDecimal> = [Value] extends [Scalar]
  ? Value | null | ([Value, IsDecimal] extends [string, false] ? ClientTextOperators<Value> : ClientOperators<Value>)
  : null | Pick<ClientOperators<Value>, '$null'>

/** A condition over HTTP. Every entry has to match. */
export type ClientWhere<Row, Decimals = never> = {
  readonly [Path in FieldPath<Row>]?: ConditionOn<ValueAt<Row, Path>, Path extends Decimals ? true : false>
}

type FieldOf<Row> = keyof Row & string

export interface ClientQuery<
  Row,
  Relations,
  Decimals,
  Selected extends FieldOf<Row>,
  Included extends FieldOf<Relations>,
> {
  /** Never `undefined`: a condition that went missing must not match every record. */
  readonly where?: ClientWhere<Row, Decimals>
  readonly orderBy?: OrderBy<Row> | undefined
  /** The maximum number of records. Without it, the server's default applies (100), and always its maximum (1000). */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** The fields to read. The key is always included. */
  readonly select?: readonly Selected[] | undefined
  /** The related records to include. */
  readonly with?: readonly Included[] | undefined
}

/** One page of records. */
export interface Page<Found> {
  readonly records: Found[]
  /** The number of all matching records, if `count` asked for it. */
  readonly total: number | undefined
  /** The relations of `with` whose lists were cut. Read the rest from the routes of their own table. */
  readonly truncated: readonly string[]
  /** Reads the next page. `undefined` on the last one. */
  readonly next: (() => Promise<Page<Found>>) | undefined
}

type Related<Included extends string> = { readonly [Name in Included]: true }

/** Over HTTP, a scope may hide the record that a required foreign key refers to. */
type FoundOverHttp<Row, Selected extends keyof Row, Included extends string, Relations> = Found<
  Row,
  Selected,
  Related<Included>,
  Partial<Relations>
>

export interface WriteOptions {
  /**
   * The version that the record must still have, from an earlier response; otherwise the write fails with
   * `PRECONDITION_FAILED`. Never `undefined`: a version that went missing must not turn the check off.
   */
  readonly ifMatch?: string | number
}

/** The routes of a table as functions, with the types of its declaration. */
export interface TableClient<Row, Insert, Update, Key, Replace, Relations = NoRelations, Decimals = never> {
  /** The record with this key, or `undefined`. */
  getOne<Selected extends FieldOf<Row> = FieldOf<Row>, Included extends FieldOf<Relations> = never>(
    key: KeyInput<Key>,
    options?: Pick<ClientQuery<Row, Relations, Decimals, Selected, Included>, 'select' | 'with'>,
  ): Promise<FoundOverHttp<Row, Selected, Included, Relations> | undefined>
  findMany<Selected extends FieldOf<Row> = FieldOf<Row>, Included extends FieldOf<Relations> = never>(
    query?: ClientQuery<Row, Relations, Decimals, Selected, Included>,
  ): Promise<FoundOverHttp<Row, Selected, Included, Relations>[]>
  /** Like `findMany`, one page at a time. */
  findPage<Selected extends FieldOf<Row> = FieldOf<Row>, Included extends FieldOf<Relations> = never>(
    query?: ClientQuery<Row, Relations, Decimals, Selected, Included> & { readonly count?: boolean | undefined },
  ): Promise<Page<FoundOverHttp<Row, Selected, Included, Relations>>>
  /**
   * Stores a record. The server sets auto-increment fields, versions and time stamps: leave them out, unless the
   * controller `accepts` them.
   */
  insertOne(record: Insert): Promise<Row>
  insertMany(records: readonly Insert[]): Promise<Row[]>
  replaceOne(record: Replace, options?: WriteOptions): Promise<Row>
  updateOne(changes: Update, options?: WriteOptions): Promise<Row>
  deleteOne(key: KeyInput<Key>, options?: WriteOptions): Promise<void>
}

/**
 * Creates a typed client for the routes of a table. Every failure is a {@link ProblemError}.
 *
 * ```ts
 * const tasks = createTableClient(Task, { url: '/tasks', token })
 * const open = await tasks.findMany({ where: { state: 'open', priority: { $gte: 2 } }, orderBy: { dueAt: 'asc' } })
 * ```
 */
export function createTableClient<Row, Insert, Update, Key, Replace, Relations, Decimals>(
  table: TableDeclaration<Row, Insert, Update, Key, Replace, Relations, Decimals>,
  options: TableClientOptions,
): TableClient<Row, Insert, Update, Key, Replace, Relations, Decimals> {
  // The declaration carries the types of the routes' input and output.
  return new HttpTableClient(table.key, options) as unknown as TableClient<
    Row,
    Insert,
    Update,
    Key,
    Replace,
    Relations,
    Decimals
  >
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
    // A query cannot express an empty list: it would have no condition at all.
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
    // A version that went missing must not turn the check off.
    if ('ifMatch' in options && (ifMatch === undefined || ifMatch === null)) {
      throw new ProblemError(0, 'REQUEST_INVALID', `\`ifMatch\` is ${ifMatch}: leave it out, or pass a version`)
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
    const given = typeof token === 'function' ? await callToken(token) : token
    if (typeof given === 'string' && given !== '') return given
    const isOptional = typeof token === 'function' || !('token' in this.#options)
    if (given === undefined && isOptional) return undefined
    const found = given === '' ? 'empty' : given === null || given === undefined ? String(given) : `a ${typeof given}`
    throw new ProblemError(0, 'TOKEN_UNAVAILABLE', `\`token\` is ${found}: leave it out, or pass a token`)
  }

  /** Refuses an incomplete key before anything is sent. */
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

async function callToken(token: () => string | undefined | Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await token()
  } catch (cause) {
    throw new ProblemError(0, 'TOKEN_UNAVAILABLE', 'the `token` function failed', { cause })
  }
}

function writeBody(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw new ProblemError(0, 'REQUEST_INVALID', 'the record cannot be converted to JSON', { cause })
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
  return new ProblemError(status, 'ANSWER_INVALID', 'the response is not what a table route returns')
}
