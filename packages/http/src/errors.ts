import { type Issue, MAX_ISSUES } from '@portico/schema/runtime'
import { checkHeaders } from './headers.ts'

/** Where in a request something is wrong. */
export type InputPlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** One thing that is wrong with a request. */
export interface RequestIssue extends Issue {
  readonly in?: InputPlace
}

/** Every code that the platform's own answers carry, with what it means. Programs add codes of their own. */
export const problemCodes = {
  MALFORMED_REQUEST: 'The request is no valid HTTP.',
  MALFORMED_URL: 'The path or query is not valid percent-encoded UTF-8.',
  MALFORMED_BODY:
    'The body is not valid JSON: bad syntax, bad UTF-8, a key twice, a key that is never allowed, a number that would be rounded or is too great, or more than 100 levels of nesting.',
  VALIDATION_FAILED: 'The input does not fit. `issues` says what and where.',
  KEY_INCOMPLETE: 'A whole key is needed and some of its fields are missing; `issues` names them.',
  KEY_UNKNOWN: 'A field that is no key field stands where a key is needed.',
  DECIMAL_INEXACT: 'The database cannot keep this decimal exactly, so it was not stored.',
  UNAUTHENTICATED: 'Nobody is signed in, or the token is not valid.',
  FORBIDDEN: 'The one who is signed in may not do this.',
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_ALLOWED: 'The address takes other methods; `Allow` names those that this caller may use.',
  RECORD_NOT_FOUND: 'There is no record with this key, or none that may be seen.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  UNIQUE_VIOLATION: 'Another record has the same key, or the same values where they have to be unique.',
  FOREIGN_KEY_VIOLATION: 'The record refers to one that is not there, or is still referred to.',
  CONSTRAINT_VIOLATION: 'The database refused the record by a rule of its own.',
  NUMBER_UNSAFE: 'A counter or version of the record is at the end of its range.',
  VERSION_CONFLICT: 'The record was changed since it was read.',
  PRECONDITION_FAILED: 'The record is no longer the one that `If-Match` names.',
  EXPECTATION_FAILED: 'The request expects something with `Expect` that the server does not do.',
  BODY_TOO_LARGE: 'The body is longer than allowed.',
  URL_TOO_LONG: 'A part of the path is longer than allowed.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of a content type that is not taken here.',
  HEADERS_TOO_LARGE: 'The request line and headers are longer than allowed.',
  INTERNAL: 'The server failed. The log has the reason, under the request id.',
  UNAVAILABLE: 'Something the server needs cannot be reached now. Try again later.',
} as const

export type ProblemCode = keyof typeof problemCodes

export interface HttpErrorOptions extends ErrorOptions {
  readonly issues?: readonly RequestIssue[] | undefined
  /** Headers of the answer, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * An error that is answered as it stands, as `application/problem+json`. A status outside of 400 to 599 and headers
 * that HTTP does not allow are refused here, by a `RangeError` or `TypeError`.
 *
 * ```ts
 * throw new HttpError(404, 'PROJECT_NOT_FOUND', `there is no project ${id}`)
 * ```
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** One of {@link problemCodes}, or a code of your own. Callers branch on it, so it never changes. */
  readonly code: string
  readonly issues: readonly RequestIssue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: ProblemCode | (string & {}), detail: string, options: HttpErrorOptions = {}) {
    super(detail, options)
    const { issues = [], headers = {} } = options
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`an HttpError has a status from 400 to 599, not ${status}`)
    }
    checkHeaders(headers)
    this.status = status
    this.code = code
    this.issues = issues
    this.headers = headers
  }
}

/** Input that does not fit: the detail tells the first problem and how many there are. */
export function validationFailed(issues: readonly RequestIssue[]): HttpError {
  const [first] = issues
  const more = issues.length - 1
  const rest = more > 0 ? ` (and ${more}${issues.length >= MAX_ISSUES ? ' or more' : ' more'})` : ''
  const detail = first ? `${[describePlace(first), first.message].join(' ')}${rest}` : 'the request is not valid'
  return new HttpError(400, 'VALIDATION_FAILED', detail, { issues })
}

function describePlace({ in: place, path }: RequestIssue): string {
  const field = path.length > 0 ? `\`${path.join('.')}\`` : ''
  if (place === undefined || place === 'body') return field === '' ? 'the body' : field
  return field === '' ? `the ${place}` : `${place === 'path' ? 'path parameter' : place} ${field}`
}

/** Why an app could not be put together. */
export type RouteErrorCode =
  | 'CONTROLLER_INVALID'
  | 'DECORATOR_MISPLACED'
  | 'METADATA_INVALID'
  | 'OPTIONS_INVALID'
  | 'PARAMETER_INVALID'
  | 'PATH_INVALID'
  | 'ROUTE_DUPLICATE'
  | 'TYPE_UNKNOWN'

/** A mistake in how controllers and routes are written, found when the app starts. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
  readonly code: RouteErrorCode

  constructor(code: RouteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
