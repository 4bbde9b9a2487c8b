import { hasDefault } from './bind/convert.ts'
import { checkRoute } from './check-route.ts'
import { type HttpMetadata, http } from './decorators/keys.ts'
import { RouteError } from './errors.ts'
import { decoratedMembers, decoratedParameters, emittedTypes } from './metadata.ts'
import {
  describeRoute,
  type HttpMethod,
  type InputDefinition,
  joinPath,
  type Metadata,
  type ResponseDefinition,
  type RouteDefinition,
  type RouteGroup,
  type ServedTable,
} from './route.ts'
import { type ResolvedType, resolveType } from './types.ts'

/** An instance of a controller, a class without constructor arguments, a route, or a group of routes. */
export type ControllerLike = object | (new () => object) | RouteDefinition | RouteGroup

type ControllerClass = (new () => object) & { readonly prototype: object }

/** A controller in its plain form: a route, or a group of routes. */
export type NormalizedController = RouteDefinition | RouteGroup

/** The routes of controllers in the order of the source. A mistake is a `RouteError`. */
export function collectRoutes(controllers: readonly ControllerLike[]): RouteDefinition[] {
  const normalized = controllers.map(normalizeController)
  return bindRoutes(normalized, tablesOf(normalized))
}

/** Brings a controller into its plain form. A class is instantiated once. */
export function normalizeController(controller: ControllerLike): NormalizedController {
  if ((typeof controller !== 'object' && typeof controller !== 'function') || controller === null) {
    throw new RouteError('CONTROLLER_INVALID', `${String(controller)} is not a controller or a route`)
  }
  if (Array.isArray(controller)) {
    throw new RouteError('CONTROLLER_INVALID', 'a list is not a controller: spread it, app.register(...routes)')
  }
  const { kind } = controller as Partial<NormalizedController>
  if (kind === 'route' || kind === 'routes') return controller as NormalizedController
  if ('insertSchema' in controller) {
    const { name } = controller as { readonly name?: string }
    throw new RouteError('CONTROLLER_INVALID', `${name} is a table: use tableController(${name}, { db })`)
  }
  const instance = typeof controller === 'function' ? create(controller as ControllerClass) : controller
  return { kind: 'routes', name: instance.constructor.name, routes: routesOfController(instance) }
}

export function tablesOf(controllers: readonly NormalizedController[]): ServedTable[] {
  return controllers.flatMap((it) => (it.kind === 'routes' && it.serves ? [it.serves] : []))
}

/** The routes of controllers in an app that serves these tables. */
export function bindRoutes(
  controllers: readonly NormalizedController[],
  tables: readonly ServedTable[],
): RouteDefinition[] {
  const routes = controllers.flatMap((it) => (it.kind === 'route' ? [it] : (it.bind?.(tables) ?? it.routes)))
  const seen = new Map<string, RouteDefinition>()
  for (const route of routes) {
    checkRoute(route)
    const address = `${route.method} ${route.path.replaceAll(/:[^/]+/g, ':')}`
    const other = seen.get(address)
    if (other) {
      throw new RouteError(
        'ROUTE_DUPLICATE',
        `${describeRoute(other)} and ${describeRoute(route)} have the same method and path`,
      )
    }
    seen.set(address, route)
  }
  return routes
}

function create(type: ControllerClass): object {
  if (type.prototype === undefined) {
    throw new RouteError(
      'CONTROLLER_INVALID',
      `the function ${type.name || 'without a name'} is not a controller or a route`,
    )
  }
  if (type.length === 0) return new type()
  throw new RouteError('CONTROLLER_INVALID', `${type.name} takes constructor arguments: register an instance of it`)
}

