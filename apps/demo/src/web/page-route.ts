import type { AuthServer } from '@portico/auth-server'
import type { Database } from '@portico/db'
import {
  type AnswerProblem,
  defineRoute,
  HttpError,
  type HttpReply,
  type HttpRequest,
  type RouteDefinition,
  reply,
} from '@portico/http'
import { safeRedirect } from '@portico/identity'
import type { Viewer } from './layout.ts'
import { answerRefusal } from './plain-pages.ts'

/** The dependencies of every page. */
export interface Site {
  readonly db: Database
  readonly auth: AuthServer
  /** The origin of the app in the browser. */
  readonly address: string
  /** The display name of a provider. */
  readonly labelOf: (provider: string) => string
}

/** A request of a signed-in user. */
export interface Visit {
  readonly viewer: Viewer
  /** Id of the browser's session. */
  readonly sessionId: string
  /** Parts of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  /** A trimmed field of the submitted form. */
  readonly field: (name: string) => string
}

interface PageRouteOptions {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handler: (visit: Visit) => Promise<HttpReply>
  /** The page for people who are not signed in. Default: the sign-in page, which leads back. */
  readonly stranger?: () => HttpReply
}

/** A page for signed-in users, or the target of its form. Errors are shown as a page. */
export function pageRoute(site: Omit<Site, 'db'>, options: PageRouteOptions): RouteDefinition {
  const { method, path, handler, stranger } = options
  const { guards, users } = site.auth
  const answerProblem: AnswerProblem = (problem, request) => {
    if (problem.status !== 401) return answerRefusal(problem)
    if (stranger) return stranger()
    // A form leads back to the page that contains it.
    const back = method === 'GET' ? request.url : safeRedirect(request.headers.referer ?? '/', site.address)
    return redirectTo(`/auth/sign-in?return_to=${encodeURIComponent(back)}`)
  }
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, String]))
  return defineRoute({
    method,
    path,
    params,
    ...(method === 'POST' && { body: { type: 'object' }, consumes: ['application/x-www-form-urlencoded'] }),
    guards: method === 'POST' ? [ownPage(site.address), guards.session] : [guards.session],
    metadata: { specExclude: true },
    answerProblem,
    handler: async ({ request }) => {
      const { userId, id } = guards.principal.require(request)
      const viewer = await viewerOf(userId, users)
      const { query, body } = request
      try {
        return await handler({
          viewer,
          sessionId: id,
          params: request.params as Record<string, string>,
          query,
          field: (name) => readField(body, name),
        })
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return answerRefusal({ status: error.status, detail: error.message }, viewer)
      }
    },
  })
}

/** The user of the browser session, if there is one. */
export async function findViewer(
  { guards, users, userId }: AuthServer,
  request: HttpRequest,
): Promise<Viewer | undefined> {
  try {
    await guards.session(request)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
  return viewerOf(userId(request), users)
}

async function viewerOf(userId: string, users: AuthServer['users']): Promise<Viewer> {
  const user = await users.findById(userId)
  return { userId, name: user?.displayName ?? user?.username ?? 'You' }
}

/** Protects against CSRF: accepts a form only if the browser says that a page of this site sent it. */
function ownPage(address: string) {
  return async ({ headers }: HttpRequest): Promise<void> => {
    const isOwn = headers.origin === address && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
    if (!isOwn) throw new HttpError(403, 'FORBIDDEN', 'the form was not sent by a page of this site')
  }
}

function readField(body: unknown, name: string): string {
  const fields = Object(body) as Record<string, unknown>
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' ? value.trim() : ''
}

/** A redirect that the browser follows with GET, so that reloading the page does not send the form again. */
export function redirectTo(location: string): HttpReply {
  return reply(undefined, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
