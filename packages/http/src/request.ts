import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Writes to the log of a request, under its id. */
export interface RequestLog {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** What guards and handlers see of a request. Fastify's own request is one. */
export interface HttpRequest {
  /** The request's id, also in the log and in the answer's `X-Request-Id`. */
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

/** A value that guards leave for handlers, one per request. */
export interface RequestValue<T> {
  set(request: HttpRequest, value: T): void
  /** The value, or `undefined` when none was set. */
  get(request: HttpRequest): T | undefined
  /** The value; throws when none was set, which means that a guard is missing. */
  require(request: HttpRequest): T
}

/**
 * Makes a typed place for something that belongs to a request.
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
