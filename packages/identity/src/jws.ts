import { isObject } from './shared/objects.ts'

/** A decoded compact JWS. Do not trust it before its signature is verified. */
export interface CompactJws {
  header: Record<string, unknown>
  payload: Record<string, unknown>
}

/** Decodes a compact JWS whose payload is a JSON object (RFC 7515 §7.1). Returns `undefined` for anything else. */
export function parseCompactJws(token: unknown): CompactJws | undefined {
  if (typeof token !== 'string') return undefined
  const segments = token.split('.')
  if (segments.length !== 3 || !segments.every(isCanonicalBase64url)) return undefined
  const [header, payload] = segments.map(decodeObject)
  return header && payload ? { header, payload } : undefined
}

/**
 * Decoders ignore padding, stray characters and the unused bits of the last character, so several texts decode to the same
 * signature. Only the canonical text is accepted: a changed token is a refused token.
 */
function isCanonicalBase64url(segment: string): boolean {
  return Buffer.from(segment, 'base64url').toString('base64url') === segment
}

function decodeObject(segment: string): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(segment, 'base64url'))
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
