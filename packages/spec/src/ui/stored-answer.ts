import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type HttpReply, type HttpRequest, reply } from '@portico/http'

/** A response that never changes, stored compressed. */
export class StoredAnswer {
  readonly #gzip: Buffer
  readonly #type: string
  readonly #tag: string

  private constructor(gzip: Buffer, type: string) {
    this.#gzip = gzip
    this.#type = type
    // Weak, since the compressed and the plain body share it (RFC 9110 §8.8.1).
    this.#tag = `W/"${createHash('sha256').update(gzip).digest('base64url').slice(0, 22)}"`
  }

  static fromGzip(gzip: Buffer, type: string): StoredAnswer {
    return new StoredAnswer(gzip, type)
  }

  static fromText(text: string, type: string): StoredAnswer {
    return new StoredAnswer(gzipSync(text), type)
  }

  /** The reply to a request: 304 if the caller has it already, compressed if the caller accepts gzip. */
  replyTo({ headers }: HttpRequest, more: Readonly<Record<string, string>> = {}): HttpReply {
    const shared = { ...more, etag: this.#tag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    if (isKnown(headers['if-none-match'], this.#tag)) return reply(undefined, { status: 304, headers: shared })
    const described = { ...shared, 'content-type': this.#type, 'x-content-type-options': 'nosniff' }
    if (!acceptsGzip(headers['accept-encoding'])) return reply(gunzipSync(this.#gzip), { headers: described })
    return reply(this.#gzip, { headers: { ...described, 'content-encoding': 'gzip' } })
  }
}

/** By weak comparison (RFC 9110 §13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((it) => it.trim() === '*' || `W/${it.trim().replace(/^W\//, '')}` === tag) ?? false
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  const parts = String(header ?? '')
    .toLowerCase()
    .split(',')
  return parts.some((it) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/.test(it))
}
