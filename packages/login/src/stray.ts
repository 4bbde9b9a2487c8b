import type { IncomingMessage } from 'node:http'

/** Why a request is not the callback, and how it is refused. The wait goes on. */
export interface Stray {
  readonly status: number
  readonly reason: string
  readonly allow?: string
}

/** The request target, and where the callback is expected. */
interface Target {
  readonly path: string
  readonly query: URLSearchParams
}
interface Place {
  readonly host: string
  readonly path: string
}

/** Tells requests that must not end the login from the callback: each check in order, the first that holds answers. */
export function findStray(request: IncomingMessage, target: Target, place: Place): Stray | undefined {
  const { headers } = request
  // A page of another site that points its own name at 127.0.0.1 (DNS rebinding) sends that name.
  if (headers.host !== place.host) return { status: 421, reason: 'This server answers to its own address only.' }
  if (target.path !== place.path) return { status: 404, reason: 'There is nothing here.' }
  if (request.method !== 'GET') return { status: 405, reason: 'Only GET is answered here.', allow: 'GET' }
  if (isPrefetch(request)) return { status: 403, reason: 'A prefetch is not a sign-in.' }
  // An image or script on some page must not be able to end a login. Programs send no such header.
  const destination = headers['sec-fetch-dest'] ?? 'document'
  // Nor must a WebSocket, for which Chromium says no destination.
  if (destination !== 'document' || headers.upgrade?.toLowerCase() === 'websocket')
    return { status: 403, reason: 'A sign-in comes as a page, not as part of one.' }
  if (!['code', 'state', 'error'].some((name) => target.query.has(name))) {
    return { status: 400, reason: 'This address is for the answer of a sign-in.' }
  }
  return undefined
}

/** `Purpose` is what browsers sent before `Sec-Purpose` was agreed on. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers['purpose']].some((value) => String(value ?? '').includes('prefetch'))
}
