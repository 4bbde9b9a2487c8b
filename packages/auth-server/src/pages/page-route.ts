import {
  type AnswerProblem,
  defineRoute,
  type HttpReply,
  type HttpRequest,
  type Problem,
  type RouteDefinition,
  reply,
} from '@portico/http'
import { type Audit, type AuditEntry, auditProblem } from '../audit.ts'
import type { CheckRate } from '../rate-limit.ts'
import { PageRefusal } from './page-refusal.ts'
import type { Pages } from './pages.ts'
import type { PageProblem } from './problems.ts'

/** The parts of the server that every page uses. */
export interface PageRouteDeps {
  readonly pages: Pages
  readonly audit: Audit
  readonly checkRate: CheckRate
}

export interface PageRouteOptions {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly label: string
  /** The audit event of a refusal. */
  readonly event: AuditEntry['event']
  readonly handler: (request: HttpRequest) => Promise<HttpReply>
}

/** A route for browsers. Every error is shown as a page and audited. */
export function pageRoute({ pages, audit, checkRate }: PageRouteDeps, options: PageRouteOptions): RouteDefinition {
  const { method, path, label, event, handler } = options
  const answerProblem: AnswerProblem = async (problem, request) => {
    return pages.problem(problemOf(await auditProblem(audit, request, event, problem)))
  }
  return defineRoute({
    method,
    path,
    label,
    ...(path.includes(':provider') && { params: { provider: String } }),
    // The handlers read the form themselves, so that each mistake gets a page with its own text.
    ...(method === 'POST' && { body: { type: 'object' }, consumes: ['application/x-www-form-urlencoded'] }),
    metadata: { specExclude: true },
    // Runs before anything is parsed, so that malformed requests count too.
    guards: [(request) => checkRate('signIn', request)],
    answerProblem,
    handler: async ({ request }) => {
      // Every GET may change state here, and a HEAD must not (RFC 9110 §9.2.1).
      if (request.method === 'HEAD')
        return reply('', { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
      try {
        return await handler(request)
      } catch (error) {
        if (!(error instanceof PageRefusal)) throw error
        await audit(request, { event, outcome: 'refused', reason: error.reason, ...error.concerned })
        return pages.problem(error.code, error)
      }
    },
  })
}

function problemOf({ status }: Problem): PageProblem {
  if (status === 429) return 'rate-limited'
  if (status === 503) return 'unavailable'
  return status >= 500 ? 'failed' : 'malformed'
}
