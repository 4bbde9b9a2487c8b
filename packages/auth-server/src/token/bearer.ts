import type { HttpRequest } from '@portico/http'

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 §2.1). Tokens in addresses are not accepted: they end up in
 * logs.
 */
export function readBearer({ headers }: HttpRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
}

/** The header of a 401. */
export type Challenge = { readonly 'www-authenticate': string }

/** RFC 6750 §3 and §3.1: the required scopes, and an error only if a token was sent. */
export function challengeOf(token: string | undefined, scopes: readonly string[] = []): Challenge {
  const error = token === undefined ? [] : ['error="invalid_token"']
  const scope = scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]
  return { 'www-authenticate': ['Bearer', [...error, ...scope].join(', ')].join(' ').trim() }
}