function routesOfController(instance: object): RouteDefinition[] {
  const type = instance.constructor as ControllerClass
  const controller = http.read(type)
  if (controller.prefix === undefined) {
    throw new RouteError(
      'CONTROLLER_INVALID',
      `${type.name || 'a class without a name'} is not a controller: it has no @Controller(…)`,
    )
  }
  return decoratedMembers(type).flatMap((property) => {
    const handler = http.read(type, { property })
    const routes = handler.routes ?? []
    return unique(routes.map((it) => `${it.method} ${joinPath(controller.prefix!, it.path)}`)).map((address) => {
      const end = address.indexOf(' ')
      const [method, path] = [address.slice(0, end) as HttpMethod, address.slice(end + 1)]
      return createRoute({ instance, type, property, controller, handler, method, path })
    })
  })
}

interface HandlerSource {
  readonly instance: object
  readonly type: ControllerClass
  readonly property: string | symbol
  readonly controller: Readonly<HttpMetadata>
  readonly handler: Readonly<HttpMetadata>
  readonly method: HttpMethod
  readonly path: string
}

function createRoute(source: HandlerSource): RouteDefinition {
  const { instance, type, property, controller, handler, method, path } = source
  const place = `${type.name}.${String(property)}`
  const inputs = readInputs(type, property, place)
  const call = (instance as Record<string | symbol, (...values: readonly unknown[]) => unknown>)[property]!
  return Object.freeze({
    kind: 'route',
    method,
    path,
    inputs,
    consumes: handler.consumes ?? controller.consumes ?? ['application/json'],
    status: handler.status,
    responses: readResponses(handler, place),
    guards: [...(controller.guards ?? []), ...(handler.guards ?? [])],
    controllerMetadata: controller as Metadata,
    metadata: handler as Metadata,
    source: { controller: type.name, handler: String(property) },
    handler: (values) => call.apply(instance, values as unknown[]),
  } satisfies RouteDefinition)
}

function readInputs(type: ControllerClass, property: string | symbol, place: string): InputDefinition[] {
  const emitted = emittedTypes(type, property)
  const indexes = decoratedParameters(type, property)
  const count = Math.max(emitted?.length ?? 0, (indexes.at(-1) ?? -1) + 1)
  return Array.from({ length: count }, (_, index) => {
    const metadata = http.read(type, { property, index })
    const parameter = `parameter ${index + 1} of ${place}`
    if (!metadata.input) {
      throw new RouteError('PARAMETER_INVALID', `${parameter} has no decorator that says where it comes from`)
    }
    const { in: from, name } = metadata.input
    const inputType = typeOfInput(metadata.input, emitted?.[index], parameter)
    return {
      in: from,
      name,
      type: inputType,
      required: metadata.optional !== true && !hasDefault(from, inputType),
      metadata: metadata as Metadata,
    }
  })
}

const decoratorNames = { path: 'Param', query: 'Query', header: 'Header', cookie: 'Cookie', body: 'Body' } as const

function typeOfInput(input: NonNullable<HttpMetadata['input']>, emitted: unknown, place: string): ResolvedType {
  if (input.in === 'request') return { kind: 'any' }
  if (input.type !== undefined) return resolveType(input.type, place)
  if (input.name === undefined && (emitted === undefined || emitted === Object)) return { kind: 'any' }
  if (emitted === undefined) {
    throw new RouteError(
      'PARAMETER_INVALID',
      `${place} has no type: the build emits no parameter types (tsx and esbuild do not). Pass it, as in @${decoratorNames[input.in]}('${input.name}', Number)`,
    )
  }
  // Compilers emit Object for interfaces, unions and the like.
  if (emitted === Object) return resolveType(String, place)
  return resolveType(emitted, place)
}

function readResponses(handler: Readonly<HttpMetadata>, place: string): ResponseDefinition[] {
  return (handler.returns ?? []).map(({ type, status, ...rest }) => ({
    status: status ?? handler.status ?? (type === undefined ? 204 : 200),
    type: type === undefined ? undefined : resolveType(type, `@Returns of ${place}`),
    ...rest,
  }))
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
