import type { AnyDecorator } from '../metadata.ts'
import type { HttpMethod } from '../route.ts'
import type { TypeToken } from '../types.ts'
import { http } from './keys.ts'

/** Adds a route to a method of a controller. `path` is relative to the controller's prefix. Several can be stacked. */
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

/** The status of the response. Default 200, or 204 when the handler returns nothing. */
export function Status(code: number): AnyDecorator {
  return http.decorate('status', code)
}

/** The content types of the request body. Default `application/json`; forms are `application/x-www-form-urlencoded`. */
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
 * Documents a response of the handler. Several can be stacked, one for each status. `undefined` means a response without
 * a body.
 */
export function Returns(type: TypeToken | undefined, options: ReturnsOptions = {}): AnyDecorator {
  return http.decorate('returns', { ...options, type }, true)
}
