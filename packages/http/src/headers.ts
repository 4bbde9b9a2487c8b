import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Headers of an answer; a list is sent as one line for each. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/**
 * What says where an answer ends and what becomes of its connection (RFC 9110 §7.6.1, RFC 9112 §6). It is for the server
 * alone to say: one that does not fit the body would have the next answer read as part of this one.
 */
const serversOwn = new Set([
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
 * Refuses names and values that HTTP does not allow, line breaks most of all, with a `TypeError`. Node would refuse them
 * only when the answer is written, too late for another one. So are headers that are the server's own to set.
 */
export function checkHeaders(headers: AnswerHeaders): void {
  for (const name of Object.keys(headers)) {
    validateHeaderName(name)
    if (serversOwn.has(name.toLowerCase())) throw new TypeError(`the header ${name} is set by the server alone`)
    const value = headers[name]!
    for (const it of typeof value === 'string' ? [value] : value) validateHeaderValue(name, it)
  }
}
