import { HttpError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { type ReservedValues, type RouteDefinition, refuses, TABLE_ROUTES } from '../route.ts'

/**
 * The methods for `Allow` (RFC 9110 §10.2.1): those of the routes whose guards would admit this caller. Routes that the
 * guards hide stay hidden.
 */
export async function findAllowedMethods(
  routes: readonly RouteDefinition[],
  request: HttpRequest,
): Promise<readonly string[]> {
  const parts = splitPath(request.url.split(/[?#]/, 1)[0]!)
  const methods = new Set<string>()
  for (const { method, path, guards, reserved } of routes) {
    if (!matches(splitPath(path), parts, reserved) || !(await admits({ method, guards }, request))) continue
    methods.add(method)
    // Fastify adds HEAD to every GET route.
    if (method === 'GET') methods.add('HEAD')
  }
  return [...methods]
}

/**
 * The paths of the same table that support the method, for the hint of a 405: `/tasks/query` for a `GET /tasks`. Routes
 * that the guards hide are left out.
 */
export async function findTablePaths(
  routes: readonly RouteDefinition[],
  request: HttpRequest,
): Promise<readonly string[]> {
  const parts = splitPath(request.url.split(/[?#]/, 1)[0]!)
  const here = routes.find((it) => isTableRoute(it) && matches(splitPath(it.path), parts, it.reserved))
  if (!here) return []
  const prefix = here.path.replace(/\/:id$/, '')
  const paths: string[] = []
  for (const route of routes) {
    const { method, path, source } = route
    if (method !== request.method || source.controller !== here.source.controller) continue
    if ((path === prefix || path.startsWith(`${prefix}/`)) && (await admits(route, request))) paths.push(path)
  }
  return paths
}

function isTableRoute({ source }: RouteDefinition): boolean {
  return source.controller.startsWith(`${TABLE_ROUTES}(`)
}

/** A trailing slash makes no difference. */
function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}

function matches(pattern: readonly string[], parts: readonly string[], reserved?: ReservedValues): boolean {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? parts.length < pattern.length : parts.length !== pattern.length) return false
  return pattern.every((it, index) => {
    if (it === '*') return true
    const part = decodeURIComponent(parts[index]!)
    if (!it.startsWith(':')) return it === part
    return part !== '' && !(it.slice(1) === reserved?.parameter && reserved.values.includes(part))
  })
}

async function admits(
  { method, guards }: Pick<RouteDefinition, 'method' | 'guards'>,
  request: HttpRequest,
): Promise<boolean> {
  const withMethod = Object.create(request, { method: { value: method } }) as HttpRequest
  try {
    for (const guard of guards) if (refuses(await guard(withMethod))) return false
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}
