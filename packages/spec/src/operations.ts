import { describeBody } from './bodies.ts'
import type { Context } from './context.ts'
import type { Operation, PathItem } from './document.ts'
import { SpecError } from './errors.ts'
import { OperationIds } from './operation-id.ts'
import { describeParameters } from './parameters.ts'
import { describeResponses } from './responses.ts'
import type { DescribedRoute } from './routes.ts'

/** The operations by path and method. */
export function describePaths(routes: readonly DescribedRoute[], context: Context): Record<string, PathItem> {
  const ids = new OperationIds()
  const templates = new Map<string, string>()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const described of routes) {
    // Paths that differ only in parameter names are one path in OpenAPI. The first names are kept.
    const shape = shapeOf(described)
    const path = templates.get(shape) ?? described.path
    templates.set(shape, path)
    paths[path] ??= {}
    const item = paths[path]
    const method = described.route.method.toLowerCase()
    if (item[method]) throw duplicatePath(described, routes)
    item[method] = describeOperation(described, path, ids, context)
  }
  return paths
}

function shapeOf({ path, parameters }: DescribedRoute): string {
  return parameters.length === 0 ? path : path.replaceAll(/\{[^}]*\}/g, '{}')
}

function duplicatePath(described: DescribedRoute, routes: readonly DescribedRoute[]): SpecError {
  const { route, place } = described
  const other = routes.find((it) => it.route.method === route.method && shapeOf(it) === shapeOf(described))!
  return new SpecError(
    'PATH_DUPLICATE',
    `${other.place} and ${place} have the same path in OpenAPI: exclude one with @SpecExclude()`,
  )
}

function describeOperation(described: DescribedRoute, path: string, ids: OperationIds, context: Context): Operation {
  const { route, controller, handler, tags } = described
  const description = handler.specDescription ?? handler.description
  const parameters = describeParameters(described, path, context)
  const requestBody = describeBody(described, context)
  return {
    ...(tags.length > 0 && { tags }),
    summary: handler.label ?? summarize(route.source.handler),
    ...(description !== undefined && { description }),
    ...(handler.specExternalDocs && { externalDocs: handler.specExternalDocs }),
    operationId: ids.assign(described),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(described, context),
    ...((handler.specDeprecated ?? controller.specDeprecated) && { deprecated: true }),
    ...context.security.describe(described),
  }
}

/** The name of a handler in words: `findOpenTasks` becomes `Find open tasks`. */
function summarize(name: string): string {
  if (!/^[\w$]+$/.test(name)) return name
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_$]+/)
    .filter((it) => it !== '')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1)
}
