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
  const addresses = new Map<string, DescribedRoute>()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const described of routes) {
    // Paths that differ in the names of parameters alone are one path, which keeps the names that came first.
    const shape = described.path.replaceAll(/\{[^}]*\}/g, '{}')
    const path = templates.get(shape) ?? described.path
    templates.set(shape, path)
    const address = `${described.route.method} ${path}`
    const other = addresses.get(address)
    if (other) {
      const told = `${other.place} and ${described.place} are one address in OpenAPI: leave one out with @SpecExclude()`
      throw new SpecError('PATH_DUPLICATE', told)
    }
    addresses.set(address, described)
    paths[path] ??= {}
    paths[path][described.route.method.toLowerCase()] = describeOperation(described, path, ids, context)
  }
  return paths
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
    operationId: ids.take(described),
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
