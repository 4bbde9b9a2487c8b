import { STATUS_CODES } from 'node:http'
import { DbError, type DbErrorCode } from '@portico/db'
import { HttpError, type ProblemCode, type RequestIssue } from '../errors.ts'
import type { Problem } from '../problem.ts'

export interface ProblemReply {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

/** A response must not grow with the number of mistakes in a request or with the names in it. */
const MAX_ISSUES = 100
const MAX_PATH_DEPTH = 20
const MAX_NAME_LENGTH = 100
const MAX_TEXT_LENGTH = 500

/** Database errors that the caller can act on. Every other one is a failure of the server. */
const databaseProblems: Partial<Record<DbErrorCode, readonly [status: number, code: ProblemCode]>> = {
  VALIDATION_FAILED: [400, 'VALIDATION_FAILED'],
  KEY_INCOMPLETE: [400, 'KEY_INCOMPLETE'],
  KEY_UNKNOWN: [400, 'KEY_UNKNOWN'],
  DECIMAL_INEXACT: [400, 'DECIMAL_INEXACT'],
  UNIQUE_VIOLATION: [409, 'UNIQUE_VIOLATION'],
  FOREIGN_KEY_VIOLATION: [409, 'FOREIGN_KEY_VIOLATION'],
  CONSTRAINT_VIOLATION: [409, 'CONSTRAINT_VIOLATION'],
  VERSION_CONFLICT: [409, 'VERSION_CONFLICT'],
  TIMEOUT: [503, 'UNAVAILABLE'],
  UNAVAILABLE: [503, 'UNAVAILABLE'],
  SERIALIZATION_FAILED: [503, 'UNAVAILABLE'],
}

/** The codes for errors of Fastify and its plugins. */
const codesByStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'MALFORMED_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'BODY_TOO_LARGE',
  414: 'URL_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  431: 'HEADERS_TOO_LARGE',
  503: 'UNAVAILABLE',
}

/** Turns an error into a problem. Errors that are not meant for callers become `INTERNAL`, without their message. */
export function toProblem(error: unknown): ProblemReply {
  if (error instanceof HttpError) {
    return { problem: createProblem(error.status, error.code, error.message, error.issues), headers: error.headers }
  }
  if (error instanceof DbError) return fromDatabase(error)
  const { statusCode, message, code } = (error ?? {}) as { statusCode?: unknown; message?: string; code?: unknown }
  // Errors of HTTP clients also have a status, that of the response they got. Their messages are not for our callers.
  const isOwn = typeof code === 'string' && code.startsWith('FST_')
  if (isOwn && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return plain(statusCode, codesByStatus[statusCode] ?? 'MALFORMED_REQUEST', message ?? '')
  }
  if (statusCode === 503) return plain(503, 'UNAVAILABLE', 'the server is closing or overloaded')
  return plain(500, 'INTERNAL', 'the server failed to answer this request')
}

/** A problem without issues and headers. */
export function plain(status: number, code: ProblemCode, detail: string): ProblemReply {
  return { problem: createProblem(status, code, detail, []), headers: {} }
}

function fromDatabase(error: DbError): ProblemReply {
  const [status, code] = databaseProblems[error.code] ?? [500, 'INTERNAL']
  if (status === 500) return plain(500, 'INTERNAL', 'the server failed to answer this request')
  if (status === 503) {
    const { problem } = plain(503, 'UNAVAILABLE', 'the database is not available')
    return { problem, headers: { 'retry-after': '1' } }
  }
  const fields = error.fields.map(
    (it): RequestIssue => ({ path: it.split('.'), code: issueCode(error.code), message: issueMessage(error.code) }),
  )
  // The table's name in the program is of no use to callers.
  const detail = error.message.replace(/^table `[^`]*`: /, '')
  return {
    problem: createProblem(status, code, detail, error.issues.length > 0 ? error.issues : fields),
    headers: {},
  }
}

function issueCode(code: DbErrorCode): string {
  return code === 'KEY_INCOMPLETE' ? 'required' : code === 'KEY_UNKNOWN' ? 'additionalProperties' : 'conflict'
}

function issueMessage(code: DbErrorCode): string {
  if (code === 'KEY_INCOMPLETE') return 'is required'
  return code === 'KEY_UNKNOWN' ? 'is not a key field' : 'conflicts with another record'
}

function createProblem(status: number, code: string, detail: string, issues: readonly RequestIssue[]): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: cut(detail, MAX_TEXT_LENGTH),
    code,
    ...(issues.length > 0 && { issues: issues.slice(0, MAX_ISSUES).map(shorten) }),
  }
}

function shorten(issue: RequestIssue): RequestIssue {
  const path = issue.path.slice(0, MAX_PATH_DEPTH).map((it) => (typeof it === 'string' ? cut(it, MAX_NAME_LENGTH) : it))
  return { ...issue, path, message: cut(issue.message, MAX_TEXT_LENGTH) }
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
