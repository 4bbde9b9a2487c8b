import { RouteError } from '../errors.ts'
import { describeRoute, type RouteDefinition } from '../route.ts'

/** The part of Fastify that is used here. */
interface Parsers {
  hasContentTypeParser(contentType: string): boolean
}

/** Refuses a route with a content type that has no parser: every request with it would be a 415. */
export function checkParsers(server: Parsers, route: RouteDefinition): void {
  if (!route.inputs.some((it) => it.in === 'body') || server.hasContentTypeParser('*')) return
  const unknown = route.consumes.find((it) => !server.hasContentTypeParser(it))
  if (unknown === undefined) return
  throw new RouteError(
    'OPTIONS_INVALID',
    `${describeRoute(route)} consumes ${unknown}, which has no parser: add one with app.fastify.addContentTypeParser('${unknown}', …) or a plugin`,
  )
}
