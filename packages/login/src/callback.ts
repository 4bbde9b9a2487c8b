import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import type { Page } from './page.ts'

export interface ExpectedCallback {
  readonly state: string
  readonly issuer: string | undefined
  readonly foreignText: ForeignText
}

/** Returns the authorization code. Throws for an error response first, then for a wrong state, issuer or code. */
export function readCallback(query: URLSearchParams, expected: ExpectedCallback): string {
  throwIfError(query, expected)
  checkState(query.getAll('state'), expected.state)
  checkIssuer(query.getAll('iss'), expected.issuer)
  return readCode(query.getAll('code'))
}

/** Any program that reaches the port can send an error, so its description is shown only if the state matches. */
function throwIfError(query: URLSearchParams, { foreignText, state }: ExpectedCallback): void {
  const error = query.get('error')
  if (error === null) return
  foreignText.keepOutFields(query)
  const isOurs = isEqual(query.getAll('state').join(), state)
  const refusal = foreignText.quoteRefusal(error, isOurs && query.get('error_description'))
  const outcome = error === 'access_denied' ? 'the sign-in was declined' : 'the server refused the sign-in'
  throw new AuthorizeError('provider_denied', `${outcome}${refusal}`)
}

/** Only `access_denied` means that the person declined (RFC 6749 §4.1.2.1). */
export function pageForError(query: URLSearchParams): Page {
  const error = query.get('error')
  if (error === 'access_denied') return 'declined'
  return error === 'temporarily_unavailable' || error === 'server_error' ? 'unavailable' : 'refused'
}

function checkState([state, ...more]: string[], expected: string): void {
  if (state !== undefined && more.length === 0 && isEqual(state, expected)) return
  const problem =
    state === undefined ? 'carries no state' : more.length > 0 ? 'repeats its state' : 'belongs to another login'
  throw new AuthorizeError('state_mismatch', `the callback ${problem}; start the sign-in again`)
}

function checkIssuer([issuer, ...more]: string[], expected: string | undefined): void {
  if (expected === undefined || (issuer === expected && more.length === 0)) return
  throw new AuthorizeError('state_mismatch', 'the callback does not come from the expected issuer')
}

function readCode([code, ...more]: string[]): string {
  if (code && more.length === 0) return code
  throw new AuthorizeError('exchange_failed', `the callback ${code ? 'repeats its' : 'carries no'} authorization code`)
}

/** Compares digests, so that the time taken reveals neither content nor length. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(left as Buffer, right as Buffer)
}
