import { describeRoute, pathParameters, type RouteDefinition } from '@portico/http'
import type { TSpecMate } from './spec-mate.ts'

/** A route with its metadata, prepared for the description. */
export interface DescribedRoute {
  readonly route: RouteDefinition
  readonly controller: TSpecMate
  readonly handler: TSpecMate
  /** The path with parameters in braces. */
  readonly path: string
  /** The names of its parameters; a wildcard is `*`. */
  readonly parameters: readonly string[]
  /** Its name in error messages. */
  readonly place: string
  /** Without duplicates, the controller's first. */
  readonly tags: readonly string[]
}

/** The routes without those that are excluded. */
export function readRoutes(routes: readonly RouteDefinition[]): DescribedRoute[] {
  return routes.map(readRoute).filter(({ controller, handler }) => !(handler.specExclude ?? controller.specExclude))
}

function readRoute(route: RouteDefinition): DescribedRoute {
  // The decorators of this package write these keys, typed by TSpecMate.
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

/** Turns `/users/:id` into OpenAPI's `/users/{id}`. A wildcard gets a name, since tools do not know `{*}`. */
function writePath(path: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return path
  const rest = parameters.includes('rest') ? 'rest_of_path' : 'rest'
  return path
    .split('/')
    .map((part) => (part === '*' ? `{${rest}}` : part.startsWith(':') ? `{${part.slice(1)}}` : part))
    .join('/')
}
