import { STATUS_CODES } from 'node:http'
import { DbError, type DbErrorCode } from '@portico/db'
import { HttpError, type ProblemCode, type RequestIssue } from '../errors.ts'
import type { Problem } from '../problem.ts'

export interface ProblemReply {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

/** An answer must not grow with the number of mistakes in a request, nor with the names in it. */
const MOST_ISSUES = 100
const DEEPEST_PATH = 20
const LONGEST_NAME = 100
const LONGEST_TEXT = 500

/** Errors of the table layer that a caller can do something about; every other one is a failure of the server. */
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

/** What the server underneath and its plugins refuse, by status. */
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

/** The answer to an error. What is not meant for callers shows as `INTERNAL`, without its message. */
export function toProblem(error: unknown): ProblemReply {
  if (error instanceof HttpError) {
    return { problem: createProblem(error.status, error.code, error.message, error.issues), headers: error.headers }
  }
  if (error instanceof DbError) return fromDatabase(error)
  const { statusCode, message, code } = (error ?? {}) as { statusCode?: unknown; message?: string; code?: unknown }
  // Errors of other libraries have a status too, that of an answer they got: their words are not for our callers.
  const isOwn = typeof code === 'string' && code.startsWith('FST_')
  if (isOwn && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return plain(statusCode, codesByStatus[statusCode] ?? 'MALFORMED_REQUEST', message ?? '')
  }
  if (statusCode === 503) return plain(503, 'UNAVAILABLE', 'the server is closing or overloaded')
  return plain(500, 'INTERNAL', 'the server failed to answer this request')
}

/** A problem by status alone. */
export function plain(status: number, code: ProblemCode, detail: string): ProblemReply {
  return { problem: createProblem(status, code, detail, []), headers: {} }
}

function fromDatabase(error: DbError): ProblemReply {
  const [status, code] = databaseProblems[error.code] ?? [500, 'INTERNAL']
  if (status === 500) return plain(500, 'INTERNAL', 'the server failed to answer this request')
  if (status === 503) {
    const { problem } = plain(503, 'UNAVAILABLE', 'the database cannot answer now')
    return { problem, headers: { 'retry-after': '1' } }
  }
  const fields = error.fields.map(
    (it): RequestIssue => ({ path: it.split('.'), code: issueCode(error.code), message: issueMessage(error.code) }),
  )
  // Which table it is, by its name in the program, is nothing to callers.
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
  return code === 'KEY_UNKNOWN' ? 'is not a key field' : 'is in conflict with another record'
}

function createProblem(status: number, code: string, detail: string, issues: readonly RequestIssue[]): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: cut(detail, LONGEST_TEXT),
    code,
    ...(issues.length > 0 && { issues: issues.slice(0, MOST_ISSUES).map(shorten) }),
  }
}

function shorten(issue: RequestIssue): RequestIssue {
  const path = issue.path.slice(0, DEEPEST_PATH).map((it) => (typeof it === 'string' ? cut(it, LONGEST_NAME) : it))
  return { ...issue, path, message: cut(issue.message, LONGEST_TEXT) }
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
