import { HttpError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { type ReservedValues, type RouteDefinition, refuses, TABLE_ROUTES } from '../route.ts'

/**
 * The methods that an address takes from whoever asks, for `Allow` (RFC 9110 §10.2.1). A route counts when its guards let
 * the request pass as one of its own: what they hide stays hidden.
 */
export async function findAllowedMethods(
  routes: readonly RouteDefinition[],
  request: HttpRequest,
): Promise<readonly string[]> {
  const parts = splitPath(request.url.split(/[?#]/, 1)[0]!)
  const methods = new Set<string>()
  for (const { method, path, guards, reserved } of routes) {
    if (!fits(splitPath(path), parts, reserved) || !(await pass({ method, guards }, request))) continue
    methods.add(method)
    // Fastify answers HEAD wherever there is a GET.
    if (method === 'GET') methods.add('HEAD')
  }
  return [...methods]
}

/**
 * Where the table at this address takes the method that came: `/tasks/query` for a `GET /tasks`. Routes that the guards
 * hide are left out here too.
 */
export async function findTablePaths(
  routes: readonly RouteDefinition[],
  request: HttpRequest,
): Promise<readonly string[]> {
  const parts = splitPath(request.url.split(/[?#]/, 1)[0]!)
  const here = routes.find((it) => isOfTable(it) && fits(splitPath(it.path), parts, it.reserved))
  if (!here) return []
  const prefix = here.path.replace(/\/:id$/, '')
  const paths: string[] = []
  for (const route of routes) {
    const { method, path, source } = route
    if (method !== request.method || source.controller !== here.source.controller) continue
    if ((path === prefix || path.startsWith(`${prefix}/`)) && (await pass(route, request))) paths.push(path)
  }
  return paths
}

function isOfTable({ source }: RouteDefinition): boolean {
  return source.controller.startsWith(`${TABLE_ROUTES}(`)
}

/** A slash at the end makes no other address. */
function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}

function fits(pattern: readonly string[], parts: readonly string[], reserved?: ReservedValues): boolean {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? parts.length < pattern.length : parts.length !== pattern.length) return false
  return pattern.every((it, index) => {
    if (it === '*') return true
    const part = decodeURIComponent(parts[index]!)
    if (!it.startsWith(':')) return it === part
    return part !== '' && !(it.slice(1) === reserved?.parameter && reserved.values.includes(part))
  })
}

async function pass(
  { method, guards }: Pick<RouteDefinition, 'method' | 'guards'>,
  request: HttpRequest,
): Promise<boolean> {
  const asked = Object.create(request, { method: { value: method } }) as HttpRequest
  try {
    for (const guard of guards) if (refuses(await guard(asked))) return false
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}
