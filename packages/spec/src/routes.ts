import { describeRoute, pathParameters, type RouteDefinition } from '@portico/http'
import type { TSpecMate } from './spec-mate.ts'

/** A route with what decorators say about it, as the description reads it. */
export interface DescribedRoute {
  readonly route: RouteDefinition
  readonly controller: TSpecMate
  readonly handler: TSpecMate
  /** The path with parameters in braces. */
  readonly path: string
  /** The names of its parameters, a rest's `*` among them. */
  readonly parameters: readonly string[]
  /** How errors name it. */
  readonly place: string
  /** Without doubles, the controller's first. */
  readonly tags: readonly string[]
}

/** The routes that are described. */
export function readRoutes(routes: readonly RouteDefinition[]): DescribedRoute[] {
  return routes.map(readRoute).filter(({ controller, handler }) => !(handler.specExclude ?? controller.specExclude))
}

function readRoute(route: RouteDefinition): DescribedRoute {
  // Their keys are written by the decorators of this package, through the type of its mate.
  const controller = route.controllerMetadata as TSpecMate
  const handler = route.metadata as TSpecMate
  const parameters = pathParameters(route.path)
  return {
    route,
    controller,
    handler,
    path: writePath(route.path, parameters),
    parameters,
    place: describeRoute(route),
    tags: [...new Set([...(controller.specTags ?? []), ...(handler.specTags ?? [])])],
  }
}

/** `/users/:id` as OpenAPI writes it, `/users/{id}`. A rest gets a name, since tools know no `{*}`. */
function writePath(path: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return path
  const rest = parameters.includes('rest') ? 'rest_of_path' : 'rest'
  return path
    .split('/')
    .map((part) => (part === '*' ? `{${rest}}` : part.startsWith(':') ? `{${part.slice(1)}}` : part))
    .join('/')
}
