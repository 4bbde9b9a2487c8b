import { type Issue, MAX_ISSUES } from '@portico/schema/runtime'
import { checkHeaders } from './headers.ts'

/** The part of a request that an issue is about. */
export type InputPlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** One issue of an invalid request. */
export interface RequestIssue extends Issue {
  readonly in?: InputPlace
}

/** All problem codes of the platform, with their meanings. Programs add their own codes. */
export const problemCodes = {
  MALFORMED_REQUEST: 'The request is not valid HTTP.',
  MALFORMED_URL: 'The path or query is not valid percent-encoded UTF-8.',
  MALFORMED_BODY:
    'The body is not valid JSON: bad syntax, bad UTF-8, a duplicate key, a forbidden key, a number that is too large or would be rounded, or more than 100 levels of nesting.',
  VALIDATION_FAILED: 'The input is not valid. `issues` lists what is wrong and where.',
  KEY_INCOMPLETE: 'Fields of the primary key are missing. `issues` names them.',
  KEY_UNKNOWN: 'A field of the given key is not a field of the primary key.',
  DECIMAL_INEXACT: 'The database cannot store this decimal exactly, so the write was refused.',
  UNAUTHENTICATED: 'Nobody is signed in, or the token is not valid.',
  FORBIDDEN: 'The caller is not allowed to do this.',
  NOT_FOUND: 'No route matches this path.',
  METHOD_NOT_ALLOWED: 'The path does not support this method. `Allow` lists the methods that this caller may use.',
  RECORD_NOT_FOUND: 'There is no record with this key, or the caller may not see it.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  UNIQUE_VIOLATION: 'Another record has the same key, or the same values in a unique index.',
  FOREIGN_KEY_VIOLATION: 'The record refers to a record that does not exist, or other records still refer to it.',
  CONSTRAINT_VIOLATION: 'A constraint of the database refused the record.',
  NUMBER_UNSAFE: 'An auto-increment field or version of the record has reached its maximum.',
  VERSION_CONFLICT: 'The record was changed after it was read.',
  PRECONDITION_FAILED: 'The record no longer has the version in `If-Match`.',
  EXPECTATION_FAILED: 'The server does not support the expectation in `Expect`.',
  BODY_TOO_LARGE: 'The body is larger than allowed.',
  URL_TOO_LONG: 'A segment of the path is longer than allowed.',
  UNSUPPORTED_MEDIA_TYPE: 'The route does not accept this content type.',
  HEADERS_TOO_LARGE: 'The request line and headers are larger than allowed.',
  INTERNAL: 'The server failed. The log has the reason, under the request id.',
  UNAVAILABLE: 'Something that the server depends on, such as the database, is not available. Try again later.',
} as const

export type ProblemCode = keyof typeof problemCodes

export interface HttpErrorOptions extends ErrorOptions {
  readonly issues?: readonly RequestIssue[] | undefined
  /** Response headers, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * An error that is sent to the caller as `application/problem+json`. A status outside of 400 to 599 is a `RangeError`; a
 * header that HTTP does not allow is a `TypeError`.
 *
 * ```ts
 * throw new HttpError(404, 'PROJECT_NOT_FOUND', `there is no project ${id}`)
 * ```
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** One of {@link problemCodes}, or your own code. Callers branch on it, so it should never change. */
  readonly code: string
  readonly issues: readonly RequestIssue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: ProblemCode | (string & {}), detail: string, options: HttpErrorOptions = {}) {
    super(detail, options)
    const { issues = [], headers = {} } = options
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`the status of an HttpError is from 400 to 599, not ${status}`)
    }
    checkHeaders(headers)
    this.status = status
    this.code = code
    this.issues = issues
    this.headers = headers
  }
}

/** The error for invalid input. Its detail has the first issue and the number of the others. */
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

/** The code of a {@link RouteError}. */
export type RouteErrorCode =
  | 'CONTROLLER_INVALID'
  | 'DECORATOR_MISPLACED'
  | 'METADATA_INVALID'
  | 'OPTIONS_INVALID'
  | 'PARAMETER_INVALID'
  | 'PATH_INVALID'
  | 'ROUTE_DUPLICATE'
  | 'TYPE_UNKNOWN'

/** A mistake in a controller, route or option, found when the app starts. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
  readonly code: RouteErrorCode

  constructor(code: RouteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
