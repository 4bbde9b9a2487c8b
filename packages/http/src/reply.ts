import { type AnswerHeaders, checkHeaders } from './headers.ts'

/** A response with its own status and headers, created by {@link reply}. */
export class HttpReply {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: AnswerHeaders

  constructor(body: unknown, status?: number, headers: AnswerHeaders = {}) {
    if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new RangeError(`the status of a response is from 200 to 599, not ${status}`)
    }
    checkHeaders(headers)
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export interface ReplyOptions {
  /** Default: the route's status. */
  readonly status?: number | undefined
  readonly headers?: AnswerHeaders | undefined
}

/**
 * A response with its own status and headers. Objects are sent as JSON; text, bytes and streams as they are. A status
 * outside of 200 to 599 is a `RangeError`; a header that HTTP does not allow is a `TypeError`.
 *
 * ```ts
 * return reply(undefined, { status: 303, headers: { location: '/tasks' } })
 * ```
 */
export function reply(body: unknown, { status, headers }: ReplyOptions = {}): HttpReply {
  return new HttpReply(body, status, headers)
}
