import { defineRoute, HttpReply, type HttpRequest, type RouteDefinition, reply } from '@portico/http'
import type { Settings } from '../options.ts'

type Headers = Readonly<Record<string, string>>

/** Adds the headers that let pages of other origins read a response. */
export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor({ clients }: Settings) {
    this.#origins = new Set([...clients.values()].flatMap(({ allowedOrigins = [] }) => allowedOrigins))
  }

  /**
   * Makes a response readable for pages of registered clients (`allowedOrigins`). These endpoints use no cookies, so no
   * credentials are allowed.
   */
  admit(request: HttpRequest, { body, status, headers }: HttpReply): HttpReply {
    return new HttpReply(body, status, { ...headers, ...this.#read(request) })
  }

  /** `OPTIONS` of an endpoint: the methods and headers that these pages may send. */
  preflight(path: string, methods: string): RouteDefinition {
    return preflightRoute(path, methods, (request) => this.#read(request))
  }

  #read({ headers: { origin } }: HttpRequest): Headers {
    // The response depends on the origin, so caches must keep them apart.
    const vary = { vary: 'origin' }
    if (origin === undefined || !this.#origins.has(origin)) return vary
    const exposed = { 'access-control-expose-headers': 'www-authenticate, retry-after' }
    return { ...vary, ...exposed, 'access-control-allow-origin': origin }
  }
}

/** For resources that everybody may read. */
export function openPreflight(path: string): RouteDefinition {
  return preflightRoute(path, 'GET', () => ({ 'access-control-allow-origin': '*' }))
}

function preflightRoute(path: string, methods: string, read: (request: HttpRequest) => Headers): RouteDefinition {
  return defineRoute({
    method: 'OPTIONS',
    path,
    metadata: { specExclude: true },
    handler: ({ request }) => {
      const headers = read(request)
      const isAdmitted = 'access-control-allow-origin' in headers
      return reply(undefined, {
        status: 204,
        headers: {
          ...headers,
          ...(isAdmitted && {
            'access-control-allow-methods': methods,
            'access-control-allow-headers': 'authorization, content-type',
            'access-control-max-age': '600',
          }),
        },
      })
    },
  })
}
