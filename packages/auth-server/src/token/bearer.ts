import type { HttpRequest } from '@portico/http'

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1), and of nothing else: tokens in addresses end up in logs. */
export function readBearer({ headers }: HttpRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
}

/** RFC 6750 §3.1: a request that brings no token is told no error. */
export function challengeOf(token: string | undefined): { readonly 'www-authenticate': string } {
  return { 'www-authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"' }
}
