import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Writes to the log under the id of the request. */
export interface RequestLog {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** The request that guards and handlers get. Fastify's own request is one. */
export interface HttpRequest {
  /** The id of the request, also in the log and in the `X-Request-Id` of the response. */
  readonly id: string
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly ip: string
  readonly log: RequestLog
  readonly raw: IncomingMessage
}

/** A value of a request that a guard sets and handlers read. */
export interface RequestValue<T> {
  set(request: HttpRequest, value: T): void
  /** The value, or `undefined` when none was set. */
  get(request: HttpRequest): T | undefined
  /** The value. Throws if none was set: then a guard is missing. */
  require(request: HttpRequest): T
}

/**
 * Creates a typed value that belongs to a request.
 *
 * ```ts
 * const currentUser = requestValue<User>('current user')
 * const signedIn: Guard = async (request) => currentUser.set(request, await findUser(request.headers.authorization))
 * ```
 */
export function requestValue<T>(name: string): RequestValue<T> {
  const values = new WeakMap<HttpRequest, { readonly value: T }>()
  return Object.freeze({
    set: (request: HttpRequest, value: T) => void values.set(request, { value }),
    get: (request: HttpRequest) => values.get(request)?.value,
    require(request: HttpRequest) {
      const found = values.get(request)
      if (!found) throw new Error(`no ${name} was set for this request`)
      return found.value
    },
  })
}
