import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type HttpReply, type HttpRequest, reply } from '@portico/http'

/** An answer that never changes, kept compressed. */
export class StoredAnswer {
  readonly #gzip: Buffer
  readonly #type: string
  readonly #tag: string

  private constructor(gzip: Buffer, type: string) {
    this.#gzip = gzip
    this.#type = type
    // Weak: the same content comes compressed and plain (RFC 9110 §8.8.1).
    this.#tag = `W/"${createHash('sha256').update(gzip).digest('base64url').slice(0, 22)}"`
  }

  static fromGzip(gzip: Buffer, type: string): StoredAnswer {
    return new StoredAnswer(gzip, type)
  }

  static fromText(text: string, type: string): StoredAnswer {
    return new StoredAnswer(gzipSync(text), type)
  }

  /** The reply to a request: nothing new for one that has it already, compressed for one that can take it. */
  replyTo({ headers }: HttpRequest, more: Readonly<Record<string, string>> = {}): HttpReply {
    const shared = { ...more, etag: this.#tag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    if (isKnown(headers['if-none-match'], this.#tag)) return reply(undefined, { status: 304, headers: shared })
    const described = { ...shared, 'content-type': this.#type, 'x-content-type-options': 'nosniff' }
    if (!takesGzip(headers['accept-encoding'])) return reply(gunzipSync(this.#gzip), { headers: described })
    return reply(this.#gzip, { headers: { ...described, 'content-encoding': 'gzip' } })
  }
}

/** Weakly compared (RFC 9110 §13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((it) => it.trim() === '*' || `W/${it.trim().replace(/^W\//, '')}` === tag) ?? false
}

function takesGzip(header: string | string[] | undefined): boolean {
  const parts = String(header ?? '')
    .toLowerCase()
    .split(',')
  return parts.some((it) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/.test(it))
}
