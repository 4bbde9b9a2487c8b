import { type AnswerHeaders, checkHeaders } from './headers.ts'

/** An answer with a status and headers of its own. Made by {@link reply}. */
export class HttpReply {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: AnswerHeaders

  constructor(body: unknown, status?: number, headers: AnswerHeaders = {}) {
    if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new RangeError(`an answer has a status from 200 to 599, not ${status}`)
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
 * An answer with a status and headers of its own. Objects are sent as JSON; text, bytes and streams as they are.
 * A status outside of 200 to 599 and headers that HTTP does not allow are refused here, by a `RangeError` or `TypeError`.
 *
 * ```ts
 * return reply(undefined, { status: 303, headers: { location: '/tasks' } })
 * ```
 */
export function reply(body: unknown, { status, headers }: ReplyOptions = {}): HttpReply {
  return new HttpReply(body, status, headers)
}
