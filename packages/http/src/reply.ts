/** An answer with a status and headers of its own. Made by {@link reply}. */
export class HttpReply {
  readonly body: unknown
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | readonly string[]>>

  constructor(body: unknown, status?: number, headers: Readonly<Record<string, string | readonly string[]>> = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export interface ReplyOptions {
  /** Default: the route's status. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/**
 * An answer with a status and headers of its own. Objects are sent as JSON; text, bytes and streams as they are.
 *
 * ```ts
 * return reply(undefined, { status: 303, headers: { location: '/tasks' } })
 * ```
 */
export function reply(body: unknown, { status, headers }: ReplyOptions = {}): HttpReply {
  return new HttpReply(body, status, headers)
}
