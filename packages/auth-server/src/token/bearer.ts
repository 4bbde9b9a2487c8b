import type { HttpRequest } from '@portico/http'

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1), and of nothing else: tokens in addresses end up in logs. */
export function readBearer({ headers }: HttpRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
}

/** The header that goes with a 401. */
export type Challenge = { readonly 'www-authenticate': string }

/** RFC 6750 §3 and §3.1: which scopes are needed, and an error only where a token came. */
export function challengeOf(token: string | undefined, scopes: readonly string[] = []): Challenge {
  const error = token === undefined ? [] : ['error="invalid_token"']
  const scope = scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]
  return { 'www-authenticate': ['Bearer', [...error, ...scope].join(', ')].join(' ').trim() }
}
