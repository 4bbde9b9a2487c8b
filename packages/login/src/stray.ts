import type { IncomingMessage } from 'node:http'

/** The response to a request that is not the callback. The login keeps waiting. */
export type Stray = readonly [status: number, reason: string]

/** The target of the request. */
interface Target {
  readonly path: string
  readonly query: URLSearchParams
}

/** The address of the callback. */
interface Address {
  readonly host: string
  readonly path: string
}

/** Returns `undefined` for the callback. Any other request must not end the login: the first failed check is its response. */
export function findStray(request: IncomingMessage, target: Target, address: Address): Stray | undefined {
  const { headers } = request
  // With DNS rebinding, another site points its own name at 127.0.0.1. The request then has that name.
  if (headers.host !== address.host) return [421, 'This server answers to its own address only.']
  if (target.path !== address.path) return [404, 'There is nothing here.']
  if (request.method !== 'GET') return [405, 'Only GET is answered here.']
  if (isPrefetch(request)) return [403, 'A prefetch is not a sign-in.']
  // An image or script of another page must not end a login. Programs do not send this header.
  const destination = headers['sec-fetch-dest'] ?? 'document'
  // Nor may a WebSocket, for which Chromium sends no destination.
  if (destination !== 'document' || headers.upgrade?.toLowerCase() === 'websocket')
    return [403, 'A sign-in comes as a page, not as part of one.']
  if (!['code', 'state', 'error'].some((name) => target.query.has(name))) {
    return [400, 'This address is for the answer of a sign-in.']
  }
  return undefined
}

/** Older browsers send `Purpose` instead of `Sec-Purpose`. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers['purpose']].some((value) => String(value ?? '').includes('prefetch'))
}
