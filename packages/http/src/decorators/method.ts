import type { AnyDecorator } from '../metadata.ts'
import type { HttpMethod } from '../route.ts'
import type { TypeToken } from '../types.ts'
import { http } from './keys.ts'

/** A route of the method that it stands on; `path` is inside the controller's prefix. Several stack. */
type RouteDecorator = (path?: string) => AnyDecorator

function routeDecorator(method: HttpMethod): RouteDecorator {
  return (path = '/') => http.decorate('routes', { method, path }, true)
}

export const Get: RouteDecorator = routeDecorator('GET')
export const Post: RouteDecorator = routeDecorator('POST')
export const Put: RouteDecorator = routeDecorator('PUT')
export const Patch: RouteDecorator = routeDecorator('PATCH')
export const Delete: RouteDecorator = routeDecorator('DELETE')
export const Head: RouteDecorator = routeDecorator('HEAD')
export const Options: RouteDecorator = routeDecorator('OPTIONS')

/** The status of the answer. Default 200, or 204 when the handler returns nothing. */
export function Status(code: number): AnyDecorator {
  return http.decorate('status', code)
}

/** The content types of the body. Default `application/json`; forms are `application/x-www-form-urlencoded`. */
export function Consumes(...types: readonly string[]): AnyDecorator {
  return http.decorate('consumes', types)
}

export interface ReturnsOptions {
  /** Default: the route's status. */
  readonly status?: number | undefined
  readonly description?: string | undefined
  /** Default: `text/plain` for text, `application/json` for anything else. */
  readonly contentType?: string | undefined
}

/**
 * Says what the handler answers, for the API description. Several stack, one for each status. `undefined` stands for
 * an answer without a body.
 */
export function Returns(type: TypeToken | undefined, options: ReturnsOptions = {}): AnyDecorator {
  return http.decorate('returns', { ...options, type }, true)
}
