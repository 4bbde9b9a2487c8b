import { type AuthServer, type AuthServerOptions, createAuthServer } from '@portico/auth-server'
import type { Database } from '@portico/db'
import { type App, type ControllerLike, createApp, HttpError, type HttpRequest, tableController } from '@portico/http'
import type { IdentityProvider } from '@portico/identity'
import { describeApi, docsClient, forCallers, scopes } from './api-docs.ts'
import { createBoardController } from './board-controller.ts'
import { brand, providerIcons } from './brand.ts'
import { isForThisMachine } from './local-host.ts'
import { accounts } from './people.ts'
import { Project, Star, Tag, Task, TaskTag } from './tracker.portico.ts'
import { accountRoutes } from './web/account-routes.ts'
import { findViewer } from './web/page-route.ts'
import { answerRefusal } from './web/plain-pages.ts'
import { taskRoutes } from './web/task-routes.ts'

export interface TrackerOptions {
  readonly db: Database
  /** The URL of the app. */
  readonly address: string
  readonly secret: string
  readonly providers: readonly IdentityProvider[]
  readonly rateLimits?: NonNullable<AuthServerOptions['rateLimits']>
}

export interface TrackerApp {
  readonly app: App
  readonly auth: AuthServer
}

/** The whole app, before it listens: sign-in, pages, table routes and API docs. */
export function createTracker(options: TrackerOptions): TrackerApp {
  const { db, address } = options
  const labels = Object.fromEntries(accounts.map(({ id, label }) => [id, label]))
  const auth = createAuthServer({
    db,
    baseUrl: address,
    secret: options.secret,
    providers: options.providers,
    brand,
    providerLabels: labels,
    providerIcons,
    scopes,
    clients: [docsClient(address)],
    // Both run on this machine and verify the addresses of their users.
    policy: { trustEmailVerifiedFrom: options.providers.map(({ id }) => id) },
    ...(options.rateLimits && { rateLimits: options.rateLimits }),
  })
  const site = { db, auth, address, labelOf: (id: string): string => labels[id] ?? id }
  const app = createApp()
  redirectToCanonicalHost(app, address)
  serveNotFoundPage(app, auth)
  app.register(auth.routes, ...taskRoutes(site), ...accountRoutes(site), ...tableRoutes(db, auth), describeApi(address))
  return { app, auth }
}

/** All signed-in users share projects, tasks and tags. Each user has their own stars. A token needs the scope. */
function tableRoutes(db: Database, { guards, userId }: AuthServer): ControllerLike[] {
  const guard = guards.signedIn('tasks')
  const ownStars = (request: HttpRequest) => ({ userId: userId(request) })
  return [
    createBoardController(db, guard),
    tableController(Project, { db, guard, route: 'projects', decorators: [forCallers('projects')] }),
    tableController(Task, { db, guard, route: 'tasks', decorators: [forCallers('tasks')] }),
    tableController(Tag, { db, guard, route: 'tags', decorators: [forCallers('tags')] }),
    tableController(TaskTag, { db, guard, route: 'task-tags', decorators: [forCallers('tags')] }),
    tableController(Star, { db, guard, route: 'stars', scope: ownStars, decorators: [forCallers('stars')] }),
  ]
}

/** Sessions and forms work under one name of this machine. Its other names redirect there; foreign names are refused. */
function redirectToCanonicalHost(app: App, address: string): void {
  const { host } = new URL(address)
  app.fastify.addHook('onRequest', async ({ headers, method, url }, reply) => {
    if (!isForThisMachine(headers.host))
      throw new HttpError(421, 'HOST_UNKNOWN', 'this app accepts only requests for its own machine')
    const isPage = method === 'GET' && headers.accept?.includes('text/html') && url.startsWith('/')
    // Concatenated, not resolved as a URL: the text after the origin can only be a path.
    if (headers.host !== host && isPage) return reply.redirect(address + url.replace(/^\/+/, '/'), 307)
  })
}

/** An unknown address gets a page in the browser, and problem+json elsewhere. */
function serveNotFoundPage(app: App, auth: AuthServer): void {
  app.fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return
    const { headers, body } = answerRefusal(
      { status: 404, detail: 'there is no page at this address' },
      await findViewer(auth, request),
    )
    for (const [name, value] of Object.entries(headers)) reply.header(name, value)
    return reply.code(404).send(body)
  })
}
