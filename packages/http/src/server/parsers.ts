import { RouteError } from '../errors.ts'
import { describeRoute, type RouteDefinition } from '../route.ts'

/** What is asked of Fastify. */
interface Parsers {
  hasContentTypeParser(contentType: string): boolean
}

/** Refuses a route that takes a content type which nothing reads: every request with it would be a 415. */
export function checkParsers(server: Parsers, route: RouteDefinition): void {
  if (!route.inputs.some((it) => it.in === 'body') || server.hasContentTypeParser('*')) return
  const unread = route.consumes.find((it) => !server.hasContentTypeParser(it))
  if (unread === undefined) return
  throw new RouteError(
    'OPTIONS_INVALID',
    `${describeRoute(route)} consumes ${unread}, which nothing reads: add a parser, app.fastify.addContentTypeParser('${unread}', …), or a plugin that brings one`,
  )
}
