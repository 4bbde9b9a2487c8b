import { OAuthError } from '../errors.ts'
import { type FetchLike, requestJson } from '../fetch.ts'
import { onlyDefined, readText } from '../profile.ts'
import { readResponse } from './token-endpoint.ts'

type Claims = Record<string, unknown>

/** OpenID Connect Core 5.4: the claim that each scope must provide. */
const claimOfScope = { email: 'email', profile: 'name' }

/** The reference lists it with the checks of the id token. */
export const userinfoSubCheck = {
  name: 'userinfo_sub',
  clause: 'OpenID Connect Core 5.3.2',
  must: 'the subject of the userinfo response, if requested, is exactly that of the id token',
}

export interface UserinfoRequest {
  fetch: FetchLike | undefined
  /** `undefined` if the provider has no such endpoint. */
  url: string | undefined
  scopes: readonly string[]
  /** The token response. */
  tokens: Claims
  /** The claims of the validated id token. */
  claims: Claims
}

/**
 * Adds the claims of the userinfo endpoint: in the code flow, OpenID Connect Core 5.4 puts the claims of the scopes there.
 * Sends a request only if a claim of a requested scope is missing and there is an access token.
 */
export async function completeClaims({ fetch, url, scopes, tokens, claims }: UserinfoRequest): Promise<Claims> {
  const token = bearerTokenOf(tokens)
  if (url === undefined || token === undefined || !lacksClaim(claims, scopes)) return claims
  const endpoint = 'userinfo endpoint'
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const init = { method: 'GET', headers } as const
  const response = await requestJson({ fetch, url, init, endpoint, failAs: 'EXCHANGE_FAILED' })
  const userinfo = readResponse(response, endpoint, [token])
  // OpenID Connect Core 5.3.2: otherwise a swapped token would add another person's address.
  if (userinfo['sub'] !== claims['sub'])
    throw new OAuthError('ID_TOKEN_INVALID', `The check "${userinfoSubCheck.name}" fails: ${userinfoSubCheck.must}`, {
      check: userinfoSubCheck.name,
    })
  return mergeClaims(claims, userinfo)
}

/** RFC 6749 §7.1: a token of an unknown type must not be used. RFC 6750 §2.1: other characters cannot be sent in a header. */
function bearerTokenOf({ access_token: token, token_type: type }: Claims): string | undefined {
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') return undefined
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

function lacksClaim(claims: Claims, scopes: readonly string[]): boolean {
  return Object.entries(claimOfScope).some(([scope, claim]) => scopes.includes(scope) && !readText(claims[claim]))
}

/** Signed claims win. `email` and `email_verified` always come from the same source. */
function mergeClaims(claims: Claims, userinfo: Claims): Claims {
  const { name } = readText(claims['name']) ? claims : userinfo
  const { email, email_verified } = readText(claims['email']) ? claims : userinfo
  return onlyDefined({ ...userinfo, ...claims, name, email, email_verified })
}
