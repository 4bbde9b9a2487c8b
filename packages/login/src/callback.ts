import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthorizeError } from './errors.ts'
import type { ForeignText } from './foreign-text.ts'
import type { Page } from './page.ts'

/** RFC 6749 §4.1.2.1 and OpenID Connect Core 3.1.2.6. */
const standardErrors: readonly string[] = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
]

/** What a callback must match. */
export interface ExpectedCallback {
  readonly state: string
  readonly issuer: string | undefined
  readonly foreignText: ForeignText
}

/** Takes the code out of the callback's query, or says why there is none to trust: the error first, then whose answer it is. */
export function readCallback(query: URLSearchParams, expected: ExpectedCallback): string {
  refuseError(query, expected)
  checkState(query.getAll('state'), expected.state)
  checkIssuer(query.getAll('iss'), expected.issuer)
  return readCode(query.getAll('code'))
}

/**
 * Anybody who reaches the port can send an error, without knowing the state. It ends the login all the same; but its
 * description is shown only where the state says that the server wrote it.
 */
function refuseError(query: URLSearchParams, { foreignText, state }: ExpectedCallback): void {
  const error = query.get('error')
  if (error === null) return
  foreignText.keepOutFields(query)
  const [given, ...more] = query.getAll('state')
  const isOurs = given !== undefined && more.length === 0 && isSame(given, state)
  const refusal = isOurs ? foreignText.quoteRefusal(error, query.get('error_description')) : quoteStranger(error)
  const what = error === 'access_denied' ? 'the sign-in was declined' : 'the server refused the sign-in'
  throw new AuthorizeError('provider_denied', `${what}${refusal}`)
}

/** Only what a standard has defined is repeated of a callback that may be anybody's. */
function quoteStranger(error: string): string {
  return standardErrors.includes(error) ? `: ${error}` : ''
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
