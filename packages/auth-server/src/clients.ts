import { isLoopback } from '@portico/identity'
import { invalidOption } from './errors.ts'
import type { Scopes } from './scope.ts'
import { createSecret, hashOf, isSame } from './secrets.ts'

/** An application that signs people in with this server. Programs on loopback addresses need no registration. */
export interface RegisteredClient {
  /** Sent as `client_id`. */
  readonly id: string
  /** The name on the consent page. */
  readonly name: string
  /** Redirect URIs, compared character by character. One on a loopback address matches any port (RFC 8252 §7.3). */
  readonly redirectUris: readonly string[]
  /**
   * Makes it a confidential client, which authenticates at the token endpoint. Hashes come from {@link
   * createClientSecret}; two of them let you rotate a secret without downtime. Without any it is a public client.
   */
  readonly secretHashes?: readonly string[] | undefined
  /** Default `'ES256'`. */
  readonly idTokenSigningAlg?: SigningAlg | undefined
  /**
   * The scopes that the client can be granted, including `openid`, `profile` and `email`; others it requests are
   * dropped. Default: every scope of the server.
   */
  readonly allowedScopes?: readonly string[] | undefined
  /** Origins whose pages may call the token, userinfo and revocation endpoints (CORS): `https://shop.example`. */
  readonly allowedOrigins?: readonly string[] | undefined
}

export type SigningAlg = 'ES256' | 'RS256'

/**
 * Creates a secret for a confidential client. Give `secret` to the client and keep `hash` for the options; the secret
 * cannot be recovered from it.
 *
 * ```ts
 * const { secret, hash } = createClientSecret()
 * ```
 */
export function createClientSecret(): { secret: string; hash: string } {
  const secret = createSecret()
  return { secret, hash: hashOf(secret) }
}

/** Every hash is compared, so that the timing does not reveal which one matches. */
export function hasSecret(client: RegisteredClient, secret: string): boolean {
  const given = hashOf(secret)
  return (client.secretHashes ?? []).filter((hash) => isSame(hash, given)).length > 0
}

export function isConfidential(client: RegisteredClient): boolean {
  return (client.secretHashes ?? []).length > 0
}

export function readClients(
  clients: readonly RegisteredClient[],
  scopes: Scopes,
): ReadonlyMap<string, RegisteredClient> {
  const byId = new Map<string, RegisteredClient>()
  for (const client of clients) {
    checkClient(client, scopes)
    if (byId.has(client.id)) throw invalidOption(`two clients have the id ${client.id}`)
    byId.set(client.id, client)
  }
  return byId
}

function checkClient(client: RegisteredClient, scopes: Scopes): void {
  const { id, name, redirectUris, secretHashes = [], idTokenSigningAlg = 'ES256', ...rest } = client
  const { allowedScopes = [], allowedOrigins = [], ...others } = rest
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(id))
    throw invalidOption('the id of a client must be 1 to 255 printable ASCII characters without spaces')
  // Catches `secret`, for example: without `secretHashes` the client would silently be a public one.
  for (const key of Object.keys(others)) throw invalidOption(`client ${id}: a client has no ${key}`)
  if (typeof name !== 'string' || name.trim() === '') throw invalidOption(`client ${id}: name must be text`)
  if (!Array.isArray(redirectUris) || redirectUris.length === 0)
    throw invalidOption(`client ${id}: redirectUris must list at least one address`)
  for (const uri of redirectUris) checkRedirectUri(id, uri)
  if (!secretHashes.every((hash) => /^[\w-]{43}$/.test(hash)))
    throw invalidOption(`client ${id}: secretHashes must be hashes from createClientSecret`)
  if (!['ES256', 'RS256'].includes(idTokenSigningAlg))
    throw invalidOption(`client ${id}: idTokenSigningAlg must be ES256 or RS256`)
  if (!Array.isArray(allowedScopes) || !allowedScopes.every((it) => Object.hasOwn(scopes, it)))
    throw invalidOption(`client ${id}: allowedScopes must list scopes of the option scopes, openid, profile or email`)
  if (!Array.isArray(allowedOrigins) || !allowedOrigins.every(isOrigin))
    throw invalidOption(`client ${id}: allowedOrigins must list origins, such as https://shop.example`)
}

/** An origin as browsers send it: scheme, host and port alone. */
function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** RFC 9700 §2.6 requires TLS. RFC 8252 §7 lets native applications use loopback addresses and private-use schemes. */
function checkRedirectUri(id: string, uri: string): void {
  const url = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : undefined
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname)
  const isPrivateUse = url?.protocol.includes('.') === true
  if (!url || !(url.protocol === 'https:' || isLocal || isPrivateUse))
    throw invalidOption(
      `client ${id}: a redirect URI must be https:, http: on a loopback address, or like com.example.app:/`,
    )
  if (uri.includes('#') || url.username !== '' || /[\s\\]/.test(uri))
    throw invalidOption(`client ${id}: a redirect URI has no fragment, credentials or spaces`)
}
