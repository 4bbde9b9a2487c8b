import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Response headers. A list is sent as one line per value. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/**
 * Headers that frame the message and control the connection (RFC 9110 §7.6.1, RFC 9112 §6). Only the server sets them: a
 * wrong length would make a client read the next response as part of this one.
 */
const serverOnly = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Throws a `TypeError` for names and values that HTTP does not allow, line breaks above all, and for headers that only
 * the server sets. Node would refuse them too late for another response.
 */
export function checkHeaders(headers: AnswerHeaders): void {
  for (const name of Object.keys(headers)) {
    validateHeaderName(name)
    if (serverOnly.has(name.toLowerCase())) throw new TypeError(`only the server sets the header ${name}`)
    const value = headers[name]!
    for (const it of typeof value === 'string' ? [value] : value) validateHeaderValue(name, it)
  }
}
