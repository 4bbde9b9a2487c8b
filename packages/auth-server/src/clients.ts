import { isLoopback } from '@portico/identity'
import { checkOptions, invalidOption } from './check-options.ts'
import type { Scopes } from './scope.ts'
import { createSecret, hashOf, isSame } from './secrets.ts'
import { anything, expecting, listOf, type OptionCheck, oneOf } from './shared/option-checks.ts'
import { type OptionRules, required } from './shared/options.ts'

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
  const id: unknown = (client as Partial<RegisteredClient> | null | undefined)?.id
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(id))
    throw invalidOption('the id of a client must be 1 to 255 printable ASCII characters without spaces')
  checkOptions(client, clientRules(scopes), `clients.${id}`)
}

/** Unknown names are refused, such as `secret`: without `secretHashes` the client would silently be a public one. */
const clientRules = (scopes: Scopes): OptionRules<RegisteredClient> => ({
  id: required(anything),
  name: required(expecting('a name', (it) => typeof it === 'string' && it.trim() !== '')),
  redirectUris: required(redirectUris),
  secretHashes: listOf(secretHash, 'a list of hashes from createClientSecret'),
  idTokenSigningAlg: oneOf('ES256', 'RS256'),
  allowedScopes: listOf(
    scopeAmong(scopes),
    'a list of scopes: `openid`, `profile`, `email` or one of the option `scopes`',
  ),
  allowedOrigins: listOf(origin, 'a list of origins, such as https://shop.example'),
})

const secretHash = expecting('a hash', (it) => typeof it === 'string' && /^[\w-]{43}$/.test(it))

const scopeAmong = (scopes: Scopes): OptionCheck =>
  expecting('a scope', (it) => typeof it === 'string' && Object.hasOwn(scopes, it))

/** As browsers send it: scheme, host and port alone. */
const origin = expecting(
  'an origin',
  (it) => typeof it === 'string' && /^https?:/.test(it) && URL.canParse(it) && new URL(it).origin === it,
)

const redirectUris: OptionCheck = (value) => {
  if (!Array.isArray(value) || value.length === 0) return 'a non-empty list of redirect URIs'
  return value.map(checkRedirectUri).find((it) => it !== undefined)
}

/** RFC 9700 §2.6 asks for TLS, RFC 8252 §7 lets native applications use loopback addresses and private-use schemes. */
function checkRedirectUri(uri: unknown): string | undefined {
  const url = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : undefined
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname)
  const isPrivateUse = url?.protocol.includes('.') === true
  if (!url || !(url.protocol === 'https:' || isLocal || isPrivateUse))
    return 'a list of redirect URIs that are https:, http: on a loopback host, or like com.example.app:/'
  const isPlain = !String(uri).includes('#') && url.username === '' && !/[\s\\]/.test(String(uri))
  return isPlain ? undefined : 'a list of redirect URIs without fragment, credentials or spaces'
}
