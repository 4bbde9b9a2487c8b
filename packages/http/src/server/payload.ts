import { contentTypeOf, isJson } from '../content-type.ts'
import type { RouteDefinition } from '../route.ts'

/** The part of Fastify's reply that is used here. */
interface Reply {
  code(status: number): Reply
  send(): unknown
  type(contentType: string): Reply
  hasHeader(name: string): boolean
}

/** Turns a body into the payload for Fastify to send. Without a body it sends the response itself and returns `undefined`. */
export type PreparePayload = (reply: Reply, body: unknown, status: number | undefined) => unknown

const jsonType = 'application/json; charset=utf-8'

/**
 * Sends the result of a handler with the content type that the route documents for the status. A content type that the
 * handler set has precedence.
 */
export function compilePayload({ responses }: RouteDefinition): PreparePayload {
  const documented = new Map<number, readonly string[]>()
  for (const response of responses) {
    const contentType = contentTypeOf(response)
    if (contentType === undefined) continue
    documented.set(response.status, [...(documented.get(response.status) ?? []), contentType])
  }
  return (reply, body, status) => {
    if (body === undefined) {
      reply.code(status ?? 204).send()
      return undefined
    }
    if (status !== undefined) reply.code(status)
    const types = documented.get(status ?? 200) ?? []
    if (typeof body === 'string') return prepareText(reply, body, types)
    if (typeof body === 'object' && body !== null) return prepareObject(reply, body, types)
    // Fastify treats null as an empty body and cannot send bare numbers and booleans.
    return prepareJson(reply, body, types)
  }
}

/** Text is sent as it is, unless JSON is the only documented content type. */
function prepareText(reply: Reply, text: string, types: readonly string[]): string {
  if (types.length === 0 || reply.hasHeader('content-type')) return text
  const plain = types.includes('text/plain') ? 'text/plain' : types.find((it) => !isJson(it))
  if (plain === undefined) return prepareJson(reply, text, types)
  reply.type(withCharset(plain))
  return text
}

function prepareObject(reply: Reply, body: object, types: readonly string[]): object {
  if (types.length === 0 || reply.hasHeader('content-type')) return body
  if (isRaw(body)) {
    const raw = types.find((it) => !isJson(it)) ?? types[0]!
    reply.type(withCharset(raw))
    return body
  }
  const json = types.find(isJson)
  // `application/json` is Fastify's default.
  if (json !== undefined && json !== 'application/json') reply.type(json)
  return body
}

function prepareJson(reply: Reply, body: unknown, types: readonly string[]): string {
  const text = JSON.stringify(body) as string | undefined
  if (text === undefined) throw new TypeError(`a handler returned a ${typeof body}, which cannot be sent as JSON`)
  if (!reply.hasHeader('content-type'))
    reply.type(types.find((it) => isJson(it) && it !== 'application/json') ?? jsonType)
  return text
}

/** Bytes and streams, of Node and of the web: Fastify sends them as they are. */
function isRaw(body: object): boolean {
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return true
  const { pipe, getReader } = body as { pipe?: unknown; getReader?: unknown }
  return typeof pipe === 'function' || typeof getReader === 'function' || body instanceof Response
}

function withCharset(contentType: string): string {
  return /^text\//i.test(contentType) && !/;\s*charset=/i.test(contentType)
    ? `${contentType}; charset=utf-8`
    : contentType
}
