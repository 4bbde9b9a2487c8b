import type { ResponseDefinition } from './route.ts'
import type { ResolvedType } from './types.ts'

/**
 * The content type of a response, without parameters: the server sends it and the API description documents it.
 * `undefined` where a response has no body.
 *
 * Without a `contentType` of its own, a JSON Schema with `type: 'string'` is `text/plain`, or
 * `application/octet-stream` with `format: 'binary'`. Everything else is `application/json`.
 */
export function contentTypeOf({
  type,
  contentType,
}: Pick<ResponseDefinition, 'type' | 'contentType'>): string | undefined {
  if (contentType !== undefined) return contentType
  return type && defaultContentType(type)
}

/** Whether a body of this content type is JSON (RFC 6839 §3.1: `+json`). */
export function isJson(contentType: string): boolean {
  return /^application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(contentType)
}

function defaultContentType(type: ResolvedType): string {
  if (type.kind !== 'json-schema' || type.schema['type'] !== 'string') return 'application/json'
  return type.schema['format'] === 'binary' ? 'application/octet-stream' : 'text/plain'
}
