import { type HttpReply, type Problem, reply } from '@portico/http'
import type { OAuthErrorCode, OAuthRefusal } from '../errors.ts'

/** RFC 6749 §5.1: responses that may hold a token are not cached. */
const notStored = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** A JSON response that is not cached. */
export function answerJson(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): HttpReply {
  return reply(body, { status, headers: { ...notStored, ...headers } })
}

/** A redirect that the browser follows with GET, whatever the method of the request. */
export function redirectTo(location: string, setCookie: readonly string[] = []): HttpReply {
  return reply(undefined, {
    status: 303,
    headers: {
      location,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(setCookie.length > 0 && { 'set-cookie': setCookie }),
    },
  })
}

/** RFC 6749 §5.2. */
export function answerRefusal({ code, message }: OAuthRefusal): HttpReply {
  const body = { error: code, error_description: message }
  return code === 'invalid_client'
    ? answerJson(body, 401, { 'www-authenticate': 'Basic realm="token"' })
    : answerJson(body, 400)
}

/** A request that was refused before its handler ran, as an error response of RFC 6749 §5.2. */
export function answerProblemAsOAuth(problem: Problem): HttpReply {
  return answerJson({ error: codeOf(problem), error_description: describe(problem) }, problem.status)
}

function codeOf({ status }: Problem): OAuthErrorCode {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** RFC 6749 §5.2 allows no quotes, backslashes or non-ASCII characters in descriptions. */
function describe({ detail }: Problem): string {
  return detail.replace(/["\\]|[^\x20-\x7e]/g, '')
}
