import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Headers of an answer; a list is sent as one line for each. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/**
 * Refuses names and values that HTTP does not allow, line breaks most of all, with a `TypeError`. Node would refuse them
 * only when the answer is written, too late for another one.
 */
export function checkHeaders(headers: AnswerHeaders): void {
  for (const name of Object.keys(headers)) {
    validateHeaderName(name)
    const value = headers[name]!
    for (const it of typeof value === 'string' ? [value] : value) validateHeaderValue(name, it)
  }
}
