import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import type { Page } from './page.ts'

/** What a callback must match. */
export interface ExpectedCallback {
  readonly state: string
  readonly issuer: string | undefined
  readonly foreignText: ForeignText
}

/** Takes the code out of the callback's query, or says why not: the error first, then whose answer it is. */
export function readCallback(query: URLSearchParams, expected: ExpectedCallback): string {
  refuseError(query, expected)
  checkState(query.getAll('state'), expected.state)
  checkIssuer(query.getAll('iss'), expected.issuer)
  return readCode(query.getAll('code'))
}

/** Anybody can send an error: more than a plain code is shown only where the state is ours. */
function refuseError(query: URLSearchParams, { foreignText, state }: ExpectedCallback): void {
  const error = query.get('error')
  if (error === null) return
  foreignText.keepOutFields(query)
  const isOurs = isSame(query.getAll('state').join(), state)
  const code = isOurs || /^[a-z_]{1,32}$/.test(error) ? error : ''
  const refusal = foreignText.quoteRefusal(code, isOurs && query.get('error_description'))
  const what = error === 'access_denied' ? 'the sign-in was declined' : 'the server refused the sign-in'
  throw new AuthorizeError('provider_denied', `${what}${refusal}`)
}

/** What the person is told of a refusal: only `access_denied` is their own doing (RFC 6749 §4.1.2.1). */
export function pageOfRefusal(query: URLSearchParams): Page {
  const error = query.get('error')
  if (error === 'access_denied') return 'declined'
  return error === 'temporarily_unavailable' || error === 'server_error' ? 'unavailable' : 'refused'
}

function checkState([state, ...more]: string[], expected: string): void {
  if (state !== undefined && more.length === 0 && isSame(state, expected)) return
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

/** Compares digests, so that neither content nor length shows in the time it takes. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(left as Buffer, right as Buffer)
}
