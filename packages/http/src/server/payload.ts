import { contentTypeOf, isJson } from '../content-type.ts'
import type { RouteDefinition } from '../route.ts'

/** What is used of Fastify's reply. */
interface Reply {
  code(status: number): Reply
  send(): unknown
  type(contentType: string): Reply
  hasHeader(name: string): boolean
}

/** Turns a body into the payload for Fastify to send; sends by itself, and returns `undefined`, where there is none. */
export type PreparePayload = (reply: Reply, body: unknown, status: number | undefined) => unknown

const jsonType = 'application/json; charset=utf-8'

/**
 * Sends what a route returns under the content type that its responses document for the status. A content type that the
 * handler set by itself comes first.
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
    // Fastify takes null for an empty body and cannot send bare numbers and booleans.
    return prepareJson(reply, body, types)
  }
}

/** Text is sent as it is, unless JSON is the only thing that was promised. */
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
  // The default of Fastify is `application/json` anyway.
  if (json !== undefined && json !== 'application/json') reply.type(json)
  return body
}

function prepareJson(reply: Reply, body: unknown, types: readonly string[]): string {
  const text = JSON.stringify(body) as string | undefined
  if (text === undefined) throw new TypeError(`a handler returned a ${typeof body}, which cannot be sent`)
  if (!reply.hasHeader('content-type'))
    reply.type(types.find((it) => isJson(it) && it !== 'application/json') ?? jsonType)
  return text
}

/** Bytes and streams, which Fastify sends as they are: of Node and of the web. */
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
