import type { ResponseDefinition } from './route.ts'
import type { ResolvedType } from './types.ts'

/**
 * The content type of a response, without parameters, as sent and as described in the API description. `undefined` for a
 * response without a body.
 *
 * Without `contentType`, a JSON Schema with `type: 'string'` is `text/plain`, or
 * `application/octet-stream` with `format: 'binary'`. Everything else is `application/json`.
 */
export function contentTypeOf({
  type,
  contentType,
}: Pick<ResponseDefinition, 'type' | 'contentType'>): string | undefined {
  if (contentType !== undefined) return contentType
  return type && defaultContentType(type)
}

/** True for JSON, `+json` included (RFC 6839 §3.1). */
export function isJson(contentType: string): boolean {
  return /^application\/(?:[^;]+\+)?json\s*(?:;|$)/i.test(contentType)
}

function defaultContentType(type: ResolvedType): string {
  if (type.kind !== 'json-schema' || type.schema['type'] !== 'string') return 'application/json'
  return type.schema['format'] === 'binary' ? 'application/octet-stream' : 'text/plain'
}
