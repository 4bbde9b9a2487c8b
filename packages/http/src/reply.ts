import { type AnswerHeaders, checkHeaders } from './headers.ts'

/** An answer with a status and headers of its own. Made by {@link reply}. */
export class HttpReply {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: AnswerHeaders

  constructor(body: unknown, status?: number, headers: AnswerHeaders = {}) {
    checkHeaders(headers)
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export interface ReplyOptions {
  /** Default: the route's status. */
  readonly status?: number
  readonly headers?: AnswerHeaders
}

/**
 * An answer with a status and headers of its own. Objects are sent as JSON; text, bytes and streams as they are.
 * Headers that HTTP does not allow are refused here, with a `TypeError`.
 *
 * ```ts
 * return reply(undefined, { status: 303, headers: { location: '/tasks' } })
 * ```
 */
export function reply(body: unknown, { status, headers }: ReplyOptions = {}): HttpReply {
  return new HttpReply(body, status, headers)
}
