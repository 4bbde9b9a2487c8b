import { HttpError } from '../errors.ts'
import type { HttpRequest } from '../request.ts'
import { type ReservedValues, type RouteDefinition, refuses } from '../route.ts'

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
