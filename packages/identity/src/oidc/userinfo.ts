import { OAuthError } from '../errors.ts'
import { type FetchLike, requestJson } from '../fetch.ts'
import { onlyDefined, readText } from '../profile.ts'
import { readAnswer } from './token-endpoint.ts'

type Claims = Record<string, unknown>

/** OpenID Connect Core 5.4: the claim that tells a person by each scope. */
const claimOfScope = { email: 'email', profile: 'name' }

/** The check that the reference lists beside those of the id token. */
export const userinfoSubCheck = {
  name: 'userinfo_sub',
  clause: 'OpenID Connect Core 5.3.2',
  must: 'the subject that the userinfo endpoint names, where it is asked, is exactly that of the id token',
}

export interface UserinfoRequest {
  fetch: FetchLike | undefined
  /** `undefined` when the provider has none. */
  url: string | undefined
  scopes: readonly string[]
  /** The token response. */
  tokens: Claims
  /** The claims of the validated id token. */
  claims: Claims
}

/**
 * Adds what the id token leaves to the userinfo endpoint: in the code flow OpenID Connect Core 5.4 puts the claims of
 * the scopes there. It is asked only when a claim that a scope asks for is missing and there is a token to ask with.
 */
export async function completeClaims({ fetch, url, scopes, tokens, claims }: UserinfoRequest): Promise<Claims> {
  const token = bearerTokenOf(tokens)
  if (url === undefined || token === undefined || !lacksClaim(claims, scopes)) return claims
  const endpoint = 'userinfo endpoint'
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const init = { method: 'GET', headers } as const
  const answer = await requestJson({ fetch, url, init, endpoint, failAs: 'EXCHANGE_FAILED' })
  const userinfo = readAnswer(answer, endpoint, [token])
  // OpenID Connect Core 5.3.2: otherwise a token that was swapped would bring in another person's address.
  if (userinfo['sub'] !== claims['sub'])
    throw new OAuthError('ID_TOKEN_INVALID', `The check "${userinfoSubCheck.name}" fails: ${userinfoSubCheck.must}`, {
      check: userinfoSubCheck.name,
    })
  return mergeClaims(claims, userinfo)
}

/** RFC 6749 §7.1: a token of an unknown type must not be used. RFC 6750 §2.1: what else could not be sent in a header. */
function bearerTokenOf({ access_token: token, token_type: type }: Claims): string | undefined {
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') return undefined
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

function lacksClaim(claims: Claims, scopes: readonly string[]): boolean {
  return Object.entries(claimOfScope).some(([scope, claim]) => scopes.includes(scope) && !readText(claims[claim]))
}

/** The signed claims win. An address and the word on whether it is verified come from one source, never from two. */
function mergeClaims(claims: Claims, userinfo: Claims): Claims {
  const { name } = readText(claims['name']) ? claims : userinfo
  const { email, email_verified } = readText(claims['email']) ? claims : userinfo
  return onlyDefined({ ...userinfo, ...claims, name, email, email_verified })
}
